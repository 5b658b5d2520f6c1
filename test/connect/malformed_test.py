"""What a server takes from clients whose messages are damaged, made up or too deep."""

import contextlib
import os
import random
import socket
import unittest
import zlib

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire

from raw_caller import AbuseTest, STREAMING, UNARY, field, new_id, relation


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
        error = self.failure(lambda: caller.raw("AnalyzePlan", schema))
        self.assertEqual(error.code(), grpc.StatusCode.INVALID_ARGUMENT)
        self.assertIn("deeper than", error.details())
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
                    schema = field(1, caller.session.encode()) + field(4, field(1, field(1, root)))
                    for call in (lambda: self.send(caller, root), lambda: caller.raw("AnalyzePlan", schema)):
                        try:
                            call()
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


if __name__ == "__main__":
    unittest.main()
