"""Values of every type there and back."""

import datetime
import decimal

from pyspark.sql import Row
from pyspark.sql import functions as F
from pyspark.sql.types import (ArrayType, BinaryType, BooleanType, ByteType, DateType, DecimalType, DoubleType,
                               FloatType, IntegerType, LongType, MapType, ShortType, StringType, StructField,
                               StructType, TimestampNTZType, TimestampType)

from session import open_session

spark = open_session()
spark.conf.set("spark.sql.session.timeZone", "UTC")
schema = StructType([
    StructField("b", BooleanType(), False),
    StructField("i8", ByteType()),
    StructField("i16", ShortType()),
    StructField("i32", IntegerType()),
    StructField("i64", LongType()),
    StructField("f", FloatType()),
    StructField("d", DoubleType()),
    StructField("dec", DecimalType(12, 3)),
    StructField("s", StringType(), metadata={"comment": "text"}),
    StructField("bin", BinaryType()),
    StructField("date", DateType()),
    StructField("ts", TimestampType()),
    StructField("ntz", TimestampNTZType()),
    StructField("a", ArrayType(IntegerType(), False)),
    StructField("m", MapType(StringType(), DoubleType())),
    StructField("st", StructType([StructField("x", IntegerType(), False), StructField("y", ArrayType(StringType()))])),
])
utc = datetime.timezone.utc
row = (True, 1, 2, 3, 4, 1.5, -2.25, decimal.Decimal("3.140"), "olá", b"\x00\xff", datetime.date(2024, 2, 29),
       datetime.datetime(2024, 2, 29, 12, 30, 15, 123000, tzinfo=utc), datetime.datetime(2024, 2, 29, 12, 30),
       [1, 2], {"k": 0.5}, (7, ["p", None]))
nothing = (False,) + (None,) * 15
frame = spark.createDataFrame([row, nothing], schema)
frame.printSchema()
frame.show(truncate=False)
frame.show(truncate=False, vertical=True)
for value in frame.drop("ts").first():
    print(repr(bytes(value) if isinstance(value, bytearray) else value))
print(frame.select(F.col("ts").cast("string")).first()[0])
print(frame.schema == schema, frame.schema["s"].metadata)
spark.createDataFrame([], schema).show()
inferred = spark.createDataFrame([Row(i=1, f=2.0, s="x", b=True, d=datetime.date(2024, 1, 1), l=[1], m={"k": 1},
                                      n=decimal.Decimal("1.5"), t=datetime.timedelta(days=1, seconds=2))])
inferred.printSchema()
inferred.show()
print(inferred.collect())
spark.createDataFrame([{"b": 1, "a": "x"}]).show()
spark.createDataFrame([1, 2], "int").show()
spark.createDataFrame([("a",)], ["only"]).show()

# literals
spark.range(1).select(
    F.lit(decimal.Decimal("1.20")), F.lit(datetime.date(2024, 1, 1)), F.lit(b"x"), F.lit(1.5), F.lit(2147483648),
    F.lit([1, 2]), F.lit(datetime.timedelta(days=7)), F.lit(True)).show(truncate=False)
spark.range(1).select(F.lit(datetime.date(2024, 1, 1)), F.lit(b"x")).printSchema()
spark.sql("""SELECT INTERVAL '1-2' YEAR TO MONTH AS ym, INTERVAL '1 02:03:04.5' DAY TO SECOND AS dt, X'00FF10' AS bin,
 map('k', array(1, NULL)) AS m, named_struct('a', 1, 'b', NULL) AS s, CAST(1e10 AS DOUBLE) AS d,
 DATE'0001-01-01' AS early, 1.10BD AS dec, CAST('NaN' AS FLOAT) AS f""").show(truncate=False)

# another zone
spark.conf.set("spark.sql.session.timeZone", "America/New_York")
frame.select("ts", "ntz", F.array("ts").alias("list")).show(truncate=False)
spark.conf.set("spark.sql.session.timeZone", "UTC")
