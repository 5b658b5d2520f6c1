"""Functions of clients that die, hang or do not load."""

import contextlib
import os
import pathlib
import shutil
import signal
import tempfile
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

from raw_caller import new_id
from server import connect, run_client, serving


class PythonProcessTest(unittest.TestCase):
    """Functions of foreachBatch that misbehave leave no process behind."""

    def start(self, spark, function, folder):
        return (spark.readStream.table("source").writeStream.foreachBatch(function)
                .option("checkpointLocation", f"{folder}/{new_id()}").trigger(availableNow=True).start())

    @contextlib.contextmanager
    def source(self, **options):
        with serving(**options) as server, tempfile.TemporaryDirectory() as folder:
            spark = connect(server.url)
            spark.sql("CREATE TABLE source (id INT) USING delta")
            spark.sql("INSERT INTO source VALUES (1)")
            try:
                yield server, spark, folder
            finally:
                spark.stop()

    def test_functions_that_die_hang_or_do_not_load(self):
        class NoUse:
            def __reduce__(self):
                return (exec, ("raise ValueError('cannot be loaded')",))

        def captures(batch, number, hidden=NoUse()):
            pass

        def dies(batch, number):
            os._exit(3)

        def hangs(batch, number):
            signal.pause()

        with self.source() as (server, spark, folder):
            with self.assertRaisesRegex(Exception, "PYTHON_EXCEPTION"):
                self.start(spark, captures, folder)
            self.assertEqual(server.children(), [])
            query = self.start(spark, dies, folder)
            with self.assertRaisesRegex(Exception, "STREAM_FAILED"):
                query.awaitTermination()
            query = self.start(spark, hangs, folder)
            self.assertEqual(len(server.children()), 1)
            query.stop()
            self.assertFalse(query.isActive)
            spark.streams.resetTerminated()
            self.assertEqual(server.children(), [])

    def test_a_process_whose_modules_cannot_be_laid_out_ends(self):
        gone = tempfile.mkdtemp()
        with self.source(environment={"TMPDIR": gone}) as (server, spark, folder):
            shutil.rmtree(gone)
            module = pathlib.Path(folder, "helper.py")
            module.write_text("x = 1\n")
            spark.addArtifacts(str(module), pyfile=True)
            with self.assertRaisesRegex(Exception, "PYTHON_EXCEPTION"):
                self.start(spark, lambda batch, number: None, folder)
            self.assertEqual(server.children(), [])

    def test_a_server_stops_although_a_function_hangs(self):
        code = ("import os, signal, tempfile; spark.sql('CREATE TABLE source (id INT) USING delta'); "
                "spark.sql('INSERT INTO source VALUES (1)'); folder = tempfile.mkdtemp(dir='.'); "
                "spark.readStream.table('source').writeStream.foreachBatch(lambda batch, number: signal.pause())"
                ".option('checkpointLocation', os.path.abspath(folder)).start()")
        with serving() as server, tempfile.TemporaryDirectory() as folder:
            done = run_client(server.url, f"import os; os.chdir({folder!r}); {code}")
            self.assertEqual(done.returncode, 0, done.stderr)
            # The query outlives the client that started it.
            children = server.children()
            self.assertEqual(len(children), 1)
            self.assertEqual(server.stop(), 0)
            self.assertFalse(pathlib.Path(f"/proc/{children[0]}").exists())


if __name__ == "__main__":
    unittest.main()
