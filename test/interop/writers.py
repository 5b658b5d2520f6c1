"""Writers of one table, and what their operations mean to a model.

An operation is (kind, first, last, name): "append", "merge" or "delete" of the rows whose ids are in
[first, last), or "optimize". Its label goes into its commit as user metadata.
"""

import concurrent.futures
import json
import multiprocessing
import pathlib

import deltalake
import pyarrow

import merganser

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


def draw_operation(draw, number, step, operations):
    """The one of process `number`, which makes `operations` in all."""
    kind = draw.choice(["append", "append", "merge", "merge", "delete", "optimize"])
    # Rows are appended once, by one process; all merge into and delete the same few.
    first = 1000 * (1 + number * operations + step) if kind == "append" else draw.randrange(80)
    return kind, first, first + draw.randrange(1, 6), f"p{number}s{step}"


def statements(path, operation, label):
    """The operation in SQL, for Merganser and for delta-spark."""
    kind, first, last, name = operation
    table = f"delta.`{path}`"
    source = f"SELECT id, '{name}' AS name FROM range({first}, {last})"
    return [f"SET spark.databricks.delta.commitInfo.userMetadata={label}", {
        "append": f"INSERT INTO {table} {source}",
        "merge": f"MERGE INTO {table} t USING ({source}) s ON t.id = s.id "
                 "WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
        "delete": f"DELETE FROM {table} WHERE id >= {first} AND id < {last}",
        "optimize": f"OPTIMIZE {table}",
    }[kind]]


def with_merganser(path, operation, label):
    try:
        merganser.run(str(pathlib.Path(path).parent), *statements(path, operation, label))
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


def lock_for(locks, operation, write):
    """What the operation must hold. delta-rs (1.6.6) commits a compaction of files that another
    commit has removed meanwhile, and their rows are there twice: it compacts alone."""
    compacts_blindly = write is with_deltalake and operation[0] == "optimize"
    return locks.alone() if compacts_blindly else locks.together()


def outcome_of(write, path, operation, label):
    """"committed", "conflict" or "failed: " and why."""
    try:
        write(path, operation, label)
        return "committed"
    except Conflict:
        return "conflict"
    except Exception as error:  # pylint: disable=broad-except
        return f"failed: {error}"


def create(path):
    merganser.run(str(pathlib.Path(path).parent),
                  f"CREATE TABLE delta.`{path}` (id BIGINT, name STRING) USING delta "
                  "TBLPROPERTIES ('delta.enableDeletionVectors' = 'false')")


def commits(path):
    """(version, label of its operation or None), oldest first."""
    for file in sorted((pathlib.Path(path) / "_delta_log").glob("*.json")):
        for line in file.read_text().splitlines():
            info = json.loads(line).get("commitInfo")
            if info:
                yield int(file.stem), info.get("userMetadata")


def rows_by_merganser(path):
    rows = merganser.run(str(pathlib.Path(path).parent), f"SELECT id, name FROM delta.`{path}`")
    return sorted((row["id"], row["name"]) for row in rows)


def _read_by_deltalake(path):
    return deltalake.DeltaTable(path).to_pyarrow_table().to_pylist()


def rows_by_deltalake(path):
    """Read in a process of its own: once delta-rs runs in this one it cannot be forked."""
    with concurrent.futures.ProcessPoolExecutor(
            1, mp_context=multiprocessing.get_context("spawn")) as pool:
        rows = pool.submit(_read_by_deltalake, path).result()
    return sorted((row["id"], row["name"]) for row in rows)


def check(test, path, outcomes):
    """Nothing is lost, and the table is what its log says; the labels in the log, in its order.

    `outcomes` has (operation, how it ended) by label.
    """
    test.assertEqual([entry for entry in outcomes.values() if entry[1].startswith("failed")], [])
    versions = list(commits(path))
    test.assertEqual([version for version, _ in versions], list(range(len(versions))))
    in_log = [label for _, label in versions if label is not None]
    test.assertEqual(len(in_log), len(set(in_log)), "an operation was committed twice")
    test.assertEqual(acknowledged(outcomes) - set(in_log), set(), "acknowledged commits are lost")
    refused = {label for label, (_, outcome) in outcomes.items() if outcome == "conflict"}
    test.assertEqual(refused & set(in_log), set(), "refused operations took effect")
    model = {}
    for label in in_log:
        apply(model, outcomes[label][0])
    test.assertEqual(rows_by_merganser(path), sorted(model.items()))
    test.assertEqual(rows_by_deltalake(path), sorted(model.items()))
    return in_log


def acknowledged(outcomes):
    """Labels that must be in the log: OPTIMIZE and DELETE commit nothing where there is nothing."""
    return {label for label, (operation, outcome) in outcomes.items()
            if outcome == "committed" and operation[0] in ("append", "merge")}
