"""Files of text read, written and parsed by frames; what a frame says of its files."""

import gzip
import os
import pathlib
import tempfile
import unittest

os.environ["SPARK_CONNECT_MODE_ENABLED"] = "1"

from pyspark.sql import Row

from server import ServedTest


class FilesTest(ServedTest):
    def setUp(self):
        holder = tempfile.TemporaryDirectory()
        self.addCleanup(holder.cleanup)
        self.folder = pathlib.Path(holder.name)

    def file(self, content, name="f.txt"):
        path = self.folder / name
        path.write_bytes(content if isinstance(content, bytes) else content.encode())
        return str(path)

    def written(self, frame, format, **options):
        """The bytes of the only file that a frame is written as."""
        path = self.folder / "out"
        frame.write.format(format).options(**options).mode("overwrite").save(str(path))
        (file,) = [each for each in path.iterdir() if each.name.startswith("part-")]
        return file.read_bytes()

    def assert_class(self, name, call):
        with self.assertRaises(Exception) as failure:
            call()
        self.assertEqual(failure.exception.getCondition(), name)

    def test_files_have_the_rows_in_their_order(self):
        path = self.folder / "sorted"
        self.spark.range(600000).orderBy("id", ascending=False).write.csv(str(path))
        files = list(path.glob("part-*"))
        self.assertEqual(len(files), 1)
        self.assertEqual([int(line) for line in files[0].read_text().split()], list(range(599999, -1, -1)))

    def test_an_array_may_have_more_items_than_a_chunk_has_rows(self):
        path = self.folder / "items.json"
        path.write_text("[" + ",\n".join(f'{{"id": {i}, "even": {str(i % 2 == 0).lower()}}}' for i in range(10000)) + "]")
        frame = self.spark.read.json(str(path), multiLine=True)
        self.assertEqual(frame.selectExpr("count(*)", "sum(id)", "count_if(even)").first(), (10000, 49995000, 5000))
        self.assertEqual([row.id for row in frame.collect()], list(range(10000)))

    def test_text_has_a_row_a_line(self):
        path = self.file("a\r\nb\n\nc\rd")
        self.assertEqual([row.value for row in self.spark.read.text(path).collect()], ["a", "b", "", "c", "d"])
        self.assertEqual(self.spark.read.text(path, wholetext=True).collect(), [Row(value="a\r\nb\n\nc\rd")])
        path = self.file("a||b\n||c")
        self.assertEqual([row.value for row in self.spark.read.text(path, lineSep="||").collect()], ["a", "b\n", "c"])
        self.assert_class("INVALID_FILE_OPTION", lambda: self.spark.read.text(path, lineSep="").collect())
        self.assert_class("UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE",
                          lambda: self.spark.read.schema("a INT").text(path).collect())
        long = "x" * 5_000_000
        path = self.file(long + "\n" + long)
        self.assertEqual([len(row.value) for row in self.spark.read.text(path).collect()], [len(long)] * 2)

    def test_text_is_written(self):
        frame = self.spark.createDataFrame([("a",), (None,), (" b ",)], "s STRING")
        self.assertEqual(self.written(frame, "text"), b"a\n\n b \n")
        self.assertEqual(self.written(frame, "text", lineSep="|"), b"a|| b |")
        self.assertEqual(gzip.decompress(self.written(frame, "text", compression="gzip")), b"a\n\n b \n")
        for wrong in ("s STRING, t STRING", "i INT"):
            empty = self.spark.createDataFrame([], wrong)
            with self.assertRaises(Exception):
                empty.write.mode("overwrite").text(str(self.folder / "wrong"))

    def test_files_of_many_parts_lose_no_line(self):
        lines = [f"{number:07d}{'.' * (number % 50)}" for number in range(700_000)]
        for end in ("\n", "\r\n"):
            path = self.file(end.join(lines))
            read = self.spark.read.text(path).selectExpr("count(*) n", "count(DISTINCT value) d", "sum(length(value)) l")
            self.assertEqual(read.first(), Row(n=len(lines), d=len(lines), l=sum(map(len, lines))))

    def test_frames_of_texts_are_parsed(self):
        texts = self.spark.createDataFrame([('{"a": 1, "b": "x"}',), ("[{\"a\": 2}, {\"a\": 3}]",), (None,)], "t STRING")
        self.assertEqual(self.spark.read.json(texts).collect(), [Row(a=1, b="x"), Row(a=2, b=None), Row(a=3, b=None)])
        self.assertEqual(self.spark.read.schema("b STRING").json(texts).first(), Row(b="x"))
        lines = self.spark.createDataFrame([("a,b",), ("1,x",), ("2,",)], "t STRING")
        self.assertEqual(self.spark.read.csv(lines, header=True, inferSchema=True).collect(),
                         [Row(a=1, b="x"), Row(a=2, b=None)])
        self.assertEqual(self.spark.read.schema("p STRING, q STRING").csv(lines).count(), 3)
        for read in (self.spark.read.json, self.spark.read.csv):
            self.assert_class("DATAFRAME_INPUT_NOT_STRING_TYPE", lambda r=read: r(self.spark.range(1)).collect())
            self.assert_class("DATAFRAME_INPUT_NOT_SINGLE_COLUMN",
                              lambda r=read: r(self.spark.sql("SELECT 'a', 'b'")).collect())

    def test_csv_is_written_as_spark_writes_it(self):
        frame = self.spark.createDataFrame(
            [(1, " a ", None, ""), (2, "x,y", 'q"r', "back\\s"), (3, "l\nm", 'e\\"f', "#")],
            "i INT, s STRING, n STRING, e STRING").coalesce(1)
        self.assertEqual(self.written(frame, "csv"),
                         b'1,a,,""\n2,"x,y","q\\"r",back\\s\n3,"l\nm","e\\\\\\"f",#\n')
        self.assertEqual(self.written(frame.filter("i < 2"), "csv", quoteAll=True, header=True),
                         b'"i","s","n","e"\n"1","a","",""\n')
        self.assertEqual(self.written(frame.filter("i < 2"), "csv", ignoreLeadingWhiteSpace=False,
                                      ignoreTrailingWhiteSpace=False, nullValue="NA", emptyValue="E"),
                         b"1, a ,NA,E\n")
        self.assertEqual(self.written(frame.filter("i < 1"), "csv", header=True), b"i,s,n,e\n")
        self.assertEqual(self.written(frame.filter("i < 2"), "csv", sep="\\t", lineSep="|"), b'1\ta\t\t""|')

    def test_csv_headers_are_checked(self):
        path = self.file("a,b\n1,2\n")
        read = self.spark.read.options(header=True, enforceSchema=False)
        self.assertEqual(read.schema("A INT, b INT").csv(path).collect(), [Row(A=1, b=2)])
        self.assert_class("FAILED_READ_FILE.NO_HINT", lambda: read.schema("x INT, b INT").csv(path).collect())

    def test_formats_go_by_class_and_default(self):
        path = str(self.folder / "out")
        frame = self.spark.createDataFrame([("a",)], "s STRING")
        frame.write.format("org.apache.spark.sql.json").save(path)
        for name in ("org.apache.spark.sql.json.DefaultSource",
                     "org.apache.spark.sql.execution.datasources.json.JsonFileFormat"):
            self.assertEqual(self.spark.read.format(name).load(path).collect(), [Row(s="a")])
        self.spark.conf.set("spark.sql.sources.default", "json")
        try:
            self.assertEqual(self.spark.read.load(path).collect(), [Row(s="a")])
        finally:
            self.spark.conf.unset("spark.sql.sources.default")
        for name in ("orc", "xml", "org.apache.spark.sql.csv"):
            self.assert_class("DATA_SOURCE_NOT_FOUND", lambda n=name: self.spark.read.format(n).load(path).collect())

    def test_noop_computes_and_keeps_nothing(self):
        frame = self.spark.range(3)
        frame.write.format("noop").mode("overwrite").save()
        frame.write.format("noop").mode("append").save()
        self.assert_class("UNSUPPORTED_DATA_SOURCE_SAVE_MODE", lambda: frame.write.format("noop").save())
        with self.assertRaises(Exception):
            self.spark.sql("SELECT raise_error('computed')").write.format("noop").mode("overwrite").save()

    def test_frames_know_their_files(self):
        path = str(self.folder / "a b")
        self.spark.range(3).write.parquet(path)
        files = self.spark.read.parquet(path).inputFiles()
        self.assertEqual(len(files), 1)
        self.assertTrue(files[0].startswith(f"file://{self.folder}/a%20b/part-"), files)
        self.spark.range(3).write.format("delta").save(str(self.folder / "t"))
        table = self.spark.read.format("delta").load(str(self.folder / "t"))
        self.assertTrue(all(f"{self.folder}/t/" in file for file in table.inputFiles()))
        joined = table.join(self.spark.read.parquet(path), "id")
        self.assertEqual(set(joined.inputFiles()), set(table.inputFiles()) | set(files))
        self.assertEqual(self.spark.range(3).inputFiles(), [])

    def test_frames_know_whether_they_are_local(self):
        self.assertTrue(self.spark.createDataFrame([(1,)], "a INT").isLocal())
        self.assertTrue(self.spark.sql("SHOW TABLES").isLocal())
        self.assertFalse(self.spark.range(3).isLocal())


if __name__ == "__main__":
    unittest.main()
