"""What delta-spark answers, in the form of the conformance corpora (cases, expressions)."""

import json
import os
import pathlib
import re
import time

from py4j.protocol import Py4JError
from pyspark.errors import PySparkException
from pyspark.sql.types import ArrayType, DecimalType, MapType, StructType

from values import plain

# Wrappers that say that a task failed, not why.
WRAPPERS = ("TASK_WRITE_FAILED", "FAILED_JOB", "_LEGACY")
NO_CLASS = ""
METRICS = ("num_affected_rows", "num_updated_rows", "num_deleted_rows", "num_inserted_rows")
HISTORY = ("numTargetRowsInserted", "numTargetRowsUpdated", "numTargetRowsDeleted", "numSourceRows",
           "numTargetRowsMatchedUpdated", "numTargetRowsMatchedDeleted",
           "numTargetRowsNotMatchedBySourceUpdated", "numTargetRowsNotMatchedBySourceDeleted")
FAILURES = (PySparkException, Py4JError)
UNREADABLE = (ValueError, OverflowError)


def use_utc():
    """Make this process read timestamps of rows in UTC; to be called before a session is opened."""
    os.environ["TZ"] = "UTC"
    time.tzset()


def as_json(value, type_):
    """A collected value in the corpora's JSON form."""
    if value is None:
        return None
    if isinstance(type_, StructType):
        return {field.name: as_json(part, field.dataType)
                for field, part in zip(type_.fields, value)}
    if isinstance(type_, MapType):
        return [[as_json(key, type_.keyType), as_json(item, type_.valueType)]
                for key, item in value.items()]
    if isinstance(type_, ArrayType):
        return [as_json(item, type_.elementType) for item in value]
    if isinstance(type_, DecimalType):
        return f"{value:.{type_.scale}f}"
    return plain(bytes(value) if isinstance(value, bytearray) else value)


def rows_of(frame):
    types = [field.dataType for field in frame.schema.fields]
    return [[as_json(value, type_) for value, type_ in zip(row, types)] for row in frame.collect()]


def types_of(frame):
    return [field.dataType.simpleString() for field in frame.schema.fields]


def error_of(failure):
    """{"error", "error_alt", "sqlstate"} of a failure: its classes, the one that says why first."""
    java = getattr(failure, "java_exception", None) or getattr(failure, "_origin", None)
    names = []
    while java is not None and len(names) < 10:
        found = re.match(r"[^\[]*\[([A-Z0-9_]+(?:\.[A-Z0-9_]+)?)\]", str(java.getMessage()))
        if found:
            names.append(found[1])
        java = java.getCause()
    reasons = [name for name in names if not name.startswith(WRAPPERS)]
    if not reasons:
        try:
            text = str(failure)
        except Exception:  # pylint: disable=broad-except  (PySpark fails on classes of Delta's)
            text = type(failure).__name__
        return {"error": (names or [NO_CLASS])[0], "message": text[:500]}
    answer = {"error": reasons[0]}
    if len(set(reasons)) > 1:
        answer["error_alt"] = sorted(set(reasons[1:]) - {reasons[0]})
    return answer


class Reference:
    """Answers statements with one long-lived session."""

    def __init__(self, spark):
        self.spark = spark
        self.warehouse = spark.conf.get("spark.sql.warehouse.dir").removeprefix("file:")
        self.tables = 0

    def expression(self, line):
        """`line` (its `sql`) with `types`, `columns` and `rows`, or `error`; None if there is
        nothing to compare: Python lacks the value (a year beyond 9999), or the error has no class.
        """
        try:
            frame = self.spark.sql(line["sql"])
            rows = rows_of(frame)
        except UNREADABLE:
            return None
        except FAILURES as failure:
            error = error_of(failure)
            return None if error["error"] == NO_CLASS else {**line, **error}
        return {**line, "types": types_of(frame), "columns": frame.columns, "rows": rows}

    def cases(self, identity, scenario, conf):
        """The statements of `scenario`, one case each, with what delta-spark makes of them. Left
        out are those that it fails by an exception of Java's, without an error class."""
        self.tables += 1
        name = f"fuzz_{self.tables}"
        for key, value in conf.items():
            self.spark.conf.set(key, value)
        try:
            yield from self.answered(identity, scenario, conf, name)
        except UNREADABLE:
            return  # The table has a value that Python lacks: so will the next answers.
        finally:
            for key in conf:
                self.spark.conf.unset(key)
            self.spark.sql(f"DROP TABLE IF EXISTS {name}")
            self.spark._jvm.org.apache.spark.sql.delta.DeltaLog.clearCache()

    def answered(self, identity, scenario, conf, name):
        setup = [scenario.create, *scenario.fill]
        for statement in setup:
            self.spark.sql(renamed(statement, name))
        for number, merge in enumerate(scenario.merges):
            statement = merge.statement
            case = {"id": f"{identity}.{number}", "conf": conf, "setup": list(setup),
                    "merge": statement, "target": "t", "probes": merge.probes}
            case["expect"] = self.merge(scenario, statement, name)
            if case["expect"].get("error") != NO_CLASS:
                yield case
            if "error" not in case["expect"]:
                setup.append(statement)

    def merge(self, scenario, statement, name):
        """Run one statement: the `expect` of its case."""
        before = self.version(name)
        try:
            counts = rows_of(self.spark.sql(renamed(statement, name)))
        except FAILURES as failure:
            return {**error_of(failure), "unchanged": True}
        expect = {**self.rows(scenario, name), "metrics": dict(zip(METRICS, counts[0]))}
        after = self.version(name)
        if after > before:
            metrics = self.metrics(name, after)
            expect["history_metrics"] = {metric: int(metrics[metric]) for metric in HISTORY
                                         if metric in metrics}
        if scenario.has_changes:
            expect["cdf_columns"], expect["cdf"] = self.changes(name, before, after)
        return expect

    def rows(self, scenario, name):
        """The table's rows, with the texts of floating-point columns, which tell -0.0 from 0.0."""
        floating = [column for column, type_ in scenario.columns if type_ in ("FLOAT", "DOUBLE")]
        query = "SELECT *" + "".join(f", CAST({column} AS STRING) AS text_{column}"
                                     for column in floating) + " FROM "
        frame = self.spark.sql(query + name)
        return {"query": query + "t", "columns": frame.columns, "types": types_of(frame),
                "rows": rows_of(frame)}

    def changes(self, name, before, after):
        if after == before:
            return [*self.spark.table(name).columns, "_change_type"], []
        frame = (self.spark.read.option("readChangeFeed", "true")
                 .option("startingVersion", after).option("endingVersion", after)
                 .table(name).drop("_commit_version", "_commit_timestamp"))
        return frame.columns, rows_of(frame)

    def log(self, name):
        return pathlib.Path(self.warehouse) / name / "_delta_log"

    def version(self, name):
        """The newest version of a table, as its log's file names tell."""
        return max(int(file.stem) for file in self.log(name).glob("*.json") if file.stem.isdigit())

    def metrics(self, name, version):
        """`operationMetrics` of a version: what its history shows."""
        for line in (self.log(name) / f"{version:020}.json").read_text().splitlines():
            action = json.loads(line)
            if "commitInfo" in action:
                return action["commitInfo"]["operationMetrics"]
        return {}


def renamed(statement, name):
    """The statement on the table `name` instead of `t`."""
    return re.sub(r"^((?:CREATE TABLE|INSERT INTO|DELETE FROM|MERGE INTO|"
                  r"MERGE WITH SCHEMA EVOLUTION INTO) )t\b",
                  lambda found: found[1] + name + (" AS t" if found[1].startswith("MERGE") else ""),
                  statement)
