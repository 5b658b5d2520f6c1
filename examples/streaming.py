"""A change feed as a stream, each batch merged into another table."""

import os

from delta.tables import DeltaTable

from session import open_session

spark = open_session()
work = os.environ["SEED_WORK"]
spark.sql("CREATE TABLE readings (sensor INT, value DOUBLE) USING delta "
          "TBLPROPERTIES (delta.enableChangeDataFeed = true)")
spark.sql("CREATE TABLE latest (sensor INT, value DOUBLE) USING delta")


def merge(batch, batch_id):
    changes = batch.filter("_change_type IN ('insert', 'update_postimage')").select("sensor", "value")
    (DeltaTable.forName(batch.sparkSession, "latest").alias("t")
        .merge(changes.alias("s"), "t.sensor = s.sensor")
        .whenMatchedUpdateAll().whenNotMatchedInsertAll().execute())


def run():
    query = (spark.readStream.option("readChangeFeed", "true").table("readings")
             .writeStream.foreachBatch(merge).option("checkpointLocation", work + "/checkpoint")
             .trigger(availableNow=True).start())
    query.awaitTermination()
    print(query.isActive, query.exception())


spark.sql("INSERT INTO readings VALUES (1, 20.5), (2, 21.0)")
run()
spark.table("latest").orderBy("sensor").show()
spark.sql("UPDATE readings SET value = 25.0 WHERE sensor = 2")
spark.sql("INSERT INTO readings VALUES (3, 19.0)")
run()
spark.table("latest").orderBy("sensor").show()
run()
print(spark.sql("DESCRIBE HISTORY latest").count())

# without a function: one Delta table into another
copy = (spark.readStream.table("latest").writeStream.format("delta")
        .option("checkpointLocation", work + "/copy_checkpoint").trigger(availableNow=True).toTable("copy"))
copy.awaitTermination()
spark.table("copy").orderBy("sensor", "value").show()
