"""What the methods of a DataFrame give."""

from pyspark.sql import Row, Window
from pyspark.sql import functions as F

from session import attempt, open_session

spark = open_session()
people = spark.createDataFrame(
    [(1, "Ana", 23.5, "north"), (2, "Bruno", None, "south"), (2, "Carla", 41.0, "south"),
     (3, None, float("nan"), None)],
    "id INT, name STRING, score DOUBLE, region STRING")
places = spark.createDataFrame([("north", "N"), ("east", "E")], ["region", "code"])

people.show()
people.show(2)
people.show(2, truncate=4)
people.show(truncate=False)
people.show(1, vertical=True)
people.limit(0).show()
people.printSchema()
print(people.columns, people.dtypes)
print(people.count(), people.isEmpty(), people.limit(0).isEmpty())
print(people.first(), people.tail(1)[0].id, people.take(1), people.offset(3).collect()[0].id)

# names
people.select("id", F.col("score") + 1, (F.col("id") * 2).alias("twice"), people.name).show()
people.select(F.lit(1), F.lit("x"), F.lit(None), F.col("id").cast("string"),
              F.col("id") == 1, F.col("name").isNull()).printSchema()
people.selectExpr("*", "upper(name) AS loud").show()
people.withColumn("id", F.col("id") + 10).withColumn("n", F.lit(1)).show()
people.withColumns({"a": F.col("id"), "NAME": F.lit("x")}).show()
people.withColumnRenamed("name", "who").withColumnsRenamed({"id": "key", "none": "x"}).show()
people.drop("score", "none").drop(people.region).show()
people.toDF("a", "b", "c", "d").show()
people.alias("p").select("p.id", "p.*").show(1)
people.select(F.struct("id", "name").alias("s")).select("s.*", "s.id", F.col("s").getField("name")).show(1)
people.select(F.struct("id", "name").alias("s")).select(
    F.col("s").withField("more", F.lit(True)).dropFields("id").alias("s")).show(1)

# rows
people.filter("id > 1 AND score > 0").show()
people.filter(F.col("id").isin(1, 3) | F.col("name").like("B%")).show()
people.where(F.col("id").between(2, 3)).orderBy(F.desc("id"), F.asc_nulls_last("name")).show()
people.sort("score").show()
people.dropDuplicates(["id"]).select("id").orderBy("id").show()
people.distinct().count()
people.union(people.limit(1)).count()
print(people.select("id").exceptAll(people.select("id").limit(1)).count(),
      people.select("id").intersect(people.select("id")).count(),
      people.select("id").subtract(spark.range(1, 2)).count())
people.select("id", "name").unionByName(
    people.select(F.lit("z").alias("extra"), "id"), allowMissingColumns=True).orderBy("id", "name", "extra").show()
people.sample(1.0).count()

# nulls
people.fillna(0).show()
people.fillna({"name": "nobody", "score": -1.0}).show()
people.na.fill("?", subset=["region"]).show()
people.dropna().show()
people.dropna(how="all", subset=["name", "region"]).show()
people.dropna(thresh=3).show()
people.replace(2, 20).show()
people.replace({"Ana": "Anna", "south": "S"}).show()
people.replace(["Ana"], ["x"], "name").show()

# groups
people.groupBy("region").count().orderBy("region").show()
people.groupBy("region").agg(F.max("id"), F.sum("score").alias("total"),
                             F.countDistinct("id")).orderBy("region").show()
people.groupBy().agg({"id": "max"}).show()
people.rollup("region").agg(F.sum("id")).orderBy("region", "sum(id)").show()
people.cube("region").count().orderBy("region", "count").show()
people.groupBy("id").pivot("region", ["north", "south"]).agg(F.count("name")).orderBy("id").show()
people.groupBy("id").pivot("region").count().orderBy("id").show()
people.describe("id", "name").show()
people.summary("count", "min", "max").show()
spark.range(5).describe().show()
spark.range(1, 101).summary("25%", "50%", "75%").show()
print(spark.range(10).selectExpr("id", "id * 2 AS b").corr("id", "b"),
      spark.range(10).selectExpr("id", "id * 2 AS b").cov("id", "b"))

# shapes
people.unpivot(["id"], ["score"], "what", "value").show()
spark.createDataFrame([(1, 2, 3)], ["id", "a", "b"]).melt("id", None, "n", "v").show()
people.select("id", F.explode(F.array(F.lit("x"), F.lit("y"))).alias("e")).show(2)
spark.createDataFrame([Row(a=[1, 2, 3], m={"k": 1})]).select(
    F.transform("a", lambda x: x + 1), F.filter("a", lambda x: x > 1),
    F.col("a")[0], F.col("m")["k"], F.aggregate("a", F.lit(0).cast("bigint"), lambda acc, x: acc + x)).show()

# joins
people.join(places, "region").show()
people.join(places, "region", "left").orderBy("id", "name").show()
people.join(places, people.region == places.region, "full").orderBy("id", "name", "code").show()
people.join(places, people.region == places.region, "left_anti").orderBy("id", "name").show()
people.alias("l").join(people.alias("r"), F.col("l.id") == F.col("r.id")).count()
spark.range(2).crossJoin(spark.range(2)).count()
people.hint("broadcast").join(F.broadcast(places), "region", "semi").show()

# windows
newest = Window.partitionBy("region").orderBy(F.desc("id"))
people.withColumn("n", F.row_number().over(newest)).orderBy("region", "n").select("region", "n").show()
people.select("id", F.sum("id").over(Window.orderBy("id").rowsBetween(-1, 0)).alias("s")).orderBy("id", "s").show()

# choices
people.select(F.when(F.col("id") == 1, "one").when(F.col("id") == 2, "two").otherwise("many")).show()
people.select(F.when(F.col("id") == 1, "one").alias("w")).show()
people.select(F.coalesce("name", F.lit("?")), F.expr("id % 2")).show()

# repartitioning changes nothing
print(people.repartition(2).coalesce(1).repartition("id").count())

# to a schema
people.to(spark.createDataFrame([], "name STRING, id BIGINT").schema).show()

# SQL over frames
people.createOrReplaceTempView("people")
spark.sql("SELECT count(*) AS n FROM {frame}", frame=people).show()
spark.table("people").select("id").distinct().orderBy("id").show()

# mistakes
attempt(lambda: people.select("nope").collect())
attempt(lambda: people.filter("id +").collect())
attempt(lambda: people.toDF("a").collect())
attempt(lambda: spark.table("nowhere").collect())
attempt(lambda: people.withColumns({"x": F.lit(1), "X": F.lit(2)}).collect())
attempt(lambda: people.select(F.col("id").cast("nope")).collect())
attempt(lambda: spark.sql("SELECT 1 / 0").collect())
attempt(lambda: people.dropDuplicates(["nope"]).collect())
