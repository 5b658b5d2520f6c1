"""One statement of one engine, in a process of its own: prints how long the statement took.

usage: worker.py ENGINE SCENARIO JSON
"""

import json
import pathlib
import statistics
import sys
import time

from scenarios import SCENARIOS


def timed(action):
    begin = time.perf_counter()
    action()
    return time.perf_counter() - begin


def floor(scenario, run):
    from data import connect
    connection = connect()
    pathlib.Path(run["out"]).mkdir(parents=True, exist_ok=True)
    files = f"{run['prepared']}/files/**/*.parquet"
    columns = ", ".join(scenario.data.columns("0", "0") | scenario.data.extra)
    names = {"t": f"read_parquet('{files}')", "on": scenario.join(), "out": f"{run['out']}/files",
             "files": f"read_parquet('{files}', file_row_number = true, filename = true)",
             "s": f"read_parquet('{run['source']}')", "columns": columns}
    if scenario.name == "B10":
        names["on"] = "t.l_orderkey = s.l_orderkey AND t.l_linenumber = s.l_linenumber"
    statements = [text.format(**names) for text in scenario.floor[run["mode"]]]
    return sum(timed(lambda text=text: connection.execute(text)) for text in statements)


def deltalake_merge(scenario, run):
    import pyarrow
    import pyarrow.parquet
    from deltalake import DeltaTable, WriterProperties, write_deltalake
    if scenario.dataset == "tiny":
        return deltalake_tiny(scenario, run, pyarrow, DeltaTable, write_deltalake)
    table = DeltaTable(run["table"])
    if scenario.name == "D5":
        return timed(lambda: table.vacuum(dry_run=True, full=True))
    if scenario.name == "D6":
        table.delete("l_suppkey % 100 = 7")
        return timed(lambda: table.restore(0))
    source = pyarrow.parquet.ParquetFile(run["source"])
    reader = pyarrow.RecordBatchReader.from_batches(source.schema_arrow, source.iter_batches(122880))
    columns = list(scenario.data.columns("0", "0") | scenario.data.extra)

    def run_merge():
        merge = table.merge(reader, scenario.join(), source_alias="s", target_alias="t",
                            merge_schema=bool(scenario.added),
                            writer_properties=WriterProperties(compression="SNAPPY"))
        same = {name: f"s.{name}" for name in columns}
        for kind, condition, action in scenario.clauses:
            given = {"predicate": condition} if condition else {}
            if action == "update *":
                merge = merge.when_matched_update_all(**given)
            elif action == "update data":
                merge = merge.when_matched_update(updates=same, **given)
            elif action.startswith("update SET"):
                updates = dict(part.split(" = ") for part in action[len("update SET "):].split(", "))
                merge = merge.when_matched_update(updates=updates, **given)
            elif action == "insert *":
                merge = merge.when_not_matched_insert_all(**given)
            elif action == "insert data":
                merge = merge.when_not_matched_insert(updates=same, **given)
            elif kind == "matched":
                merge = merge.when_matched_delete(**given)
            else:
                merge = merge.when_not_matched_by_source_delete(**given)
        merge.execute()
    return timed(run_merge)


def deltalake_tiny(scenario, run, pyarrow, table_class, write):
    schema = pyarrow.schema([("id", pyarrow.int64()), ("item", pyarrow.string()),
                             ("amount", pyarrow.float64())])

    def rows(first, count, item):
        return pyarrow.table({"id": [first + k for k in range(count)], "item": [item] * count,
                              "amount": [first + 0.25] * count}, schema=schema)
    write(run["table"], rows(1, 4, "a"))
    table = table_class(run["table"])

    def merge(i):
        table.merge(rows(i, 5 if scenario.name == "B20" else 1, f"x{i}"), "t.id = s.id",
                    source_alias="s", target_alias="t").when_matched_update_all(
                    ).when_not_matched_insert_all().execute()
    seconds = statistics.median(timed(lambda i=i: merge(i)) for i in range(scenario.repeat))
    print(table_class(run["table"]).to_pyarrow_table().num_rows, file=sys.stderr)
    return seconds


def delta_spark(scenario, run):
    from pyspark.sql import SparkSession
    jars = pathlib.Path(__file__).parent.parent / ".deps" / "spark" / "jars"
    spark = (SparkSession.builder.master("local[2]")
             .config("spark.jars", ",".join(str(jar) for jar in sorted(jars.glob("*.jar"))))
             .config("spark.driver.memory", "12g")
             .config("spark.sql.extensions", "io.delta.sql.DeltaSparkSessionExtension")
             .config("spark.sql.catalog.spark_catalog",
                     "org.apache.spark.sql.delta.catalog.DeltaCatalog")
             .config("spark.sql.shuffle.partitions", "4")
             .config("spark.sql.session.timeZone", "UTC")
             .config("spark.sql.warehouse.dir", run["out"])
             .config("spark.ui.enabled", "false").getOrCreate())
    # Two merges on a table of their own, so that the JVM has compiled what a merge runs.
    warm = f"delta.`{run['out']}-warm`"
    spark.sql(f"CREATE TABLE {warm} USING delta AS SELECT id, id AS v FROM range(1000)")
    for _ in range(2):
        spark.sql(f"MERGE INTO {warm} t USING (SELECT id, 0L AS v FROM range(500, 1500)) s ON t.id "
                  "= s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *").collect()
    statements = scenario.statements(f"delta.`{run['table']}`", f"parquet.`{run['source']}`")
    times = [timed(lambda text=text: spark.sql(text).collect()) for text in statements]
    spark.stop()
    return scenario.figures(times)


def pysail(scenario, run):
    import os
    os.environ["SAIL_EXECUTION__DEFAULT_PARALLELISM"] = "2"
    from pysail.spark import SparkConnectServer
    from pyspark.sql import SparkSession
    server = SparkConnectServer("127.0.0.1", 0)
    server.start(background=True)
    spark = SparkSession.builder.remote(f"sc://localhost:{server.listening_address[1]}").getOrCreate()
    statement = scenario.merge(f"delta.`{run['table']}`", f"parquet.`{run['source']}`")
    seconds = timed(lambda: spark.sql(statement).collect())
    spark.stop()
    server.stop()
    return seconds


def duckdb_text(scenario, table, source):
    """The MERGE in DuckDB's words: by name is not what `*` means there."""
    text = scenario.merge(table, f"'{source}'")
    text = text.replace("UPDATE SET *", "UPDATE BY NAME").replace("INSERT *", "INSERT BY NAME")
    return text.replace("UPDATE SET t.", "UPDATE SET ").replace(", t.", ", ")


def duckdb_session(run):
    import duckdb
    path = pathlib.Path(run["out"])
    path.mkdir(parents=True, exist_ok=True)
    connection = duckdb.connect(str(path / "native.duckdb"))
    connection.execute("SET threads = 2; SET memory_limit = '16GB'; SET TimeZone = 'UTC'; "
                       "SET preserve_insertion_order = false")
    return path, connection


def duckdb_merge(scenario, run):
    _, connection = duckdb_session(run)
    connection.execute(f"CREATE TABLE t AS FROM read_parquet('{run['prepared']}/files/**/*.parquet')")
    connection.execute("CHECKPOINT")
    text = duckdb_text(scenario, "t", run["source"])

    def run_merge():
        connection.execute(text)
        connection.execute("CHECKPOINT")
    return timed(run_merge)


def ducklake(scenario, run):
    import duckdb_extension_ducklake
    path, connection = duckdb_session(run)
    home = pathlib.Path(duckdb_extension_ducklake.__file__).parent
    connection.execute(f"LOAD '{next(home.rglob('ducklake.duckdb_extension'))}'")
    connection.execute(f"ATTACH 'ducklake:{path}/lake.ducklake' AS lake (DATA_PATH '{path}/files')")
    connection.execute("CALL lake.set_option('data_inlining_row_limit', 0)")
    connection.execute("CREATE TABLE lake.t AS FROM "
                       f"read_parquet('{run['prepared']}/files/**/*.parquet')")
    text = duckdb_text(scenario, "lake.t", run["source"])
    return timed(lambda: connection.execute(text))


ENGINES = {"floor": floor, "deltalake": deltalake_merge, "delta-spark": delta_spark,
           "pysail": pysail, "duckdb": duckdb_merge, "ducklake": ducklake}

if __name__ == "__main__":
    found = ENGINES[sys.argv[1]](SCENARIOS[sys.argv[2]], json.loads(sys.argv[3]))
    print(json.dumps(found if isinstance(found, dict) else {"seconds": found}))
