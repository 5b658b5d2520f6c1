"""What a server takes from many sessions, and from streams that nobody reads or comes back for."""

import os
import signal
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire

from raw_caller import AbuseTest, Caller, new_id, slow
from server import run_client, serving


class ManySessionsTest(AbuseTest):
    options = ("--max-sessions", "1001")

    def open_and_release(self):
        callers = [Caller(self.server) for _ in range(4)]
        sessions = []
        for number in range(1000):
            caller = callers[number % len(callers)]
            caller.session = new_id()
            caller.config()
            sessions.append((caller, caller.session))
        self.assertEqual(self.server.metric("sessions"), 1000)
        for caller, session in sessions:
            caller.session = session
            caller.release()
        self.assertEqual(self.server.metric("sessions"), 0)
        for caller in callers:
            caller.close()

    def test_a_thousand_sessions_cost_little_and_leave_nothing(self):
        before = self.server.memory_mb()
        self.open_and_release()
        first = self.server.memory_mb()
        self.assertLess(first - before, 100)
        for _ in range(3):
            self.open_and_release()
        self.assertLess(self.server.memory_mb() - first, 30)


class SessionLimitTest(AbuseTest):
    options = ("--max-sessions", "3")

    def test_no_more_sessions_than_allowed(self):
        first, second = self.caller(), self.caller()
        first.config()
        second.config()
        clone = wire.CloneSessionRequest(session_id=first.session, new_session_id=new_id())
        first.stub.CloneSession(clone)
        self.assertEqual(self.server.metric("sessions"), 3)
        third = self.caller()
        self.assertIn("max-sessions", self.failure(third.config).details())
        clone.new_session_id = new_id()
        self.assertIn("max-sessions", self.failure(lambda: first.stub.CloneSession(clone)).details())
        self.assertEqual(self.server.metric("sessions"), 3)
        second.release()
        third.config()
        self.assertEqual(self.server.metric("sessions"), 3)
        first.release()


# A row is about 100 bytes.
MANY_ROWS = "SELECT id, repeat('x', 80) AS text FROM range({})"


class StreamTest(AbuseTest):
    def stream(self, caller, rows, **options):
        root = wire.Relation()
        root.sql.query = MANY_ROWS.format(rows)
        return caller.stub.ExecutePlan(caller.plan(root, **options))

    def test_a_client_that_vanishes_ends_what_nobody_can_come_back_for(self):
        for way in ("cancel", "close"):
            with self.subTest(way=way):
                caller = self.caller()
                answers = self.stream(caller, 1 << 40)
                next(answers), next(answers)
                self.assertEqual(self.server.metric("operations_running"), 1)
                if way == "cancel":
                    answers.cancel()
                else:
                    caller.close()
                    self.callers.remove(caller)
                self.until(lambda: self.server.metric("operations_running") == 0)

    def test_a_client_that_comes_back_gets_the_rest(self):
        caller, operation, rows = self.caller(), new_id(), 300000
        answers = self.stream(caller, rows, operation=operation, reattachable=True)
        seen = [next(answers) for _ in range(4)]
        answers.cancel()
        again = Caller(self.server)
        rest = again.stub.ReattachExecute(wire.ReattachExecuteRequest(
            session_id=caller.session, operation_id=operation, last_response_id=seen[-1].response_id))
        seen += list(rest)
        again.close()
        self.assertEqual(sum(answer.arrow_batch.row_count for answer in seen), rows)
        self.assertTrue(seen[-1].HasField("result_complete"))
        self.assertEqual(len({answer.response_id for answer in seen}), len(seen))

    def test_a_session_that_ends_takes_its_streams_along(self):
        caller = self.caller()
        answers = self.stream(caller, 1 << 40, operation=new_id(), reattachable=True)
        next(answers)
        caller.release()
        with self.assertRaises(grpc.RpcError) as raised:
            list(answers)
        self.assertIn("OPERATION_CANCELED", raised.exception.details())

    def test_a_killed_process_leaves_nothing_behind(self):
        code = ("import os, itertools; rows = spark.sql(%r).toLocalIterator(); print(next(rows).id, flush=True); "
                "os.kill(os.getpid(), 9)" % MANY_ROWS.format(50_000_000))
        sessions = self.server.metric("sessions")
        done = run_client(self.server.url, code)
        self.assertEqual((done.returncode, done.stdout), (-signal.SIGKILL, "0\n"), done.stderr)
        # Its session and operation stay for a while, in case that it was only the network.
        self.assertEqual(self.server.metric("sessions"), sessions + 1)
        self.assertEqual(self.server.metric("operations_running"), 1)
        self.assertLess(self.server.memory_mb(), 300)
        self.release_others()

    def release_others(self):
        """A server of its own for what comes next: the killed client's session has an unknown id."""
        type(self).tearDownClass()
        type(self).setUpClass()

    def test_a_slow_reader_holds_up_neither_others_nor_memory(self):
        readers = [self.caller() for _ in range(5)]
        streams = [self.stream(reader, 3_000_000, operation=new_id(), reattachable=True) for reader in readers]
        for answers in streams:
            next(answers)
        # Meanwhile the server has time to fill whatever it would fill.
        other = self.caller()
        for _ in range(3):
            self.assertEqual(other.rows("SELECT sum(id % 7) FROM range(30000000)"), [(sum(range(7)) * (30000000 // 7) + sum(range(30000000 % 7)),)])
        # An operation counts for a moment after its last answer.
        self.until(lambda: self.server.metric("operations_running") == len(readers))
        self.assertLess(self.server.memory_mb("VmHWM"), 500)
        self.assertEqual(sum(answer.arrow_batch.row_count for answer in streams[0]), 3_000_000)

    def test_a_server_stops_although_nobody_reads(self):
        with serving() as server:
            caller = Caller(server)
            answers = self.stream(caller, 1 << 40, operation=new_id(), reattachable=True)
            next(answers)
            self.assertEqual(server.stop(), 0)
            caller.close()

    @slow
    def test_ten_million_rows_reach_pandas(self):
        code = ("frame = spark.sql(%r).toPandas(); print(len(frame), frame['id'].sum())" % MANY_ROWS.format(10_000_000))
        # A server of its own: the most memory that the others took would count as well.
        with serving() as server:
            done = run_client(server.url, code)
            self.assertEqual(done.stdout, f"10000000 {sum(range(10_000_000))}\n", done.stderr)
            self.assertLess(server.memory_mb("VmHWM"), 300)


if __name__ == "__main__":
    unittest.main()
