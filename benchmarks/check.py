"""Is what an engine left behind what a join of the original inputs gives?"""

import json
import pathlib

from data import connect
from scenarios import SCENARIOS


def fingerprint(connection, rows, columns):
    """Number of rows and two sums over their hashes that do not depend on their order."""
    listed = ", ".join(f'"{column}"' for column in columns)
    found = connection.execute(f"SELECT count(*), bit_xor(h), sum(h::HUGEINT) FROM "
                               f"(SELECT hash({listed}) AS h FROM ({rows}))").fetchone()
    return [str(value) for value in found]


def columns_of(scenario):
    return list(scenario.data.columns("0", "0") | scenario.data.extra)


def columns_after(scenario):
    return [*columns_of(scenario), *scenario.added]


def expected(name, prepared, source, cache):
    """The fingerprint of the right answer; kept, since it is the same for every run."""
    scenario = SCENARIOS[name]
    path = pathlib.Path(cache) / f"{scenario.name}.json"
    if path.exists():
        return json.loads(path.read_text())
    connection = connect()
    connection.execute(f"CREATE VIEW t AS FROM read_parquet('{prepared}/files/**/*.parquet', "
                       "hive_types_autocast = true)")
    if source:
        connection.execute(f"CREATE VIEW s AS FROM read_parquet('{source}')")
    columns = columns_of(scenario)
    on = " AND ".join(f"t.{key} = s.{key}" for key in scenario.keys)
    text = scenario.expected.format(columns=", ".join(columns), on=on)
    found = fingerprint(connection, text, columns_after(scenario))
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(found))
    return found


def actual(name, table):
    """The fingerprint of a table, as DuckDB's Delta extension reads it."""
    scenario = SCENARIOS[name]
    import duckdb_extension_delta
    connection = connect()
    home = pathlib.Path(duckdb_extension_delta.__file__).parent
    connection.execute(f"LOAD '{next(home.rglob('delta.duckdb_extension'))}'")
    return fingerprint(connection, f"SELECT * FROM delta_scan('{table}')",
                       columns_after(scenario))
