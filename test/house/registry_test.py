"""The registry of error classes: its page is current, and the code raises every class in it."""

import json
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
REGISTRY = ROOT / "errors" / "error_classes.json"


def words_of_the_code():
    sources = (path.read_text() for suffix in ("*.cc", "*.h")
               for path in (ROOT / "src").rglob(suffix) if not path.name.endswith("_test.cc"))
    return set(re.findall(r"\b[A-Z_][A-Z0-9_]+\b", "\n".join(sources)))


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
        words = words_of_the_code()
        classes = json.loads(REGISTRY.read_text())
        unused = [name for name in classes if name not in words]
        unused += [f"{name}.{sub}" for name, entry in classes.items()
                   for sub in entry.get("subclasses", {}) if sub not in words]
        self.assertEqual(unused, [], "take out what nothing raises")


if __name__ == "__main__":
    unittest.main()
