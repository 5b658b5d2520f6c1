"""A server of the program under test, and real clients of it."""

import contextlib
import os
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parents[2]
PROGRAM = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev")) / "bin" / "merganser"


class Server:
    """A running `merganser server`; `port` and `metrics_port` are where it listens."""

    def __init__(self, warehouse, *options, log=None):
        self.process = subprocess.Popen(
            [PROGRAM, "server", "--port", "0", "--metrics-port", "0", "--warehouse", warehouse,
             "--python", sys.executable, *options],
            stdout=subprocess.PIPE, stderr=log or subprocess.DEVNULL, text=True)
        line = self.process.stdout.readline()
        ready = re.search(r"ready at port (\d+), metrics at (\d+)", line)
        if not ready:
            raise AssertionError(f"not ready: {line!r}")
        self.port, self.metrics_port = int(ready[1]), int(ready[2])
        self.url = f"sc://localhost:{self.port}"

    def stop(self):
        """Stop as SIGTERM does; the exit status."""
        self.process.terminate()
        status = self.process.wait(timeout=60)
        self.process.stdout.close()
        return status


@contextlib.contextmanager
def serving(*options):
    """A server on a warehouse of its own."""
    with tempfile.TemporaryDirectory() as folder:
        server = Server(f"{folder}/warehouse", *options)
        try:
            yield server
        finally:
            server.stop()


def connect(url):
    """A session of its own, whatever others there are in this process."""
    from pyspark.sql.connect.session import SparkSession
    return SparkSession.builder.remote(url).create()


def run_client(url, code):
    """Run `code` in a process of its own, with `spark` a session of `url` that it leaves open.

    For servers that end before the client does: in this process PySpark would go on asking them.
    """
    # PySpark takes a main module without a file for a run of its own doctests.
    start = f"__file__ = 'client'; from server import connect; spark = connect({url!r}); "
    return subprocess.run([sys.executable, "-W", "ignore", "-c", start + code], check=False, text=True,
                          cwd=pathlib.Path(__file__).parent, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
