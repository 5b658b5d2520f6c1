"""Streaming queries of PySpark's own client."""

import json
import os
import pathlib
import queue
import tempfile
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

from pyspark.errors import StreamingQueryException
from pyspark.sql.streaming import StreamingQueryListener

from server import connect, run_client, serving

PATIENCE_SECONDS = 120


class ForeachBatchTest(unittest.TestCase):
    def test_each_batch_goes_to_a_python_function_once(self):
        with serving() as server, tempfile.TemporaryDirectory() as folder:
            spark = connect(server.url)
            spark.sql("CREATE TABLE source (id INT) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)")
            spark.sql("CREATE TABLE sink (id INT, batch BIGINT) USING delta")
            spark.sql("INSERT INTO source VALUES (1), (2)")

            def copy(batch, number):
                batch.select("id").selectExpr("id", f"CAST({number} AS BIGINT) AS batch").write.insertInto("sink")

            def run():
                query = (spark.readStream.option("readChangeFeed", "true").table("source").writeStream
                         .foreachBatch(copy).option("checkpointLocation", f"{folder}/checkpoint")
                         .trigger(availableNow=True).start())
                query.awaitTermination()
                return query

            first = run()
            self.assertFalse(first.isActive)
            second = run()
            self.assertEqual(first.id, second.id)
            spark.sql("INSERT INTO source VALUES (3)")
            run()
            self.assertEqual([tuple(row) for row in spark.table("sink").orderBy("id").collect()],
                             [(1, 0), (2, 0), (3, 1)])

            def broken(batch, number):
                raise ValueError("not today")

            query = (spark.readStream.table("source").writeStream.foreachBatch(broken)
                     .option("checkpointLocation", f"{folder}/other").trigger(availableNow=True).start())
            with self.assertRaisesRegex(Exception, "not today"):
                query.awaitTermination()
            spark.stop()


class QueryTest(unittest.TestCase):
    def setUp(self):
        self.serving = serving()
        self.server = self.serving.__enter__()
        self.folder = tempfile.TemporaryDirectory()
        self.spark = connect(self.server.url)
        self.spark.sql("CREATE TABLE source (id INT) USING delta")
        self.spark.sql("INSERT INTO source VALUES (1), (2)")

    def tearDown(self):
        self.spark.stop()
        self.assertEqual(self.server.children(), [])
        self.folder.cleanup()
        self.serving.__exit__(None, None, None)

    def copy(self, trigger=None, to="copied", **options):
        return (self.spark.readStream.options(**options).table("source").writeStream
                .option("checkpointLocation", f"{self.folder.name}/{to}")
                .trigger(**(trigger or {"availableNow": True})).toTable(to))

    def ids(self, table):
        return sorted(row.id for row in self.spark.table(table).collect())

    def test_a_query_goes_on_where_another_stopped(self):
        self.copy(maxFilesPerTrigger="1").awaitTermination()
        self.spark.sql("INSERT INTO source VALUES (3)")
        self.spark.sql("INSERT INTO source VALUES (4)")
        again = self.copy(maxFilesPerTrigger="1")
        again.awaitTermination()
        self.assertEqual([each["batchId"] for each in again.recentProgress], [1, 2])
        self.copy().awaitTermination()
        self.assertEqual(self.ids("copied"), [1, 2, 3, 4])

    def test_a_batch_that_was_planned_runs_as_it_was_planned(self):
        # Planned, and the server gone before it was done: the commit's file is missing.
        self.copy(startingVersion="0").awaitTermination()
        self.spark.sql("DROP TABLE copied")
        checkpoint = pathlib.Path(self.folder.name, "copied")
        (checkpoint / "commits" / "0").unlink()
        self.spark.sql("INSERT INTO source VALUES (3)")
        query = self.copy(startingVersion="0")
        query.awaitTermination()
        self.assertEqual(query.recentProgress[0]["numInputRows"], 2)
        self.assertEqual(self.ids("copied"), [1, 2, 3])

    def test_where_a_stream_begins_is_kept(self):
        # "latest" means another place at a second start, unless the first one is remembered.
        query = self.copy(trigger={"processingTime": "20 milliseconds"}, startingVersion="latest")
        self.spark.sql("INSERT INTO source VALUES (3)")
        query.processAllAvailable()
        query.stop()
        checkpoint = pathlib.Path(self.folder.name, "copied")
        self.assertEqual(self.ids("copied"), [3])
        (checkpoint / "commits" / "0").unlink()
        self.spark.sql("DROP TABLE copied")
        self.spark.sql("INSERT INTO source VALUES (4)")
        self.copy(startingVersion="latest").awaitTermination()
        self.assertEqual(self.ids("copied"), [3, 4])
        offset = json.loads((checkpoint / "offsets" / "0").read_text().splitlines()[2])
        self.assertEqual((offset["sourceVersion"], offset["isStartingVersion"]), (1, False))

    def test_what_is_available_now_is_not_what_comes_meanwhile(self):
        def grow(batch, number):
            if number < 3:
                batch.sparkSession.sql(f"INSERT INTO source VALUES ({number + 100})")

        query = (self.spark.readStream.option("maxFilesPerTrigger", "1").table("source").writeStream
                 .foreachBatch(grow).option("checkpointLocation", f"{self.folder.name}/now")
                 .trigger(availableNow=True).start())
        query.awaitTermination()
        self.assertEqual(len(query.recentProgress), 1)

    def test_a_plan_that_needs_earlier_batches_is_refused(self):
        stream = self.spark.readStream.table("source")
        for frame in (stream.groupBy("id").count(), stream.dropDuplicates(), stream.orderBy("id"), stream.limit(1),
                      stream.distinct(), stream.selectExpr("count(*)").groupBy().count()):
            with self.assertRaisesRegex(Exception, "UNSUPPORTED_CALL"):
                (frame.writeStream.option("checkpointLocation", f"{self.folder.name}/no").format("noop").start())
        with self.assertRaisesRegex(Exception, "nope"):
            stream.select("nope").writeStream.format("noop").start()

    def test_listeners_are_told(self):
        events = queue.Queue()

        class Listener(StreamingQueryListener):
            def onQueryStarted(self, event):
                events.put(("started", event.name))

            def onQueryProgress(self, event):
                events.put(("progress", event.progress.batchId, event.progress.numInputRows))

            def onQueryIdle(self, event):
                pass

            def onQueryTerminated(self, event):
                events.put(("terminated", event.exception))

        listener = Listener()
        self.spark.streams.addListener(listener)
        query = (self.spark.readStream.table("source").writeStream.format("memory").queryName("told")
                 .trigger(availableNow=True).start())
        query.awaitTermination()
        seen = [events.get(timeout=PATIENCE_SECONDS) for _ in range(3)]
        self.assertEqual(seen, [("started", "told"), ("progress", 0, 2), ("terminated", None)])
        self.spark.streams.removeListener(listener)
        self.assertEqual(self.ids("told"), [1, 2])

    def test_a_failed_query_says_why_again_and_again(self):
        def broken(batch, number):
            raise ValueError("not today")

        query = (self.spark.readStream.table("source").writeStream.foreachBatch(broken)
                 .option("checkpointLocation", f"{self.folder.name}/broken").start())
        with self.assertRaisesRegex(StreamingQueryException, "not today"):
            query.awaitTermination()
        with self.assertRaisesRegex(StreamingQueryException, "not today"):
            self.spark.streams.awaitAnyTermination()
        self.assertIn("not today", str(query.exception()))
        self.assertIn("Terminated with exception", query.status["message"])
        self.spark.streams.resetTerminated()
        self.assertEqual(self.spark.streams.active, [])

    def test_a_query_outlives_its_client_and_ends_with_its_session(self):
        code = (f"spark.readStream.table('source').writeStream.trigger(processingTime='20 milliseconds')"
                f".option('checkpointLocation', '{self.folder.name}/alone').toTable('alone')%s")
        self.assertEqual(run_client(self.server.url, code % "").returncode, 0)
        self.spark.sql("INSERT INTO source VALUES (3)")
        end = [1, 2, 3]
        while not self.spark.catalog.tableExists("alone") or self.ids("alone") != end:
            self.assertIsNone(self.server.process.poll())
        self.assertEqual(run_client(self.server.url, (code % ".processAllAvailable()").replace("alone", "other")
                                    + "; spark.stop()").returncode, 0)
        self.assertEqual(self.ids("other"), end)


if __name__ == "__main__":
    unittest.main()
