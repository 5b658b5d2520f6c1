"""What is told about the program outside of it: options in the man page and completions, version."""

import os
import pathlib
import re
import subprocess
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))
PROGRAM = BUILD / "bin" / "merganser"


class ProgramTest(unittest.TestCase):
    def test_documents_know_every_option(self):
        text = subprocess.run([PROGRAM, "--help"], check=True, text=True, capture_output=True).stdout
        options = set(re.findall(r"(?<![\w-])--[a-z][a-z-]*", text.split("Examples:")[0]))
        self.assertIn("--warehouse", options)
        for document in ("docs/man/merganser.1", "packaging/merganser.bash", "packaging/_merganser"):
            told = (ROOT / document).read_text().replace("\\-", "-")
            missing = [option for option in sorted(options)
                       if not re.search(re.escape(option) + r"(?![\w-])", told)]
            self.assertEqual(missing, [], document)

    def test_the_version_is_the_projects(self):
        project = re.search(r"project\(merganser VERSION (\S+)", (ROOT / "CMakeLists.txt").read_text())
        told = subprocess.run([PROGRAM, "--version"], check=True, text=True, capture_output=True).stdout
        self.assertEqual(told, f"merganser {project[1]}\n")


if __name__ == "__main__":
    unittest.main()
