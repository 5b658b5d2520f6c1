"""What MERGE writes and holds in memory at the smallest size of the benchmarks: bytes and files, and
bytes against those of the floor; never seconds. Every result is compared with the oracle."""

import json
import os
import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))
SCENARIOS = "B02 B05 B05b B06 B07 B11 B12b B19"


class MergeBenchTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        with tempfile.TemporaryDirectory() as scratch:
            results = pathlib.Path(scratch) / "samples.jsonl"
            subprocess.run(
                [sys.executable, ROOT / "benchmarks" / "run", "--program", BUILD / "bin/merganser",
                 "--scenario", SCENARIOS, "--size", "XS", "--mode", "dv cow", "--samples", "1",
                 "--peers", "floor", "--data", f"{scratch}/data", "--work", scratch,
                 "--results", results], check=False, capture_output=True)
            samples = [json.loads(line) for line in results.read_text().splitlines()]
        cls.samples = {(s["scenario"], s["mode"], s["engine"]): s for s in samples}

    def ours(self, scenario, mode):
        sample = self.samples[scenario, mode, "merganser"]
        self.assertNotIn("error", sample, f"{scenario} {mode}")
        self.assertTrue(sample["right"])
        return sample

    def expect_files(self, scenario, mode, added, removed):
        sample = self.ours(scenario, mode)
        self.assertEqual((sample["files_added"], sample["files_removed"]), (added, removed),
                         f"{scenario} {mode}")
        return sample

    def expect_bytes_of_floor(self, scenario, mode, most):
        floor = self.samples[scenario, mode, "floor"]["data_bytes"]
        self.assertLessEqual(self.ours(scenario, mode)["data_bytes"], most * floor,
                             f"{scenario} {mode}")

    def test_random_upsert_writes_the_changed_rows(self):
        sample = self.expect_files("B02", "dv", 1, 0)
        self.assertLess(sample["vector_bytes"], 3 * sample["data_bytes"] / 100 + 8192)
        self.expect_bytes_of_floor("B02", "dv", 1.1)
        self.expect_bytes_of_floor("B02", "cow", 1.1)

    def test_localised_upsert_leaves_other_files_alone(self):
        for scenario in ("B05", "B05b"):
            self.expect_files(scenario, "dv", 1, 0)
            # One touched file: its untouched row groups as they are, and the rows that are new.
            self.expect_files(scenario, "cow", 2, 1)

    def test_inserts_remove_no_file(self):
        for mode in ("dv", "cow"):
            self.expect_files("B06", mode, 1, 0)
            self.expect_bytes_of_floor("B06", mode, 1.1)

    def test_deletes_are_marked(self):
        sample = self.expect_files("B07", "dv", 0, 0)
        self.assertEqual(sample["data_bytes"], 0)
        self.assertLess(sample["vector_bytes"], 10_000)

    def test_nothing_to_change_writes_nothing(self):
        for mode in ("dv", "cow"):
            sample = self.expect_files("B11", mode, 0, 0)
            self.assertEqual((sample["data_bytes"], sample["vector_bytes"]), (0, 0))

    def test_one_column_of_many_is_spliced(self):
        self.expect_files("B12b", "dv", 1, 0)
        sample = self.expect_files("B12b", "cow", 1, 1)
        # Chunks taken over as bytes keep the size that their writer gave them, which is not the
        # floor's.
        self.assertLessEqual(sample["data_bytes"], 1.01 * sample["removed_bytes"])

    def test_memory_stays_within_its_limit(self):
        for mode in ("dv", "cow"):
            # Left-over spill files are an error of the sample.
            self.assertLess(self.ours("B19", mode)["peak_mb"], 64 + 300, mode)


if __name__ == "__main__":
    unittest.main()
