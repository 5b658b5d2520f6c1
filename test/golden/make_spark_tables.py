"""Make the small tables in test/golden/own/spark with delta-spark, and say what it reads in them and
in those of make_deltalake_tables.py, which is run before.

usage: .deps/spark/bin/python test/golden/make_spark_tables.py     (after scripts/fetch_spark)

Replaces the folder and the lines in own/expected. Names of data files are new each time, so run it
only to add a table or for a newer delta-spark.
"""

import json
import pathlib
import shutil
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "test" / "interop"))

from delta_spark import open_session  # noqa: E402  pylint: disable=wrong-import-position

OWN = ROOT / "test" / "golden" / "own"

# Table -> statements; {t} is the table. "SET" lines hold for the table alone.
TABLES = {
    "partitions": [
        "CREATE TABLE {t} (id INT, p STRING, d DATE) USING delta PARTITIONED BY (p, d)",
        "INSERT INTO {t} VALUES (1, 'two words', DATE'2024-02-29'), (2, '50% off', NULL), "
        "(3, 'a=b/c', DATE'1969-12-31'), (4, 'x:y', NULL), (5, NULL, NULL), (6, 'Zürich', NULL), "
        "(7, '', NULL)",
        "DELETE FROM {t} WHERE p = 'x:y'",
    ],
    "types": [
        "CREATE TABLE {t} (a TINYINT, b SMALLINT, c INT, d BIGINT, e FLOAT, f DOUBLE, "
        "g DECIMAL(38,18), h STRING, i BINARY, j BOOLEAN, k DATE, l TIMESTAMP, m TIMESTAMP_NTZ, "
        "n ARRAY<INT>, o MAP<STRING,INT>, p STRUCT<x: INT, y: STRUCT<z: STRING>>, q CHAR(3), "
        "r VARCHAR(4)) USING delta",
        "INSERT INTO {t} SELECT 1, 2, 3, 4, 5.5, 6.5, 7.25, 's', X'41', true, DATE'0001-01-01', "
        "TIMESTAMP'2024-01-01 01:02:03.456789', TIMESTAMP_NTZ'9999-12-31 23:59:59.999999', "
        "array(1, NULL), map('k', 1), named_struct('x', 1, 'y', named_struct('z', 'q')), 'a', 'b'",
        "INSERT INTO {t} (e, f) VALUES (float('NaN'), double('-Infinity'))",
    ],
    "deletion-vectors": [
        "CREATE TABLE {t} (id BIGINT) USING delta "
        "TBLPROPERTIES ('delta.enableDeletionVectors' = 'true')",
        "INSERT INTO {t} SELECT id FROM range(0, 1000, 1, 1)",
        "DELETE FROM {t} WHERE id % 3 = 0",
        "DELETE FROM {t} WHERE id < 900",
        "UPDATE {t} SET id = id + 10000 WHERE id > 990",
    ],
    "change-feed": [
        "CREATE TABLE {t} (id INT, v STRING) USING delta "
        "TBLPROPERTIES ('delta.enableChangeDataFeed' = 'true')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, 'b'), (3, 'c')",
        "UPDATE {t} SET v = 'x' WHERE id = 2",
        "DELETE FROM {t} WHERE id = 3",
        "MERGE INTO {t} t USING (SELECT * FROM VALUES (1, 'm'), (9, 'n') AS s(id, v)) s "
        "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *",
    ],
    "mapping-by-name": [
        "CREATE TABLE {t} (id INT, `a b` STRING, s STRUCT<x: INT, y: INT>) USING delta "
        "TBLPROPERTIES ('delta.columnMapping.mode' = 'name')",
        "INSERT INTO {t} VALUES (1, 'one', named_struct('x', 1, 'y', 2))",
        "ALTER TABLE {t} RENAME COLUMN `a b` TO name",
        "ALTER TABLE {t} DROP COLUMN s.x",
        "INSERT INTO {t} VALUES (2, 'two', named_struct('y', 3))",
    ],
    "mapping-by-id": [
        "CREATE TABLE {t} (id INT, p STRING) USING delta PARTITIONED BY (p) "
        "TBLPROPERTIES ('delta.columnMapping.mode' = 'id')",
        "INSERT INTO {t} VALUES (1, 'a'), (2, NULL)",
        "ALTER TABLE {t} RENAME COLUMN p TO part",
    ],
    "checkpoint-in-parts": [
        "SET spark.databricks.delta.checkpoint.partSize = 2",
        "CREATE TABLE {t} (id INT) USING delta TBLPROPERTIES ('delta.checkpointInterval' = '4')",
        *(f"INSERT INTO {{t}} VALUES ({i})" for i in range(5)),
    ],
    "checkpoint-v2": [
        "CREATE TABLE {t} (id INT) USING delta TBLPROPERTIES ('delta.checkpointInterval' = '3', "
        "'delta.checkpointPolicy' = 'v2')",
        *(f"INSERT INTO {{t}} VALUES ({i})" for i in range(4)),
        "DELETE FROM {t} WHERE id = 1",
    ],
    "checkpoint-v2-json": [
        "SET spark.databricks.delta.checkpointV2.topLevelFileFormat = json",
        "CREATE TABLE {t} (id INT) USING delta TBLPROPERTIES ('delta.checkpointInterval' = '3', "
        "'delta.checkpointPolicy' = 'v2')",
        *(f"INSERT INTO {{t}} VALUES ({i})" for i in range(4)),
    ],
    "struct-statistics": [
        "CREATE TABLE {t} (id INT, s STRUCT<x: STRING>, p INT) USING delta PARTITIONED BY (p) "
        "TBLPROPERTIES ('delta.checkpointInterval' = '2', "
        "'delta.checkpoint.writeStatsAsJson' = 'false', "
        "'delta.checkpoint.writeStatsAsStruct' = 'true')",
        "INSERT INTO {t} VALUES (1, named_struct('x', 'a'), 1)",
        "INSERT INTO {t} VALUES (2, named_struct('x', NULL), NULL)",
    ],
    "row-tracking": [
        "CREATE TABLE {t} (id INT) USING delta "
        "TBLPROPERTIES ('delta.enableRowTracking' = 'true', 'delta.enableDeletionVectors' = 'true')",
        "INSERT INTO {t} VALUES (1), (2), (3)",
        "UPDATE {t} SET id = 20 WHERE id = 2",
        "OPTIMIZE {t}",
    ],
    "in-commit-timestamps": [
        "CREATE TABLE {t} (id INT) USING delta",
        "INSERT INTO {t} VALUES (1)",
        "ALTER TABLE {t} SET TBLPROPERTIES ('delta.enableInCommitTimestamps' = 'true')",
        "INSERT INTO {t} VALUES (2)",
    ],
    "generated-and-identity": [
        "CREATE TABLE {t} (id BIGINT GENERATED ALWAYS AS IDENTITY (START WITH 10 INCREMENT BY 5), "
        "a INT, b INT GENERATED ALWAYS AS (a * 2), c INT DEFAULT 7) USING delta "
        "TBLPROPERTIES ('delta.feature.allowColumnDefaults' = 'supported')",
        "INSERT INTO {t} (a) VALUES (1), (2)",
        "ALTER TABLE {t} ADD CONSTRAINT small CHECK (a < 100)",
        "INSERT INTO {t} (a, c) VALUES (3, NULL)",
    ],
    "type-widening": [
        "CREATE TABLE {t} (a TINYINT, b INT, s STRUCT<x: SMALLINT>) USING delta "
        "TBLPROPERTIES ('delta.enableTypeWidening' = 'true')",
        "INSERT INTO {t} VALUES (1, 2, named_struct('x', 3S))",
        "ALTER TABLE {t} ALTER COLUMN a TYPE INT",
        "ALTER TABLE {t} ALTER COLUMN b TYPE BIGINT",
        "ALTER TABLE {t} ALTER COLUMN s.x TYPE INT",
        "INSERT INTO {t} VALUES (100000, 5000000000, named_struct('x', 70000))",
    ],
    "clustering": [
        "CREATE TABLE {t} (id INT, v STRING) USING delta CLUSTER BY (id)",
        "INSERT INTO {t} VALUES (2, 'b'), (1, 'a')",
        "OPTIMIZE {t}",
    ],
    "iceberg-compatible": [
        "CREATE TABLE {t} (id INT, l ARRAY<INT>) USING delta "
        "TBLPROPERTIES ('delta.enableIcebergCompatV2' = 'true')",
        "INSERT INTO {t} VALUES (1, array(1, 2))",
    ],
}


def value_text(expression, kind):
    """SQL of a column in the form that expected rows have."""
    if kind == "timestamp" or kind == "timestamp_ntz" or kind == "date":
        return f"CAST({expression} AS STRING)"
    if kind.startswith("decimal"):
        return f"CAST({expression} AS STRING)"
    if kind == "binary":
        return f"lower(hex({expression}))"
    return expression


def plain(value):
    """A collected value as JSON; maps as lists of pairs."""
    if isinstance(value, float):
        if value != value:
            return "NaN"
        if value in (float("inf"), float("-inf")):
            return "Infinity" if value > 0 else "-Infinity"
        return value
    if isinstance(value, dict):
        return [[plain(key), plain(item)] for key, item in value.items()]
    if hasattr(value, "asDict"):
        return {key: plain(item) for key, item in value.asDict().items()}
    if isinstance(value, (list, tuple)):
        return [plain(item) for item in value]
    return value


def rows_of(frame, names=None):
    names = names or frame.columns
    kinds = dict(frame.dtypes)
    texts = [f"{value_text(f'`{name}`', kinds[name])} AS `{name}`" for name in names]
    rows = [[plain(value) for value in row] for row in frame.selectExpr(*texts).collect()]
    return sorted(rows, key=lambda row: json.dumps(row))


def types_of(frame):
    """Types as DESCRIBE prints them; CHAR and VARCHAR are strings to a reader."""
    return [kind for _, kind in frame.dtypes]


def read(spark, writer, name):
    folder = OWN / writer / name
    table = f"delta.`{folder}`"
    frame = spark.sql(f"SELECT * FROM {table}")
    history = spark.sql(f"DESCRIBE HISTORY {table}").collect()
    line = {"table": f"{writer}/{name}", "columns": frame.columns, "types": types_of(frame),
            "count": frame.count(), "rows": rows_of(frame), "version": history[0].version,
            "history": [[row.version, row.operation] for row in history],
            "counts": {str(row.version):
                       spark.sql(f"SELECT * FROM {table} VERSION AS OF {row.version}").count()
                       for row in history[:12]}}
    if name == "change-feed":
        feed = (spark.read.format("delta").option("readChangeFeed", "true")
                .option("startingVersion", "1").load(str(folder)).drop("_commit_timestamp"))
        rows = rows_of(feed)
        line["changes"] = {"from": 1, "columns": feed.columns, "types": types_of(feed),
                           "count": len(rows), "rows": rows}
    return line


def main():
    target = OWN / "spark"
    shutil.rmtree(target, ignore_errors=True)
    (OWN / "expected").mkdir(parents=True, exist_ok=True)
    spark = open_session()
    for name, statements in TABLES.items():
        folder = target / name
        for statement in statements:
            spark.sql(statement.format(t=f"delta.`{folder}`"))
        for statement in statements:
            if statement.startswith("SET "):
                spark.conf.unset(statement.split()[1])
    # Hadoop's local store keeps checksums of its own, which are no part of Delta.
    for file in target.rglob(".*.crc"):
        file.unlink()
    for writer in ("spark", "deltalake"):
        lines = [read(spark, writer, folder.name) for folder in sorted((OWN / writer).iterdir())]
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in lines)
        (OWN / "expected" / f"{writer}.jsonl").write_text(text)
    spark.stop()


if __name__ == "__main__":
    main()
