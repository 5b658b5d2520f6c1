"""The page of SQL functions is what the registry says."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))


class FunctionPageTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        page = subprocess.run(
            [BUILD / "bin" / "merganser_function_page", ROOT / "test" / "house" / "spark_functions.txt"],
            check=True, capture_output=True, text=True).stdout
        self.assertEqual((ROOT / "docs" / "sql" / "functions.md").read_text(), page,
                         "run `make generate`")


if __name__ == "__main__":
    unittest.main()
