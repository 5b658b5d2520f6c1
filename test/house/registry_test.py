"""The registry of error classes: its page is current, and it is sorted."""

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

    def test_classes_are_sorted_and_unique(self):
        names = [name for name, _ in json.loads(REGISTRY.read_text(), object_pairs_hook=list)]
        self.assertEqual(names, sorted(set(names)))

    def test_the_code_names_every_class(self):
        words = set()
        for source in (ROOT / "src").rglob("*"):
            if source.suffix in (".cc", ".h") and not source.name.endswith("_test.cc"):
                words.update(re.findall(r"\b[A-Z_][A-Z0-9_]+\b", source.read_text()))
        registry = json.loads(REGISTRY.read_text())
        subclasses = {each for entry in registry.values() for each in entry.get("subclasses", {})}
        self.assertEqual(set(), set(registry) - words)
        self.assertEqual(set(), subclasses - words)


if __name__ == "__main__":
    unittest.main()
