"""The session of the examples: of the server that SPARK_REMOTE names, else of delta-spark itself."""

import os
import pathlib
import re
import sys

from pyspark.sql import SparkSession


def open_session():
    if os.environ.get("SPARK_REMOTE"):
        return SparkSession.builder.getOrCreate()
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "test" / "interop"))
    import delta_spark
    return delta_spark.open_session()


def attempt(what):
    """Say how it goes: "ok", or the class of the error."""
    try:
        what()
        print("ok")
    except Exception as error:
        # PySpark without Connect looks for Delta's classes among Spark's own; theirs is behind.
        while "Cannot find main error class" in str(error) and error.__context__ is not None:
            error = error.__context__
        found = re.search(r"\[([A-Z][A-Z0-9_]*)", str(error))
        print(found[1] if found else type(error).__name__)
