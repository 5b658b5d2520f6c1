"""Several writers on one table: C1 to C4.

Each writer is a process. What is counted afterwards says whether a commit was lost.
"""

import dataclasses
import multiprocessing
import os
import pathlib
import re
import resource
import shutil
import subprocess
import time

APPENDS = 500
MERGES = 50
ROWS = 10_000  # Rows of the table that is merged into.


@dataclasses.dataclass(frozen=True)
class Contest:
    """N writers with a script each, and what the table must say afterwards."""

    title: str
    make: object  # (table, mode) -> statements.
    script: object  # (table, writer) -> statements of one writer.
    query: str  # Over {table}; gives one number.
    expected: object  # writers -> that number.
    writers: tuple = (1, 2, 4, 8)
    peers: tuple = ()
    loop: str = ""  # Statements that one process more repeats until the writers are done.


def create(table, columns, mode, more=""):
    vectors = "true" if mode == "dv" else "false"
    return (f"CREATE TABLE {table} ({columns}) USING delta {more} TBLPROPERTIES "
            f"('delta.enableDeletionVectors' = '{vectors}')")


def counters(table, mode):
    return [create(table, "id BIGINT, part INT, n BIGINT", mode, "PARTITIONED BY (part)"),
            f"INSERT INTO {table} SELECT id, CAST(id % 8 AS INT), 0 FROM range({ROWS})"]


def one_file(table, mode):
    return [create(table, "id BIGINT, n BIGINT", mode),
            f"INSERT INTO {table} SELECT id, 0 FROM range({ROWS})"]


def increments(table, writer):
    """Every writer adds one to rows that the others add to, too."""
    return [f"MERGE INTO {table} t USING (SELECT id FROM range(100)) s ON t.id = s.id "
            "WHEN MATCHED THEN UPDATE SET n = t.n + 1"] * MERGES


CONTESTS = {
    "C1": Contest(
        "appends of one row", lambda table, mode: [create(table, "id BIGINT, item STRING", mode)],
        lambda table, writer: [f"INSERT INTO {table} VALUES ({writer * APPENDS + i}, 'x{i}')"
                               for i in range(APPENDS)],
        "SELECT count(DISTINCT id) FROM {table}", lambda writers: writers * APPENDS,
        peers=("floor", "deltalake")),
    "C2": Contest(
        "merges into a partition each", counters,
        lambda table, writer: [
            f"MERGE INTO {table} t USING (SELECT id FROM range({ROWS}) WHERE id % 8 = {writer} AND id % 97 = "
            f"{i}) s ON t.part = {writer} AND t.id = s.id WHEN MATCHED THEN UPDATE SET n = t.n + 1"
            for i in range(MERGES)],
        "SELECT sum(n) FROM {table}",
        lambda writers: sum(1 for i in range(ROWS) if i % 8 < writers and i % 97 < MERGES)),
    "C3": Contest("merges into the same rows of one file", one_file, increments,
                  "SELECT sum(n) FROM {table}", lambda writers: writers * MERGES * 100),
    "C4": Contest("merges beside a loop of OPTIMIZE", one_file, increments,
                  "SELECT sum(n) FROM {table}", lambda writers: writers * MERGES * 100,
                  writers=(1,), loop="OPTIMIZE {table}"),
}


def program_run(program, work, statements, name):
    """(process, the file that its errors and times go to)."""
    script = work / f"{name}.sql"
    script.write_text("".join(f"{statement};\n" for statement in statements))
    errors = work / f"{name}.err"
    process = subprocess.Popen(
        [program, "--warehouse", str(work), "--threads", "1", "--timing", "-f", str(script)],
        stdout=subprocess.DEVNULL, stderr=errors.open("w"))
    return process, errors


def merganser(contest, program, work, table, writers, mode):
    """Times of all statements, in seconds."""
    name = f"delta.`{table}`"
    made, errors = program_run(program, work, contest.make(name, mode), "make")
    if made.wait() != 0:
        raise RuntimeError(errors.read_text()[:300])
    begin = time.perf_counter()
    runs = [program_run(program, work, contest.script(name, writer), f"writer{writer}")
            for writer in range(writers)]
    while contest.loop and runs[0][0].poll() is None:
        looped, errors = program_run(program, work, [contest.loop.format(table=name)], "loop")
        if looped.wait() != 0:
            raise RuntimeError(errors.read_text()[:300])
    failed = [errors.read_text()[:300] for process, errors in runs if process.wait() != 0]
    wall = time.perf_counter() - begin
    if failed:
        raise RuntimeError(failed[0])
    times = [float(found) for _, errors in runs
             for found in re.findall(r"^Time: ([0-9.]+) s", errors.read_text(), re.MULTILINE)]
    result = subprocess.run([program, "--format", "csv", "-e", contest.query.format(table=name)],
                            capture_output=True, text=True, check=True, cwd=work)
    return wall, times, int(result.stdout.split()[-1])


def commit_loop(folder, _writer):
    """The least that durable commits are: write a temporary file, sync it, link it under the next
    free name, sync the folder."""
    text = b"x" * 700
    times, version = [], 0
    directory = os.open(folder, os.O_RDONLY)
    for _ in range(APPENDS):
        begin = time.perf_counter()
        temporary = f"{folder}/.{os.getpid()}.tmp"
        file = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_TRUNC)
        os.write(file, text)
        os.fsync(file)
        os.close(file)
        while True:
            try:
                os.link(temporary, f"{folder}/{version:020}.json")
                break
            except FileExistsError:
                version += 1
        os.fsync(directory)
        os.unlink(temporary)
        times.append(time.perf_counter() - begin)
    return times


def deltalake_appends(table, writer):
    import pyarrow
    from deltalake import write_deltalake
    times = []
    for i in range(APPENDS):
        rows = pyarrow.table({"id": [writer * APPENDS + i], "item": [f"x{i}"]})
        begin = time.perf_counter()
        write_deltalake(table, rows, mode="append")
        times.append(time.perf_counter() - begin)
    return times


def take_part(function, folder, writer, barrier, results):
    barrier.wait()
    begin = time.perf_counter()  # One clock for all processes.
    try:
        results.put((begin, function(folder, writer), time.perf_counter()))
    except Exception as failure:  # pylint: disable=broad-except  (Any, for the other side waits.)
        results.put(str(failure))


def in_processes(function, folder, writers):
    """Wall seconds and the times of `writers` processes that call function(folder, writer)."""
    context = multiprocessing.get_context("spawn")
    barrier, results = context.Barrier(writers), context.Queue()
    processes = [context.Process(target=take_part, args=(function, str(folder), writer, barrier, results))
                 for writer in range(writers)]
    for process in processes:
        process.start()
    found = [results.get() for _ in processes]
    for process in processes:
        process.join()
    failed = [failure for failure in found if isinstance(failure, str)]
    if failed:
        raise RuntimeError(f"{len(failed)} of {writers} writers fail: {failed[0]}")
    wall = max(end for _, _, end in found) - min(begin for begin, _, _ in found)
    return wall, [each for _, times, _ in found for each in times]


def peer(engine, table, writers):
    if engine == "floor":
        table.mkdir()
        wall, times = in_processes(commit_loop, table, writers)
        return wall, times, len(list(table.glob("*.json")))
    import pyarrow
    from deltalake import DeltaTable, write_deltalake
    schema = pyarrow.schema([("id", pyarrow.int64()), ("item", pyarrow.string())])
    write_deltalake(str(table), schema.empty_table())
    wall, times = in_processes(deltalake_appends, table, writers)
    return wall, times, len(set(DeltaTable(str(table)).to_pyarrow_table()["id"].to_pylist()))


def sample(name, writers, engine, program, folder, mode):
    """Figures of one contest as a dict."""
    contest = CONTESTS[name]
    work = pathlib.Path(folder) / "run"
    shutil.rmtree(work, ignore_errors=True)
    work.mkdir(parents=True)
    figures = {"scenario": f"{name}.{writers}", "size": "S",  # Their only one.
               "mode": mode, "engine": engine}
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        wall, times, counted = (
            merganser(contest, program, work, work / "table", writers, mode) if engine == "merganser"
            else peer(engine, work / "table", writers))
        times.sort()
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        figures.update(seconds=round(wall, 4), commits_per_second=round(len(times) / wall, 1),
                       p50_ms=round(times[len(times) // 2] * 1e3, 2),
                       p99_ms=round(times[len(times) * 99 // 100] * 1e3, 2),
                       cpu=round(after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, 3),
                       peak_mb=0, lost=contest.expected(writers) - counted)
        if figures["lost"]:
            figures["error"] = f"{counted} instead of {contest.expected(writers)}"
    except Exception as failure:  # pylint: disable=broad-except  (The engine's own words are shown.)
        figures["error"] = str(failure)[:300]
    shutil.rmtree(work, ignore_errors=True)
    return figures
