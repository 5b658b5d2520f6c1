"""What a server makes of operations sent twice, at once, or again after it was killed."""

import concurrent.futures
import os
import tempfile
import threading
import time
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire

from raw_caller import AbuseTest, Caller, PATIENCE_SECONDS, new_id, slow
from server import Server, run_client


class OperationTest(AbuseTest):
    def test_one_operation_sent_many_times_runs_once(self):
        setup = self.caller()
        setup.run("CREATE TABLE once (a INT) USING delta")
        operation = new_id()
        senders = [Caller(self.server) for _ in range(16)]
        for sender in senders:
            sender.session = setup.session
        start = threading.Barrier(len(senders))

        def send(sender):
            start.wait()
            try:
                list(sender.stub.ExecutePlan(sender.plan(
                    sql="INSERT INTO once VALUES (1)", operation=operation, reattachable=True)))
                return "ok"
            except grpc.RpcError as error:
                return error.details().split("]")[0]

        with concurrent.futures.ThreadPoolExecutor(len(senders)) as pool:
            outcomes = set(pool.map(send, senders))
        self.assertLessEqual(outcomes, {"ok", "[INVALID_CURSOR.DISCONNECTED"})
        self.assertIn("ok", outcomes)
        self.assertEqual(setup.rows("SELECT count(*) FROM once"), [(1,)])
        for sender in senders:
            sender.close()

    def merges(self, clients, keys):
        """Many clients add one to a few counters; those that say they did, did, and no others."""
        setup = self.caller()
        setup.run("CREATE OR REPLACE TABLE counters (id INT, n INT) USING delta")
        setup.run(f"INSERT INTO counters SELECT CAST(id AS INT), 0 FROM range({keys})")
        start = threading.Barrier(clients)

        def merge(number):
            caller = Caller(self.server)
            caller.config()
            start.wait()
            try:
                caller.run(f"MERGE INTO counters t USING (SELECT {number % keys} AS id) s ON t.id = s.id "
                           "WHEN MATCHED THEN UPDATE SET n = t.n + 1 WHEN NOT MATCHED THEN INSERT (id, n) VALUES (s.id, 1)")
                return number % keys, "ok"
            except grpc.RpcError as error:
                return number % keys, error.details().split("]")[0].split(".")[0]
            finally:
                caller.release()
                caller.close()

        with concurrent.futures.ThreadPoolExecutor(clients) as pool:
            outcomes = list(pool.map(merge, range(clients)))
        kinds = {outcome for _, outcome in outcomes} - {"ok"}
        self.assertTrue(all(kind.startswith("[DELTA_CONCURRENT_") for kind in kinds), kinds)
        wanted = [(key, sum(each == (key, "ok") for each in outcomes)) for key in range(keys)]
        self.assertEqual(setup.rows("SELECT id, n FROM counters ORDER BY id"), wanted)
        self.assertGreater(sum(n for _, n in wanted), 0)
        self.until(lambda: self.server.metric("operations_running") == 0)
        self.assertEqual(self.server.metric("sessions"), 1)
        self.assertLess(self.server.memory_mb("VmHWM"), 600)
        return sum(n for _, n in wanted)

    def test_many_merges_at_once_lose_no_update(self):
        self.merges(24, 3)

    @slow
    def test_two_hundred_merges_at_once_lose_no_update(self):
        committed = self.merges(200, 10)
        print(f"\n200 MERGEs at once: {committed} committed, {200 - committed} conflicts, "
              f"{self.server.memory_mb('VmHWM')} MB at most")

    def test_many_appends_at_once_all_commit(self):
        setup = self.caller()
        setup.run("CREATE TABLE appended (a INT) USING delta")

        def append(number):
            caller = Caller(self.server)
            caller.run(f"INSERT INTO appended VALUES ({number})")
            caller.release()
            caller.close()

        with concurrent.futures.ThreadPoolExecutor(32) as pool:
            list(pool.map(append, range(64)))
        self.assertEqual(setup.rows("SELECT count(DISTINCT a) FROM appended"), [(64,)])

    def test_ids_of_operations_long_gone_are_not_kept_for_ever(self):
        caller = self.caller()
        for _ in range(200):
            operation = new_id()
            list(caller.stub.ExecutePlan(caller.plan(sql="SELECT 1", operation=operation, reattachable=True)))
            release = wire.ReleaseExecuteRequest(session_id=caller.session, operation_id=operation)
            release.release_all.SetInParent()
            caller.stub.ReleaseExecute(release)
        again = caller.plan(sql="SELECT 1", operation=operation, reattachable=True)
        error = self.failure(lambda: list(caller.stub.ExecutePlan(again)))
        self.assertIn("OPERATION_ABANDONED", error.details())


class KilledServerTest(unittest.TestCase):
    """The server dies within a MERGE and starts again; its clients must be told."""

    MERGE = ("MERGE INTO t USING (SELECT 1 AS id) s ON t.id = s.id "
             "WHEN MATCHED THEN UPDATE SET n = t.n + 1 WHEN NOT MATCHED THEN INSERT (id, n) VALUES (1, 1)")

    def killed_in_merge(self, failpoint, client):
        """What `client` made of it, and the table's rows afterwards."""
        with tempfile.TemporaryDirectory() as folder:
            warehouse = f"{folder}/warehouse"
            first = Server(warehouse)
            caller = Caller(first)
            caller.run("CREATE TABLE t (id INT, n INT) USING delta")
            caller.run("INSERT INTO t VALUES (1, 0)")
            caller.close()
            first.stop()
            doomed = Server(warehouse, environment={"MERGANSER_FAILPOINTS": f"{failpoint}=kill"})
            seen = []
            thread = threading.Thread(target=lambda: seen.append(client(doomed)))
            thread.start()
            self.assertEqual(doomed.process.wait(timeout=PATIENCE_SECONDS), 137)
            doomed.process.stdout.close()
            anew = Server(warehouse, port=doomed.port)
            thread.join(timeout=PATIENCE_SECONDS)
            caller = Caller(anew)
            rows = caller.rows("SELECT id, n FROM t")
            versions = len(caller.rows("DESCRIBE HISTORY t"))
            caller.close()
            anew.stop()
        return seen[0], rows, versions

    def test_what_was_sent_again_does_not_run_again(self):
        def client(server):
            caller = Caller(server)
            known = caller.config().server_side_session_id
            merge = caller.plan(sql=self.MERGE, reattachable=True, client_observed_server_side_session_id=known)
            outcomes = []
            end = time.monotonic() + PATIENCE_SECONDS
            while "[" not in "".join(outcomes[-1:]) and time.monotonic() < end:
                try:
                    list(caller.stub.ExecutePlan(merge, wait_for_ready=bool(outcomes), timeout=PATIENCE_SECONDS))
                    outcomes.append("[ok")
                except grpc.RpcError as error:
                    outcomes.append(error.details().split("]")[0])
            caller.close()
            return outcomes[-1]

        for failpoint, wanted in (("commit.before_put", (0, 2)), ("commit.after_put", (1, 3))):
            with self.subTest(failpoint=failpoint):
                outcome, rows, versions = self.killed_in_merge(failpoint, client)
                self.assertEqual(outcome, "[INVALID_HANDLE.SESSION_CHANGED")
                self.assertEqual((rows, versions), ([(1, wanted[0])], wanted[1]))

    def test_pyspark_is_told(self):
        code = (f"spark.conf.get('spark.sql.session.timeZone')\ntry:\n    spark.sql({self.MERGE!r})\n"
                "except Exception as error:\n    print(str(error).split(']')[0])")
        code = f"exec({code!r})"
        outcome, rows, versions = self.killed_in_merge(
            "commit.before_put", lambda server: run_client(server.url, code))
        self.assertIn("[INVALID_HANDLE.SESSION_CHANGED\n", outcome.stdout, outcome.stderr)
        self.assertEqual((rows, versions), ([(1, 0)], 2))


if __name__ == "__main__":
    unittest.main()
