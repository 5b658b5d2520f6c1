"""Run MERGE conformance cases as SQL of a PySpark client.

usage: cases.py [--out FILE] [--expected-failures FILE] FILE...

The files and what is compared are those of `merganser_conformance cases`. A case has a session and
a schema of its own. The last lines printed are the expected failures and `N passed, N failed`.
"""

import argparse
import json
import logging
import pathlib
import sys
import tempfile

from pyspark.errors import PySparkException

from server import connect, serving

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "interop"))
from values import plain  # noqa: E402


def canonical(value, type_name):
    """A value of a result or of a case in a form that is equal for equal values."""
    if isinstance(value, bool) or value is None:
        return value
    if isinstance(value, (int, float)) and ("float" in type_name or "double" in type_name):
        return f"{value + 0.0:.6g}" if "double" not in type_name else f"{value + 0.0:.14e}"
    if isinstance(value, str) and "timestamp" in type_name and "." in value:
        return value.rstrip("0").rstrip(".")
    if isinstance(value, dict):
        return {name: canonical(field, type_name) for name, field in value.items()}
    if isinstance(value, list):
        items = [canonical(item, type_name) for item in value]
        return sorted(items, key=repr) if "map<" in type_name else items
    return value


def text_type(name):
    """CHAR and VARCHAR columns may be reported as STRING."""
    return "string" if name.startswith(("char(", "varchar(")) else name.replace("`", "")


class Result:
    """The rows of a statement: `columns`, `types` and plain values."""

    def __init__(self, frame):
        self.columns = frame.columns
        self.types = [text_type(field.dataType.simpleString()) for field in frame.schema.fields]
        table = frame.toArrow()
        values = [plain(column.to_pylist()) for column in table.columns]
        self.rows = [list(row) for row in zip(*values)]

    def differences(self, rows, what):
        def shown(each):
            return json.dumps([canonical(value, name) for value, name in zip(each, self.types)])
        wanted, got = sorted(map(shown, rows)), sorted(map(shown, self.rows))
        return [] if wanted == got else [f"{what}: expected {wanted}, got {got}"]


def newest_version(spark, target):
    """The last row of the table's history; None for a view."""
    try:
        return spark.sql(f"DESCRIBE HISTORY {target} LIMIT 1").collect()[0]
    except PySparkException:
        return None


def error_differences(expect, error):
    found = (error.getCondition() or "").split(".")[0]
    differences = []
    if found not in [expect["error"], *expect.get("error_alt", [])]:
        differences.append(f"expected error {expect['error']}, got {error}")
    elif found == expect["error"] and expect.get("sqlstate") not in (None, error.getSqlState()):
        differences.append(f"SQLSTATE: expected {expect['sqlstate']}, got {error.getSqlState()}")
    differences += [f"no `{text}` in {error}" for text in expect.get("message_has", [])
                    if text not in str(error)]
    return differences


def metric_differences(expect, version):
    metrics = version["operationMetrics"] or {}
    differences = []
    for kind in ("history_metrics", "layout_metrics"):
        for key, wanted in (expect.get(kind) or {}).items():
            got = metrics.get(key)
            lower = kind == "layout_metrics" and got is not None and int(got) <= wanted
            if got != str(wanted) and not lower:
                differences.append(f"{key}: expected {wanted}, got {got}")
    return differences


def run(spark, case, folder):
    """What differs from the case's expectations."""
    def put_folder(text):
        return text.replace("{dir}", folder)
    for key, value in (case.get("conf") or {}).items():
        spark.conf.set(key, value)
    for statement in case["setup"]:
        spark.sql(put_folder(statement)).collect()
    target, expect = put_folder(case["target"]), case["expect"]
    before = newest_version(spark, target)
    try:
        merged = Result(spark.sql(put_folder(case["merge"])))
    except PySparkException as error:
        if "error" not in expect:
            return [f"merge: {error}"]
        changed = newest_version(spark, target) != before
        return error_differences(expect, error) + (["the table changed"] if changed else [])
    if "error" in expect:
        return [f"expected error {expect['error']}, got success"]
    read = Result(spark.sql(put_folder(expect.get("query") or f"SELECT * FROM {target}")))
    differences = []
    if "columns" in expect and read.columns != expect["columns"]:
        differences.append(f"columns: expected {expect['columns']}, got {read.columns}")
    if "types" in expect and read.types != [text_type(name) for name in expect["types"]]:
        differences.append(f"types: expected {expect['types']}, got {read.types}")
    differences += read.differences(expect.get("rows", read.rows), "rows")
    if expect.get("metrics"):
        differences += merged.differences([list(expect["metrics"].values())], "metrics")
    if expect.get("history_metrics") or expect.get("layout_metrics"):
        differences += metric_differences(expect, newest_version(spark, target))
    if "cdf" in expect:
        version = newest_version(spark, target)["version"]
        columns = ", ".join(f"`{name}`" for name in expect.get("cdf_columns") or []) or "*"
        name = target.replace("'", "\\'")
        changes = Result(spark.sql(f"SELECT {columns} FROM table_changes('{name}', {version}, {version})"))
        differences += changes.differences(expect["cdf"], "changes")
    return differences


def expected_failures(path):
    if path is None:
        return {}
    lines = [line.split(maxsplit=1) for line in pathlib.Path(path).read_text().splitlines()
             if line.strip() and not line.startswith("#")]
    return {line[0]: line[-1] for line in lines}


def main():
    arguments = argparse.ArgumentParser()
    arguments.add_argument("--out")
    arguments.add_argument("--expected-failures")
    arguments.add_argument("files", nargs="+")
    options = arguments.parse_args()
    logging.disable(logging.CRITICAL)
    may_fail = expected_failures(options.expected_failures)
    passed, failed, excused, lines = 0, 0, 0, []
    with serving() as server:
        cases = [json.loads(line) for path in options.files for line in open(path) if line.strip()]
        for number, case in enumerate(cases):
            spark = connect(server.url)
            spark.sql(f"CREATE SCHEMA case_{number}").collect()
            spark.sql(f"USE case_{number}").collect()
            with tempfile.TemporaryDirectory() as folder:
                try:
                    differences = run(spark, case, folder)
                except Exception as error:  # Whatever the client makes of an answer is a difference.
                    differences = [f"{type(error).__name__}: {error}"]
            spark.stop()
            lines.append(json.dumps({"id": case["id"], "ok": not differences, "diffs": differences}))
            if case["id"] in may_fail and differences:
                excused += 1
                continue
            if case["id"] in may_fail:
                differences = ["is expected to fail and passes"]
            passed, failed = passed + (not differences), failed + bool(differences)
            if differences:
                print(f"FAILED {case['id']}", *(each[:500] for each in differences), sep="\n    ", flush=True)
    if options.out:
        pathlib.Path(options.out).write_text("\n".join(lines) + "\n")
    if may_fail:
        print(f"{excused} expected failures")
    print(f"{passed} passed, {failed} failed")
    sys.exit(failed != 0)


if __name__ == "__main__":
    main()
