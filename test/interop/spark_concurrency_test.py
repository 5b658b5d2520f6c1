"""delta-spark writes a table along with the processes of Merganser and delta-rs.

Its local log store looks whether a commit is there and then renames over it, so that it can
overwrite another process's. Under a lock that keeps the others away while it writes nothing may be
lost. Once it runs without the lock: what is lost then is told, each with the commit that lies in
its place, which must be delta-spark's own.
"""

import contextlib
import json
import multiprocessing
import os
import random
import subprocess
import tempfile
import traceback
import unittest

import merganser
import writers
from turnstile import Turnstile

PROCESSES = 8
SPARK = 0  # Its number; 3 and 7 are delta-rs, the others Merganser.
OPERATIONS = 40 if "MERGANSER_PROOF" in os.environ else 5
# The processes have the pipes of delta-spark's, which is started before them.
FORK = multiprocessing.get_context("fork")
SEED = int(os.environ.get("MERGANSER_SEED", "5"))


def writer_of(number):
    if number == SPARK:
        return "delta-spark"
    return "delta-rs" if number % 4 == 3 else "merganser"


class SparkWriter:
    """A process of delta-spark that takes one operation after the other."""

    def __init__(self):
        self.process = subprocess.Popen(
            [merganser.ROOT / ".deps/spark/bin/python", "spark_writer.py"],
            cwd=merganser.ROOT / "test" / "interop", stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True)
        assert self.process.stdout.readline() == "ready\n"

    def write(self, path, operation, label):
        self.process.stdin.write(json.dumps(writers.statements(path, operation, label)) + "\n")
        self.process.stdin.flush()
        outcome = json.loads(self.process.stdout.readline())
        if outcome == "conflict":
            raise writers.Conflict
        if outcome != "committed":
            raise AssertionError(outcome.removeprefix("failed: "))

    def close(self):
        self.process.stdin.close()
        self.process.wait()
        self.process.stdout.close()


def version_of(path, label):
    """Of the commit of this label, if it is in the log."""
    return next((version for version, found in reversed(list(writers.commits(path)))
                 if found == label), None)


def work(path, number, write, lock_for):
    """One process: (label, operation, how it ended, version at which its commit was seen)."""
    draw = random.Random(SEED * 1000 + number)
    done = []
    for step in range(OPERATIONS):
        operation = writers.draw_operation(draw, number, step, OPERATIONS)
        label = f"{number}/{step}"
        with lock_for(operation, write):
            outcome = writers.outcome_of(write, path, operation, label)
        done.append((label, operation, outcome, version_of(path, label)))
    return done


def report(results, *arguments):
    try:
        results.put(work(*arguments))
    except BaseException:
        results.put(traceback.format_exc())
        raise


def run(scratch, locks):
    """(path of the table, {label: (operation, outcome)}, {label: version})."""
    def lock_for(operation, write):
        if locks is None:
            return contextlib.nullcontext()
        return locks.alone() if write == spark.write else writers.lock_for(locks, operation, write)

    path = f"{scratch}/table"
    writers.create(path)
    spark = SparkWriter()
    write = {"delta-spark": spark.write, "delta-rs": writers.with_deltalake,
             "merganser": writers.with_merganser}
    results = FORK.Queue()
    processes = []
    for number in range(PROCESSES):
        processes.append(FORK.Process(
            target=report, args=(results, path, number, write[writer_of(number)], lock_for)))
    for process in processes:
        process.start()
    outcomes, versions = {}, {}
    for _ in processes:
        done = results.get()
        assert isinstance(done, list), done
        for label, operation, outcome, versions[label] in done:
            outcomes[label] = (operation, outcome)
    for process in processes:
        process.join()
    spark.close()
    return path, outcomes, versions


class SparkConcurrencyTest(unittest.TestCase):
    def test_under_a_lock_nothing_is_lost(self):
        with tempfile.TemporaryDirectory() as scratch:
            path, outcomes, _ = run(scratch, Turnstile(scratch))
            in_log = writers.check(self, path, outcomes)
            by_spark = sum(label.startswith(f"{SPARK}/") for label in in_log)
            self.assertGreater(by_spark, 0)
            print(f"under a lock: {len(in_log)} commits, {by_spark} of them delta-spark's, 0 lost")

    def test_without_it_what_is_lost_is_overwritten_by_delta_spark(self):
        with tempfile.TemporaryDirectory() as scratch:
            path, outcomes, versions = run(scratch, None)
            log = dict(writers.commits(path))
            lost = sorted(writers.acknowledged(outcomes) - set(log.values()))
            for label in lost:
                writer = writer_of(int(label.split("/")[0]))
                there = log.get(versions[label])
                print(f"lost: {label} of {writer} at version {versions[label]}, "
                      f"where {there} of delta-spark is")
                if versions[label] is not None:
                    self.assertEqual(writer_of(int(there.split("/")[0])), "delta-spark")
            failed = [outcome for _, outcome in outcomes.values() if outcome.startswith("failed")]
            print(f"without a lock: {len(log)} commits, {len(lost)} lost, {len(failed)} failed")
            self.assertTrue(lost or not failed, failed)


if __name__ == "__main__":
    unittest.main()
