"""Merganser and delta-spark read, continue and explain each other's tables."""

import tempfile
import unittest

import merganser
from delta_spark import open_session
from scripts import SCRIPTS, forget_commits
from values import ordered, rows_of

# What a history says whatever the files' layout and names.
COUNTS = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted", "numSourceRows",
          "numTargetRowsMatchedUpdated", "numTargetRowsMatchedDeleted",
          "numTargetRowsNotMatchedBySourceUpdated", "numTargetRowsNotMatchedBySourceDeleted",
          "numOutputRows", "numUpdatedRows", "numDeletedRows")


class SparkTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.spark = open_session()

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()

    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.scratch = scratch.name

    def run_spark(self, name, statements):
        for statement in statements:
            self.spark.sql(statement.format(table=self.table(name)))

    def run_merganser(self, name, statements):
        merganser.run(self.scratch, *(text.format(table=self.table(name)) for text in statements))

    def table(self, name):
        return f"delta.`{self.scratch}/{name}`"

    def spark_rows(self, name):
        return rows_of(self.spark.sql(f"SELECT * FROM {self.table(name)}").toArrow())

    def merganser_rows(self, name):
        return ordered(merganser.run(self.scratch, f"SELECT * FROM {self.table(name)}"))

    def history(self, name):
        """(version, operation, row counts) as delta-spark tells them."""
        rows = self.spark.sql(f"DESCRIBE HISTORY {self.table(name)}").collect()
        return [(row.version, row.operation,
                 {key: row.operationMetrics[key] for key in COUNTS
                  if key in (row.operationMetrics or {})})
                for row in rows]

    def test_tables_that_merganser_wrote(self):
        for name, script in SCRIPTS.items():
            with self.subTest(script=name):
                ours, theirs = f"{name}-ours", f"{name}-theirs"
                self.run_merganser(ours, script.make + script.merge)
                self.run_spark(theirs, script.make + script.merge)
                self.assertEqual(self.spark_rows(ours), self.spark_rows(theirs), script.shows)
                self.assertEqual(self.merganser_rows(ours), self.spark_rows(theirs), script.shows)
                self.assertEqual(self.history(ours), self.history(theirs))
                if script.checkpoint_at is not None:
                    forget_commits(f"{self.scratch}/{ours}", script.checkpoint_at)
                    self.spark.catalog.clearCache()
                    self.assertEqual(self.spark_rows(ours), self.spark_rows(theirs))

    def test_tables_that_spark_wrote_and_merganser_merged_into(self):
        for name, script in SCRIPTS.items():
            with self.subTest(script=name):
                both, theirs = f"{name}-both", f"{name}-spark"
                self.run_spark(both, script.make)
                self.run_spark(theirs, script.make)
                self.assertEqual(self.merganser_rows(both), self.spark_rows(both))
                if script.checkpoint_at is not None:
                    forget_commits(f"{self.scratch}/{both}", script.checkpoint_at)
                self.run_merganser(both, script.merge)
                self.run_spark(theirs, script.merge)
                self.assertEqual(self.spark_rows(both), self.spark_rows(theirs), script.shows)
                self.assertEqual(self.merganser_rows(both), self.spark_rows(theirs), script.shows)
                if script.checkpoint_at is None:
                    self.assertEqual(self.history(both), self.history(theirs))

    def test_spark_merges_into_what_merganser_wrote(self):
        for name, script in SCRIPTS.items():
            with self.subTest(script=name):
                both, theirs = f"{name}-continued", f"{name}-alone"
                self.run_merganser(both, script.make)
                self.run_spark(theirs, script.make + script.merge)
                self.run_spark(both, script.merge)
                self.assertEqual(self.merganser_rows(both), self.spark_rows(theirs), script.shows)


if __name__ == "__main__":
    unittest.main()
