"""Tables as scripts of statements that mean the same to Merganser and to Spark.

`{table}` stands for the table, a path table or a name. Each script has the statements that make
the table, those that merge into it, and what it is there to show.
"""

import dataclasses
import pathlib


@dataclasses.dataclass
class Script:
    shows: str
    make: list
    merge: list
    # Commits that a reader must not need, because a checkpoint holds their outcome.
    checkpoint_at: int | None = None
    # delta-rs gives NULL for columns of such tables and DuckDB for their partition columns, those
    # that delta-spark writes too.
    has_column_mapping: bool = False


SCRIPTS = {
    "upsert": Script(
        "matched rows are updated when newer, others inserted",
        ["""CREATE TABLE {table} (order_id BIGINT, customer STRING, amount DECIMAL(10,2),
              updated_at TIMESTAMP) USING delta""",
         """INSERT INTO {table} VALUES
              (1, 'ann', 25.50, TIMESTAMP '2026-01-02 08:00:00'),
              (2, 'bob', 12.00, TIMESTAMP '2026-01-03 09:00:00'),
              (3, NULL, 0.01, TIMESTAMP '2026-01-02 12:45:00.123456')"""],
        ["""MERGE INTO {table} t
            USING (SELECT * FROM VALUES
              (1, 'ann', 99.00, TIMESTAMP '2026-01-01 00:00:00'),
              (2, 'bea', 13.00, TIMESTAMP '2026-01-04 10:00:00'),
              (4, 'dan', 7.25, TIMESTAMP '2026-01-04 11:00:00')
              AS v(order_id, customer, amount, updated_at)) s
            ON t.order_id = s.order_id
            WHEN MATCHED AND s.updated_at > t.updated_at THEN UPDATE SET *
            WHEN NOT MATCHED THEN INSERT *"""]),
    "three-families": Script(
        "update, delete, insert and the rows that the source does not know, in one commit",
        ["CREATE TABLE {table} (id INT, state STRING, seen BOOLEAN) USING delta",
         "INSERT INTO {table} VALUES (1, 'a', true), (2, 'b', false), (3, 'c', NULL), (NULL, 'd', true)",
         "INSERT INTO {table} VALUES (4, 'e', true), (5, 'f', true)"],
        ["""MERGE INTO {table} t
            USING (SELECT * FROM VALUES (1, 'gone'), (2, 'kept'), (9, 'new') AS v(id, state)) s
            ON t.id = s.id
            WHEN MATCHED AND s.state = 'gone' THEN DELETE
            WHEN MATCHED THEN UPDATE SET state = s.state, seen = true
            WHEN NOT MATCHED THEN INSERT (id, state) VALUES (s.id, s.state)
            WHEN NOT MATCHED BY SOURCE AND t.seen THEN UPDATE SET state = 'orphan'"""]),
    "partitioned": Script(
        "partition values with characters that paths escape, nulls, two columns",
        ["""CREATE TABLE {table} (id INT, note STRING, day DATE, place STRING) USING delta
              PARTITIONED BY (day, place)""",
         """INSERT INTO {table} VALUES
              (1, 'x', DATE '2026-01-01', 'a b'), (2, 'y', DATE '2026-01-01', 'c/d=e%f'),
              (3, 'z', DATE '2026-01-02', NULL), (4, 'w', NULL, 'Zürich')"""],
        ["""MERGE INTO {table} t
            USING (SELECT * FROM VALUES
              (2, 'new', DATE '2026-01-01', 'c/d=e%f'), (5, 'in', DATE '2026-01-03', 'a b')
              AS v(id, note, day, place)) s
            ON t.day = s.day AND t.id = s.id
            WHEN MATCHED THEN UPDATE SET *
            WHEN NOT MATCHED THEN INSERT *"""]),
    "types": Script(
        "each primitive type and the nested ones, their limits and nulls",
        ["""CREATE TABLE {table} (id INT, b BOOLEAN, t TINYINT, s SMALLINT, l BIGINT, f FLOAT, d DOUBLE,
              n DECIMAL(38,10), x BINARY, dt DATE, ts TIMESTAMP, str STRING, a ARRAY<INT>,
              m MAP<STRING, INT>, r STRUCT<p: INT, q: STRUCT<u: STRING>>) USING delta""",
         """INSERT INTO {table} SELECT 1, true, CAST(-128 AS TINYINT), CAST(32767 AS SMALLINT),
              9223372036854775807, CAST(1.5 AS FLOAT), CAST('NaN' AS DOUBLE),
              CAST('1234567890123456789012345678.0123456789' AS DECIMAL(38,10)), X'00FF',
              DATE '1969-12-31', TIMESTAMP '2026-06-30 23:59:59.999999', 'text', array(1, NULL, 3),
              map('k', 1), named_struct('p', 1, 'q', named_struct('u', 'deep'))""",
         """INSERT INTO {table} SELECT 2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
              NULL, NULL, NULL, NULL"""],
        ["""MERGE INTO {table} t USING (SELECT 1 AS id, 'merged' AS str UNION ALL SELECT 2, 'too') s
            ON t.id = s.id
            WHEN MATCHED THEN UPDATE SET str = s.str, a = array(s.id)"""]),
    "checkpointed": Script(
        "a checkpoint and the commits after it are all that a reader needs",
        ["CREATE TABLE {table} (id INT, name STRING) USING delta PARTITIONED BY (name)",
         *(f"INSERT INTO {{table}} VALUES ({n}, 'p{n % 3}'), ({n + 100}, 'p{n % 2}')"
           for n in range(11))],
        ["""MERGE INTO {table} t USING (SELECT 3 AS id, 'p0' AS name) s ON t.id = s.id
            WHEN MATCHED THEN DELETE"""],
        checkpoint_at=10),
    "iceberg": Script(
        "partition columns and ids of elements, keys and values in the files",
        ["""CREATE TABLE {table} (id INT, a ARRAY<STRUCT<x: INT, y: ARRAY<STRING>>>,
              m MAP<STRING, ARRAY<INT>>, part STRING) USING delta PARTITIONED BY (part)
              TBLPROPERTIES ('delta.enableIcebergCompatV2' = 'true')""",
         """INSERT INTO {table} SELECT 1, array(named_struct('x', 1, 'y', array('q', NULL))),
              map('k', array(1, 2)), 'u'""",
         "INSERT INTO {table} SELECT 2, NULL, NULL, NULL"],
        ["""MERGE INTO {table} t
            USING (SELECT 2 AS id, 'u' AS part UNION ALL SELECT 3, 'w') s ON t.id = s.id
            WHEN MATCHED THEN UPDATE SET a = array(named_struct('x', s.id, 'y', array(s.part)))
            WHEN NOT MATCHED THEN INSERT (id, m, part) VALUES (s.id, map(s.part, NULL), s.part)""",
         "ALTER TABLE {table} ADD COLUMN more ARRAY<INT>",
         "UPDATE {table} SET more = array(id) WHERE part = 'u'"],
        has_column_mapping=True),
    "update-delete": Script(
        "UPDATE, DELETE and INSERT OVERWRITE",
        ["CREATE TABLE {table} (id INT, v DOUBLE) USING delta",
         "INSERT INTO {table} VALUES (1, 0.5), (2, -0.5), (3, NULL)",
         "UPDATE {table} SET v = v * 2 WHERE id < 3",
         "DELETE FROM {table} WHERE v IS NULL"],
        ["""MERGE INTO {table} t USING (SELECT 1 AS id) s ON t.id = s.id
            WHEN MATCHED THEN UPDATE SET v = 7.0
            WHEN NOT MATCHED BY SOURCE THEN DELETE""",
         "INSERT INTO {table} VALUES (10, 1e300)"]),
}


def forget_commits(path, version):
    """Remove the commits up to `version`; the checkpoint there must do."""
    for commit in pathlib.Path(path, "_delta_log").glob("*.json"):
        if int(commit.stem) <= version:
            commit.unlink()
