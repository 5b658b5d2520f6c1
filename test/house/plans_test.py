"""Plans that the engine makes of queries: a key that can fail is still the key of a hash join."""

import os
import pathlib
import re
import subprocess
import tempfile
import unittest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("MERGANSER_BUILD_DIR", ROOT / "build" / "dev"))
PROGRAM = BUILD / "bin" / "merganser"

TABLES = """
CREATE TABLE t USING delta AS SELECT CAST(id AS INT) AS k, CAST(id AS INT) AS a FROM range(100);
CREATE TABLE s USING delta AS SELECT CAST(id AS STRING) AS k FROM range(10);
CREATE VIEW v AS SELECT t.k, s.k AS text FROM t, s WHERE t.k = CAST(s.k AS INT);
"""


class PlansTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory()
        cls.run_sql(TABLES)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    @classmethod
    def run_sql(cls, sql):
        command = [PROGRAM, "--warehouse", f"{cls.folder.name}/warehouse", "--format", "csv", "-e", sql]
        return subprocess.run(command, check=True, text=True, capture_output=True).stdout

    def joins(self, query):
        words = r"CROSS_PRODUCT|[A-Z]+(?:_[A-Z]+)*_JOIN"
        return sorted(re.findall(words, self.run_sql("EXPLAIN " + query)))

    def check(self, query, joins=1):
        self.assertEqual(self.joins(query), ["HASH_JOIN"] * joins, query)

    def test_condition_of_a_join(self):
        self.check("SELECT * FROM t JOIN s ON t.k = CAST(s.k AS INT) AND t.a <> 0")
        self.check("SELECT * FROM t LEFT JOIN s ON t.k = CAST(s.k AS INT) WHERE t.a <> 0")
        self.check("SELECT * FROM t JOIN s ON t.k = s.k")
        self.check("SELECT * FROM t JOIN s USING (k) WHERE t.a <> 0")

    def test_condition_about_one_side(self):
        self.check("SELECT * FROM t LEFT JOIN s ON t.k = s.k AND s.k > 2")
        self.check("SELECT * FROM t JOIN s ON t.k = s.k AND 10 DIV s.k > 2 AND 10 DIV t.a > 2")

    def test_condition_of_a_product(self):
        self.check("SELECT * FROM t, s WHERE t.k = CAST(s.k AS INT) AND t.a <> 0")
        self.check("SELECT * FROM t, s WHERE t.k = CAST(s.k AS INT) AND 10 DIV t.a > 3")
        self.check("SELECT * FROM t, s, s u WHERE t.k = CAST(s.k AS INT) AND t.a = CAST(u.k AS INT)", 2)

    def test_joins_of_joins(self):
        self.check("SELECT * FROM t JOIN s ON t.k = CAST(s.k AS INT) JOIN s u ON u.k = s.k", 2)
        self.check("SELECT * FROM v JOIN s ON v.text = s.k WHERE v.k > 3", 2)

    def test_a_list_in_a_condition(self):
        self.check("SELECT * FROM t WHERE a <> 0 AND k IN (SELECT CAST(k AS INT) FROM s)")

    def test_existence(self):
        self.check("SELECT * FROM t WHERE EXISTS (SELECT 1 FROM s WHERE CAST(s.k AS INT) = t.k)")
        self.check("SELECT * FROM t WHERE a > 3 AND NOT EXISTS (SELECT * FROM s WHERE s.k = t.k)")
        self.check("SELECT * FROM t WHERE NOT EXISTS (SELECT * FROM s WHERE s.k = t.k) "
                   "AND EXISTS (SELECT * FROM s WHERE s.k = t.a AND s.k > 2)", 2)


if __name__ == "__main__":
    unittest.main()
