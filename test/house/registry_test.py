"""The page of error classes is what the registry says."""

import pathlib
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "errors" / "error_classes.json"


class RegistryTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        with tempfile.TemporaryDirectory() as scratch:
            page = pathlib.Path(scratch) / "errors.md"
            subprocess.run([sys.executable, ROOT / "scripts" / "generate_errors.py",
                            "--input", REGISTRY, "--docs", page], check=True)
            self.assertEqual((ROOT / "docs" / "errors.md").read_text(), page.read_text(),
                             "run `make generate`")


if __name__ == "__main__":
    unittest.main()
