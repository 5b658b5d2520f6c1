"""Merganser and delta-spark read, continue and explain each other's tables."""

import json
import os
import pathlib
import subprocess
import tempfile
import unittest

import alternation
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

    def test_random_statements_by_turns(self):
        """200 in all: each engine goes on where the other stopped, and both read the model."""
        seed = int(os.environ.get("MERGANSER_SEED", "3"))
        steps = 200 // len(alternation.KINDS)
        for number, (kind, properties) in enumerate(alternation.KINDS.items()):
            name = f"turns-{kind}"
            turns = alternation.Alternation(self.table(name), seed + number)
            create = (f"CREATE TABLE {{table}} ({alternation.COLUMNS}) USING delta "
                      f"PARTITIONED BY (part) TBLPROPERTIES ({properties})")
            (self.run_spark if number % 2 else self.run_merganser)(name, [create])
            for step in range(steps):
                statement = turns.statement()
                with self.subTest(kind=kind, seed=seed, step=step, statement=statement):
                    ours = turns.draw.random() < 0.5
                    if ours:
                        merganser.run(self.scratch, statement)
                        rows = self.spark_rows(name)
                    else:
                        self.spark.sql(statement)
                        rows = self.merganser_rows(name)
                    self.assertEqual(rows, ordered(turns.rows()))
                    turns.versioned(self.commits(name))
            self.assertEqual(self.merganser_rows(name), ordered(turns.rows()))
            self.assertEqual(self.spark_rows(name), ordered(turns.rows()))
            control = f"{name}-control"
            everything = alternation.literals(turns.model | {-1: ("gone", "0.00", None)})
            self.run_spark(control, [create, f"INSERT INTO {{table}} SELECT /*+ COALESCE(1) */ * "
                                             f"FROM VALUES {everything}",
                                     "DELETE FROM {table} WHERE id = -1"])
            self.check_other_readers(name, control, ordered(turns.rows()))

    def commits(self, name):
        """Versions of a table."""
        log = pathlib.Path(self.scratch) / name / "_delta_log"
        return sum(1 for file in log.iterdir() if file.stem.isdigit() and file.suffix == ".json")

    def read_by_others(self, name):
        """{reader: its rows, or the text of its refusal} of delta-rs and of DuckDB."""
        here = pathlib.Path(__file__).resolve().parent
        answers = subprocess.run(
            [merganser.ROOT / ".deps/readers/bin/python", here / "read_rows.py",
             f"{self.scratch}/{name}"], check=True, capture_output=True, text=True)
        parsed = [json.loads(line) for line in answers.stdout.splitlines()]
        return {answer["reader"]: ordered(answer["rows"]) if "rows" in answer else answer["refused"]
                for answer in parsed}

    def check_other_readers(self, name, control, expected):
        """They read the same, or do with this table as with delta-spark's own of these rows."""
        judged = self.read_by_others(control)
        for reader, answer in self.read_by_others(name).items():
            with self.subTest(table=name, reader=reader):
                if isinstance(answer, str):
                    self.assertIsInstance(judged[reader], str, f"refused: {answer}")
                    print(f"{name}: {reader} refuses: {answer[:120]}")
                elif judged[reader] == expected:
                    self.assertEqual(answer, expected)
                else:
                    self.assertEqual(answer, judged[reader])
                    print(f"{name}: {reader} misreads delta-spark's own table in the same way")


if __name__ == "__main__":
    unittest.main(verbosity=2)
