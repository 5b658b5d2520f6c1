"""scripts/bootstrap installs only what is missing, and only says so when it may not install."""

import pathlib
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]


class BootstrapTest(unittest.TestCase):
    def setUp(self):
        scratch = tempfile.TemporaryDirectory()
        self.addCleanup(scratch.cleanup)
        self.bin = pathlib.Path(scratch.name)
        for tool in ("bash", "env"):
            self.bin.joinpath(tool).symlink_to(pathlib.Path("/usr/bin") / tool)
        self.stub("apt-get", 'echo "apt-get $*" >&2')

    def stub(self, name, script):
        path = self.bin / name
        path.write_text(f"#!/usr/bin/env bash\n{script}\n")
        path.chmod(0o755)

    def bootstrap(self, *arguments):
        return subprocess.run([ROOT / "scripts" / "bootstrap", *arguments], check=False, text=True,
                              capture_output=True, stdin=subprocess.DEVNULL,
                              env={"PATH": str(self.bin)})

    def test_nothing_to_do_is_silent(self):
        self.stub("dpkg-query", "echo -n installed")
        done = self.bootstrap()
        self.assertEqual((done.returncode, done.stdout, done.stderr), (0, "", ""))

    def test_root_installs_what_is_missing(self):
        self.stub("dpkg-query", '[ "${!#}" = mold ] && exit 1; echo -n installed')
        self.stub("id", "echo 0")
        done = self.bootstrap()
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertIn("apt-get -qq update", done.stderr)
        self.assertRegex(done.stderr, r"apt-get .*install .* mold\n")

    def test_without_root_the_command_is_printed(self):
        self.stub("dpkg-query", '[ "${!#}" = ccache ] && exit 1; echo -n installed')
        self.stub("id", "echo 1000")
        done = self.bootstrap()
        self.assertEqual(done.returncode, 1)
        self.assertIn("apt-get install -y --no-install-recommends ccache\n", done.stderr)
        self.assertNotIn("apt-get -qq", done.stderr)

    def test_further_packages_are_named(self):
        self.stub("dpkg-query", '[ "${!#}" = extra ] && exit 1; echo -n installed')
        self.stub("id", "echo 1000")
        self.assertIn("install -y --no-install-recommends extra\n", self.bootstrap("extra").stderr)


if __name__ == "__main__":
    unittest.main()
