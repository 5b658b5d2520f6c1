"""Make the small tables in test/golden/own/deltalake with delta-rs.

usage: .deps/readers/bin/python test/golden/make_deltalake_tables.py

Then make_spark_tables.py, which says what is to be read in them.
"""

import datetime
import decimal
import pathlib
import shutil

import deltalake
import pyarrow

TARGET = pathlib.Path(__file__).resolve().parent / "own" / "deltalake"


def rows(*numbers):
    return pyarrow.table({
        "id": pyarrow.array(numbers, pyarrow.int64()),
        "name": pyarrow.array([f"name {number}" if number % 2 else None for number in numbers],
                              pyarrow.string()),
        "part": pyarrow.array(["two words" if number % 3 else None for number in numbers],
                              pyarrow.string()),
    })


def partitioned(path):
    deltalake.write_deltalake(path, rows(1, 2, 3), partition_by=["part"])
    deltalake.write_deltalake(path, rows(4, 5, 6), mode="append")


def types(path):
    utc = datetime.timezone.utc
    deltalake.write_deltalake(path, pyarrow.table({
        "small": pyarrow.array([1, None], pyarrow.int8()),
        "amount": pyarrow.array([decimal.Decimal("1.50"), None], pyarrow.decimal128(10, 2)),
        "day": [datetime.date(2024, 2, 29), None],
        "at": pyarrow.array([datetime.datetime(2024, 1, 2, 3, 4, 5, 678901, utc), None],
                            pyarrow.timestamp("us", "UTC")),
        "local": pyarrow.array([datetime.datetime(2024, 1, 2, 3, 4, 5), None],
                               pyarrow.timestamp("us")),
        "raw": pyarrow.array([b"\x00\xff", None], pyarrow.binary()),
        "list": pyarrow.array([[1, None], None], pyarrow.list_(pyarrow.int32())),
        "nested": [{"x": 1, "y": "z"}, None],
    }))


def changed(path):
    deltalake.write_deltalake(path, rows(1, 2, 3, 4, 5))
    table = deltalake.DeltaTable(path)
    table.delete("id = 2")
    table.update(predicate="id = 3", updates={"name": "'updated'"})
    (table.merge(rows(1, 9), "t.id = s.id", source_alias="s", target_alias="t")
     .when_matched_update_all().when_not_matched_insert_all().execute())
    table.optimize.compact()


def checkpointed(path):
    for number in range(4):
        deltalake.write_deltalake(path, rows(number), mode="append")
    deltalake.DeltaTable(path).create_checkpoint()
    deltalake.write_deltalake(path, rows(7), mode="append")


def evolved(path):
    deltalake.write_deltalake(path, rows(1, 2))
    more = rows(3).append_column("more", pyarrow.array([1.5]))
    deltalake.write_deltalake(path, more, mode="append", schema_mode="merge")


def constrained(path):
    deltalake.write_deltalake(path, rows(1, 2))
    deltalake.DeltaTable(path).alter.add_constraint({"positive": "id > 0"})
    deltalake.write_deltalake(path, rows(3), mode="append")


def main():
    shutil.rmtree(TARGET, ignore_errors=True)
    for make in (partitioned, types, changed, checkpointed, evolved, constrained):
        path = TARGET / make.__name__
        path.mkdir(parents=True)
        make(str(path))


if __name__ == "__main__":
    main()
