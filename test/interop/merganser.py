"""The program under test, run as a user runs it."""

import json
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))


def run(warehouse, *statements):
    """Run statements in one session; the rows of all of them, as dicts."""
    done = subprocess.run(
        [BUILD / "bin" / "merganser", "--warehouse", warehouse, "--format", "jsonl"],
        input="".join(f"{statement};\n" for statement in statements),
        text=True, capture_output=True, check=False)
    if done.returncode != 0:
        raise AssertionError(done.stderr)
    return [json.loads(line) for line in done.stdout.splitlines()]
