"""Tables that Merganser wrote are read by delta-rs and by DuckDB's Delta extension."""

import pathlib
import tempfile
import unittest

import deltalake
import duckdb
import duckdb_extension_delta

import merganser
from scripts import SCRIPTS, forget_commits
from values import ordered, rows_of


EXTENSION = next(pathlib.Path(duckdb_extension_delta.__file__).parent.rglob("delta.duckdb_extension"))


def with_deltalake(path):
    return rows_of(deltalake.DeltaTable(path).to_pyarrow_table())


def with_duckdb(path):
    connection = duckdb.connect()
    connection.execute(f"LOAD '{EXTENSION}'")
    connection.execute("SET TimeZone = 'UTC'")
    return rows_of(connection.sql(f"SELECT * FROM delta_scan('{path}')").arrow().read_all())


class ReadersTest(unittest.TestCase):
    def test_other_readers_see_our_rows(self):
        for name, script in SCRIPTS.items():
            if script.has_column_mapping:
                continue
            with tempfile.TemporaryDirectory() as scratch:
                path = f"{scratch}/table"
                table = f"delta.`{path}`"
                statements = [text.format(table=table) for text in script.make + script.merge]
                merganser.run(scratch, *statements)
                ours = ordered(merganser.run(scratch, f"SELECT * FROM {table}"))
                if script.checkpoint_at is not None:
                    forget_commits(path, script.checkpoint_at)
                for reader in (with_deltalake, with_duckdb):
                    with self.subTest(script=name, reader=reader.__name__):
                        self.assertEqual(reader(path), ours, script.shows)


if __name__ == "__main__":
    unittest.main()
