"""How a Delta table is read as a stream: where it begins, how much a batch takes, what it makes of changes."""

import os

from pyspark.sql import functions as F

from session import open_session

spark = open_session()
work = os.environ["SEED_WORK"]
runs = 0


def stream(table, **options):
    return spark.readStream.format("delta").options(**options).table(table)


def batches(frame, **trigger):
    """The rows of each batch of a query that ends when all was read."""
    global runs
    runs += 1
    taken = f"{work}/taken_{runs}"

    def keep(batch, number):
        import pathlib
        rows = sorted([tuple(row) for row in batch.collect()], key=str)
        pathlib.Path(taken).mkdir(exist_ok=True)
        pathlib.Path(taken, f"{number:03}").write_text(str(rows))

    query = (frame.writeStream.foreachBatch(keep).option("checkpointLocation", f"{work}/checkpoint_{runs}")
             .trigger(**(trigger or {"availableNow": True})).start())
    query.awaitTermination()
    if not os.path.isdir(taken):
        return []
    return [open(os.path.join(taken, name)).read() for name in sorted(os.listdir(taken))]


def fails(frame):
    """Whether the query does, when it starts or later."""
    try:
        batches(frame)
        print("ok")
    except Exception:
        print("fails")


spark.sql("CREATE TABLE events (id INT) USING delta")
for number in range(1, 5):
    spark.sql(f"INSERT INTO events VALUES ({number})")

# a table without a change feed
print(batches(stream("events")))
print(batches(stream("events", maxFilesPerTrigger="3")))
print(batches(stream("events", maxFilesPerTrigger="3"), once=True))
print(batches(stream("events", maxBytesPerTrigger="1b")))
print(batches(stream("events", startingVersion="3")))
print(batches(stream("events", startingVersion="3", maxFilesPerTrigger="1")))
print(batches(stream("events", startingTimestamp="2000-01-01")))
fails(stream("events", startingTimestamp="2999-01-01"))
fails(stream("events", maxFilesPerTrigger="0"))
fails(stream("events", maxBytesPerTrigger="much"))
fails(stream("events", startingVersion="first"))
print(stream("events").isStreaming, stream("events").schema.simpleString())

# what changes
spark.sql("DELETE FROM events WHERE id = 2")
print(batches(stream("events")))
fails(stream("events", startingVersion="0"))
print(batches(stream("events", startingVersion="0", ignoreDeletes="true")))
spark.sql("INSERT INTO events VALUES (5), (6)")
spark.sql("OPTIMIZE events")
spark.sql("UPDATE events SET id = 50 WHERE id = 5")
fails(stream("events", startingVersion="0", ignoreDeletes="true"))
print(batches(stream("events", startingVersion="0", skipChangeCommits="true")))
fails(stream("events", startingVersion="0", ignoreChanges="true"))

# the change feed
spark.sql("CREATE TABLE feed (id INT) USING delta TBLPROPERTIES (delta.enableChangeDataFeed = true)")
print(stream("feed", readChangeFeed="true").columns)

# sinks
query = (stream("events").writeStream.format("memory").queryName("seen").trigger(availableNow=True)
         .option("checkpointLocation", work + "/memory").start())
query.awaitTermination()
spark.table("seen").orderBy("id").show()
query = (stream("events").groupBy((F.col("id") > 5).alias("big")).count().writeStream.outputMode("complete")
         .format("memory").queryName("counted").trigger(availableNow=True).start())
query.awaitTermination()
spark.table("counted").orderBy("big").show()
for refused in (stream("events").groupBy("id").count(), stream("events").orderBy("id")):
    fails(refused)
try:
    stream("events").collect()
except Exception:
    print("a stream has no rows")
