"""What is measured: for each scenario its table, its source, the statement, the rows that must be
there afterwards, and the least that any engine has to do (the floor)."""

import dataclasses
import statistics

from data import DATASETS
from floors import (CDC_FLOOR, COPY_ALL, EVOLVED_FLOOR, FIND, HISTORY_FLOOR, KEEP, LOCAL_FLOOR, NEW_ONLY,
                    PARQUET, RANDOM_FLOOR, REPLAY_FLOOR, REWRITE, SYNC_FLOOR, first_rows, write_rows)
from sources import (batched, change_batch, clustered, evolved, few_days, full_sync, history_rows, last_rows,
                     new_rows, random_rows, repeated, replayed, wide_rows)

LINE_KEYS = ("l_orderkey", "l_linenumber")
UPSERT = (("matched", None, "update *"), ("not matched", None, "insert *"))
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
    batches: int = 1  # MERGEs in a row, each of the source's rows of one `batch`; {batch} in `using`.
    reads: tuple = ()  # Queries that are measured after them, and again after `purge`; {table}.
    before: tuple = ()  # Statements that come first and are not measured; {table}.
    added: dict = dataclasses.field(default_factory=dict)  # Columns that evolution adds: {name: type}.
    # SQL of the expected table over t and s, {columns} are the table's.
    expected: str = ""
    # Statements of the floor by mode; {t}, {s}, {on}, {out}, {columns}.
    floor: dict = dataclasses.field(default_factory=dict)
    memory_limit: dict = dataclasses.field(default_factory=dict)  # By size.
    peers: tuple = ("deltalake", "delta-spark", "pysail", "duckdb", "ducklake")
    repeat: int = 1  # Statements in a row; the figure is their median.

    @property
    def data(self):
        return DATASETS[self.dataset]

    def join(self):
        equal = " AND ".join(f"t.{key} = s.{key}" for key in self.keys)
        return f"{equal} AND {self.on}" if self.on else equal

    def statements(self, table, source):
        """All that is run, in order; figures() tells what of it is measured."""
        merges = [self.merge(table, source, batch) for batch in range(self.batches)]
        reads = [text.format(table=table) for text in self.reads]
        purge = [f"REORG TABLE {table} APPLY (PURGE)"] if reads else []
        return [*(text.format(table=table) for text in self.before), *merges, *reads, *purge,
                *(reads if purge else [])]

    def figures(self, times):
        """What the seconds of the statements mean; of many alike the median counts, so that neither
        the table's making nor a slow start does."""
        count = len(self.reads)
        if count:
            return {"seconds": sum(times[-2 * count - 1:-count - 1]),
                    "purged_seconds": sum(times[-count:]),
                    "merge_seconds": statistics.median(times[:self.batches])}
        return {"seconds": times[-1] if self.before else statistics.median(times)}

    def merge(self, table, source, batch=0):
        """The statement as Spark SQL."""
        if self.statement:
            return self.statement.format(table=table)
        using = (f"({self.using.format(source=source, target=table, batch=batch)})" if self.using
                 else source)
        evolution = "WITH SCHEMA EVOLUTION " if self.added else ""
        text = f"MERGE {evolution}INTO {table} t USING {using} s ON {self.join()}"
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


SAME_ROWS = "SELECT * FROM t"
REPLACE_ROWS = "SELECT {columns} FROM t ANTI JOIN s ON {on} UNION ALL SELECT {columns} FROM s"


def delta_case(number, kind, files, matched, new):
    """A case of Delta's own benchmark of MERGE: shares of files, of their rows, and of new rows."""
    clauses = {"insert": (("not matched", None, "insert *"),),
               "inserts": (("not matched", "s.wr_item_sk % 2 = 0", "insert *"),
                           ("not matched", None, "insert *")),
               "delete": (("matched", None, "delete"),), "upsert": UPSERT}[kind]
    return Scenario(
        f"B16.{number}", f"Delta's case {number}: {kind}, {files:.0%} of files, {matched:.1%} of rows "
        f"matched, {new:.1%} new", "web_returns", clustered(files, matched, new),
        keys=("wr_order_number", "wr_item_sk"), clauses=clauses,
        expected="SELECT {columns} FROM t ANTI JOIN s ON {on}" if kind == "delete" else REPLACE_ROWS,
        floor={"dv": (FIND,), "cow": (KEEP,)} if kind == "delete" else RANDOM_FLOOR)


DELTA_CASES = [delta_case(number + 1, *case) for number, case in enumerate((
    ("insert", 0.05, 0, 0.05), ("insert", 0.05, 0, 0.5), ("insert", 0.05, 0, 1.0),
    ("inserts", 0.05, 0, 0.05), ("inserts", 0.05, 0, 0.5), ("inserts", 0.05, 0, 1.0),
    ("delete", 0.05, 0.05, 0),
    ("upsert", 0.05, 0, 0.1), ("upsert", 0.05, 0.01, 0.1), ("upsert", 0.05, 0.1, 0.1),
    ("upsert", 0.05, 0.5, 0.001), ("upsert", 0.05, 0.99, 0.001), ("upsert", 0.05, 1.0, 0.001),
    ("upsert", 0.05, 0.1, 0), ("upsert", 0.5, 0.01, 0.001), ("upsert", 1.0, 0.01, 0.001)))]
DELTA_CASES.append(Scenario(
    "B16.noop", "all rows matched and none changed, 5 % new", "web_returns", clustered(1.0, 1.0, 0.05, same=True),
    keys=("wr_order_number", "wr_item_sk"),
    clauses=(("matched", "s.wr_return_amt <> t.wr_return_amt", "update *"),
             ("not matched", None, "insert *")),
    expected=REPLACE_ROWS, floor={"dv": (NEW_ONLY,), "cow": (NEW_ONLY,)}))

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
    Scenario("B06b", "insert-only, each row twice in the source", "lineitem", repeated(0.025),
             using="SELECT * FROM (SELECT x.*, row_number() OVER (PARTITION BY l_orderkey, "
                   "l_linenumber ORDER BY seq) AS place FROM {source} x) y WHERE place = 1",
             clauses=(("not matched", None, "insert data"),),
             expected="SELECT {columns} FROM t UNION ALL SELECT {columns} FROM s WHERE seq = 1",
             floor={"dv": first_rows(), "cow": first_rows()}, peers=("delta-spark", "pysail", "duckdb")),
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
    Scenario("B12", "upsert 1 % of 201 columns", "wide", random_rows(0.01, 0.2, gaps=False),
             keys=("id",), expected=REPLACE_ROWS, floor=RANDOM_FLOOR),
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
    Scenario("B15", "reads after twenty upserts of 1 %", "lineitem", batched(20), batches=20,
             using="SELECT * FROM {source} x WHERE batch = {batch}",
             clauses=(("matched", None, "update data"), ("not matched", None, "insert data")),
             reads=("SELECT count(*) FROM {table}",
                    "SELECT count(*) FROM {table} WHERE l_quantity > 25",
                    "SELECT sum(l_extendedprice), sum(l_tax) FROM {table}"),
             expected=REPLACE_ROWS, peers=("delta-spark",)),
    Scenario("B17", "upsert 1 % with two new columns", "lineitem", evolved,
             added={"l_note": "VARCHAR", "l_score": "INTEGER"},
             expected="SELECT {columns}, NULL::VARCHAR AS l_note, NULL::INTEGER AS l_score FROM t "
                      "ANTI JOIN s ON {on} UNION ALL SELECT {columns}, l_note, l_score FROM s",
             floor=EVOLVED_FLOOR, peers=("deltalake", "delta-spark")),
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
             expected=SAME_ROWS, peers=("delta-spark",),
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
    Scenario("D4", "OPTIMIZE with ZORDER by two columns", "lineitem",
             statement="OPTIMIZE {table} ZORDER BY (l_partkey, l_suppkey)",
             expected=SAME_ROWS, peers=("delta-spark",),
             floor={"dv": (COPY_ALL,), "cow": (COPY_ALL,)}),
    Scenario("D5", "VACUUM DRY RUN of 15,000 partitions", "leaves", statement="VACUUM {table} DRY RUN",
             expected=SAME_ROWS, peers=("deltalake", "delta-spark")),
    Scenario("D6", "RESTORE of a deletion", "lineitem",
             before=("DELETE FROM {table} WHERE l_suppkey % 100 = 7",),
             statement="RESTORE TABLE {table} TO VERSION AS OF 0", expected=SAME_ROWS,
             peers=("deltalake", "delta-spark")),
    *DELTA_CASES,
]}
