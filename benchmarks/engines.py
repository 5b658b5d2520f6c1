"""How each engine is asked to do a scenario: a command to run and where its result lies."""

import json
import pathlib

HERE = pathlib.Path(__file__).parent
ROOT = HERE.parent


def tiny_statements(scenario, table):
    """B18 and B20: a table of four rows, and merges of one row, or of five."""
    name = f"delta.`{table}`"
    make = [f"CREATE TABLE {name} (id BIGINT, item STRING, amount DECIMAL(10,2)) USING delta",
            f"INSERT INTO {name} VALUES (1, 'a', 1.5), (2, 'b', 2.5), (3, 'c', 3.5), (4, 'd', 4.5)"]
    rows = 5 if scenario.name == "B20" else 1
    merges = []
    for i in range(scenario.repeat):
        values = ", ".join(f"({i + k}L, 'x{i}', {i}.25BD)" for k in range(rows))
        merges.append(
            f"MERGE INTO {name} t USING (SELECT * FROM VALUES {values} AS v(id, item, amount)) s "
            "ON t.id = s.id WHEN MATCHED THEN UPDATE SET * WHEN NOT MATCHED THEN INSERT *")
    return make, merges, f"SELECT * FROM {name} ORDER BY id"


class Merganser:
    """The program of this tree. Its figure is the statement as it reports it."""

    name = "merganser"
    writes_vectors = True

    def __init__(self, program):
        self.program = program

    def command(self, scenario, run):
        # Spill goes beside the table, so that what is left behind is seen.
        command = [self.program, "--warehouse", str(run.work), "--threads", "2", "--timing"]
        if scenario.memory_limit:
            command += ["--memory-limit", scenario.memory_limit[run.size]]
        if scenario.dataset == "tiny":
            make, merges, select = tiny_statements(scenario, run.table)
            for statement in [*make, *merges, select]:
                command += ["-e", statement]
            return command
        for statement in scenario.statements(f"delta.`{run.table}`", f"parquet.`{run.source}`"):
            command += ["-e", statement]
        return command


class Worker:
    """An engine driven from Python, by worker.py in an environment of its own."""

    # Its table has deletion vectors where the run asks for them; else it copies in both modes.
    writes_vectors = False
    environment = "readers"

    def command(self, scenario, run):
        python = ROOT / ".deps" / self.environment / "bin" / "python"
        return [str(python), str(HERE / "worker.py"), self.name, scenario.name, json.dumps({
            "mode": run.mode, "table": str(run.table), "source": str(run.source),
            "prepared": str(run.prepared), "out": str(run.work / "out")})]


class Floor(Worker):
    name = "floor"


class Deltalake(Worker):
    name = "deltalake"


class DeltaSpark(Worker):
    name = "delta-spark"
    writes_vectors = True
    environment = "spark"


class Sail(Worker):
    """A Spark Connect server in Rust; it copies in both modes."""

    name = "pysail"
    environment = "bench"


class DuckDb(Worker):
    """DuckDB's own MERGE on a table of its own format."""

    name = "duckdb"


class DuckLake(Worker):
    """DuckDB's lake format: data files with files of deletions beside them."""

    name = "ducklake"
    environment = "bench"


PEERS = {engine.name: engine for engine in (Floor(), Deltalake(), DeltaSpark(), Sail(), DuckDb(),
                                            DuckLake())}


def supports(engine, scenario, mode):
    if engine.name == "floor":
        return mode in scenario.floor
    return engine.name in scenario.peers


