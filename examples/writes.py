"""What DataFrameWriter and its second version leave behind."""

import os

from pyspark.sql import functions as F

from session import attempt, open_session

spark = open_session()
work = os.environ["SEED_WORK"]
for name in ("w_table", "w_parts", "w_two", "w_files"):
    spark.sql(f"DROP TABLE IF EXISTS {name}")
rows = spark.createDataFrame([(1, "a", 10), (2, "b", 20)], "id INT, s STRING, p INT")
more = spark.createDataFrame([(3, "c", 10)], "id INT, s STRING, p INT")


def history(name, *metrics):
    spark.sql(f"DESCRIBE HISTORY {name}").select(
        "version", "operation", F.col("operationParameters")["mode"].alias("mode"),
        F.col("operationParameters")["partitionBy"].alias("by"), *metrics).orderBy("version").show(truncate=False)


# by name
rows.write.format("delta").saveAsTable("w_table")
attempt(lambda: rows.write.format("delta").saveAsTable("w_table"))
rows.write.format("delta").mode("ignore").saveAsTable("w_table")
more.select("s", "id").write.format("delta").mode("append").saveAsTable("w_table")
more.write.insertInto("w_table")
attempt(lambda: more.withColumn("extra", F.lit(1)).write.format("delta").mode("append").saveAsTable("w_table"))
(more.withColumn("extra", F.lit(1)).write.format("delta").mode("append").option("mergeSchema", "true")
    .saveAsTable("w_table"))
spark.table("w_table").orderBy("id", "p", "extra").show()
rows.write.format("delta").mode("overwrite").saveAsTable("w_table")
spark.table("w_table").orderBy("id").show()
attempt(lambda: rows.select(F.col("s").alias("id")).write.format("delta").mode("overwrite").saveAsTable("w_table"))
(rows.select(F.col("s").alias("id")).write.format("delta").mode("overwrite").option("overwriteSchema", "true")
    .saveAsTable("w_table"))
spark.table("w_table").orderBy("id").show()
history("w_table")

# by path
path = work + "/by_path"
attempt(lambda: rows.write.format("delta").save(path))
attempt(lambda: rows.write.format("delta").save(path))
more.write.format("delta").mode("append").save(path)
attempt(lambda: more.select(F.lit("x").alias("id")).write.format("delta").mode("append").save(path))
more.write.format("delta").mode("overwrite").save(path)
spark.read.format("delta").load(path).show()
spark.read.format("delta").option("versionAsOf", 0).load(path).orderBy("id").show()
spark.read.option("versionAsOf", 0).table(f"delta.`{path}`").count()
history(f"delta.`{path}`")

# partitions
rows.write.format("delta").partitionBy("p").saveAsTable("w_parts")
more.write.format("delta").mode("overwrite").option("replaceWhere", "p = 10").saveAsTable("w_parts")
spark.table("w_parts").orderBy("id").show()
attempt(lambda: rows.write.format("delta").mode("overwrite").option("replaceWhere", "p = 10").saveAsTable("w_parts"))
(rows.filter("p = 20").withColumn("s", F.lit("new")).write.format("delta").mode("overwrite")
    .option("partitionOverwriteMode", "dynamic").saveAsTable("w_parts"))
spark.table("w_parts").orderBy("id").show()
history("w_parts")

# the second version
rows.writeTo("w_two").using("delta").partitionedBy("p").tableProperty("delta.appendOnly", "false").create()
attempt(lambda: rows.writeTo("w_two").using("delta").create())
more.writeTo("w_two").append()
more.withColumn("s", F.lit("x")).writeTo("w_two").overwrite(F.col("p") == 10)
spark.table("w_two").orderBy("id").show()
rows.withColumn("s", F.lit("y")).filter("p = 20").writeTo("w_two").overwritePartitions()
spark.table("w_two").orderBy("id").show()
rows.limit(0).writeTo("w_two").using("delta").createOrReplace()
print(spark.table("w_two").count())
attempt(lambda: rows.writeTo("w_none").append())

# other formats
rows.coalesce(1).write.parquet(work + "/p")
spark.read.parquet(work + "/p").orderBy("id").show()
attempt(lambda: rows.write.parquet(work + "/p"))
rows.write.mode("overwrite").partitionBy("p").parquet(work + "/p")
spark.read.parquet(work + "/p").orderBy("id").printSchema()
rows.coalesce(1).write.option("header", True).csv(work + "/c")
spark.read.option("header", True).schema("id INT, s STRING, p INT").csv(work + "/c").orderBy("id").show()
rows.coalesce(1).write.json(work + "/j")
spark.read.schema("id INT, s STRING").json(work + "/j").orderBy("id").show()
attempt(lambda: spark.read.parquet(work + "/nowhere").collect())
attempt(lambda: spark.read.format("nope").load(work + "/p").collect())
attempt(lambda: rows.write.format("nope").save(work + "/n"))

# the number of files
for name, frame in (("three", spark.range(100).repartition(3)), ("one", spark.range(100).repartition(3).coalesce(1))):
    frame.write.format("delta").save(f"{work}/{name}")
    print(name, spark.sql(f"DESCRIBE DETAIL delta.`{work}/{name}`").first().numFiles,
          spark.read.format("delta").load(f"{work}/{name}").count())
