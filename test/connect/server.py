"""A server of the program under test, and real clients of it."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile
import unittest
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev")) / "bin" / "merganser"


class Server:
    """A running `merganser server`; `port` and `metrics_port` are where it listens."""

    def __init__(self, warehouse, *options, port=0, log=None, environment=None):
        self.process = subprocess.Popen(
            [PROGRAM, "server", "--port", str(port), "--metrics-port", "0", "--warehouse", warehouse,
             "--python", sys.executable, *options],
            stdout=subprocess.PIPE, stderr=log or subprocess.DEVNULL, text=True,
            env=dict(os.environ, **(environment or {})))
        line = self.process.stdout.readline()
        ready = re.search(r"ready at port (\d+), metrics at (\d+)", line)
        if not ready:
            raise AssertionError(f"not ready: {line!r}")
        self.port, self.metrics_port = int(ready[1]), int(ready[2])
        self.url = f"sc://localhost:{self.port}"

    def metric(self, name):
        """A number of the metrics page, without `merganser_`."""
        page = urllib.request.urlopen(f"http://127.0.0.1:{self.metrics_port}/metrics").read().decode()
        return int(re.search(rf"(?m)^merganser_{name} (\d+)$", page)[1])

    def memory_mb(self, field="VmRSS"):
        """What the process holds now, or held at most (`VmHWM`)."""
        status = pathlib.Path(f"/proc/{self.process.pid}/status").read_text()
        return int(re.search(rf"{field}:\s+(\d+) kB", status)[1]) // 1024

    def children(self):
        """Processes that it started and that are still there."""
        lists = pathlib.Path(f"/proc/{self.process.pid}/task").glob("*/children")
        return [int(pid) for each in lists for pid in each.read_text().split()]

    def stop(self):
        """Stop as SIGTERM does; the exit status."""
        self.process.terminate()
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def serving(*options, environment=None):
    """A server on a warehouse of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"{folder}/warehouse", *options, environment=environment)
        try:
            yield server
        finally:
            server.stop()


def connect(url):
    """A session of its own, whatever others there are in this process."""
    from pyspark.sql.connect.session import SparkSession
    return SparkSession.builder.remote(url).create()


class ServedTest(unittest.TestCase):
    """Tests that share a server, `server`, and a session, `spark`."""

    @classmethod
    def setUpClass(cls):
        cls.serving = serving()
        cls.server = cls.serving.__enter__()
        cls.spark = connect(cls.server.url)

    @classmethod
    def tearDownClass(cls):
        cls.spark.stop()
        cls.serving.__exit__(None, None, None)


def run_client(url, code):
    """Run `code` in a process of its own, with `spark` a session of `url` that it leaves open.

    For servers that end before the client does: in this process PySpark would go on asking them.
    """
    # PySpark takes a main module without a file for a run of its own doctests.
    start = f"__file__ = 'client'; from server import connect; spark = connect({url!r}); "
    return subprocess.run([sys.executable, "-W", "ignore", "-c", start + code], check=False, text=True,
                          cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
