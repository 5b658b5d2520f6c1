"""The DeltaTable API, whole."""

import os

from delta.tables import DeltaTable
from pyspark.sql import functions as F

from session import attempt, open_session

spark = open_session()
work = os.environ["SEED_WORK"]
for name in ("d_table", "d_made", "d_copy", "d_ids"):
    spark.sql(f"DROP TABLE IF EXISTS {name}")
spark.createDataFrame([(1, "a"), (2, "b"), (3, "c")], "id INT, v STRING").write.format("delta").saveAsTable("d_table")
table = DeltaTable.forName(spark, "d_table")

# change
table.update("id = 1", {"v": F.lit("one")})
table.update(set={"v": "concat(v, '!')"})
table.delete(F.col("id") == 3)
table.toDF().orderBy("id").show()
source = spark.createDataFrame([(2, "two", 7), (9, "nine", 8)], "id INT, v STRING, extra INT")
(table.alias("t").merge(source.alias("s"), "t.id = s.id")
    .whenMatchedUpdate(condition="s.extra > 0", set={"v": "s.v"})
    .whenNotMatchedInsert(values={"id": "s.id", "v": F.concat(F.col("s.v"), F.lit("?"))})
    .whenNotMatchedBySourceDelete(condition="t.id = 1")
    .execute()).show()
table.toDF().orderBy("id").show()
(table.alias("t").merge(source.alias("s"), F.col("t.id") == F.col("s.id"))
    .withSchemaEvolution().whenMatchedUpdateAll().whenNotMatchedInsertAll()
    .whenNotMatchedBySourceUpdate(set={"v": "'gone'"}).execute())
table = DeltaTable.forName(spark, "d_table")
table.toDF().orderBy("id").show()
attempt(lambda: table.alias("t").merge(source.union(source).alias("s"), "t.id = s.id").whenMatchedUpdateAll().execute())
attempt(lambda: table.alias("t").merge(source.alias("s"), "t.id = s.nope").whenMatchedDelete().execute())
attempt(lambda: table.alias("t").merge(source.alias("s"), "t.id = s.id").whenMatchedUpdate(set={"nope": "1"}).execute())
attempt(lambda: table.update(set={"nope": "1"}))

# look
table.history().select("version", "operation").orderBy("version").show()
table.history(2).select("version").show()
table.detail().select("format", "partitionColumns", "minWriterVersion").show()
print(DeltaTable.isDeltaTable(spark, work), table.toDF().columns)

# go back
print(table.restoreToVersion(0).columns)
table = DeltaTable.forName(spark, "d_table")
table.toDF().orderBy("id").show()
attempt(lambda: table.restoreToVersion(99))

# maintain
print(table.optimize().executeCompaction().select("metrics.numFilesAdded").columns)
print(table.optimize().executeZOrderBy("id").columns)
attempt(lambda: table.optimize().executeZOrderBy("nope"))
attempt(lambda: table.vacuum(0))
table.generate("symlink_format_manifest")
attempt(lambda: table.generate("nope"))

# protocol
table.upgradeTableProtocol(1, 3)
table.addFeatureSupport("deletionVectors")
table.detail().select("minReaderVersion", "minWriterVersion",
                      F.sort_array("tableFeatures").alias("features")).show(truncate=False)
attempt(lambda: table.addFeatureSupport("nope"))

# make
(DeltaTable.create(spark).tableName("d_made").addColumn("id", "BIGINT", nullable=False, comment="the key")
    .addColumn("day", "DATE").addColumn("year", "INT", generatedAlwaysAs="YEAR(day)")
    .partitionedBy("year").property("delta.logRetentionDuration", "interval 60 days").comment("made").execute())
spark.table("d_made").printSchema()
spark.sql("INSERT INTO d_made (id, day) VALUES (1, DATE'2024-05-06')")
spark.table("d_made").show()
attempt(lambda: DeltaTable.create(spark).tableName("d_made").addColumn("id", "INT").execute())
DeltaTable.createIfNotExists(spark).tableName("d_made").addColumn("id", "INT").execute()
DeltaTable.createOrReplace(spark).tableName("d_made").addColumns(source.schema).execute()
print(spark.table("d_made").columns)
DeltaTable.replace(spark).tableName("d_made").addColumn("z", "STRING").execute()
print(spark.table("d_made").columns)
attempt(lambda: DeltaTable.replace(spark).tableName("d_missing").addColumn("z", "STRING").execute())
DeltaTable.create(spark).location(work + "/located").addColumn("id", "INT").clusterBy("id").execute()
print(DeltaTable.isDeltaTable(spark, work + "/located"), DeltaTable.forPath(spark, work + "/located").toDF().columns)
attempt(lambda: DeltaTable.create(spark).tableName("d_none").addColumn("id", "nope").execute())

# convert
spark.range(3).withColumn("p", F.col("id") % 2).write.partitionBy("p").parquet(work + "/plain")
converted = DeltaTable.convertToDelta(spark, f"parquet.`{work}/plain`", "p BIGINT")
print(converted.toDF().count(), DeltaTable.isDeltaTable(spark, work + "/plain"))
DeltaTable.forPath(spark, work + "/plain").delete("p = 1")
print(DeltaTable.forPath(spark, work + "/plain").toDF().count())
