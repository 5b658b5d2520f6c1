"""Run random statements on delta-spark and on Merganser, and compare.

usage: run.py --seed N --count M [--kind merge|expressions] [--out FILE] [--answers FILE]
       (runs in .deps/spark)

MERGE statements: rows with types, schema, counts, row metrics of the history, change rows, error
class. Expressions: type, value or error class. Differences print their seed and a script; the last
line counts. --out keeps the lines that differ and --answers all, in the form of the conformance
corpora: merganser_conformance runs them again without a JVM.
"""

import argparse
import collections
import json
import logging
import pathlib
import random
import sys
import tempfile

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parents[1]))
# pylint: disable=wrong-import-position
import reference

reference.use_utc()
import conformance
import decided
import merges
import queries
from delta_spark import open_session

BATCH = 25
# Statements on one table: what comes later meets what the earlier ones have left.
STATEMENTS = 5


def expression_lines(answers, seed, count):
    for number in range(count):
        identity = f"{seed}/{number}"
        draw = random.Random(identity)
        line = answers.expression({"id": identity, "sql": queries.draw_query(draw)})
        if line:
            yield line


def merge_lines(answers, seed, count):
    for first in range(0, count, STATEMENTS):
        identity = f"{seed}/{first // STATEMENTS}"
        draw = random.Random(identity)
        conf = merges.draw_conf(draw)
        scenario = merges.draw_scenario(draw, min(STATEMENTS, count - first))
        yield from answers.cases(identity, scenario, conf)


def script(line):
    """The statements of a line, as a user would type them."""
    settings = [f"SET {key} = {value}" for key, value in line.get("conf", {}).items()]
    statements = [*settings, *line.get("setup", []), line.get("merge") or line["sql"]]
    return "".join(f"    {statement};\n" for statement in statements)


def batches(lines):
    batch = []
    for line in lines:
        batch.append(line)
        if len(batch) == BATCH:
            yield batch
            batch = []
    yield batch


def run(kind, seed, count, out=None, kept=None):
    """(lines that agree, lines that differ without being decided)."""
    logging.getLogger("SQLQueryContextLogger").disabled = True  # It tells every failure.
    answers = reference.Reference(open_session())
    lines = {"merge": merge_lines, "expressions": expression_lines}[kind](answers, seed, count)
    corpus = {"merge": "cases", "expressions": "expressions"}[kind]
    allowed, total, failed, refused = collections.Counter(), 0, 0, 0
    with tempfile.TemporaryDirectory() as folder:
        for batch in batches(lines):
            total += len(batch)
            if kept:
                kept.writelines(json.dumps(line) + "\n" for line in batch)
                kept.flush()
            refused += sum("error" in (line.get("expect") or line) for line in batch)
            for line, differences in conformance.differences(corpus, batch, folder):
                name = decided.name_of(kind, line, differences, folder)
                if name:
                    allowed[name] += 1
                    continue
                failed += 1
                print(f"DIFFERS {line['id']}\n{script(line)}", *differences, sep="\n  ", flush=True)
                if out:
                    out.write(json.dumps({**line, "differences": differences}) + "\n")
                    out.flush()
    for name, times in sorted(allowed.items()):
        print(f"{times} decided: {name}")
    print(f"{refused} of {total} fail in delta-spark")
    print(f"{total - failed} passed, {failed} failed")
    return total - failed, failed


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=50)
    parser.add_argument("--kind", choices=("merge", "expressions"), default="merge")
    parser.add_argument("--out", type=argparse.FileType("w"))
    parser.add_argument("--answers", type=argparse.FileType("w"))
    arguments = parser.parse_args()
    failed = run(arguments.kind, arguments.seed, arguments.count, arguments.out,
                 arguments.answers)[1]
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
