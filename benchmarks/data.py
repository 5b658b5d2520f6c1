"""Tables and sources of the scenarios: made once, the same on every machine, by DuckDB.

A table is Parquet files and a hand-written log, so that no engine meets a layout of its own. Values
come from integer arithmetic alone; nothing depends on a hash function of some version.
"""

import dataclasses
import datetime
import json
import os
import pathlib
import shutil

# Rows of the line item table; other tables are sized in step.
SIZES = {"XS": 240_000, "S": 6_000_000, "M": 60_000_000}
# Rows of a row group of the prepared files. The smallest size keeps several groups a file.
ROW_GROUPS = {"XS": 8_192, "S": 122_880, "M": 122_880}
ROWS_OF_A_FILE = {"XS": 80_000, "S": 2_000_000, "M": 2_400_000}

NEWER = 1_000_000_007  # Added to a row's number to give it other values than the target's row has.


def mixed(number, salt):
    """SQL of a value that looks random, from an integer expression."""
    value = f"(({number})::BIGINT * 2654435761 + {salt * 2246822519 + 3266489917})"
    return f"xor({value}, {value} >> 17)"


def picked(number, salt, count):
    return f"({mixed(number, salt)} % {count})"


def words(number, salt, choices):
    listed = ", ".join(f"'{choice}'" for choice in choices)
    return f"[{listed}][1 + {picked(number, salt, len(choices))}]"


def line_item(key, number):
    """The columns of a line item with the key of row `key` and the values of row `number`."""
    ship = f"(DATE '1992-01-02' + {picked(number, 9, 2526)}::INTEGER)"
    return {
        "l_orderkey": f"({key} // 4) * 4 + 1",
        "l_partkey": picked(number, 1, 2_000_000),
        "l_suppkey": picked(number, 2, 100_000),
        "l_linenumber": f"({key} % 4 + 1)::INTEGER",
        "l_quantity": f"(1 + {picked(number, 3, 50)})::DECIMAL(15,2)",
        "l_extendedprice": f"({picked(number, 4, 10_000_000)}::DECIMAL(15,2) / 100)::DECIMAL(15,2)",
        "l_discount": f"({picked(number, 5, 11)} / 100)::DECIMAL(15,2)",
        "l_tax": f"({picked(number, 6, 9)} / 100)::DECIMAL(15,2)",
        "l_returnflag": words(number, 7, "ANR"),
        "l_linestatus": words(number, 8, "OF"),
        "l_shipdate": ship,
        "l_commitdate": f"(DATE '1992-01-31' + {picked(number, 10, 2466)}::INTEGER)",
        "l_receiptdate": f"{ship} + (1 + {picked(number, 11, 30)})::INTEGER",
        "l_shipinstruct": words(number, 12, ["DELIVER IN PERSON", "COLLECT COD", "NONE",
                                             "TAKE BACK RETURN"]),
        "l_shipmode": words(number, 13, ["REG AIR", "AIR", "RAIL", "SHIP", "TRUCK", "MAIL", "FOB"]),
        "l_comment": f"format('{{:x}} {{}}', {mixed(number, 14)}, "
                     f"{words(number, 15, ['carefully final', 'quickly ironic', 'deposits sleep'])})",
    }


def wide(key, number):
    columns = {"id": f"({key})::BIGINT"}
    columns.update({f"c{i}": f"{picked(number, i, 1000 + i)}::INTEGER" for i in range(1, 201)})
    return columns


def event(key, number):
    return {
        "id": f"({key})::BIGINT",
        "day": f"(DATE '2025-01-01' + ({key} % 365)::INTEGER)",
        "kind": words(number, 1, ["view", "click", "buy"]),
        "amount": f"({picked(number, 2, 1_000_000)} / 100)::DECIMAL(12,2)",
        "note": f"format('{{:x}}', {mixed(number, 3)})",
    }


def web_return(key, number):
    """Columns as TPC-DS's web_returns has them."""
    columns = {"wr_returned_date_sk": picked(number, 1, 2000), "wr_returned_time_sk": picked(number, 2, 86400),
               "wr_item_sk": f"{picked(key, 3, 200_000)}", "wr_order_number": f"({key} * 2)::BIGINT"}
    keys = ("refunded_customer", "refunded_cdemo", "refunded_hdemo", "refunded_addr", "returning_customer",
            "returning_cdemo", "returning_hdemo", "returning_addr", "web_page", "reason")
    columns.update({f"wr_{name}_sk": picked(number, 10 + i, 10_000 * (i + 1)) for i, name in enumerate(keys)})
    columns["wr_return_quantity"] = f"(1 + {picked(number, 30, 100)})::INTEGER"
    amounts = ("return_amt", "return_tax", "return_amt_inc_tax", "fee", "return_ship_cost", "refunded_cash",
               "reversed_charge", "account_credit", "net_loss")
    columns.update({f"wr_{name}": f"({picked(number, 40 + i, 1_000_000)}::DECIMAL(15,2) / 100)::DECIMAL(7,2)"
                    for i, name in enumerate(amounts)})
    return columns


def leaf(key, number):
    return {"id": f"({key})::BIGINT", "note": f"format('{{:x}}', {mixed(number, 1)})"}


@dataclasses.dataclass(frozen=True)
class Dataset:
    """A table: its columns and how many rows and files it has at a size."""

    name: str
    columns: object  # (key, number) -> {name: SQL}
    extra: dict = dataclasses.field(default_factory=dict)  # Further columns: {name: SQL}.
    share: float = 1.0  # Rows as a share of the line item table's.
    file_rows: object = None  # Rows of a file: a number, or a function of the table's rows.
    partition: tuple = ()

    def rows(self, size):
        return int(SIZES[size] * self.share)

    def rows_of_a_file(self, size):
        given = self.file_rows
        return given(self.rows(size)) if callable(given) else given or ROWS_OF_A_FILE[size]

    def pieces(self, size):
        """(partition values, SQL of the row numbers) of each file."""
        rows, step = self.rows(size), self.rows_of_a_file(size)
        first_day = datetime.date(2025, 1, 1)
        if self.name == "leaves":
            for day in range(30):
                date = first_day + datetime.timedelta(days=day)
                for part in range(500):
                    yield {"day": str(date), "part": str(part)}, "range(1)"
        elif self.partition:
            for day in range(365):
                yield ({"day": str(first_day + datetime.timedelta(days=day))},
                       f"range({day}, {rows}, 365)")
        else:
            for first in range(0, rows, step):
                yield {}, f"range({first}, {min(first + step, rows)})"

    def select(self, key, number):
        return ", ".join(f"{sql} AS {name}" for name, sql in
                         {**self.columns(key, number), **self.extra}.items())


DATASETS = {d.name: d for d in [
    Dataset("lineitem", line_item),
    Dataset("versions", line_item, {"ver": "1::BIGINT"}),
    Dataset("history", line_item, {"is_current": "true", "eff": "DATE '2020-01-01'",
                                   "end_date": "NULL::DATE"}),
    Dataset("wide", wide, share=1 / 60, file_rows=100_000),
    Dataset("small-files", line_item, share=1 / 10, file_rows=600),
    Dataset("events", event, share=1 / 3, partition=("day",)),
    Dataset("web_returns", web_return, share=0.12, file_rows=lambda rows: rows // 100),
    Dataset("leaves", leaf, {"day": "DATE '2025-01-01'", "part": "1::BIGINT"}, partition=("day", "part")),
]}

TYPES = {"BIGINT": "long", "INTEGER": "integer", "VARCHAR": "string", "DATE": "date",
         "BOOLEAN": "boolean", "DOUBLE": "double"}


def connect(memory="8GB"):
    import duckdb  # Not in every engine's environment.
    connection = duckdb.connect()
    connection.execute(f"SET threads = 2; SET memory_limit = '{memory}'; SET TimeZone = 'UTC'; "
                       "SET preserve_insertion_order = false; SET enable_progress_bar = false")
    return connection


def delta_type(name):
    return TYPES[name] if name in TYPES else name.lower().replace(" ", "")


def json_value(value):
    if isinstance(value, (datetime.date, datetime.datetime)):
        return value.isoformat()
    if isinstance(value, (bool, int, float, str)) or value is None:
        return value
    return float(value)  # Decimals; 15 digits are exact enough for a bound.


def describe(connection, path):
    rows = connection.execute(f"DESCRIBE SELECT * FROM read_parquet('{path}')").fetchall()
    return [(row[0], row[1]) for row in rows]


def statistics(connection, path, columns):
    """Text of an add action's `stats`; the first 32 columns, as Delta does."""
    columns = columns[:32]
    parts = [f'min("{c}"), max("{c}"), count(*) - count("{c}")' for c, _ in columns]
    row = connection.execute(
        f"SELECT count(*), {', '.join(parts)} FROM read_parquet('{path}')").fetchone()
    stats = {"numRecords": row[0], "minValues": {}, "maxValues": {}, "nullCount": {}}
    for i, (name, kind) in enumerate(columns):
        low, high, nulls = row[1 + 3 * i: 4 + 3 * i]
        if low is not None and kind != "BOOLEAN":
            stats["minValues"][name] = json_value(low)
            stats["maxValues"][name] = json_value(high)
        stats["nullCount"][name] = nulls
    return json.dumps(stats)


def log_lines(schema, partition, adds, deletion_vectors):
    protocol = {"minReaderVersion": 1, "minWriterVersion": 2}
    configuration = {}
    if deletion_vectors:
        protocol = {"minReaderVersion": 3, "minWriterVersion": 7,
                    "readerFeatures": ["deletionVectors"],
                    "writerFeatures": ["deletionVectors", "appendOnly", "invariants"]}
        configuration = {"delta.enableDeletionVectors": "true"}
    fields = [{"name": n, "type": delta_type(t), "nullable": True, "metadata": {}}
              for n, t in schema]
    metadata = {"id": "00000000-0000-4000-8000-000000000000",
                "format": {"provider": "parquet", "options": {}},
                "schemaString": json.dumps({"type": "struct", "fields": fields}),
                "partitionColumns": list(partition),
                "configuration": configuration, "createdTime": 1_700_000_000_000}
    yield {"protocol": protocol}
    yield {"metaData": metadata}
    for add in adds:
        yield {"add": add}


def make_table(root, name, size):
    """Write the files of a table, with a log for each mode beside them; nothing if it is there."""
    dataset = DATASETS[name]
    folder = pathlib.Path(root) / size / dataset.name
    if (folder / "done").exists():
        return folder
    shutil.rmtree(folder, ignore_errors=True)
    (folder / "files").mkdir(parents=True)
    connection = connect()
    options = f"FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE {ROW_GROUPS[size]}"
    connection.execute("SET preserve_insertion_order = true")
    adds, schema, figures = [], None, {}
    left_out = f"EXCLUDE ({', '.join(dataset.partition)})" if dataset.partition else ""
    for number, (values, span) in enumerate(dataset.pieces(size)):
        prefix = "".join(f"{name}={value}/" for name, value in values.items())
        name = f"{prefix}part-{number:05}.parquet"
        path = folder / "files" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if span in figures:  # The same rows: the same file.
            os.link(figures[span][0], path)
        else:
            connection.execute(f"COPY (SELECT * {left_out} FROM (SELECT {dataset.select('i', 'i')} FROM "
                               f"{span} t(i))) TO '{path}' ({options})")
            if schema is None:
                stored = describe(connection, path)
                schema = connection.execute(
                    f"DESCRIBE SELECT {dataset.select('i', 'i')} FROM range(1) t(i)").fetchall()
                schema = [(row[0], row[1]) for row in schema]
            figures[span] = path, statistics(connection, path, stored)
        adds.append({"path": name, "size": path.stat().st_size, "dataChange": True,
                     "partitionValues": values, "modificationTime": 1_700_000_000_000,
                     "stats": figures[span][1]})
    for mode in ("cow", "dv"):
        lines = log_lines(schema, dataset.partition, adds, mode == "dv")
        (folder / f"log.{mode}.json").write_text("".join(json.dumps(line) + "\n" for line in lines))
    (folder / "done").touch()
    return folder


def make_source(root, name, select, size):
    """Write the rows of `select` as a Parquet file; nothing if it is there."""
    path = pathlib.Path(root) / size / "sources" / f"{name}.parquet"
    if path.exists():
        return path
    path.parent.mkdir(parents=True, exist_ok=True)
    unfinished = path.with_suffix(".tmp")
    connect().execute(f"COPY ({select}) TO '{unfinished}' "
                      f"(FORMAT parquet, COMPRESSION snappy, ROW_GROUP_SIZE {ROW_GROUPS[size]})")
    os.replace(unfinished, path)
    return path


def restore(prepared, mode, path):
    """A fresh table at `path`. Data files are never changed in place, so links do for them."""
    shutil.rmtree(path, ignore_errors=True)
    shutil.copytree(prepared / "files", path, copy_function=os.link)
    log = pathlib.Path(path) / "_delta_log"
    log.mkdir()
    shutil.copy(prepared / f"log.{mode}.json", log / f"{0:020}.json")
