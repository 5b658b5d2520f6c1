"""The page of the Spark Connect server lists what its messages refuse."""

import pathlib
import subprocess
import sys
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class ConnectPageTest(unittest.TestCase):
    def test_the_page_is_up_to_date(self):
        done = subprocess.run([sys.executable, ROOT / "scripts" / "generate_connect_page", "--check"], check=False,
                              capture_output=True, text=True)
        self.assertEqual(done.returncode, 0, done.stderr)


if __name__ == "__main__":
    unittest.main()
