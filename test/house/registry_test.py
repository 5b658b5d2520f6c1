"""The page of error classes is what the registry says, and the registry holds no dead classes."""

import json
import pathlib
import re
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

    def test_every_class_is_raised_somewhere(self):
        used = set()
        for file in (ROOT / "src").rglob("*.[ch]*"):
            if not file.name.endswith("_test.cc"):
                used |= set(re.findall(r"\bErrorClass::([A-Z0-9_]+)", file.read_text()))
        unused = sorted(set(json.loads(REGISTRY.read_text())) - used)
        self.assertEqual("\n".join(unused), "")


if __name__ == "__main__":
    unittest.main()
