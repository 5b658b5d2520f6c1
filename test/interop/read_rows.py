"""Print the rows of a table as delta-rs and DuckDB read them, one JSON line a reader.

usage: read_rows.py PATH     (runs in .deps/readers)

A reader that refuses the table's features by name gives {"refused": ...} instead of {"rows": ...}.
"""

import json
import sys

import deltalake
import duckdb

from readers_test import with_deltalake, with_duckdb


def main():
    for reader in (with_deltalake, with_duckdb):
        try:
            answer = {"rows": reader(sys.argv[1])}
        except (deltalake.exceptions.DeltaError, duckdb.Error, OSError) as error:
            answer = {"refused": str(error)}
        print(json.dumps({"reader": reader.__name__, **answer}))


if __name__ == "__main__":
    main()
