"""`make install` gives a movable tree that another project builds and runs against."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))
CONSUMER = ROOT / "test" / "house" / "consumer"
ROWS = ["2\t1\t0\t1", "1001\tplaced", "1002\tshipped", "1003\tplaced"]


def run(*command):
    done = subprocess.run(command, check=False, text=True, cwd=ROOT,
                          stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
    if done.returncode != 0:
        raise AssertionError(f"{command}\n{done.stdout}")
    return done.stdout


class InstallTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        scratch = tempfile.TemporaryDirectory()
        cls.addClassCleanup(scratch.cleanup)
        cls.scratch = pathlib.Path(scratch.name)
        first = cls.scratch / "first"
        run("make", "install", f"PRESET={BUILD.name}", f"PREFIX={first}")
        # Nothing may lean on the place it was installed to.
        cls.prefix = first.rename(cls.scratch / "moved")

    def test_a_cmake_project_builds_and_runs(self):
        build = self.scratch / "consumer"
        run("cmake", "-S", CONSUMER, "-B", build, "-G", "Ninja",
            f"-DCMAKE_PREFIX_PATH={self.prefix}")
        run("cmake", "--build", build)
        self.assertEqual(run(build / "consumer", self.scratch / "one").splitlines(), ROWS)

    def test_pkg_config_says_how_to_build(self):
        pc = next(self.prefix.rglob("merganser.pc"))
        flags = run("env", f"PKG_CONFIG_PATH={pc.parent}", "pkg-config", "--cflags", "--libs",
                    "merganser").split()
        program = self.scratch / "by-hand"
        run("g++", "-std=c++20", CONSUMER / "main.cc", "-o", program, *flags)
        self.assertEqual(run(program, self.scratch / "two").splitlines(), ROWS)

    def test_the_program_runs(self):
        text = run(self.prefix / "bin" / "merganser", "--warehouse", self.scratch / "three",
                   "--format", "csv", "-e", "SELECT 1 + 1 AS two")
        self.assertEqual(text.split(), ["two", "2"])

    def test_headers_need_no_other_library(self):
        foreign = [f"{header.name}: {name}" for header in self.prefix.rglob("*.h")
                   for name in re.findall(r"#include <(\w+[/.][^>]+)>", header.read_text())
                   if not name.endswith(".h") or "/" in name]
        self.assertEqual(foreign, [])

    def test_documents_are_there(self):
        names = {path.name for path in self.prefix.rglob("*")}
        self.assertLessEqual({"merganser.1", "_merganser", "LICENSE", "LICENSE.duckdb",
                              "libduckdb.so", "libmerganser.so", "merganserConfig.cmake"}, names)


class ExampleTest(unittest.TestCase):
    def test_the_first_example_of_the_manual_is_the_consumer(self):
        blocks = re.findall(r"```(?:cmake|cpp)\n(.*?)```", (ROOT / "docs" / "cpp.md").read_text(),
                            re.DOTALL)
        self.assertEqual(blocks[0], (CONSUMER / "CMakeLists.txt").read_text())
        self.assertEqual(blocks[1], (CONSUMER / "main.cc").read_text())


if __name__ == "__main__":
    unittest.main()
