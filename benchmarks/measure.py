"""Run a command and see what it costs."""

import dataclasses
import json
import os
import pathlib
import re
import subprocess
import threading
import time


@dataclasses.dataclass
class Cost:
    """What one process took, its children included."""

    wall: float  # Seconds from start to end of the process.
    times: list  # Seconds of each statement, as Merganser reports them.
    said: dict  # The figures that a worker prints.
    cpu: float  # User and system seconds.
    peak: float  # Most resident memory, in MB.


class Failure(Exception):
    """The engine's own error."""


def run(command, environment=None, timeout=1800):
    begin = time.monotonic()
    process = subprocess.Popen([str(part) for part in command], stdout=subprocess.PIPE,
                               stderr=subprocess.PIPE, text=True, env=environment)
    stopper = threading.Timer(timeout, process.kill)
    stopper.start()
    errors = []
    reader = threading.Thread(target=lambda: errors.append(process.stderr.read()))
    reader.start()
    output = process.stdout.read()
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    wall = time.monotonic() - begin
    stopper.cancel()
    reader.join()
    errors = errors[0]
    if process.returncode != 0:
        lines = [line for line in errors.splitlines() if line.strip()]
        said = " ".join(lines[-3:])[:300] or f"exit status {process.returncode}"
        raise Failure(said)
    lines = output.strip().splitlines()
    said = json.loads(lines[-1]) if lines and lines[-1].startswith('{"seconds"') else {}
    times = [float(found) for found in re.findall(r"^Time: ([0-9.]+) s", errors, re.MULTILINE)]
    return Cost(wall, times, said, usage.ru_utime + usage.ru_stime, usage.ru_maxrss / 1024)


def bytes_below(folder):
    return sum(file.stat().st_size for file in pathlib.Path(folder).rglob("*") if file.is_file())


def written(table):
    """What the commits after the first one added to the table."""
    figures = {"files_added": 0, "files_removed": 0, "removed_bytes": 0, "data_bytes": 0,
               "vector_bytes": 0, "log_bytes": 0}
    log = pathlib.Path(table) / "_delta_log"
    before = set()
    for commit in sorted(log.glob("[0-9]*.json")):
        actions = [json.loads(line) for line in commit.read_text().splitlines() if line]
        if int(commit.name.split(".")[0]) == 0:
            before = {action["add"]["path"] for action in actions if "add" in action}
            continue
        figures["log_bytes"] += commit.stat().st_size
        added = {action["add"]["path"]: action["add"] for action in actions if "add" in action}
        removed = {action["remove"]["path"]: action["remove"] for action in actions if "remove" in action}
        new = {path for path in added if path not in before}
        figures["files_added"] += len(new)
        gone = removed.keys() - added.keys()
        figures["files_removed"] += len(gone)
        figures["removed_bytes"] += sum(removed[path]["size"] for path in gone)
        figures["data_bytes"] += sum(added[path]["size"] for path in new)
        before |= new
    figures["vector_bytes"] = sum(file.stat().st_size
                                  for file in pathlib.Path(table).rglob("deletion_vector*"))
    return figures
