"""Our answers to lines that the reference has answered: merganser_conformance compares them."""

import json
import pathlib
import subprocess

import merganser

RUNNER = merganser.BUILD / "bin" / "merganser_conformance"


def differences(kind, lines, folder):
    """[(line, what differs)] of `lines`, which are "cases" or "expressions"."""
    asked, told = pathlib.Path(folder, "asked.jsonl"), pathlib.Path(folder, "told.jsonl")
    asked.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = subprocess.run([RUNNER, kind, asked, "--out", told], check=False, text=True,
                          capture_output=True)
    outcomes = [json.loads(text) for text in told.read_text().splitlines()]
    found = [(line, outcome["diffs"]) for line, outcome in zip(lines, outcomes)
             if not outcome["ok"]]
    if len(outcomes) < len(lines):
        line = lines[len(outcomes)]
        found.append((line, [f"the program ended ({done.returncode}): {done.stderr[-500:]}"]))
        found += differences(kind, lines[len(outcomes) + 1:], folder)
    return found
