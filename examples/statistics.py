"""What DataFrame.stat, observations and samples give."""

from pyspark.sql import Observation
from pyspark.sql import functions as F

from session import attempt, open_session

spark = open_session()
sales = spark.createDataFrame(
    [(1, "north", "red", 10.0), (2, "north", "blue", 20.0), (3, "south", "red", 30.0), (4, "south", None, 40.0),
     (5, None, "red", 50.0), (6, "south", "red", None)],
    "id INT, region STRING, colour STRING, price DOUBLE")

# how often values meet
sales.stat.crosstab("region", "colour").orderBy("region_colour").show()
sales.crosstab("colour", "id").orderBy("colour_id").show()

# frequent values
frequent = sales.freqItems(["region", "colour"], support=0.2)
print(frequent.columns)
for values in frequent.first():
    print(sorted(values, key=str))
attempt(lambda: sales.freqItems(["nope"]).collect())

# quantiles, correlation, covariance
print(sales.approxQuantile("price", [0.0, 0.5, 1.0], 0.0))
print(sales.stat.approxQuantile(["price", "id"], [0.25, 0.75], 0.0))
print(round(sales.dropna().corr("id", "price"), 6), sales.dropna().cov("id", "price"))
attempt(lambda: sales.approxQuantile("nope", [0.5], 0.0))

# rows become columns
grid = spark.createDataFrame([("b", 1, 4), ("a", 2, 5), ("c", 3, None)], "k STRING, x INT, y INT")
grid.transpose().show()
grid.select("x", "y").transpose(F.col("x")).show()
grid.select("k", "x").transpose("k").printSchema()
attempt(lambda: grid.transpose("nope").collect())

# samples: all or nothing is certain
print(sales.sampleBy("region", {"north": 1.0, "south": 0.0}, seed=1).orderBy("id").collect())
print(sales.sample(0.0, seed=3).count(), sales.sample(1.0, seed=3).count(), sales.sample(True, 0.0, 3).count())
left, right = spark.range(1000).randomSplit([0.3, 0.7], seed=7)
print(left.intersect(right).count(), left.union(right).distinct().count(), 200 < left.count() < 400)
parts = spark.range(100).selectExpr("id % 2 AS a").randomSplit([1.0, 1.0, 2.0], 5)
print(sum(part.count() for part in parts))

# observations
seen = Observation("sales")
observed = sales.observe(seen, F.count(F.lit(1)).alias("rows"), F.sum("price").alias("total"),
                         F.max("region").alias("last"), F.min("price").cast("decimal(6,2)").alias("least"))
print(observed.filter("id < 3").count(), seen.get)
sales.write.format("delta").saveAsTable("sales")
attempt(lambda: sales.observe(Observation("bad"), F.sum("nope")).collect())

# no effect on tables
sales.withColumn("at", F.lit("2026-01-01 00:00:00").cast("timestamp")).withWatermark("at", "1 hour").select("id").tail(2)
print(sales.hint("broadcast").hint("merge", "id").count(), [row.id for row in sales.orderBy("id").tail(2)])
spark.catalog.cacheTable("sales")
print(sales.orderBy("id").coalesce(1).sortWithinPartitions("id").first().id, sales.isLocal() in (True, False))

# variants
kept = spark.sql("""SELECT parse_json('{"a": [1, 2.5, "x", null], "b": {"c": true}}') AS v""")
kept.printSchema()
kept.show(truncate=False)
kept.select(F.variant_get("v", "$.a[1]", "double").alias("half"), F.schema_of_variant("v").alias("schema")).show(truncate=False)
