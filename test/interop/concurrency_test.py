"""Many processes write one table: no commit is lost, and the table is what its log says, in order.

Merganser and delta-rs append, merge, delete and compact at once. Each operation leaves its name in
its commit; the log, replayed one commit after the other on a model, must give the table's rows.
MERGANSER_PROOF makes the run longer.
"""

import json
import multiprocessing
import os
import pathlib
import random
import tempfile
import unittest

import deltalake
import pyarrow

import merganser

PROCESSES = 8
OPERATIONS = 40 if "MERGANSER_PROOF" in os.environ else 5
SEED = int(os.environ.get("MERGANSER_SEED", "5"))
SCHEMA = pyarrow.schema([("id", pyarrow.int64()), ("name", pyarrow.string())])


class Conflict(Exception):
    """Another writer won; nothing happened."""


def apply(rows, operation):
    """What an operation does to the model, an {id: name}."""
    kind, first, last, name = operation
    ids = range(first, last)
    if kind == "append":
        for key in ids:
            assert key not in rows, f"row {key} was there before it was appended"
            rows[key] = name
    elif kind == "merge":
        for key in ids:
            rows[key] = name
    elif kind == "delete":
        for key in ids:
            rows.pop(key, None)


def with_merganser(path, operation, label):
    kind, first, last, name = operation
    table = f"delta.`{path}`"
    source = f"SELECT id, '{name}' AS name FROM range({first}, {last})"
    statement = {
        "append": f"INSERT INTO {table} {source}",
        "merge": f"MERGE INTO {table} t USING ({source}) s ON t.id = s.id "
                 "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "delete": f"DELETE FROM {table} WHERE id >= {first} AND id < {last}",
        "optimize": f"OPTIMIZE {table}",
    }[kind]
    try:
        merganser.run(str(pathlib.Path(path).parent),
                      f"SET spark.databricks.delta.commitInfo.userMetadata={label}", statement)
    except AssertionError as error:
        if "[DELTA_CONCURRENT" in str(error):
            raise Conflict from error
        raise


def with_deltalake(path, operation, label):
    kind, first, last, name = operation
    properties = deltalake.CommitProperties(custom_metadata={"userMetadata": label},
                                            max_commit_retries=1000)
    source = pyarrow.table({"id": list(range(first, last)), "name": [name] * (last - first)},
                           schema=SCHEMA)
    try:
        table = deltalake.DeltaTable(path)
        if kind == "append":
            deltalake.write_deltalake(table, source, mode="append", commit_properties=properties)
        elif kind == "merge":
            (table.merge(source, "t.id = s.id", source_alias="s", target_alias="t",
                         commit_properties=properties)
             .when_matched_update_all().when_not_matched_insert_all().execute())
        elif kind == "delete":
            table.delete(f"id >= {first} AND id < {last}", commit_properties=properties)
        else:
            table.optimize.compact(commit_properties=properties)
    except deltalake.exceptions.CommitFailedError as error:
        raise Conflict from error


def work(path, number, results):
    """One process: its operations, and how each ended."""
    draw = random.Random(SEED * 1000 + number)
    write = with_deltalake if number % 4 == 3 else with_merganser
    for step in range(OPERATIONS):
        kind = draw.choice(["append", "append", "merge", "merge", "delete", "optimize"])
        # Rows are appended once, by one process; all merge into and delete the same few.
        first = 1000 * (1 + number * OPERATIONS + step) if kind == "append" else draw.randrange(80)
        operation = (kind, first, first + draw.randrange(1, 6), f"p{number}s{step}")
        label = f"{number}/{step}"
        try:
            write(path, operation, label)
            results.put((label, operation, "committed"))
        except Conflict:
            results.put((label, operation, "conflict"))
        except Exception as error:  # pylint: disable=broad-except
            results.put((label, operation, f"failed: {error}"))


def commits(path):
    """(version, label of its operation or None), oldest first."""
    for file in sorted((pathlib.Path(path) / "_delta_log").glob("*.json")):
        for line in file.read_text().splitlines():
            info = json.loads(line).get("commitInfo")
            if info:
                yield int(file.stem), info.get("userMetadata")


class ConcurrencyTest(unittest.TestCase):
    def test_no_commit_is_lost(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = f"{scratch}/table"
            merganser.run(scratch, f"CREATE TABLE delta.`{path}` (id BIGINT, name STRING) USING delta "
                                   "TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')")
            results = multiprocessing.Queue()
            processes = [multiprocessing.Process(target=work, args=(path, number, results))
                         for number in range(PROCESSES)]
            for process in processes:
                process.start()
            outcomes = {}
            for _ in range(PROCESSES * OPERATIONS):
                label, operation, outcome = results.get()
                outcomes[label] = (operation, outcome)
            for process in processes:
                process.join()

            failed = [entry for entry in outcomes.values() if entry[1].startswith("failed")]
            self.assertEqual(failed, [])
            versions = list(commits(path))
            self.assertEqual([version for version, _ in versions], list(range(len(versions))))
            in_log = [label for _, label in versions if label is not None]
            self.assertEqual(len(in_log), len(set(in_log)), "an operation was committed twice")
            # OPTIMIZE and DELETE commit nothing where there is nothing to do.
            acknowledged = {label for label, (operation, outcome) in outcomes.items()
                            if outcome == "committed" and operation[0] in ("append", "merge")}
            self.assertEqual(acknowledged - set(in_log), set(), "acknowledged commits are lost")
            refused = {label for label, (_, outcome) in outcomes.items() if outcome == "conflict"}
            self.assertEqual(refused & set(in_log), set(), "refused operations took effect")

            model = {}
            for label in in_log:
                apply(model, outcomes[label][0])
            expected = sorted(model.items())
            ours = merganser.run(scratch, f"SELECT id, name FROM delta.`{path}`")
            self.assertEqual(sorted((row["id"], row["name"]) for row in ours), expected)
            theirs = deltalake.DeltaTable(path).to_pyarrow_table().to_pylist()
            self.assertEqual(sorted((row["id"], row["name"]) for row in theirs), expected)
            print(f"{PROCESSES} processes, {len(in_log)} commits, {len(refused)} conflicts, 0 lost")


if __name__ == "__main__":
    unittest.main()
