"""Statements that need more than the memory limit: they finish, within the limit and 300 MB for the
program itself, and leave no spill files; where disks are full they fail and change nothing.

Sizes are small and the limits smaller. With MERGANSER_SLOW_TESTS set, all grow by the same factor.
"""

import os
import pathlib
import resource
import subprocess
import tempfile
import threading
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))
FACTOR = 8 if os.environ.get("MERGANSER_SLOW_TESTS") else 1
LIMIT_MB = 64 * FACTOR
OWN_MB = 300
UPSERT = "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *"


class Outcome:
    def __init__(self, status, output, errors, peak_mb):
        self.status, self.output, self.errors, self.peak_mb = status, output, errors, peak_mb


class MemoryTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.spill = pathlib.Path(scratch.name) / "spill"
        self.table = pathlib.Path(scratch.name) / "t"
        self.warehouse = pathlib.Path(scratch.name) / "warehouse"
        self.t = f"delta.`{self.table}`"

    def run_program(self, statements, limit_mb=LIMIT_MB, environment=None, largest_file=None):
        """Run statements in a process of their own."""
        command = [BUILD / "bin/merganser", "--warehouse", self.warehouse, "--threads", "2",
                   "--format", "csv", "--memory-limit", f"{limit_mb}MB", "--temp-directory",
                   self.spill]
        for statement in statements:
            command += ["-e", statement]

        def bound_files():
            if largest_file is not None:
                resource.setrlimit(resource.RLIMIT_FSIZE, (largest_file, largest_file))

        # Python ignores SIGXFSZ, and so does the program if signals are not restored: a write
        # beyond the limit then fails as one on a full disk does.
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
                                   env={**os.environ, **(environment or {})},
                                   preexec_fn=bound_files, restore_signals=largest_file is None)
        errors = []
        reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
        reader.start()
        output = process.stdout.read()
        reader.join()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stdout.close()
        process.stderr.close()
        return Outcome(process.returncode, output, errors[0], usage.ru_maxrss // 1024)

    def run_within_limit(self, statements, limit_mb=LIMIT_MB):
        outcome = self.run_program(statements, limit_mb)
        self.assertEqual(outcome.status, 0, outcome.errors)
        self.assertLess(outcome.peak_mb, limit_mb + OWN_MB)
        self.assertEqual(list(self.spill.iterdir()), [])
        return outcome.output

    def prepare(self, *statements):
        outcome = self.run_program(statements, limit_mb=1024 * FACTOR)
        self.assertEqual(outcome.status, 0, outcome.errors)

    def select(self, query):
        """The values of a query's only row."""
        outcome = self.run_program([query], limit_mb=1024)
        self.assertEqual(outcome.status, 0, outcome.errors)
        return outcome.output.splitlines()[-1]

    def files(self):
        return sorted(str(path) for path in self.table.rglob("*") if path.is_file())


class WithinTheLimit(MemoryTest):
    def test_wide_rows(self):
        # Two kilobytes a row, three times the limit in all.
        rows = 3 * LIMIT_MB * 500

        def values(key):
            return f"repeat(md5(CAST({key} AS STRING)), 64) AS v FROM range({rows})"
        self.run_within_limit([f"CREATE TABLE {self.t} USING delta AS SELECT id, {values('id')}"])
        self.run_within_limit([
            f"MERGE INTO {self.t} t USING (SELECT id * 2 AS id, {values('-id')}) s {UPSERT}"])
        self.assertEqual(self.select(f"SELECT count(*), sum(id), min(length(v)) FROM {self.t}"),
                         f"{rows * 3 // 2},{sum(range(rows)) + sum(range(rows, 2 * rows, 2))},2048")

    def test_a_thousand_columns(self):
        rows = 2000 * FACTOR
        columns = ", ".join(f"id * {i} AS c{i}" for i in range(1000))
        self.prepare(f"CREATE TABLE {self.t} USING delta AS SELECT id, {columns} FROM range({rows})")
        changed = ", ".join(f"id * {i} + 1 AS c{i}" for i in range(1000))
        # The source is held in blocks of 256 KiB, one a column at least.
        self.run_within_limit([f"MERGE INTO {self.t} t USING (SELECT id, {changed} FROM (SELECT id + "
                               f"{rows // 2} AS id FROM range({rows}))) s {UPSERT}"], 512)
        self.assertEqual(
            self.select(f"SELECT count(*), sum(c999 - 999 * id) FROM {self.t}"),
            f"{rows * 3 // 2},{rows}")

    def test_many_open_partitions(self):
        rows = 200_000 * FACTOR
        self.prepare(f"CREATE TABLE {self.t} (id BIGINT, v STRING, day INT) USING delta "
                     "PARTITIONED BY (day)")
        values = "md5(CAST(id AS STRING)) AS v, CAST(id % 365 AS INT) AS day"
        self.run_within_limit([f"INSERT INTO {self.t} SELECT id, {values} FROM range({rows})"])
        self.run_within_limit([f"MERGE INTO {self.t} t USING (SELECT id, {values} FROM (SELECT id + "
                               f"{rows // 2} AS id FROM range({rows}))) s {UPSERT}"])
        self.assertEqual(
            self.select(f"SELECT count(*), count(DISTINCT day), sum(id) FROM {self.t}"),
            f"{rows * 3 // 2},365,{sum(range(rows * 3 // 2))}")

    def test_one_key_with_half_of_the_rows(self):
        rows = 400_000 * FACTOR
        self.prepare(f"CREATE TABLE {self.t} USING delta AS SELECT CASE WHEN id % 2 = 0 THEN 0 ELSE "
                     f"id END AS id, repeat(md5(CAST(id AS STRING)), 4) AS v FROM range({rows})")
        self.run_within_limit([
            f"MERGE INTO {self.t} t USING (SELECT id, 'new' AS v FROM range({rows})) s {UPSERT}"])
        self.assertEqual(
            self.select(f"SELECT count(*), count_if(id = 0), count_if(v = 'new') FROM {self.t}"),
            f"{rows * 3 // 2 - 1},{rows // 2},{rows * 3 // 2 - 1}")

    def test_a_source_of_three_times_the_limit(self):
        rows = 3 * LIMIT_MB * 2000
        self.prepare(f"CREATE TABLE {self.t} USING delta AS SELECT id, repeat(md5(CAST(id AS "
                     f"STRING)), 16) AS v FROM range({rows // 10})")
        self.run_within_limit([
            f"MERGE INTO {self.t} t USING (SELECT id, repeat(md5(CAST(-id AS STRING)), 16) AS v FROM "
            f"range({rows})) s {UPSERT}"])
        self.assertEqual(self.select(f"SELECT count(*), sum(id), count(DISTINCT left(v, 32)) FROM "
                                     f"{self.t}"), f"{rows},{sum(range(rows))},{rows}")


class WithoutRoom(MemoryTest):
    # Spills: the source is three times the limit.
    def merge(self):
        return (f"MERGE INTO {self.t} t USING (SELECT id, repeat(md5(CAST(id AS STRING)), 16) AS v "
                f"FROM range({3 * LIMIT_MB * 2000})) s {UPSERT}")

    def setUp(self):
        super().setUp()
        self.prepare(f"CREATE TABLE {self.t} USING delta AS SELECT id, 'old' AS v FROM range(1000)")

    def test_what_a_crash_spilled_is_gone_at_the_next_start(self):
        killed = self.run_program([self.merge()],
                                  environment={"MERGANSER_FAILPOINTS": "commit.before_put=kill"})
        self.assertEqual(killed.status, 137)
        left = [path for path in self.spill.iterdir() if path.is_dir()]
        self.assertEqual(len(left), 1)
        self.assertEqual(self.select(f"SELECT count(*), max(v) FROM {self.t}"), "1000,old")
        self.assertEqual(list(self.spill.iterdir()), [])

    def expect_nothing_changed(self, outcome, error):
        self.assertNotEqual(outcome.status, 0)
        self.assertIn(error, outcome.errors)
        self.assertEqual(list(self.spill.iterdir()), [])
        self.assertEqual(self.select(f"SELECT count(*), max(v) FROM {self.t}"), "1000,old")

    def test_no_room_to_spill(self):
        before = self.files()
        # The first block of a spill file is larger.
        outcome = self.run_program([self.merge()], largest_file=16 << 10)
        self.expect_nothing_changed(outcome, "FILE_SYSTEM_ERROR")
        self.assertEqual(self.files(), before)

    def test_no_room_to_write(self):
        before = self.files()
        outcome = self.run_program([self.merge()], limit_mb=4096, largest_file=1 << 20)
        self.expect_nothing_changed(outcome, "FILE_SYSTEM_ERROR")
        self.assertEqual(self.files(), before)


if __name__ == "__main__":
    unittest.main()
