"""Every header compiles alone; the build keeps track of what changed."""

import os
import pathlib
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev")


class HeadersTest(unittest.TestCase):
    def test_each_header_compiles_alone(self):
        done = subprocess.run(
            ["cmake", "--build", BUILD, "--target", "header_checks", "--", "--quiet", "-k", "0"],
            check=False, text=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
        self.assertEqual(done.returncode, 0, done.stdout)


if __name__ == "__main__":
    unittest.main()
