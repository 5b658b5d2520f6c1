"""The differences that are allowed, by name: decided.json.

Each has the `kind` of lines it is about, a regular expression of `difference` that all differences
reported of a line must match, and the name of a probe. A probe is a query that goes with the line:
run here on the line's table it must fail by the class that delta-spark reports.
"""

import json
import pathlib
import re
import tempfile

import merganser

DECIDED = json.loads((pathlib.Path(__file__).parent / "decided.json").read_text())


# What delta-spark reports of an assigned value as DELTA_CAST_OVERFLOW_IN_TABLE_WRITE.
ARITHMETIC = ("ARITHMETIC_OVERFLOW", "CAST_OVERFLOW", "DIVIDE_BY_ZERO", "REMAINDER_BY_ZERO",
              "NUMERIC_VALUE_OUT_OF_RANGE")


def fails_by(line, probe, folder):
    """Does the probe of `line` fail by the class of error that the line expects?"""
    query = line.get("probes", {}).get(probe)
    if query is None:
        return False
    classes = (line["expect"]["error"],)
    if classes == ("DELTA_CAST_OVERFLOW_IN_TABLE_WRITE",):
        classes = ARITHMETIC
    settings = [f"SET {key} = {value}" for key, value in line["conf"].items()]
    with tempfile.TemporaryDirectory(dir=folder) as warehouse:
        try:
            merganser.run(warehouse, *settings, *line["setup"], query)
        except AssertionError as failure:
            # Warnings may come before it.
            return re.search(r"^\[([A-Z_]+)", str(failure), re.MULTILINE)[1] in classes
    return False


def name_of(kind, line, differences, folder):
    """The name of the decided difference that explains all of `differences`, or None."""
    for decided in DECIDED:
        if decided["kind"] == kind and all(
                re.search(decided["difference"], difference) for difference in differences):
            if "probe" not in decided or fails_by(line, decided["probe"], folder):
                return decided["name"]
    return None
