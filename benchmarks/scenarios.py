"""What is measured: for each scenario its table, its source, the statement, the rows that must be
there afterwards, and the least that any engine has to do (the floor)."""

import dataclasses

from data import DATASETS, NEWER, mixed

LINE_KEYS = ("l_orderkey", "l_linenumber")
UPSERT = (("matched", None, "update *"), ("not matched", None, "insert *"))
# The options of Merganser's own writer: a ratio compares like with like.
PARQUET = ("FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE 122880, DICTIONARY_SIZE_LIMIT 4096, "
           "WRITE_BLOOM_FILTER false")


@dataclasses.dataclass(frozen=True)
class Scenario:
    name: str
    title: str
    dataset: str
    source: object = None  # (dataset, rows) -> SQL of the source's rows.
    keys: tuple = LINE_KEYS
    # (kind, condition, action): conditions over `t` and `s`; actions as in SQL, or "insert data":
    # the table's columns out of a source that has more.
    clauses: tuple = UPSERT
    on: str = ""  # Further condition of ON.
    using: str = ""  # SQL of the source where it is more than the file; {source}, {target}.
    statement: str = ""  # Where it is not MERGE; {table}.
    # SQL of the expected table over t and s, {columns} are the table's.
    expected: str = ""
    # Statements of the floor by mode; {t}, {s}, {on}, {out}, {columns}.
    floor: dict = dataclasses.field(default_factory=dict)
    memory_limit: dict = dataclasses.field(default_factory=dict)  # By size.
    peers: tuple = ("deltalake", "delta-spark", "duckdb")
    repeat: int = 1  # Statements in a row; the figure is their median.

    @property
    def data(self):
        return DATASETS[self.dataset]

    def join(self):
        equal = " AND ".join(f"t.{key} = s.{key}" for key in self.keys)
        return f"{equal} AND {self.on}" if self.on else equal

    def merge(self, table, source):
        """The statement as Spark SQL."""
        if self.statement:
            return self.statement.format(table=table)
        using = f"({self.using.format(source=source, target=table)})" if self.using else source
        text = f"MERGE INTO {table} t USING {using} s ON {self.join()}"
        for kind, condition, action in self.clauses:
            when = f" AND {condition}" if condition else ""
            if action == "insert data":
                names = ", ".join(self.data.columns("0", "0") | self.data.extra)
                values = ", ".join(f"s.{n}" for n in self.data.columns("0", "0") | self.data.extra)
                action = f"insert ({names}) VALUES ({values})"
            if action == "update data":
                action = "update SET " + ", ".join(
                    f"t.{n} = s.{n}" for n in self.data.columns("0", "0") | self.data.extra)
            action = action.replace("update *", "update SET *")
            text += f"\nWHEN {kind.upper()}{when} THEN {action.replace('insert', 'INSERT')}"
        return text.replace("THEN update SET", "THEN UPDATE SET").replace("THEN delete",
                                                                          "THEN DELETE")


def every(step, salt, count):
    """SQL of `count` row numbers, one at a random place of each run of `step`."""
    return f"SELECT i * {step} + {mixed('i', salt)} % {step} AS n FROM range({count}) r(i)"


def between(dataset, rows, salt, count, more=""):
    """SQL of `count` new rows, with keys that the table leaves out."""
    key = dataset_key(dataset)
    return (f"SELECT * REPLACE ({key} + 1 AS {key}) FROM (SELECT "
            f"{dataset.select('n', f'(n + {NEWER})')}{more} FROM "
            f"({every(rows // max(count, 1), salt, count)}))")


def random_rows(share, new_share, gaps=True):
    """Changed values for a share of the table's rows, picked all over it, and new rows: between
    them, or behind the last one where keys have no gaps. In no order."""
    def select(dataset, rows):
        count = int(rows * share)
        new = int(count * new_share)
        old = count - new
        values = f"{dataset.select('n', f'(n + {NEWER})')}, n AS place"
        parts = [f"SELECT {values} FROM ({every(rows // max(old, 1), 101, old)})"]
        if new and gaps:
            parts.append(between(dataset, rows, 102, new, ", n AS place"))
        elif new:
            parts.append(f"SELECT {values} FROM (SELECT {rows} + i AS n FROM range({new}) r(i))")
        return (f"SELECT * EXCLUDE (place) FROM ({' UNION ALL '.join(parts)}) "
                f"ORDER BY {mixed('place', 103)}")
    return select


def dataset_key(dataset):
    return next(iter(dataset.columns("0", "0")))


def last_rows(outliers):
    """The last percent of the keys, and new ones behind them."""
    def select(dataset, rows):
        count = rows // 100
        numbers = f"SELECT {rows - count * 4 // 5} + i AS n FROM range({count}) r(i)"
        rest = ""
        if outliers:
            rest = (f" UNION ALL SELECT * REPLACE (l_orderkey - 2 AS l_orderkey) FROM (SELECT "
                    f"{dataset.select('0', '0')}) UNION ALL SELECT * REPLACE (l_orderkey + 2 AS "
                    f"l_orderkey) FROM (SELECT {dataset.select(f'{2 * rows}', '0')})")
        return f"SELECT {dataset.select('n', f'(n + {NEWER})')} FROM ({numbers}){rest}"
    return select


def new_rows(share):
    return lambda dataset, rows: between(dataset, rows, 104, int(rows * share))


def full_sync(dataset, rows):
    """98 % as they were, 1 % changed, 1 % gone, 1 % new."""
    changed = dict(dataset.columns("n", "n") | dataset.extra)
    changed["l_quantity"] = (f"CASE WHEN n % 100 = 7 THEN 100 + ({changed['l_quantity']}) ELSE "
                             f"{changed['l_quantity']} END::DECIMAL(15,2)")
    columns = ", ".join(f"{sql} AS {name}" for name, sql in changed.items())
    new = (f"SELECT * REPLACE (l_orderkey + 1 AS l_orderkey) FROM (SELECT {columns} FROM "
           f"({every(100, 105, rows // 100)}))")
    return (f"SELECT {columns} FROM (SELECT i AS n FROM range({rows}) r(i) WHERE i % 100 <> 42) "
            f"UNION ALL {new}")


def change_batch(dataset, rows):
    """A CDC batch: of the changed rows one in ten is deleted; versions are newer."""
    batch = random_rows(0.01, 0.2)(dataset, rows)
    return (f"SELECT * REPLACE (2::BIGINT AS ver), CASE WHEN l_orderkey % 2 = 0 THEN 'I' WHEN "
            f"l_suppkey % 10 = 0 THEN 'D' ELSE 'U' END AS op FROM ({batch})")


def replayed(dataset, rows):
    """Matched rows of the version that the table has."""
    return random_rows(0.01, 0)(dataset, rows)


def wide_rows(share):
    def select(dataset, rows):
        count = int(rows * share)
        return (f"SELECT n AS id, 100000 + n % 100 AS c7 FROM "
                f"({every(rows // count, 106, count)})")
    return select


def few_days(dataset, rows):
    """Rows of seven days, one percent of the table."""
    count = rows // 100
    return (f"SELECT {dataset.select('n', f'(n + {NEWER})')} FROM (SELECT (i // 7 * 365) + i % 7 + "
            f"100 AS n FROM range({count}) r(i))")


REPLACE_ROWS = "SELECT {columns} FROM t ANTI JOIN s ON {on} UNION ALL SELECT {columns} FROM s"
FIND = ("CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM "
        "{files}) t JOIN {s} s ON {on} GROUP BY 1")
WRITE_SOURCE = "COPY (SELECT {columns} FROM {s} s) TO '{out}' (" + PARQUET + ", PER_THREAD_OUTPUT)"
REWRITE = ("COPY (SELECT t.* FROM {t} t ANTI JOIN {s} s ON {on} UNION ALL SELECT {columns} FROM {s} "
           "s) TO '{out}' (" + PARQUET + ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
KEEP = ("COPY (SELECT t.* FROM {t} t ANTI JOIN {s} s ON {on}) TO '{out}' (" + PARQUET +
        ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
COPY_ALL = ("COPY (SELECT * FROM {t} t) TO '{out}' (" + PARQUET +
            ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)")
RANDOM_FLOOR = {"dv": (FIND, WRITE_SOURCE), "cow": (REWRITE,)}
LOCAL_FLOOR = {"dv": (FIND, WRITE_SOURCE), "cow": (FIND, WRITE_SOURCE)}
NEW_ONLY = ("COPY (SELECT {columns} FROM {s} s ANTI JOIN {t} t ON {on}) TO '{out}' (" + PARQUET +
            ", PER_THREAD_OUTPUT)")


def write_rows(select):
    return "COPY (" + select + ") TO '{out}' (" + PARQUET + ", PER_THREAD_OUTPUT)"


SYNC_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT filename, list(file_row_number) FROM (SELECT t.filename, "
    "t.file_row_number FROM (SELECT * FROM {files}) t LEFT JOIN {s} s ON {on} WHERE s.l_orderkey IS "
    "NULL OR s.l_quantity <> t.l_quantity) GROUP BY 1",
    write_rows("SELECT s.* FROM {s} s LEFT JOIN {t} t ON {on} WHERE t.l_orderkey IS NULL OR "
               "t.l_quantity <> s.l_quantity"),
)
CDC_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM {files}) "
    "t JOIN {s} s ON {on} WHERE s.op = 'D' OR s.ver > t.ver GROUP BY 1",
    write_rows("SELECT {columns} FROM {s} s WHERE op <> 'D'"),
)
HISTORY_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM {files}) "
    "t JOIN {s} s ON {on} WHERE t.is_current GROUP BY 1",
    write_rows("SELECT t.* REPLACE (false AS is_current, s.eff AS end_date) FROM {t} t JOIN {s} s "
               "ON {on} WHERE t.is_current UNION ALL SELECT {columns} FROM {s}"),
)
REPLAY_FLOOR = (
    "CREATE TEMP TABLE found AS SELECT t.filename, list(t.file_row_number) FROM (SELECT * FROM {files}) "
    "t JOIN {s} s ON {on} WHERE s.ver > t.ver GROUP BY 1",
)


def history_rows(dataset, rows):
    return f"SELECT * REPLACE (DATE '2026-01-01' AS eff) FROM ({random_rows(0.01, 0.2)(dataset, rows)})"


SCENARIOS = {s.name: s for s in [
    Scenario("B01", "upsert 0.1 % random", "lineitem", random_rows(0.001, 0.2),
             expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
    Scenario("B02", "upsert 1 % random", "lineitem", random_rows(0.01, 0.2),
             expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
    Scenario("B03", "upsert 10 % random", "lineitem", random_rows(0.1, 0.2),
             expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
    Scenario("B04", "update 50 % random", "lineitem", random_rows(0.5, 0),
             clauses=(("matched", None, "update *"),), expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
    Scenario("B05", "upsert of the last 1 % of keys", "lineitem", last_rows(False),
             expected=REPLACE_ROWS, floor=LOCAL_FLOOR),
    Scenario("B05b", "the same with one key at each end", "lineitem", last_rows(True),
             expected=REPLACE_ROWS, floor=LOCAL_FLOOR),
    Scenario("B06", "insert-only 5 %", "lineitem", new_rows(0.05),
             clauses=(("not matched", None, "insert *"),), expected=REPLACE_ROWS,
             floor={"dv": (NEW_ONLY,), "cow": (NEW_ONLY,)}),
    Scenario("B07", "delete 1 %", "lineitem", random_rows(0.01, 0),
             clauses=(("matched", None, "delete"),),
             expected="SELECT {columns} FROM t ANTI JOIN s ON {on}",
             floor={"dv": (FIND,), "cow": (KEEP,)}),
    Scenario("B08", "full sync: 1 % changed, 1 % new, 1 % gone", "lineitem", full_sync,
             clauses=(("matched", "t.l_quantity <> s.l_quantity", "update *"),
                      ("not matched", None, "insert *"),
                      ("not matched by source", None, "delete")),
             expected="SELECT {columns} FROM s",
             floor={"dv": SYNC_FLOOR, "cow": (COPY_ALL,)}),
    Scenario("B09", "CDC batch of 1 %", "versions", change_batch,
             clauses=(("matched", "s.op = 'D'", "delete"),
                      ("matched", "s.ver > t.ver", "update data"),
                      ("not matched", "s.op <> 'D'", "insert data")),
             expected="SELECT {columns} FROM t ANTI JOIN s ON {on} UNION ALL SELECT {columns} FROM s "
                      "WHERE op <> 'D'",
             floor={"dv": CDC_FLOOR, "cow": (REWRITE,)}),
    Scenario("B10", "history of 1 % changed keys", "history", history_rows,
             using="SELECT l_orderkey AS mk, * FROM {source} UNION ALL SELECT NULL AS mk, s.* FROM "
                   "{source} s JOIN {target} t ON t.l_orderkey = s.l_orderkey AND t.l_linenumber = "
                   "s.l_linenumber WHERE t.is_current",
             on="t.l_orderkey = s.mk",
             clauses=(("matched", "t.is_current", "update SET is_current = false, end_date = s.eff"),
                      ("not matched", None, "insert data")),
             expected="SELECT {columns} FROM t ANTI JOIN s ON {on} UNION ALL SELECT t.* REPLACE "
                      "(false AS is_current, s.eff AS end_date) FROM t JOIN s ON {on} UNION ALL "
                      "SELECT {columns} FROM s",
             floor={"dv": HISTORY_FLOOR, "cow": (COPY_ALL,)}, peers=("delta-spark",)),
    Scenario("B11", "nothing to change", "versions", replayed,
             clauses=(("matched", "s.ver > t.ver", "update *"),
                      ("not matched", None, "insert *")),
             expected="SELECT {columns} FROM t",
             floor={"dv": REPLAY_FLOOR, "cow": REPLAY_FLOOR}),
    Scenario("B12b", "one column of 201, 1 % of rows", "wide", wide_rows(0.01), keys=("id",),
             clauses=(("matched", None, "update SET c7 = s.c7"),),
             expected="SELECT t.* REPLACE (coalesce(s.c7, t.c7) AS c7) FROM t LEFT JOIN s ON {on}",
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
    Scenario("B12c", "one column of 201, 50 % of rows", "wide", wide_rows(0.5), keys=("id",),
             clauses=(("matched", None, "update SET c7 = s.c7"),),
             expected="SELECT t.* REPLACE (coalesce(s.c7, t.c7) AS c7) FROM t LEFT JOIN s ON {on}",
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
    Scenario("B13", "7 of 365 partitions", "events", few_days, keys=("id", "day"),
             expected=REPLACE_ROWS, floor={}),
    Scenario("B13b", "all of 365 partitions", "events", random_rows(0.01, 0.2, gaps=False),
             keys=("id", "day"), expected=REPLACE_ROWS, floor={}),
    Scenario("B14", "upsert into many small files", "small-files", random_rows(0.01, 0.2),
             expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
    Scenario("B19", "B04 within a third of its source (1 GB at M)", "lineitem", random_rows(0.5, 0),
             clauses=(("matched", None, "update *"),), expected=REPLACE_ROWS, floor=RANDOM_FLOOR,
             memory_limit={"XS": "64MB", "S": "200MB", "M": "1GB"}),
    Scenario("B18", "a MERGE of one row, a hundred times", "tiny", repeat=100,
             peers=("deltalake",)),
    Scenario("B20", "process start to the first MERGE", "tiny", peers=("deltalake",)),
    Scenario("D1", "UPDATE 1 % by a predicate", "lineitem",
             statement="UPDATE {table} SET l_tax = 0.5 WHERE l_suppkey % 100 = 7",
             expected="SELECT t.* REPLACE (CASE WHEN l_suppkey % 100 = 7 THEN 0.5 ELSE l_tax "
                      "END::DECIMAL(15,2) AS l_tax) FROM t", peers=(),
             floor={"dv": (write_rows("SELECT * FROM {t} WHERE l_suppkey % 100 = 7"),),
                    "cow": (COPY_ALL,)}),
    Scenario("D2", "DELETE 1 % by a predicate", "lineitem",
             statement="DELETE FROM {table} WHERE l_suppkey % 100 = 7",
             expected="SELECT * FROM t WHERE l_suppkey % 100 <> 7", peers=(),
             floor={"dv": ("CREATE TEMP TABLE found AS SELECT filename, list(file_row_number) FROM "
                           "{files} WHERE l_suppkey % 100 = 7 GROUP BY 1",),
                    "cow": ("COPY (SELECT * FROM {t} WHERE l_suppkey % 100 <> 7) TO '{out}' (" +
                            PARQUET + ", FILE_SIZE_BYTES '128MB', PER_THREAD_OUTPUT)",)}),
    Scenario("D3", "OPTIMIZE of many small files", "small-files", statement="OPTIMIZE {table}",
             expected="SELECT * FROM t", peers=("delta-spark",),
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
    Scenario("D4", "OPTIMIZE with ZORDER by two columns", "lineitem",
             statement="OPTIMIZE {table} ZORDER BY (l_partkey, l_suppkey)",
             expected="SELECT * FROM t", peers=("delta-spark",),
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
]}
