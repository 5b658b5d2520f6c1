"""A session of the reference engine on one core: UTC, ANSI, no services, no network."""

import faulthandler
import os
import pathlib
import signal
import tempfile

from pyspark.sql import SparkSession

ROOT = pathlib.Path(__file__).resolve().parents[2]


def open_session():
    # Asked by SIGQUIT, as the JVM beneath is: where does this stand?
    faulthandler.register(signal.SIGQUIT)
    # The machine's own name and address need not lead back to it.
    os.environ |= {"SPARK_LOCAL_IP": "127.0.0.1", "SPARK_LOCAL_HOSTNAME": "localhost"}
    work = tempfile.mkdtemp()
    settings = {
        # Not spark.jars: the executor would fetch those from the driver's file server.
        "spark.driver.extraClassPath": str(ROOT / ".deps" / "spark" / "jars" / "*"),
        "spark.sql.extensions": "io.delta.sql.DeltaSparkSessionExtension",
        "spark.sql.catalog.spark_catalog": "org.apache.spark.sql.delta.catalog.DeltaCatalog",
        "spark.sql.session.timeZone": "UTC",
        "spark.sql.shuffle.partitions": "1",
        "spark.databricks.delta.snapshotPartitions": "1",
        "spark.ui.enabled": "false",
        "spark.ui.showConsoleProgress": "false",
        "spark.sql.warehouse.dir": f"{work}/warehouse",
        # Rows are few, so compiling a plan would cost more than interpreting it.
        "spark.sql.codegen.wholeStage": "false",
        "spark.sql.codegen.factoryMode": "NO_CODEGEN",
        "spark.sql.adaptive.enabled": "false",
        # Statements are many and small: the first compiler's code is fast enough for them.
        "spark.driver.extraJavaOptions": f"-Dderby.system.home={work} -Duser.timezone=UTC "
                                         "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC",
    }
    builder = SparkSession.builder.master("local[1]").appName("interop")
    for key, value in settings.items():
        builder = builder.config(key, value)
    session = builder.getOrCreate()
    session.sparkContext.setLogLevel("OFF")
    return session
