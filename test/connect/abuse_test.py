"""What a server takes from clients that are broken, hostile, many, slow or suddenly gone.

Real server, real gRPC. MERGANSER_SLOW_TESTS in the environment adds the long ones.
"""

import concurrent.futures
import contextlib
import os
import pathlib
import random
import shutil
import signal
import tempfile
import threading
import time
import unittest
import uuid
import zlib

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire
import pyspark.sql.connect.proto.base_pb2_grpc as calls

from server import Server, connect, run_client, serving

SERVICE = "/spark.connect.SparkConnectService/"
UNARY = ["AnalyzePlan", "Config", "ArtifactStatus", "Interrupt", "ReleaseExecute", "ReleaseSession",
         "FetchErrorDetails", "CloneSession", "GetStatus"]
STREAMING = ["ExecutePlan", "ReattachExecute"]
PATIENCE_SECONDS = 120
slow = unittest.skipUnless(os.environ.get("MERGANSER_SLOW_TESTS"), "a slow test")


def new_id():
    return str(uuid.uuid4())


def varint(number):
    out = b""
    while number >= 0x80:
        out += bytes([number & 0x7F | 0x80])
        number >>= 7
    return out + bytes([number])


def field(number, content):
    """A field of bytes, or of a message, as protobuf has it on the wire."""
    return varint(number << 3 | 2) + varint(len(content)) + content


class Caller:
    """A channel without Spark's client on it; `session` is its session's id."""

    def __init__(self, server):
        # A channel of its own: channels with equal options share a connection.
        self.channel = grpc.insecure_channel(f"localhost:{server.port}", options=[
            ("grpc.max_receive_message_length", -1), ("grpc.max_send_message_length", -1),
            ("grpc.use_local_subchannel_pool", 1)])
        self.stub = calls.SparkConnectServiceStub(self.channel)
        self.session = new_id()

    def close(self):
        self.channel.close()

    def raw(self, method, message):
        """Send bytes as they are; the bytes of the answers."""
        if method in STREAMING:
            return list(self.channel.unary_stream(SERVICE + method)(message, timeout=PATIENCE_SECONDS))
        if method == "AddArtifacts":
            return [self.channel.stream_unary(SERVICE + method)(iter([message]), timeout=PATIENCE_SECONDS)]
        return [self.channel.unary_unary(SERVICE + method)(message, timeout=PATIENCE_SECONDS)]

    def plan(self, root=None, sql=None, operation=None, reattachable=False, **fields):
        request = wire.ExecutePlanRequest(session_id=self.session, operation_id=operation or new_id(), **fields)
        if sql is not None:
            request.plan.command.sql_command.input.sql.query = sql
        elif root is not None:
            request.plan.root.CopyFrom(root)
        if reattachable:
            request.request_options.add().reattach_options.reattachable = True
        return request

    def run(self, sql):
        """The answers to a command."""
        return list(self.stub.ExecutePlan(self.plan(sql=sql), timeout=PATIENCE_SECONDS))

    def rows(self, sql):
        """How many rows a query gives, and the value of the first row's first cell if it is a number."""
        import pyarrow
        root = wire.Relation()
        root.sql.query = sql
        batches = [answer.arrow_batch for answer in self.stub.ExecutePlan(self.plan(root), timeout=PATIENCE_SECONDS)
                   if answer.HasField("arrow_batch")]
        tables = [pyarrow.ipc.open_stream(batch.data).read_all() for batch in batches]
        return [tuple(row.values()) for table in tables for row in table.to_pylist()]

    def config(self, **fields):
        request = wire.ConfigRequest(session_id=self.session, **fields)
        request.operation.get.keys.append("spark.sql.session.timeZone")
        return self.stub.Config(request)

    def release(self):
        self.stub.ReleaseSession(wire.ReleaseSessionRequest(session_id=self.session))


class AbuseTest(unittest.TestCase):
    """A server for each class of tests; it must live and be of use after each test."""

    options = ()

    @classmethod
    def setUpClass(cls):
        cls.serving = serving(*cls.options)
        cls.server = cls.serving.__enter__()

    @classmethod
    def tearDownClass(cls):
        cls.serving.__exit__(None, None, None)

    def setUp(self):
        self.callers = []

    def tearDown(self):
        self.assertIsNone(self.server.process.poll(), "the server has ended")
        self.assertEqual(self.caller().rows("SELECT 41 + 1"), [(42,)])
        for caller in self.callers:
            caller.release()
            caller.close()
        self.until(lambda: self.server.metric("operations_running") == 0)

    def caller(self):
        self.callers.append(Caller(self.server))
        return self.callers[-1]

    def until(self, condition):
        """Ask again until `condition` holds; each question is a round trip to the server."""
        end = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            self.assertLess(time.monotonic(), end, "took too long")

    def failure(self, call):
        with self.assertRaises(grpc.RpcError) as raised:
            call()
        return raised.exception


def relation(**fields):
    return wire.Relation(**fields)


def sample_plans():
    """Plans of many kinds, to be damaged."""
    table = relation(range=wire.Range(end=10, step=1))
    column = wire.Expression(unresolved_attribute=wire.Expression.UnresolvedAttribute(unparsed_identifier="id"))
    one = wire.Expression(literal=wire.Expression.Literal(integer=1))
    plus = wire.Expression(unresolved_function=wire.Expression.UnresolvedFunction(
        function_name="+", arguments=[column, one]))
    count = wire.Expression(unresolved_function=wire.Expression.UnresolvedFunction(
        function_name="count", arguments=[one]))
    sql = relation(sql=wire.SQL(query="SELECT a, max(b) OVER (PARTITION BY a) FROM VALUES (1, 'x') AS t(a, b)"))
    yield table
    yield sql
    yield relation(project=wire.Project(input=table, expressions=[column, plus]))
    yield relation(filter=wire.Filter(input=table, condition=wire.Expression(
        expression_string=wire.Expression.ExpressionString(expression="id > 3 AND id IN (1, 4)"))))
    yield relation(aggregate=wire.Aggregate(
        input=table, group_type=wire.Aggregate.GROUP_TYPE_CUBE, grouping_expressions=[column],
        aggregate_expressions=[count]))
    yield relation(join=wire.Join(left=table, right=table, join_type=wire.Join.JOIN_TYPE_INNER, using_columns=["id"]))
    yield relation(show_string=wire.ShowString(input=table, num_rows=20, truncate=20))
    yield relation(sample=wire.Sample(input=table, upper_bound=0.5, seed=7))
    yield relation(unpivot=wire.Unpivot(input=table, ids=[column], variable_column_name="v", value_column_name="w"))
    yield relation(fill_na=wire.NAFill(input=table, values=[wire.Expression.Literal(long=0)]))
    yield relation(summary=wire.StatSummary(input=table, statistics=["count", "50%"]))
    yield relation(set_op=wire.SetOperation(left_input=table, right_input=table, is_all=True,
                                            set_op_type=wire.SetOperation.SET_OP_TYPE_UNION))


class MalformedTest(AbuseTest):
    def test_bytes_that_are_no_message_are_refused_by_every_call(self):
        caller = self.caller()
        for method in [*UNARY, *STREAMING, "AddArtifacts"]:
            for junk in (b"\xff" * 64, b"\x0a\x7f", b"\x0b", b"\x0a\x04\xff\xfe\xfd\xfc"):
                with self.subTest(method=method, junk=junk):
                    error = self.failure(lambda: caller.raw(method, junk))
                    self.assertIn(error.code(), (grpc.StatusCode.INTERNAL, grpc.StatusCode.INVALID_ARGUMENT))

    def test_an_empty_message_is_an_error(self):
        caller = self.caller()
        for method in [*UNARY, *STREAMING]:
            if method != "ReleaseSession":
                with self.subTest(method=method):
                    self.assertIn("INVALID_HANDLE.FORMAT", self.failure(lambda: caller.raw(method, b"")).details())

    def test_damaged_plans_are_answered(self):
        dice = random.Random(4)
        caller = self.caller()
        answered = refused = 0
        for root in sample_plans():
            good = caller.plan(root).plan.SerializeToString()
            for _ in range(40):
                bad = bytearray(good)
                for _ in range(dice.randint(1, 4)):
                    place = dice.randrange(len(bad))
                    kind = dice.randrange(3)
                    if kind == 0:
                        bad[place] = dice.randrange(256)
                    elif kind == 1:
                        del bad[place:place + dice.randint(1, 3)]
                    else:
                        bad[place:place] = bytes([dice.randrange(256)])
                    if not bad:
                        bad = bytearray(b"\x00")
                message = field(1, caller.session.encode()) + field(3, bytes(bad)) + field(6, new_id().encode())
                try:
                    caller.raw("ExecutePlan", message)
                    answered += 1
                except grpc.RpcError as error:
                    self.assertIn(error.code(), (grpc.StatusCode.INTERNAL, grpc.StatusCode.INVALID_ARGUMENT))
                    self.assertNotIn("INTERNAL_ERROR", error.details(), bytes(bad))
                    refused += 1
        self.assertGreater(answered, 0)
        self.assertGreater(refused, 100)

    def test_damaged_local_data_is_refused(self):
        import pyarrow
        dice = random.Random(5)
        caller = self.caller()
        sink = pyarrow.BufferOutputStream()
        table = pyarrow.table({"a": [1, None], "s": ["x", "yy"], "l": [[1, 2], None], "m": [{"k": 1.5}, None]})
        with pyarrow.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table)
        good = sink.getvalue().to_pybytes()
        self.assertEqual(len(list(caller.stub.ExecutePlan(
            caller.plan(relation(local_relation=wire.LocalRelation(data=good)))))), 2)
        for _ in range(300):
            bad = bytearray(good)
            if dice.randrange(4) == 0:
                bad = bad[:dice.randrange(len(bad))]
            for _ in range(dice.randint(1, 3)):
                if bad:
                    bad[dice.randrange(len(bad))] = dice.choice((0, 1, 0x7F, 0x80, 0xFF, dice.randrange(256)))
            with contextlib.suppress(grpc.RpcError):
                list(caller.stub.ExecutePlan(caller.plan(
                    relation(local_relation=wire.LocalRelation(data=bytes(bad))))))
            self.assertIsNone(self.server.process.poll(), bytes(bad))

    def test_artifacts_that_lie_are_not_kept(self):
        caller = self.caller()

        def upload(*requests):
            for request in requests:
                request.session_id = caller.session
            return caller.stub.AddArtifacts(iter(requests)).artifacts

        chunk = wire.AddArtifactsRequest.ArtifactChunk(data=b"abc", crc=zlib.crc32(b"abc"))
        wrong = wire.AddArtifactsRequest.ArtifactChunk(data=b"abc", crc=1)
        begin = wire.AddArtifactsRequest.BeginChunkedArtifact(
            name="cache/a", total_bytes=2**62, num_chunks=2**62, initial_chunk=chunk)
        self.assertEqual(len(upload(wire.AddArtifactsRequest(begin_chunk=begin))), 0)
        self.assertEqual(len(upload(wire.AddArtifactsRequest(chunk=chunk))), 0)
        single = wire.AddArtifactsRequest.SingleChunkArtifact
        answers = upload(wire.AddArtifactsRequest(batch=wire.AddArtifactsRequest.Batch(artifacts=[
            single(name="cache/b", data=wrong), single(name="cache/c", data=chunk)])))
        self.assertEqual([(each.name, each.is_crc_successful) for each in answers],
                         [("cache/b", False), ("cache/c", True)])
        names = ["cache/a", "cache/b", "cache/c"]
        status = caller.stub.ArtifactStatus(wire.ArtifactStatusesRequest(session_id=caller.session, names=names))
        self.assertEqual([status.statuses[name].exists for name in names], [False, False, True])

    def test_the_metrics_port_takes_anything(self):
        import socket
        for junk in (b"", b"\0" * 10000, b"GET", b"GET /metrics", b"POST / HTTP/1.1\r\n\r\n" * 100):
            with socket.create_connection(("127.0.0.1", self.server.metrics_port)) as connection:
                # It may have heard enough before all is sent.
                with contextlib.suppress(OSError):
                    connection.sendall(junk)
                    connection.shutdown(socket.SHUT_WR)
                    connection.recv(100)
        self.assertGreaterEqual(self.server.metric("requests_total"), 0)


class DepthTest(AbuseTest):
    @staticmethod
    def nested(depth, wrap):
        """The bytes of a relation of `depth` steps; `wrap` makes a step of its input's bytes."""
        inner = relation(range=wire.Range(end=3, step=1)).SerializeToString()
        for _ in range(depth):
            inner = wrap(inner)
        return inner

    def send(self, caller, root):
        return caller.raw("ExecutePlan", field(1, caller.session.encode()) + field(3, field(1, root)))

    def test_a_plan_10000_deep_is_an_error(self):
        caller = self.caller()
        limit = self.nested(10000, lambda inner: field(8, field(1, inner) + b"\x10\x02"))
        error = self.failure(lambda: self.send(caller, limit))
        self.assertEqual(error.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertIn("deeper than", error.details())
        plan = field(1, limit)
        schema = field(1, caller.session.encode()) + field(4, field(1, plan))
        # gRPC answers calls without a stream itself, and says no more than that.
        self.assertEqual(self.failure(lambda: caller.raw("AnalyzePlan", schema)).code(), grpc.StatusCode.INTERNAL)
        expression = wire.Expression(literal=wire.Expression.Literal(integer=1)).SerializeToString()
        for _ in range(10000):
            expression = field(3, field(1, b"-") + field(2, expression))
        project = field(3, field(1, relation(range=wire.Range(end=3, step=1)).SerializeToString()) +
                        field(3, expression))
        self.assertIn("deeper than", self.failure(lambda: self.send(caller, project)).details())

    def test_plans_as_deep_as_may_be_are_answered(self):
        caller = self.caller()
        condition = wire.Expression(expression_string=wire.Expression.ExpressionString(
            expression="id >= 0")).SerializeToString()
        steps = {
            "limit": lambda inner: field(8, field(1, inner) + b"\x10\x02"),
            "filter": lambda inner: field(4, field(1, inner) + field(2, condition)),
            "sort": lambda inner: field(7, field(1, inner)),
            "deduplicate": lambda inner: field(14, field(1, inner) + b"\x18\x01"),
            "subquery_alias": lambda inner: field(16, field(1, inner) + field(2, b"t")),
            "union": lambda inner: field(6, field(1, inner) + field(
                2, relation(range=wire.Range(end=1, step=1)).SerializeToString()) + b"\x18\x02\x20\x01"),
        }
        for name, wrap in steps.items():
            for depth in (100, 505):
                with self.subTest(name=name, depth=depth):
                    root = self.nested(depth, wrap)
                    try:
                        self.send(caller, root)
                    except grpc.RpcError as error:
                        self.assertRegex(error.details(), r"^\[[A-Z_.]+\] ")
                        self.assertNotIn("INTERNAL_ERROR", error.details())
                    self.assertIsNone(self.server.process.poll())

    def test_deep_texts_are_answered(self):
        caller = self.caller()
        depth = 20000
        texts = ["SELECT " + "(" * depth + "1" + ")" * depth, "SELECT " + "- " * depth + "1",
                 "SELECT " + "NOT " * depth + "true", "SELECT " + "1 + " * depth + "1",
                 "SELECT " + "array(" * depth + ")" * depth,
                 "SELECT " + "(SELECT " * depth + "1" + ")" * depth,
                 "SELECT * FROM " + "(SELECT * FROM " * depth + "t" + ")" * depth,
                 "SELECT " + "CASE WHEN true THEN " * depth + "1" + " END" * depth,
                 "SELECT CAST(NULL AS " + "array<" * depth + "int" + ">" * depth + ")",
                 "SELECT 1 " + "UNION ALL SELECT 1 " * depth,
                 "EXPLAIN " * depth + "SELECT 1"]
        for text in texts:
            with self.subTest(text=text[:40]):
                error = self.failure(lambda: caller.run(text))
                self.assertRegex(error.details(), r"^\s*\[[A-Z_.]+\] ")
                self.assertNotIn("INTERNAL_ERROR", error.details())
        for ddl in ("a " + "array<" * depth + "int" + ">" * depth, "a " + "struct<b:" * depth + "int" + ">" * depth):
            request = wire.AnalyzePlanRequest(session_id=caller.session)
            request.ddl_parse.ddl_string = ddl
            self.failure(lambda: caller.stub.AnalyzePlan(request))
        json = '{"type":"array","elementType":' * depth + '"integer"' + ',"containsNull":true}' * depth
        request = wire.AnalyzePlanRequest(session_id=caller.session)
        request.json_to_ddl.json_string = (
            '{"type":"struct","fields":[{"name":"a","nullable":true,"metadata":{},"type":' + json + "}]}")
        self.failure(lambda: caller.stub.AnalyzePlan(request))


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
        self.assertEqual(self.server.metric("operations_running"), len(readers))
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
        before = self.server.memory_mb("VmHWM")
        code = ("frame = spark.sql(%r).toPandas(); print(len(frame), frame['id'].sum())" % MANY_ROWS.format(10_000_000))
        done = run_client(self.server.url, code)
        self.assertEqual(done.stdout, f"10000000 {sum(range(10_000_000))}\n", done.stderr)
        self.assertLess(self.server.memory_mb("VmHWM"), 300, f"{before} before")
        self.release_others()


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
        setup.run("CREATE TABLE counters (id INT, n INT) USING delta")
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


class PythonProcessTest(unittest.TestCase):
    """Functions of foreachBatch that misbehave leave no process behind."""

    def start(self, spark, function, folder):
        return (spark.readStream.table("source").writeStream.foreachBatch(function)
                .option("checkpointLocation", f"{folder}/{new_id()}").trigger(availableNow=True).start())

    @contextlib.contextmanager
    def source(self, **options):
        with serving(**options) as server, tempfile.TemporaryDirectory() as folder:
            spark = connect(server.url)
            spark.sql("CREATE TABLE source (id INT) USING delta")
            spark.sql("INSERT INTO source VALUES (1)")
            try:
                yield server, spark, folder
            finally:
                spark.stop()

    def test_functions_that_die_hang_or_do_not_load(self):
        class NoUse:
            def __reduce__(self):
                return (exec, ("raise ValueError('cannot be loaded')",))

        def captures(batch, number, hidden=NoUse()):
            pass

        def dies(batch, number):
            os._exit(3)

        def hangs(batch, number):
            signal.pause()

        with self.source() as (server, spark, folder):
            with self.assertRaisesRegex(Exception, "PYTHON_EXCEPTION"):
                self.start(spark, captures, folder)
            self.assertEqual(server.children(), [])
            query = self.start(spark, dies, folder)
            with self.assertRaisesRegex(Exception, "STREAM_FAILED"):
                query.awaitTermination()
            query = self.start(spark, hangs, folder)
            self.assertEqual(len(server.children()), 1)
            query.stop()
            self.assertFalse(query.isActive)
            spark.streams.resetTerminated()
            self.assertEqual(server.children(), [])

    def test_a_process_whose_modules_cannot_be_laid_out_ends(self):
        gone = tempfile.mkdtemp()
        with self.source(environment={"TMPDIR": gone}) as (server, spark, folder):
            shutil.rmtree(gone)
            module = pathlib.Path(folder, "helper.py")
            module.write_text("x = 1\n")
            spark.addArtifacts(str(module), pyfile=True)
            with self.assertRaisesRegex(Exception, "PYTHON_EXCEPTION"):
                self.start(spark, lambda batch, number: None, folder)
            self.assertEqual(server.children(), [])

    def test_a_server_stops_although_a_function_hangs(self):
        code = ("import os, signal, tempfile; spark.sql('CREATE TABLE source (id INT) USING delta'); "
                "spark.sql('INSERT INTO source VALUES (1)'); folder = tempfile.mkdtemp(dir='.'); "
                "spark.readStream.table('source').writeStream.foreachBatch(lambda batch, number: signal.pause())"
                ".option('checkpointLocation', os.path.abspath(folder)).start()")
        with serving() as server, tempfile.TemporaryDirectory() as folder:
            done = run_client(server.url, f"import os; os.chdir({folder!r}); {code}")
            self.assertEqual(done.returncode, 0, done.stderr)
            # The query outlives the client that started it.
            children = server.children()
            self.assertEqual(len(children), 1)
            self.assertEqual(server.stop(), 0)
            self.assertFalse(pathlib.Path(f"/proc/{children[0]}").exists())


if __name__ == "__main__":
    unittest.main()
