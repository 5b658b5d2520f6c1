"""PySpark's own client and delta-spark talk to the server."""

import datetime
import decimal
import io
import contextlib
import os
import tempfile
import threading
import unittest
import urllib.error
import urllib.request
import uuid

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

import grpc
import pyspark.sql.connect.proto as wire
import pyspark.sql.connect.proto.base_pb2_grpc as calls
from delta.tables import DeltaTable
from pyspark.errors import AnalysisException, UnsupportedOperationException
from pyspark.errors.exceptions.connect import SparkConnectGrpcException
from pyspark.sql import Observation, Row, functions as F

from server import ServedTest, Server, connect, run_client, serving


def shown(frame, **options):
    with contextlib.redirect_stdout(io.StringIO()) as out:
        frame.show(**options)
    return out.getvalue()


class ClientTest(ServedTest):
    def test_rows_come_back_as_they_were_sent(self):
        rows = [
            Row(id=1, name="a", amount=decimal.Decimal("12.50"), day=datetime.date(2026, 1, 2), tags=["x", None],
                at=datetime.datetime(2026, 1, 2, 3, 4, 5, 678000), data=b"\x00\xff", place={"k": 1}),
            Row(id=2, name=None, amount=None, day=None, tags=None, at=None, data=None, place=None)]
        schema = ("id INT, name STRING, amount DECIMAL(10,2), day DATE, tags ARRAY<STRING>, at TIMESTAMP, "
                  "data BINARY, place MAP<STRING, INT>")
        frame = self.spark.createDataFrame(rows, schema)
        self.assertEqual(frame.orderBy("id").collect(), rows)
        self.assertEqual(frame.count(), 2)

    def test_an_empty_frame_has_its_columns(self):
        frame = self.spark.createDataFrame([], "a INT, b STRING")
        self.assertEqual(frame.collect(), [])
        self.assertEqual(frame.columns, ["a", "b"])
        self.assertTrue(frame.isEmpty())
        self.assertFalse(self.spark.range(3).isEmpty())

    def test_schemas_say_what_may_be_null(self):
        expressions = {"CAST('1' AS INT)": True, "CAST(1 AS STRING)": False, "CAST(1.5D AS INT)": True,
                       "CAST(DATE'2024-01-01' AS TIMESTAMP)": False, "CAST(1 AS DECIMAL(20,2))": False,
                       "CAST(1.25 AS DECIMAL(3,2))": False, "TRY_CAST(1 AS BIGINT)": False,
                       "TRY_CAST(1 AS TINYINT)": True, "1 = '1'": True, "acos(1)": True,
                       "0Y - CAST(1.25 AS DECIMAL(5,2))": False, "1 / 2": True, "make_date(2024, 1, 1)": False}
        schema = self.spark.sql("SELECT " + ", ".join(expressions)).schema
        self.assertEqual(dict(zip(expressions, (field.nullable for field in schema))), expressions)

    def test_show_draws_what_spark_draws(self):
        frame = self.spark.createDataFrame([(1, "a" * 25), (None, "b")], "n INT, text STRING")
        self.assertEqual(shown(frame.orderBy(F.col("n").desc())), (
            "+----+--------------------+\n"
            "|   n|                text|\n"
            "+----+--------------------+\n"
            "|   1|aaaaaaaaaaaaaaaaa...|\n"
            "|NULL|                   b|\n"
            "+----+--------------------+\n\n"))

    def test_many_rows_come_in_batches(self):
        frame = self.spark.range(100000).selectExpr("id", "repeat('x', 100) AS text").toPandas()
        self.assertEqual(len(frame), 100000)
        self.assertEqual(frame["id"].sum(), 99999 * 50000)
        self.assertEqual(set(frame["text"].str.len()), {100})

    def test_a_command_runs_once(self):
        self.spark.sql("CREATE TABLE once (a INT) USING delta")
        answer = self.spark.sql("INSERT INTO once VALUES (1)")
        answer.collect()
        answer.collect()
        self.assertEqual(self.spark.table("once").count(), 1)

    def test_merge_through_the_builder(self):
        self.spark.sql("CREATE TABLE target (id BIGINT, v STRING) USING delta")
        self.spark.sql("INSERT INTO target VALUES (1, 'one'), (2, 'two')")
        source = self.spark.createDataFrame([(2, "zwei"), (3, "drei")], "id BIGINT, v STRING")
        counts = (DeltaTable.forName(self.spark, "target").alias("t").merge(source.alias("s"), "t.id = s.id")
                  .whenMatchedUpdateAll().whenNotMatchedInsertAll().execute())
        self.assertEqual(counts.collect()[0].asDict(), {
            "num_affected_rows": 2, "num_updated_rows": 1, "num_deleted_rows": 0, "num_inserted_rows": 1})
        self.assertEqual([tuple(row) for row in self.spark.table("target").orderBy("id").collect()],
                         [(1, "one"), (2, "zwei"), (3, "drei")])

    def test_errors_are_sparks_exceptions(self):
        with self.assertRaises(AnalysisException) as raised:
            self.spark.sql("SELECT nope FROM VALUES (1) AS t(a)")
        self.assertEqual(raised.exception.getCondition(), "UNRESOLVED_COLUMN.WITH_SUGGESTION")
        self.assertEqual(raised.exception.getSqlState(), "42703")
        self.assertTrue(str(raised.exception).startswith("[UNRESOLVED_COLUMN.WITH_SUGGESTION] "))
        self.spark.sql("CREATE TABLE twice (id INT) USING delta")
        self.spark.sql("INSERT INTO twice VALUES (1)")
        with self.assertRaises(UnsupportedOperationException) as raised:
            self.spark.sql("MERGE INTO twice t USING (SELECT * FROM VALUES (1), (1) AS v(id)) s ON t.id = s.id "
                           "WHEN MATCHED THEN UPDATE SET *")
        self.assertEqual(str(raised.exception).split("]")[0],
                         "[DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE")

    def test_sessions_are_apart(self):
        other = connect(self.server.url)
        self.spark.conf.set("spark.sql.session.timeZone", "America/New_York")
        self.spark.range(1).createOrReplaceTempView("mine")
        self.assertEqual(other.conf.get("spark.sql.session.timeZone"), "UTC")
        with self.assertRaises(AnalysisException):
            other.table("mine").collect()
        self.spark.conf.unset("spark.sql.session.timeZone")
        other.stop()

    def test_settings_that_scripts_bring_along_are_taken(self):
        from pyspark.sql.connect.session import SparkSession
        session = (SparkSession.builder.remote(self.server.url)
                   .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
                   .config("spark.sql.catalog.lake", "org.apache.spark.sql.delta.catalog.DeltaCatalog").create())
        self.assertEqual(session.conf.get("spark.sql.extensions"), "io.delta.sql.DeltaSparkSessionExtension")
        session.sql("CREATE TABLE lake.default.named (a INT) USING delta")
        self.assertEqual(session.table("named").count(), 0)
        session.stop()

    def test_a_large_frame_is_uploaded_in_chunks(self):
        rows = [(i, "x" * 200) for i in range(20000)]
        frame = self.spark.createDataFrame(rows, "id INT, text STRING")
        self.assertEqual(frame.selectExpr("sum(id)", "count(*)").collect()[0], (199990000, 20000))

    def test_a_large_plan_comes_compressed(self):
        values = " OR ".join(f"id = {i} /* {'x' * 1000} */" for i in range(0, 300, 3))
        session = connect(self.server.url)
        session.conf.set("spark.connect.session.planCompression.threshold", "1000")
        self.assertEqual(session.range(300).filter(values).count(), 100)
        self.assertEqual(session.range(300).filter(values).columns, ["id"])
        session.sql(f"CREATE TABLE packed AS SELECT id FROM range(300) WHERE {values}")
        self.assertEqual(session.table("packed").count(), 100)
        session.stop()

    def test_observed_values_may_be_nested(self):
        seen = Observation()
        pair = F.struct(F.count(F.lit(1)).alias("rows"), F.max("id").alias("last")).alias("pair")
        ids = F.collect_list("id").alias("ids")
        counts = F.map_from_arrays(F.collect_list("id"), F.collect_list(F.lit("x"))).alias("counts")
        self.spark.range(3).observe(seen, pair, ids, counts).collect()
        self.assertEqual(seen.get, {"pair": Row(rows=3, last=2), "ids": [0, 1, 2], "counts": {0: "x", 1: "x", 2: "x"}})

    def test_writes_are_observed(self):
        seen = Observation()
        frame = self.spark.range(5).observe(seen, F.count(F.lit(1)).alias("rows"), F.sum("id").alias("total"))
        frame.write.format("delta").saveAsTable("observed")
        self.assertEqual(seen.get, {"rows": 5, "total": 10})
        self.assertEqual(self.spark.table("observed").count(), 5)

    def test_samples_are_the_same_every_time(self):
        frame = self.spark.range(10000)
        self.assertEqual(frame.sample(0.1, 3).collect(), frame.sample(0.1, 3).collect())
        parts = frame.selectExpr("id % 3 AS a").randomSplit([0.2, 0.3, 0.5], 11)
        counts = [part.count() for part in parts]
        self.assertEqual(sum(counts), 10000)
        for count, weight in zip(counts, (0.2, 0.3, 0.5)):
            self.assertAlmostEqual(count, 10000 * weight, delta=300)
        self.assertAlmostEqual(frame.sample(True, 2.5, 1).count(), 25000, delta=1000)
        with self.assertRaisesRegex(Exception, "fraction"):
            frame.sample(1.5).count()
        with self.assertRaisesRegex(Exception, "fraction"):
            frame.sample(-0.1).count()

    def test_a_query_can_be_interrupted(self):
        spark = connect(self.server.url)
        spark.addTag("slow")
        failures = []

        def run():
            spark.addTag("slow")
            try:
                spark.sql("SELECT sum(a.id * b.id) FROM range(10000000) a CROSS JOIN range(10000000) b").collect()
            except SparkConnectGrpcException as error:
                failures.append(str(error))

        thread = threading.Thread(target=run)
        thread.start()
        while thread.is_alive() and not spark.interruptTag("slow"):
            thread.join(timeout=0.05)
        thread.join(timeout=60)
        self.assertFalse(thread.is_alive())
        self.assertIn("OPERATION_CANCELED", failures[0])
        spark.stop()

    def test_health_and_metrics(self):
        port = self.server.metrics_port
        self.assertEqual(urllib.request.urlopen(f"http://127.0.0.1:{port}/healthz").read(), b"ok\n")
        page = urllib.request.urlopen(f"http://127.0.0.1:{port}/metrics").read().decode()
        self.assertRegex(page, r"(?m)^merganser_sessions [1-9]")
        with self.assertRaises(urllib.error.HTTPError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/other")


class ProtocolTest(unittest.TestCase):
    """What the client only does when something goes wrong."""

    def setUp(self):
        self.serving = serving()
        self.server = self.serving.__enter__()
        self.channel = grpc.insecure_channel(f"localhost:{self.server.port}")
        self.stub = calls.SparkConnectServiceStub(self.channel)
        self.session = str(uuid.uuid4())

    def tearDown(self):
        self.channel.close()
        self.serving.__exit__(None, None, None)

    def request(self, sql, operation, **fields):
        request = wire.ExecutePlanRequest(session_id=self.session, operation_id=operation, **fields)
        request.plan.command.sql_command.input.sql.query = sql
        request.request_options.add().reattach_options.reattachable = True
        return request

    def assert_fails(self, call, condition):
        with self.assertRaises(grpc.RpcError) as raised:
            call()
        self.assertTrue(raised.exception.details().startswith(f"[{condition}]"), raised.exception.details())

    def test_the_same_operation_never_runs_twice(self):
        list(self.stub.ExecutePlan(self.request("CREATE TABLE t (a INT) USING delta", str(uuid.uuid4()))))
        operation = str(uuid.uuid4())
        insert = self.request("INSERT INTO t VALUES (1)", operation)
        first = list(self.stub.ExecutePlan(insert))
        again = list(self.stub.ExecutePlan(insert))
        self.assertEqual([r.response_id for r in first], [r.response_id for r in again])
        self.assertTrue(first[-1].HasField("result_complete"))
        other = self.request("INSERT INTO t VALUES (2)", operation)
        self.assert_fails(lambda: list(self.stub.ExecutePlan(other)), "INVALID_HANDLE.OPERATION_ALREADY_EXISTS")
        rest = list(self.stub.ReattachExecute(wire.ReattachExecuteRequest(
            session_id=self.session, operation_id=operation, last_response_id=first[0].response_id)))
        self.assertEqual([r.response_id for r in rest], [r.response_id for r in first[1:]])
        release = wire.ReleaseExecuteRequest(session_id=self.session, operation_id=operation)
        release.release_all.SetInParent()
        self.assertEqual(self.stub.ReleaseExecute(release).operation_id, operation)
        self.assertEqual(self.stub.ReleaseExecute(release).operation_id, "")
        self.assert_fails(lambda: list(self.stub.ExecutePlan(insert)), "INVALID_HANDLE.OPERATION_ABANDONED")

    def test_the_same_request_is_known_again_whatever_the_order_of_its_options(self):
        request = wire.ExecutePlanRequest(session_id=self.session, operation_id=str(uuid.uuid4()))
        request.request_options.add().reattach_options.reattachable = True
        write = request.plan.command.write_operation
        write.input.range.end, write.input.range.step, write.source, write.mode = 3, 1, "delta", 1
        write.table.table_name, write.table.save_method = "written", 1
        for number in range(20):
            write.options[f"option{number}"] = "x"
        outcomes = []
        for _ in range(8):
            outcomes.append(len(list(self.stub.ExecutePlan(request))))
            write.options["option0"] = "x"
        self.assertEqual(set(outcomes), {1})
        root = wire.ExecutePlanRequest(session_id=self.session)
        root.plan.root.sql.query = "SELECT * FROM written"
        rows = [each.arrow_batch.row_count for each in self.stub.ExecutePlan(root)]
        self.assertEqual(sum(rows), 3)

    def test_handles_are_checked(self):
        get = wire.ConfigRequest(session_id="abc")
        get.operation.get_all.SetInParent()
        self.assert_fails(lambda: self.stub.Config(get), "INVALID_HANDLE.FORMAT")
        get.session_id = self.session
        get.client_observed_server_side_session_id = str(uuid.uuid4())
        self.assert_fails(lambda: self.stub.Config(get), "INVALID_HANDLE.SESSION_CHANGED")
        status = wire.GetStatusRequest(session_id=self.session)
        self.assert_fails(lambda: self.stub.GetStatus(status), "INVALID_HANDLE.SESSION_NOT_FOUND")
        get.ClearField("client_observed_server_side_session_id")
        self.stub.Config(get)
        self.stub.ReleaseSession(wire.ReleaseSessionRequest(session_id=self.session))
        self.stub.ReleaseSession(wire.ReleaseSessionRequest(session_id=self.session))
        self.assert_fails(lambda: self.stub.Config(get), "INVALID_HANDLE.SESSION_CLOSED")

    def test_an_empty_plan_is_an_error(self):
        request = wire.ExecutePlanRequest(session_id=self.session)
        self.assert_fails(lambda: list(self.stub.ExecutePlan(request)),
                          "CONNECT_INVALID_PLAN.INVALID_ONE_OF_FIELD_NOT_SET")

    def test_a_deep_plan_is_an_error_or_a_result(self):
        request = wire.ExecutePlanRequest(session_id=self.session)
        relation = request.plan.root
        for _ in range(5000):
            relation.limit.limit = 1
            relation = relation.limit.input
        relation.range.end = 1
        relation.range.step = 1
        with self.assertRaises(grpc.RpcError):
            list(self.stub.ExecutePlan(request))
        self.assertIsNone(self.server.process.poll())


class AccessTest(unittest.TestCase):
    def test_a_token_is_asked_for(self):
        with tempfile.NamedTemporaryFile("w") as token:
            token.write("secret\n")
            token.flush()
            with serving("--token-file", token.name) as server:
                count = "print(spark.range(3).count())"
                self.assertEqual(run_client(f"{server.url}/;token=secret", count).stdout, "3\n")
                refused = run_client(f"{server.url}/;token=wrong", count)
                self.assertNotEqual(refused.returncode, 0)
                self.assertIn("SparkConnectGrpcException", refused.stderr)

    def test_sigterm_ends_it_well(self):
        with tempfile.TemporaryDirectory() as folder:
            server = Server(f"{folder}/warehouse")
            made = run_client(server.url, "spark.sql('CREATE TABLE t (a INT) USING delta')")
            self.assertEqual(made.returncode, 0, made.stderr)
            self.assertEqual(server.stop(), 0)


if __name__ == "__main__":
    unittest.main()
