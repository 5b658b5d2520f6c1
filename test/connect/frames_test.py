"""Parts of the DataFrame API that have messages of their own: patterns, metadata, variants."""

import os
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

from pyspark.errors import (
    AnalysisException, DateTimeException, NumberFormatException, PySparkException, QueryContextType,
    SparkRuntimeException)
from pyspark.sql import Row, Window, functions as F
from pyspark.sql.types import (
    ArrayType, DataType, IntegerType, LongType, StringType, StructField, StructType, VariantVal)

from server import ServedTest


class FramesTest(ServedTest):
    def test_patterns_name_columns(self):
        frame = self.spark.createDataFrame([(1, 2, 3)], ["a1", "A2", "b"])
        self.assertEqual(frame.select(frame.colRegex("`a.`")).columns, ["a1", "A2"])
        self.assertEqual(frame.select(frame.colRegex("`(a1)?+.+`")).columns, ["A2", "b"])
        self.assertEqual(frame.alias("f").select(F.col("b"), frame.colRegex("`a1|b`")).columns, ["b", "a1", "b"])
        self.assertEqual(frame.select(frame.colRegex("b")).columns, ["b"])
        self.spark.conf.set("spark.sql.caseSensitive", "true")
        try:
            self.assertEqual(frame.select(frame.colRegex("`a.`")).columns, ["a1"])
        finally:
            self.spark.conf.unset("spark.sql.caseSensitive")

    def test_errors_name_the_call_that_they_are_about(self):
        def context(run):
            with self.assertRaises(PySparkException) as raised:
                run()
            return raised.exception, raised.exception.getQueryContext()

        frame = self.spark.range(3)
        error, places = context(lambda: frame.select(F.abs(frame.id / 0)).collect())
        self.assertEqual(error.getCondition(), "DIVIDE_BY_ZERO")
        self.assertEqual([place.contextType() for place in places], [QueryContextType.DataFrame])
        self.assertEqual(places[0].fragment(), "__truediv__")
        self.assertRegex(places[0].callSite(), r"frames_test\.py:[0-9]+$")
        self.assertRegex(str(error), r'== DataFrame ==\n"__truediv__" was called from\n.*frames_test\.py:[0-9]+')
        error, places = context(lambda: frame.select(F.col("nope")).schema)
        self.assertEqual((error.getCondition(), places[0].fragment()), ("UNRESOLVED_COLUMN.WITH_SUGGESTION", "col"))
        # Text in a frame has places of its own, and so has each of several texts.
        texts = frame.selectExpr("id", "id / 0 AS y")
        for query, fragment in [(texts, "id / 0"), (frame.union(self.spark.sql("SELECT  1 % 0")), "1 % 0")]:
            error, places = context(query.collect)
            self.assertEqual([place.contextType() for place in places], [QueryContextType.SQL])
            self.assertEqual(places[0].fragment(), fragment)
        self.assertEqual((places[0].startIndex(), places[0].stopIndex()), (8, 12))
        self.assertEqual(places[0].summary(), "== SQL (line 1, position 9) ==\nSELECT  1 % 0\n        ^^^^^\n")
        self.spark.sql("CREATE VIEW halves AS SELECT 1 / 0 AS h")
        error, places = context(self.spark.table("halves").collect)
        self.assertEqual((places[0].objectType(), places[0].objectName()), ("VIEW", "spark_catalog.default.halves"))
        # A function that says nothing of its call, and errors that Spark raises without a place.
        error, places = context(lambda: frame.select(F.element_at(F.array(F.lit(1)), 5)).collect())
        self.assertEqual((places[0].startIndex(), places[0].fragment(), places[0].summary()), (-1, "", ""))
        error, places = context(lambda: frame.select(F.make_date(F.lit(1), F.lit(20), F.lit(1))).collect())
        self.assertEqual((error.getCondition().split(".")[0], places), ("DATETIME_FIELD_OUT_OF_BOUNDS", []))

    def test_exceptions_of_casts_depend_on_the_target(self):
        for target, raised in [("date", DateTimeException), ("timestamp", DateTimeException),
                               ("int", NumberFormatException), ("boolean", SparkRuntimeException)]:
            with self.assertRaisesRegex(raised, r"\[CAST_INVALID_INPUT\]"):
                self.spark.range(1).select(F.lit("x").cast(target)).collect()

    def test_columns_keep_their_metadata(self):
        frame = self.spark.range(1).select(F.col("id").alias("n", metadata={"unit": "m", "comment": "a length"}))
        self.assertEqual(frame.schema["n"].metadata, {"unit": "m", "comment": "a length"})
        self.assertEqual(frame.withColumnRenamed("n", "m").select("m").schema["m"].metadata["unit"], "m")
        self.assertEqual(frame.select((F.col("n") + 1).alias("n")).schema["n"].metadata, {})
        self.assertEqual(frame.withMetadata("n", {"of": [1]}).schema["n"].metadata, {"of": [1]})
        frame.write.saveAsTable("lengths")
        stored = self.spark.table("lengths").schema["n"].metadata
        self.assertEqual(stored, {"unit": "m", "comment": "a length"})
        self.assertEqual(self.spark.sql("DESCRIBE lengths").first().comment, "a length")

    def test_schemas_of_json_may_be_types(self):
        schema = StructType([StructField("a", IntegerType(), False), StructField("b", ArrayType(StringType()))])
        frame = self.spark.createDataFrame([('{"a": 1, "b": ["x"]}',), ("{}",)], ["text"])
        parsed = frame.select(F.from_json("text", schema).alias("v"))
        self.assertEqual(parsed.collect(), [Row(v=Row(a=1, b=["x"])), Row(v=Row(a=None, b=None))])
        self.assertTrue(parsed.schema["v"].dataType["a"].nullable)
        rows = self.spark.range(1).select(F.from_csv(F.lit("7,y"), "a INT, b STRING").alias("v"))
        self.assertEqual(rows.first().v, Row(a=7, b="y"))

    def test_functions_that_only_clients_call(self):
        frame = self.spark.createDataFrame([(1, 2.0), (1, 3.5), (2, None)], "k INT, x DOUBLE")
        by_key = frame.groupBy("k").agg(F.product("x").alias("p")).orderBy("k")
        self.assertEqual(by_key.collect(), [Row(k=1, p=7.0), Row(k=2, p=None)])
        self.assertEqual(frame.agg(F.product("x")).columns, ["product(x)"])
        with self.assertRaisesRegex(AnalysisException, r"\[UNRESOLVED_ROUTINE\]"):
            self.spark.sql("SELECT product(1)").collect()
        self.assertEqual([row[1] for row in self.spark.range(5, 8).zipWithIndex().collect()], [0, 1, 2])
        window = Window.partitionBy("k").orderBy("x")
        second = frame.select("k", "x", F.nth_value("x", 2).over(window).alias("plain"),
                              F.nth_value("x", 1, True).over(window).alias("valid"))
        self.assertEqual(second.orderBy("k", "x").collect(), [
            Row(k=1, x=2.0, plain=None, valid=2.0), Row(k=1, x=3.5, plain=3.5, valid=2.0),
            Row(k=2, x=None, plain=None, valid=None)])

    def test_pivots_name_fields_by_their_last_part(self):
        frame = self.spark.sql("SELECT named_struct('year', y, 'kind', k) s FROM VALUES (1, 'a'), (1, 'b'), (2, 'a') t(y, k)")
        pivoted = frame.groupBy("s.year").pivot("s.kind").count()
        self.assertEqual(pivoted.orderBy("year").collect(), [Row(year=1, a=1, b=1), Row(year=2, a=1, b=None)])

    def test_frames_are_joined_with_what_was_made_from_them(self):
        frame = self.spark.range(3)
        some = frame.filter(frame.id > 0)
        self.assertEqual(frame.join(some, frame.id == some.id).count(), 2)
        self.assertEqual(some.join(frame, frame.id == some.id).count(), 2)
        renamed = frame.withColumn("a", F.lit(0)).withColumnRenamed("a", "b")
        self.assertEqual(frame.withColumn("a", F.lit(0)).join(renamed, F.col("a") == renamed["b"]).count(), 9)
        pairs = self.spark.createDataFrame([(1, 2), (3, 4)], ["a", "b"])
        second = pairs.select(pairs.a.alias("aa"), pairs.b)
        self.assertEqual(second.join(pairs, second.b == pairs.b).count(), 2)
        twice = frame.union(frame)
        self.assertEqual(frame.join(twice, frame.id == twice.id, "left").count(), 6)
        with self.assertRaisesRegex(AnalysisException, r"\[CANNOT_RESOLVE_DATAFRAME_COLUMN\]"):
            frame.select(pairs.a).collect()

    def test_transposing_and_unpivoting_say_what_they_cannot(self):
        def error(frame):
            with self.assertRaises(AnalysisException) as raised:
                frame.collect()
            return raised.exception.getCondition(), raised.exception.getMessageParameters()

        spark = self.spark
        names = spark.createDataFrame([("z",), ("y",), ("x",)], ["a"]).transpose()
        self.assertEqual((names.columns, names.collect()), (["key", "x", "y", "z"], []))
        self.assertEqual(error(spark.createDataFrame([("x", "y", 1)], ["a", "b", "c"]).transpose()),
                         ("TRANSPOSE_NO_LEAST_COMMON_TYPE", {"dt1": '"STRING"', "dt2": '"BIGINT"'}))
        self.assertEqual(error(spark.createDataFrame([(["x"], 1)], ["a", "b"]).transpose())[0],
                         "TRANSPOSE_INVALID_INDEX_COLUMN")
        self.assertEqual(error(spark.range(1).transpose(F.col("id") + 1)),
                         ("TRANSPOSE_INVALID_INDEX_COLUMN", {"reason": "Index column must be an atomic attribute"}))
        self.assertEqual(error(spark.range(1).unpivot("id", [], "name", "value"))[0],
                         "UNPIVOT_REQUIRES_VALUE_COLUMNS")
        self.assertEqual(error(spark.range(1).unpivot("id", None, "name", "value"))[0],
                         "UNPIVOT_REQUIRES_VALUE_COLUMNS")
        spark.conf.set("spark.sql.transposeMaxValues", 1)
        spark.conf.set("spark.sql.pivotMaxValues", 2)
        try:
            self.assertEqual(error(spark.createDataFrame([("x", 1), ("y", 2)], ["a", "b"]).transpose()),
                             ("TRANSPOSE_EXCEED_ROW_LIMIT",
                              {"maxValues": "1", "config": "spark.sql.transposeMaxValues"}))
            self.assertEqual(error(spark.range(5).groupBy(F.lit(1)).pivot("id").count()),
                             ("_LEGACY_ERROR_TEMP_1324", {"pivotColumn": "id", "maxValues": "2",
                                                          "config": "spark.sql.pivotMaxValues"}))
        finally:
            spark.conf.unset("spark.sql.transposeMaxValues")
            spark.conf.unset("spark.sql.pivotMaxValues")

    def test_rows_may_have_no_columns(self):
        self.assertEqual(self.spark.createDataFrame([Row(), Row()], StructType()).collect(), [Row(), Row()])
        self.assertEqual(self.spark.createDataFrame([Row()], StructType()).count(), 1)
        self.assertEqual(self.spark.createDataFrame([], StructType()).count(), 0)

    def test_a_type_in_text_is_that_type(self):
        self.assertEqual(DataType.fromDDL("long"), LongType())
        self.assertEqual(DataType.fromDDL("array<int>"), ArrayType(IntegerType()))
        self.assertEqual(DataType.fromDDL("a INT"), StructType([StructField("a", IntegerType())]))
        self.assertEqual(self.spark.createDataFrame([1, 2], "long").columns, ["value"])

    def test_variants_travel_both_ways(self):
        sent = self.spark.sql("""SELECT parse_json('{"b": [true, null, 1.5], "a": "x"}') v,
            array(parse_json('1'), NULL) l, map('k', named_struct('in', parse_json('[2]'))) m""").first()
        self.assertIsInstance(sent.v, VariantVal)
        self.assertEqual(sent.v.toJson(), '{"a":"x","b":[true,null,1.5]}')
        self.assertEqual([item and item.toPython() for item in sent.l], [1, None])
        self.assertEqual(sent.m["k"]["in"].toPython(), [2])
        schema = "v VARIANT, l ARRAY<VARIANT>, m MAP<STRING, STRUCT<in: VARIANT>>"
        back = self.spark.createDataFrame([sent, Row(v=None, l=None, m=None)], schema)
        texts = back.selectExpr("to_json(v)", "to_json(l[0])", "l[1] IS NULL", "to_json(m['k'].in)").collect()
        self.assertEqual(tuple(texts[0]), ('{"a":"x","b":[true,null,1.5]}', "1", True, "[2]"))
        self.assertEqual(tuple(texts[1]), (None, None, True, None))
        self.assertEqual(back.toPandas()["v"][0].toPython()["a"], "x")
        nothing = self.spark.sql("SELECT parse_json('1') v WHERE false").toArrow()
        self.assertEqual(nothing.num_rows, 0)
        paths = self.spark.sql("""SELECT variant_get(parse_json(j), p, 'int') v
            FROM VALUES ('{"a":1}', '$.a'), ('[7]', '$[0]'), ('1', NULL) AS t(j, p)""")
        self.assertEqual([row.v for row in paths.collect()], [1, 7, None])


if __name__ == "__main__":
    unittest.main()
