#!/usr/bin/env python3
"""Make large logs and measure how Merganser reads them: one JSON object a figure.

usage: log_speed.py PROGRAM [--work DIR] [--only NAME]

PROGRAM is merganser_log_speed of a release build. Needs pyarrow. The figures:
  commits     10,000 JSON commits without a checkpoint, against reading their bytes
  checkpoint  a checkpoint of 1,000,000 files, against decoding the columns that opening takes
  refresh     one commit more on top of that
  hint        version 1,000,000 with all commits on disk and a good _last_checkpoint
"""

import argparse
import json
import os
import pathlib
import shutil
import subprocess
import tempfile

import pyarrow
import pyarrow.parquet

FILES = 1_000_000
SCHEMA = json.dumps({"type": "struct", "fields": [
    {"name": name, "type": kind, "nullable": True, "metadata": {}}
    for name, kind in (("id", "long"), ("name", "string"), ("day", "date"))]})
PROTOCOL = {"minReaderVersion": 1, "minWriterVersion": 2}
METADATA = {"id": "0b0b2d7e-0000-4000-8000-000000000000",
            "format": {"provider": "parquet", "options": {}}, "schemaString": SCHEMA,
            "partitionColumns": ["day"], "configuration": {}, "createdTime": 1}


def stats(number):
    return json.dumps({"numRecords": 1000, "minValues": {"id": number * 1000, "name": f"a{number}"},
                       "maxValues": {"id": number * 1000 + 999, "name": f"z{number}"},
                       "nullCount": {"id": 0, "name": 3}}, separators=(",", ":"))


def file_path(number):
    return f"day=2024-01-{number % 28 + 1:02}/part-{number:08}-7a9f5a8e-0000-4000-8000-{number:012}.c000.snappy.parquet"


def commit(number):
    info = {"timestamp": 1_700_000_000_000 + number, "operation": "WRITE",
            "operationParameters": {"mode": "Append", "partitionBy": "[]"},
            "operationMetrics": {"numFiles": "1", "numOutputRows": "1000", "numOutputBytes": "1"},
            "isolationLevel": "Serializable", "isBlindAppend": True, "engineInfo": "bench",
            "txnId": f"00000000-0000-4000-8000-{number:012}"}
    add = {"path": file_path(number), "partitionValues": {"day": f"2024-01-{number % 28 + 1:02}"},
           "size": 12345, "modificationTime": 1_700_000_000_000, "dataChange": True,
           "stats": stats(number)}
    lines = [{"commitInfo": info}, {"add": add}]
    if number == 0:
        lines[1:1] = [{"protocol": PROTOCOL}, {"metaData": METADATA}]
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


def log_of(table):
    log = table / "_delta_log"
    log.mkdir(parents=True)
    return log


def make_commits(table):
    log = log_of(table)
    for number in range(10_000):
        (log / f"{number:020}.json").write_text(commit(number))


def write_checkpoint(log, version, files):
    strings = pyarrow.map_(pyarrow.string(), pyarrow.string())
    add = pyarrow.StructArray.from_arrays([
        pyarrow.array([file_path(number) for number in range(files)]),
        pyarrow.array([[("day", f"2024-01-{number % 28 + 1:02}")] for number in range(files)], strings),
        pyarrow.array([12345] * files, pyarrow.int64()),
        pyarrow.array([1_700_000_000_000] * files, pyarrow.int64()),
        pyarrow.array([False] * files),
        pyarrow.array([stats(number) for number in range(files)]),
    ], ["path", "partitionValues", "size", "modificationTime", "dataChange", "stats"])
    metadata_type = pyarrow.struct([
        ("id", pyarrow.string()), ("schemaString", pyarrow.string()),
        ("format", pyarrow.struct([("provider", pyarrow.string()), ("options", strings)])),
        ("partitionColumns", pyarrow.list_(pyarrow.string())), ("configuration", strings),
        ("createdTime", pyarrow.int64())])
    metadata = {**METADATA, "format": {"provider": "parquet", "options": []}, "configuration": []}
    protocol_type = pyarrow.struct([("minReaderVersion", pyarrow.int32()),
                                    ("minWriterVersion", pyarrow.int32())])
    schema = pyarrow.schema([("add", add.type), ("metaData", metadata_type),
                             ("protocol", protocol_type)])
    name = f"{version:020}.checkpoint.parquet"
    with pyarrow.parquet.ParquetWriter(log / name, schema) as writer:
        writer.write_table(pyarrow.table({
            "add": pyarrow.nulls(2, add.type),
            "metaData": pyarrow.array([metadata, None], metadata_type),
            "protocol": pyarrow.array([None, PROTOCOL], protocol_type)}, schema=schema))
        writer.write_table(pyarrow.table({
            "add": add, "metaData": pyarrow.nulls(files, metadata_type),
            "protocol": pyarrow.nulls(files, protocol_type)}, schema=schema), row_group_size=100_000)
    (log / f"{version:020}.json").write_text(commit(version))
    (log / "_last_checkpoint").write_text(json.dumps({"version": version, "size": files + 2}))


def make_checkpoint(table):
    write_checkpoint(log_of(table), 10, FILES)


def make_hint(table):
    """A million names; links spare the disk what they would hold."""
    log = log_of(table)
    for number in range(1_000_000):
        name = log / f"{number:020}.json"
        if number % 10_000 == 0:
            name.write_text(commit(number))
        else:
            os.link(log / f"{number // 10_000 * 10_000:020}.json", name)
    write_checkpoint(log, 1_000_000, 100)


MAKERS = {"commits": ("commits", make_commits), "checkpoint": ("checkpoint", make_checkpoint),
          "refresh": ("checkpoint", make_checkpoint), "hint": ("hint", make_hint)}


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n", maxsplit=1)[0])
    parser.add_argument("program")
    parser.add_argument("--work", help="where the logs are made, and kept")
    parser.add_argument("--only", choices=MAKERS)
    arguments = parser.parse_args()
    work = pathlib.Path(arguments.work or tempfile.mkdtemp())
    try:
        for figure, (name, make) in MAKERS.items():
            if arguments.only in (None, figure):
                table = work / name
                if not table.exists():
                    make(table)
                subprocess.run([arguments.program, figure, table], check=True)
    finally:
        if arguments.work is None:
            shutil.rmtree(work)


if __name__ == "__main__":
    main()
