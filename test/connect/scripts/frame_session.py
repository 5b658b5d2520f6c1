"""The session of the scripts: Spark Connect when SPARK_REMOTE is set, else delta-spark itself."""

import os
import pathlib
import sys

from pyspark.sql import SparkSession


def open_session():
    if os.environ.get("SPARK_REMOTE"):
        return SparkSession.builder.getOrCreate()
    sys.path.append(str(pathlib.Path(__file__).resolve().parents[2] / "interop"))
    import delta_spark
    return delta_spark.open_session()


def attempt(what):
    """What fails, as the kind and the class of the error."""
    try:
        what()
        print("ok")
    except Exception as error:
        print(type(error).__name__, str(error).strip().split("]")[0].lstrip("[").split(".")[0])
