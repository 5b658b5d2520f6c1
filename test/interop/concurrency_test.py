"""Many processes write one table: no commit is lost, and the table is what its log says, in order.

Merganser and delta-rs append, merge, delete and compact at once. Each operation leaves its name in
its commit; the log, replayed one commit after the other on a model, must give the table's rows.
MERGANSER_PROOF makes the run longer.
"""

import multiprocessing
import os
import random
import tempfile
import unittest

import writers
from turnstile import Turnstile

PROCESSES = 8
OPERATIONS = 40 if "MERGANSER_PROOF" in os.environ else 5
SEED = int(os.environ.get("MERGANSER_SEED", "5"))


def work(path, number, locks, results):
    """One process: its operations, and how each ended."""
    draw = random.Random(SEED * 1000 + number)
    write = writers.with_deltalake if number % 4 == 3 else writers.with_merganser
    for step in range(OPERATIONS):
        operation = writers.draw_operation(draw, number, step, OPERATIONS)
        label = f"{number}/{step}"
        with writers.lock_for(locks, operation, write):
            outcome = writers.outcome_of(write, path, operation, label)
        results.put((label, operation, outcome))


class ConcurrencyTest(unittest.TestCase):
    def test_no_commit_is_lost(self):
        with tempfile.TemporaryDirectory() as scratch:
            path = f"{scratch}/table"
            writers.create(path)
            locks = Turnstile(scratch)
            results = multiprocessing.Queue()
            processes = [multiprocessing.Process(target=work, args=(path, number, locks, results))
                         for number in range(PROCESSES)]
            for process in processes:
                process.start()
            outcomes = {}
            for _ in range(PROCESSES * OPERATIONS):
                label, operation, outcome = results.get()
                outcomes[label] = (operation, outcome)
            for process in processes:
                process.join()
            in_log = writers.check(self, path, outcomes)
            refused = sum(outcome == "conflict" for _, outcome in outcomes.values())
            print(f"{PROCESSES} processes, {len(in_log)} commits, {refused} conflicts, 0 lost")


if __name__ == "__main__":
    unittest.main()
