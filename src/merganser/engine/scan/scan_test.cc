#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"

namespace merganser::engine {
namespace {

class ScanTest : public EngineTest {
 protected:
  /// Write the rows of `select` as a Parquet file and describe it.
  ScanFile Write(const std::string& name, const std::string& select,
                 const std::string& options = "") {
    Run("COPY (" + select + ") TO " + QuoteString(Path(name)) + " (FORMAT parquet" + options + ")");
    ScanFile file;
    file.path = Path(name);
    file.size = static_cast<int64_t>(std::filesystem::file_size(file.path));
    return file;
  }

  ScanHandle Register(ScanSource source) {
    return RegisterScan(std::make_shared<const ScanSource>(std::move(source)));
  }

  static RowSetLoader Set(std::vector<uint64_t> rows) {
    auto set = std::make_shared<const DeletionVector>(DeletionVector::Of(rows));
    return [set]() -> Result<std::shared_ptr<const DeletionVector>> { return set; };
  }

  static StructField Mapped(StructField field, int id, const std::string& physical_name) {
    field.metadata[std::string(kColumnMappingIdKey)] = std::to_string(id);
    field.metadata[std::string(kColumnMappingPhysicalNameKey)] = "\"" + physical_name + "\"";
    return field;
  }
};

TEST_F(ScanTest, AddsPartitionValuesAndPlacesToRows) {
  ScanSource source;
  source.schema = StructType(
      {{"Id", DataType::Integer()}, {"day", DataType::Date()}, {"name", DataType::String()}});
  source.files = {Write("a", "SELECT range::INT AS id FROM range(3)"),
                  Write("b", "SELECT 7::INT AS id")};
  source.files[0].constants = {{"day", "2024-01-02"}, {"name", std::nullopt}};
  source.files[1].constants = {{"day", std::nullopt}, {"name", "x y"}};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT * FROM " + scan.sql() + " ORDER BY id"),
            "[0,\"2024-01-02\",null]\n[1,\"2024-01-02\",null]\n[2,\"2024-01-02\",null]\n[7,null,"
            "\"x y\"]");
  EXPECT_EQ(
      Rows("SELECT id, _mg_file_index, _mg_file_row_number, _mg_file_path = " +
           QuoteString(Path("b")) + " FROM " + scan.sql() + " WHERE id IN (2, 7) ORDER BY id"),
      "[2,0,2,false]\n[7,1,0,true]");
  EXPECT_EQ(Rows("SELECT id, _mg_file_index FROM " + scan.sql() + " WHERE day IS NULL"), "[7,1]");
}

TEST_F(ScanTest, ReadsColumnsNamedAsTheHiddenOnesOfTheEngine) {
  ScanSource source;
  source.schema =
      StructType({{"filename", DataType::String()}, {"file_index", DataType::Integer()}});
  source.files = {Write("a", "SELECT 'f' AS filename, 5::INT AS file_index")};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT filename, file_index, _mg_file_index FROM " + scan.sql()), "[\"f\",5,0]");
}

TEST_F(ScanTest, LeavesOutDeletedRowsAndKeepsRowNumbers) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {Write("a", "SELECT range AS id FROM range(10000)"),
                  Write("b", "SELECT range + 10000 AS id FROM range(5)")};
  source.files[0].num_records = 10000;
  source.files[0].num_deleted = 4;
  source.files[0].deleted_rows = Set({0, 5, 2048, 9999});
  source.files[1].num_records = 5;
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT count(*), min(id), max(id) FROM " + scan.sql()), "[10001,1,10004]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql()), "[10001]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql() + " WHERE id <> _mg_file_row_number"), "[5]");
  EXPECT_EQ(Rows("SELECT id FROM " + scan.sql() + " WHERE id IN (4, 5, 2048, 2049) ORDER BY 1"),
            "[4]\n[2049]");
}

TEST_F(ScanTest, ReadsSelectedRowsOnly) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {Write("a", "SELECT range AS id FROM range(10000)")};
  source.files[0].num_records = 10000;
  source.files[0].selected_rows = Set({1, 3000, 3001, 9999});
  source.files[0].deleted_rows = Set({3000});
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT id FROM " + scan.sql() + " ORDER BY id"), "[1]\n[3001]\n[9999]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql()), "[3]");
}

TEST_F(ScanTest, AnswersCountsFromTheLog) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {ScanFile{.path = Path("nowhere"), .num_records = 12, .num_deleted = 2}};
  source.files[0].deleted_rows = Set({1, 2});
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql()), "[10]");
}

TEST_F(ScanTest, NamesAMissingFile) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {ScanFile{.path = Path("gone.parquet")}};
  const ScanHandle scan = Register(source);
  auto result = connection_->QueryTable("SELECT sum(id) FROM " + scan.sql());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().full_name(), "FAILED_READ_FILE.FILE_NOT_EXIST");
  EXPECT_THAT(result.error().message(), testing::HasSubstr("gone.parquet"));
}

TEST_F(ScanTest, NamesAFileThatIsNoParquet) {
  Run("COPY (SELECT 1) TO " + QuoteString(Path("bad")) + " (FORMAT csv)");
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {ScanFile{.path = Path("bad")}};
  const ScanHandle scan = Register(source);
  auto result = connection_->QueryTable("SELECT sum(id) FROM " + scan.sql());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().full_name(), "FAILED_READ_FILE.CANNOT_READ_FILE_FOOTER");
}

TEST_F(ScanTest, RefusesATypeThatIsNoWidening) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Integer()}});
  source.files = {Write("a", "SELECT 1::BIGINT AS id")};
  const ScanHandle scan = Register(source);
  auto result = connection_->QueryTable("SELECT id FROM " + scan.sql());
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().full_name(), "FAILED_READ_FILE.PARQUET_COLUMN_DATA_TYPE_MISMATCH");
}

TEST_F(ScanTest, WidensTypesAndFillsNewColumnsWithNull) {
  ScanSource source;
  source.schema = StructType({{"i", DataType::Long()},
                              {"d", DataType::Decimal(12, 4)},
                              {"f", DataType::Double()},
                              {"n", DataType::Double()},
                              {"t", DataType::Timestamp()},
                              {"w", DataType::TimestampNtz()},
                              {"added", DataType::String()}});
  source.files = {
      Write("old",
            "SELECT 1::INT AS i, 1.01::DECIMAL(10,2) AS d, 0.1::FLOAT AS f, 2::INT AS n, "
            "TIMESTAMP '2024-01-01 10:00:00' AS t, DATE '2024-01-01' AS w"),
      Write(
          "new",
          "SELECT 2::BIGINT AS i, 1.0101::DECIMAL(12,4) AS d, 0.2::DOUBLE AS f, 2.5::DOUBLE AS n, "
          "TIMESTAMPTZ '2024-01-01 10:00:00+00' AS t, TIMESTAMP '2024-01-01 00:00:01' AS w, 'x' AS "
          "added")};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT * FROM " + scan.sql() + " ORDER BY i"),
            "[1,\"1.0100\",0.10000000149011612,2.0,\"2024-01-01 10:00:00\",\"2024-01-01 "
            "00:00:00\",null]\n"
            "[2,\"1.0101\",0.2,2.5,\"2024-01-01 10:00:00\",\"2024-01-01 00:00:01\",\"x\"]");
  // A constant that the narrow type cannot hold keeps its meaning.
  const auto where = [&](const std::string& condition) {
    return Rows("SELECT i FROM " + scan.sql() + " WHERE " + condition + " ORDER BY i");
  };
  EXPECT_EQ(where("d > 1.0050::DECIMAL(12,4)"), "[1]\n[2]");
  EXPECT_EQ(where("d > 1.0099::DECIMAL(12,4) AND d < 1.0101::DECIMAL(12,4)"), "[1]");
  EXPECT_EQ(where("f > 0.1::DOUBLE AND f < 0.15::DOUBLE"), "[1]");
  EXPECT_EQ(where("n > 1.5::DOUBLE AND n < 2.1::DOUBLE"), "[1]");
  EXPECT_EQ(where("i < 3000000000"), "[1]\n[2]");
  EXPECT_EQ(where("i IN (1, 3000000000)"), "[1]");
  EXPECT_EQ(where("t = TIMESTAMPTZ '2024-01-01 10:00:00+00'"), "[1]\n[2]");
  EXPECT_EQ(where("w < TIMESTAMP '2024-01-01 00:00:00.5'"), "[1]");
  EXPECT_EQ(where("added IS NULL"), "[1]");
  EXPECT_EQ(where("added = 'x'"), "[2]");
}

TEST_F(ScanTest, ProbesAWidenedKeyFromAJoin) {
  ScanSource source;
  source.schema = StructType({{"k", DataType::Double()}, {"i", DataType::Long()}});
  source.files = {Write("old", "SELECT range::FLOAT AS k, range::INT AS i FROM range(100000)")};
  const ScanHandle scan = Register(source);
  Run("CREATE TEMP TABLE s AS SELECT (range * 7)::DOUBLE AS k, (range * 7)::BIGINT AS i FROM "
      "range(1000)");
  for (const char* key : {"k", "i"}) {
    const std::string on = std::string("t.") + key + " = s." + key;
    EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql() +
                   " t JOIN (SELECT * FROM s WHERE i >= 0) s ON " + on),
              "[1000]");
    EXPECT_EQ(Rows("SELECT count(t.i), count(*) FROM " + scan.sql() + " t RIGHT JOIN s ON " + on),
              "[1000,1000]");
  }
  Run("DROP TABLE s");
}

class EvolvedScanTest : public ScanTest, public testing::WithParamInterface<ColumnMappingMode> {
 protected:
  ScanHandle Evolved() {
    const bool mapped = GetParam() != ColumnMappingMode::kNone;
    const auto field = [&](const char* name, DataType type, int id, const char* physical_name) {
      StructField plain{name, std::move(type)};
      return mapped ? Mapped(plain, id, physical_name) : plain;
    };
    const DataType element = DataType::Struct(StructType(
        {field("yy", DataType::String(), 7, "c-7"), field("xx", DataType::Long(), 6, "c-6"),
         field("nn", DataType::String(), 98, "c-98")}));
    ScanSource source;
    source.column_mapping = GetParam();
    source.schema = StructType(
        {field("ID", DataType::Long(), 1, "c-1"),
         field("st",
               DataType::Struct(StructType({field("bb", DataType::String(), 4, "c-4"),
                                            field("aa", DataType::Long(), 3, "c-3"),
                                            field("zz", DataType::String(), 99, "c-99")})),
               2, "c-2"),
         field("li", DataType::Array(element), 5, "c-5"),
         field("mp", DataType::Map(DataType::String(), element), 8, "c-8"),
         field("fresh",
               DataType::Struct(StructType({field("only", DataType::Integer(), 93, "c-93")})), 92,
               "c-92"),
         field("newc", DataType::String(), 96, "c-96")});
    // The file's own order, types and, where columns are mapped, names and ids.
    const auto name = [&](const char* plain, const char* physical_name) {
      return std::string("\"") + (mapped ? physical_name : plain) + "\"";
    };
    const auto key = [&](const char* plain, const char* physical_name) {
      return std::string("'") + (mapped ? physical_name : plain) + "'";
    };
    const auto item = [&](const char* x, const char* y) {
      return "{" + key("xx", "c-6") + ": " + x + "::INT, " + key("yy", "c-7") + ": " + y + "}";
    };
    const std::string structure = "{" + key("aa", "c-3") + ": ";
    const std::string second = "::INT, " + key("bb", "c-4") + ": ";
    std::string ids;
    if (mapped) {
      ids =
          ", FIELD_IDS {'c-1': 1, 'c-2': {__duckdb_field_id: 2, 'c-3': 3, 'c-4': 4}, "
          "'c-5': {__duckdb_field_id: 5, element: {'c-6': 6, 'c-7': 7}}, "
          "'c-8': {__duckdb_field_id: 8, value: {'c-6': 9, 'c-7': 10}}, 'c-92': "
          "{__duckdb_field_id: 92, 'c-94': 94}}";
    }
    source.files = {Write("evolved",
                          "SELECT 1::INT AS " + name("id", "c-1") + ", " + structure + "5" +
                              second + "'b'} AS " + name("st", "c-2") + ", [" + item("1", "'x'") +
                              ", " + item("2", "'y'") + "] AS " + name("li", "c-5") +
                              ", MAP {'k': " + item("7", "'v'") + "} AS " + name("mp", "c-8") +
                              ", {" + key("gone", "c-94") + ": 1} AS " + name("fresh", "c-92") +
                              " UNION ALL SELECT 2, NULL, NULL, NULL, NULL UNION ALL SELECT 3, " +
                              structure + "NULL" + second + "NULL}, [], MAP {}, {" +
                              key("gone", "c-94") + ": 2} UNION ALL SELECT 4, " + structure + "9" +
                              second + "NULL}, [NULL], MAP {'q': NULL}, NULL",
                          ids)};
    return Register(std::move(source));
  }
};

TEST_P(EvolvedScanTest, KeepsNestedValues) {
  // Under ids the map's struct has other ids than the list's, so its fields are unknown there.
  const bool by_id = GetParam() == ColumnMappingMode::kId;
  const ScanHandle scan = Evolved();
  EXPECT_EQ(Rows("SELECT id, st, li FROM " + scan.sql() + " ORDER BY id"),
            "[1,{\"bb\":\"b\",\"aa\":5,\"zz\":null},[{\"yy\":\"x\",\"xx\":1,\"nn\":null},{\"yy\":"
            "\"y\",\"xx\":2,\"nn\":null}]]\n"
            "[2,null,null]\n"
            "[3,{\"bb\":null,\"aa\":null,\"zz\":null},[]]\n"
            "[4,{\"bb\":null,\"aa\":9,\"zz\":null},[null]]");
  EXPECT_EQ(Rows("SELECT mp FROM " + scan.sql() + " WHERE id = 1"),
            by_id ? "[[[\"k\",{\"yy\":null,\"xx\":null,\"nn\":null}]]]"
                  : "[[[\"k\",{\"yy\":\"v\",\"xx\":7,\"nn\":null}]]]");
  EXPECT_EQ(Rows("SELECT mp FROM " + scan.sql() + " WHERE id = 4"), "[[[\"q\",null]]]");
}

TEST_P(EvolvedScanTest, KeepsStructsOfWhichNoFieldIsLeft) {
  const ScanHandle scan = Evolved();
  EXPECT_EQ(Rows("SELECT id, fresh FROM " + scan.sql() + " ORDER BY id"),
            "[1,{\"only\":null}]\n[2,null]\n[3,{\"only\":null}]\n[4,null]");
}

TEST_P(EvolvedScanTest, KeepsElementsOfWhichNoFieldIsLeft) {
  const bool mapped = GetParam() != ColumnMappingMode::kNone;
  const auto field = [&](const char* name, DataType type, int id, const char* physical_name) {
    StructField plain{name, std::move(type)};
    return mapped ? Mapped(plain, id, physical_name) : plain;
  };
  const DataType item =
      DataType::Struct(StructType({field("fresh", DataType::Integer(), 9, "c-9")}));
  ScanSource source;
  source.column_mapping = GetParam();
  source.schema = StructType(
      {field("id", DataType::Integer(), 1, "id"), field("li", DataType::Array(item), 2, "li"),
       field("mp", DataType::Map(DataType::String(), item), 3, "mp"),
       field("st", DataType::Struct(StructType({field("in", item, 5, "in")})), 4, "st")});
  source.files = {
      Write("a",
            "SELECT 1 AS id, [{'old': 1}, NULL] AS li, MAP {'k': {'old': 1}, 'n': NULL} AS mp, "
            "{'in': {'old': 1}} AS st UNION ALL SELECT 2, NULL, NULL, {'in': NULL}",
            ", FIELD_IDS {id: 1, li: {__duckdb_field_id: 2, element: {old: 7}}, "
            "mp: {__duckdb_field_id: 3, value: {old: 8}}, st: {__duckdb_field_id: 4, \"in\": "
            "{__duckdb_field_id: 5, old: 10}}}")};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT li, mp, st FROM " + scan.sql() + " ORDER BY id"),
            "[[{\"fresh\":null},null],[[\"k\",{\"fresh\":null}],[\"n\",null]],{\"in\":{\"fresh\":"
            "null}}]\n"
            "[null,null,{\"in\":null}]");
  EXPECT_EQ(Rows("SELECT id FROM " + scan.sql() + " WHERE st.in.fresh IS NULL AND li IS NOT NULL"),
            "[1]");
  EXPECT_EQ(Rows("SELECT id FROM " + scan.sql() + " WHERE st.in IS NULL"), "[2]");
  EXPECT_EQ(Rows("SELECT id, li[2] FROM " + scan.sql() + " WHERE mp['n'] IS NULL ORDER BY id"),
            "[1,null]\n[2,null]");
}

TEST_P(EvolvedScanTest, FiltersOnNestedFields) {
  const ScanHandle scan = Evolved();
  const auto where = [&](const std::string& condition) {
    return Rows("SELECT list(id ORDER BY id) FROM " + scan.sql() + " WHERE " + condition);
  };
  EXPECT_EQ(where("st.aa = 5"), "[[1]]");
  EXPECT_EQ(where("st.aa > 7"), "[[4]]");
  EXPECT_EQ(where("st.aa IS NULL"), "[[2,3]]");
  EXPECT_EQ(where("st.bb = 'b'"), "[[1]]");
  EXPECT_EQ(where("st.zz IS NULL"), "[[1,2,3,4]]");
  EXPECT_EQ(where("st.zz = 'a'"), "[null]");
  EXPECT_EQ(where("st IS NULL"), "[[2]]");
  EXPECT_EQ(where("li IS NULL"), "[[2]]");
  EXPECT_EQ(where("mp IS NOT NULL"), "[[1,3,4]]");
  EXPECT_EQ(where("newc IS NULL"), "[[1,2,3,4]]");
  EXPECT_EQ(where("newc = 'x' OR st.aa = 9"), "[[4]]");
  EXPECT_EQ(where("li[1].xx = 1"), "[[1]]");
  EXPECT_EQ(Rows("SELECT st.aa, li[2].yy, st.zz, li[1].nn FROM " + scan.sql() + " WHERE id = 1"),
            "[5,\"y\",null,null]");
}

INSTANTIATE_TEST_SUITE_P(Modes, EvolvedScanTest,
                         testing::Values(ColumnMappingMode::kNone, ColumnMappingMode::kName,
                                         ColumnMappingMode::kId));

/// Two files that exist only if they must not be read.
class PruningTest : public ScanTest {
 protected:
  /// Does a scan under `condition` get by without the file whose statistics are `statistics`?
  bool Skips(const DataType& type, const std::string& statistics, const std::string& condition,
             PartitionValues constants = {}) {
    ScanSource source;
    source.schema = StructType({{"c", type}});
    ScanFile file{.path = Path("never read"), .size = 1, .num_records = 10};
    file.statistics = statistics;
    file.constants = std::move(constants);
    source.files = {file};
    const ScanHandle scan = Register(source);
    auto result = connection_->QueryTable("SELECT c FROM " + scan.sql() + " WHERE " + condition);
    if (result.ok()) return true;
    EXPECT_EQ(result.error().error_class(), ErrorClass::FAILED_READ_FILE)
        << result.error().message();
    return false;
  }
};

TEST_F(PruningTest, UsesBoundsOfEveryComparableType) {
  const auto bounds = [](const std::string& min, const std::string& max) {
    return R"({"numRecords":10,"minValues":{"c":)" + min + R"(},"maxValues":{"c":)" + max +
           R"(},"nullCount":{"c":0}})";
  };
  const std::string longs = bounds("5", "9");
  EXPECT_TRUE(Skips(DataType::Long(), longs, "c = 4"));
  EXPECT_FALSE(Skips(DataType::Long(), longs, "c = 5"));
  EXPECT_TRUE(Skips(DataType::Long(), longs, "c > 9"));
  EXPECT_FALSE(Skips(DataType::Long(), longs, "c >= 9"));
  EXPECT_TRUE(Skips(DataType::Long(), longs, "c IN (1, 2, 10)"));
  EXPECT_FALSE(Skips(DataType::Long(), longs, "c IN (1, 7)"));
  EXPECT_TRUE(Skips(DataType::Long(), longs, "c < 5 OR c > 20"));
  EXPECT_TRUE(Skips(DataType::Long(), longs, "c IS NULL"));
  EXPECT_FALSE(Skips(DataType::Long(), longs, "c IS NOT NULL"));
  EXPECT_TRUE(Skips(DataType::Long(), bounds("5", "5"), "c <> 5"));

  const std::string strings = bounds("\"prefix-long-aaaa\"", "\"prefix-long-bbbb\"");
  EXPECT_TRUE(Skips(DataType::String(), strings, "c = 'prefix-long-c'"));
  EXPECT_TRUE(Skips(DataType::String(), strings, "c < 'prefix-long-a'"));
  EXPECT_FALSE(Skips(DataType::String(), strings, "c = 'prefix-long-ab'"));

  const std::string dates = bounds("\"2024-01-01\"", "\"2024-01-31\"");
  EXPECT_TRUE(Skips(DataType::Date(), dates, "c > DATE '2024-01-31'"));
  EXPECT_FALSE(Skips(DataType::Date(), dates, "c >= DATE '2024-01-31'"));

  const std::string times = bounds("\"2024-01-01T00:00:00.000Z\"", "\"2024-01-01T10:00:00.123Z\"");
  EXPECT_TRUE(Skips(DataType::Timestamp(), times, "c > TIMESTAMPTZ '2024-01-01 10:00:00.124+00'"));
  EXPECT_FALSE(
      Skips(DataType::Timestamp(), times, "c > TIMESTAMPTZ '2024-01-01 10:00:00.1235+00'"));

  const std::string decimals = bounds("1.50", "2.50");
  EXPECT_TRUE(Skips(DataType::Decimal(10, 2), decimals, "c > 2.50::DECIMAL(10,2)"));
  EXPECT_FALSE(Skips(DataType::Decimal(10, 2), decimals, "c > 2.49::DECIMAL(10,2)"));
}

TEST_F(PruningTest, SkipsFilesOfOtherPartitionsAndOfNullsOnly) {
  EXPECT_TRUE(Skips(DataType::Date(), "", "c = DATE '2024-01-02'", {{"c", "2024-01-01"}}));
  EXPECT_FALSE(Skips(DataType::Date(), "", "c = DATE '2024-01-01'", {{"c", "2024-01-01"}}));
  EXPECT_TRUE(Skips(DataType::Date(), "", "c = DATE '2024-01-01'", {{"c", std::nullopt}}));
  EXPECT_TRUE(Skips(DataType::Date(), "", "c IS NULL", {{"c", "2024-01-01"}}));
  EXPECT_TRUE(Skips(DataType::Long(), R"({"numRecords":10,"nullCount":{"c":10}})", "c = 1"));
  EXPECT_FALSE(Skips(DataType::Long(), R"({"numRecords":10,"nullCount":{"c":9}})", "c = 1"));
}

/// Files with statistics in the log of which none is there.
class StatisticsTest : public ScanTest {
 protected:
  /// The row that `list` gives over a column `c` in files of these statistics, or "unknown" if one
  /// had to be read.
  std::string Told(const DataType& type, const std::vector<std::string>& statistics,
                   const std::string& list, int64_t num_deleted = 0,
                   const std::string& condition = "TRUE") {
    std::vector<ScanFile> files;
    for (const std::string& text : statistics) {
      ScanFile file{.path = Path("never read"), .size = 1, .num_records = 10};
      file.num_deleted = num_deleted;
      file.statistics = text;
      files.push_back(std::move(file));
    }
    return ToldOf(type, std::move(files), list, condition);
  }
  std::string ToldOf(const DataType& type, std::vector<ScanFile> files, const std::string& list,
                     const std::string& condition = "TRUE") {
    ScanSource source;
    source.schema = StructType({{"c", type}});
    source.files = std::move(files);
    const ScanHandle scan = Register(source);
    const std::string sql = "SELECT " + list + " FROM " + scan.sql() + " WHERE " + condition;
    const auto result = connection_->QueryTable(sql);
    if (result.ok()) return Rows(sql);
    EXPECT_EQ(result.error().error_class(), ErrorClass::FAILED_READ_FILE)
        << result.error().message();
    return "unknown";
  }
};

TEST_F(StatisticsTest, AnswerMinimaMaximaAndCounts) {
  const std::string low = R"({"numRecords":10,"minValues":{"c":-5},"maxValues":{"c":9},)"
                          R"("nullCount":{"c":2}})";
  const std::string high = R"({"numRecords":10,"minValues":{"c":7},"maxValues":{"c":90},)"
                           R"("nullCount":{"c":0}})";
  const std::string nulls = R"({"numRecords":10,"nullCount":{"c":10}})";
  EXPECT_EQ(Told(DataType::Long(), {low, high}, "max(c), count(*), min(c)"), "[90,20,-5]");
  EXPECT_EQ(Told(DataType::Integer(), {nulls, high, nulls}, "min(c), max(c)"), "[7,90]");
  EXPECT_EQ(Told(DataType::Long(), {high}, "count(*), max(c)", 0, "c > 6"), "[10,90]");
  const std::string days = R"({"numRecords":10,"minValues":{"c":"2024-01-01"},)"
                           R"("maxValues":{"c":"2024-02-29"},"nullCount":{"c":0}})";
  EXPECT_EQ(Told(DataType::Date(), {days}, "min(c)::VARCHAR, max(c)::VARCHAR"),
            R"(["2024-01-01","2024-02-29"])");
  // Of deleted rows it must be said that the bounds are without them.
  const std::string tight = high.substr(0, high.size() - 1) + R"(,"tightBounds":true})";
  EXPECT_EQ(Told(DataType::Long(), {tight}, "count(*), max(c)", 3), "[7,90]");
}

TEST_F(StatisticsTest, AreReadPastWhereTheyDoNotSay) {
  const auto bounds = [](const std::string& min, const std::string& max) {
    return R"({"numRecords":10,"minValues":{"c":)" + min + R"(},"maxValues":{"c":)" + max +
           R"(},"nullCount":{"c":0}})";
  };
  const std::string known = bounds("1", "2");
  const std::string wide = known.substr(0, known.size() - 1) + R"(,"tightBounds":false})";
  EXPECT_EQ(Told(DataType::Long(), {known, "", known}, "min(c)"), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {known, R"({"numRecords":10})"}, "min(c)"), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {wide}, "max(c)"), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {known}, "max(c)", 3), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {known}, "sum(c)"), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {known}, "max(c)", 0, "c < 2"), "unknown");
  EXPECT_EQ(Told(DataType::Long(), {R"({"numRecords":10,"nullCount":{"c":10}})"}, "max(c)"),
            "unknown");
  // Cut, or without NaN.
  EXPECT_EQ(Told(DataType::String(), {bounds("\"a\"", "\"b\"")}, "max(c)"), "unknown");
  EXPECT_EQ(Told(DataType::Double(), {known}, "max(c)"), "unknown");
  EXPECT_EQ(
      Told(DataType::Timestamp(),
           {bounds("\"2024-01-01T00:00:00.000Z\"", "\"2024-01-01T00:00:00.000Z\"")}, "max(c)"),
      "unknown");
}

TEST_F(StatisticsTest, PartitionColumnsAreTheirValues) {
  std::vector<ScanFile> files;
  for (const std::optional<std::string>& value :
       {std::optional<std::string>("2024-01-02"), std::optional<std::string>(),
        std::optional<std::string>("2024-03-01"), std::optional<std::string>("2030-01-01")}) {
    ScanFile file{.path = Path("never read"), .size = 1, .num_records = 10};
    file.constants = {{"c", value}};
    files.push_back(std::move(file));
  }
  files.back().num_deleted = 10;
  EXPECT_EQ(ToldOf(DataType::Date(), files, "min(c)::VARCHAR, max(c)::VARCHAR, count(*)"),
            R"(["2024-01-02","2024-03-01",30])");
}

TEST_F(PruningTest, SkipsFilesThatAJoinCannotMatch) {
  ScanSource source;
  source.schema = StructType({{"c", DataType::Long()}});
  source.files = {Write("a", "SELECT range AS c FROM range(10)"),
                  ScanFile{.path = Path("never read"), .num_records = 1000000}};
  source.files[1].statistics =
      R"({"numRecords":1000000,"minValues":{"c":100},"maxValues":{"c":200}})";
  const ScanHandle scan = Register(source);
  Run("CREATE TEMP TABLE keys AS SELECT 3::BIGINT AS k UNION ALL SELECT 20");
  EXPECT_EQ(Rows("SELECT t.c, s.k, _mg_file_index FROM " + scan.sql() +
                 " t RIGHT JOIN keys s ON t.c = s.k ORDER BY s.k"),
            "[3,3,0]\n[null,20,null]");
}

TEST_F(PruningTest, SkipsFilesAndRowGroupsByKeySets) {
  ScanSource source;
  source.schema = StructType({{"c", DataType::Long()}, {"s", DataType::String()}});
  source.files = {
      Write("a", "SELECT range AS c, 'k' || lpad(range::VARCHAR, 12, '0') AS s FROM range(8192)",
            ", ROW_GROUP_SIZE 2048"),
      ScanFile{.path = Path("never read"), .num_records = 10}};
  source.files[1].statistics = R"({"numRecords":10,"minValues":{"c":9000},"maxValues":{"c":9999}})";
  source.key_sets.emplace("c", KeySet::OfIntegers({5000, 20, 20000}));
  {
    const ScanHandle scan = Register(source);
    EXPECT_EQ(Rows("SELECT count(c) FROM " + scan.sql()), "[4096]");
    EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql() + " WHERE c IN (20, 5000, 2100)"), "[2]");
  }
  source.key_sets.clear();
  source.files.pop_back();
  source.key_sets.emplace("s", KeySet::OfStrings({"k0", "k00000000"}));
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT count(s) FROM " + scan.sql()), "[8192]")
      << "the first bytes of all values are alike";
}

TEST_F(ScanTest, ReadsTextStoredAsBytesAndBytesStoredAsText) {
  ScanSource source;
  source.schema = StructType({{"s", DataType::String()}, {"b", DataType::Binary()}});
  source.files = {Write("a", "SELECT 'caf\\xC3\\xA9'::BLOB AS s, '\\x41' AS b")};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT s, b FROM " + scan.sql()), "[\"caf\xC3\xA9\",\"5c783431\"]");
  EXPECT_EQ(
      Rows("SELECT count(*) FROM " + scan.sql() + " WHERE s LIKE 'caf_' AND b = '\\x5Cx41'::BLOB"),
      "[1]");
}

TEST_F(ScanTest, ReadsFilesByTheirUri) {
  ScanSource source;
  source.schema = StructType({{"i", DataType::Integer()}});
  source.files = {Write("a b%20[1]*", "SELECT 1 AS i")};
  for (const char* prefix : {"", "file:", "file://"}) {
    ScanSource other = source;
    other.files[0].path = prefix + other.files[0].path;
    const ScanHandle scan = Register(other);
    EXPECT_EQ(Rows("SELECT i FROM " + scan.sql()), "[1]") << prefix;
  }
}

TEST_F(ScanTest, KeepsNaNAboveEverything) {
  ScanSource source;
  source.schema = StructType({{"d", DataType::Double()}});
  source.files = {Write("a", "SELECT unnest([1.0, 'NaN'::DOUBLE]) AS d")};
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT d FROM " + scan.sql() + " WHERE d > 100"), "[\"NaN\"]");
}

TEST_F(ScanTest, ReportsProgressInBytes) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  source.files = {Write("a", "SELECT range AS id FROM range(10)")};
  const int64_t size = source.files[0].size;
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT sum(id) FROM " + scan.sql()), "[\"45\"]");
  EXPECT_EQ(connection_->progress().bytes, static_cast<uint64_t>(size));
}

TEST_F(ScanTest, ReadsAnEmptyTable) {
  ScanSource source;
  source.schema = StructType({{"id", DataType::Long()}});
  const ScanHandle scan = Register(source);
  EXPECT_EQ(Rows("SELECT count(*), max(id) FROM " + scan.sql()), "[0,null]");
}

TEST(KeySetTest, FindsKeysInRanges) {
  const KeySet integers = KeySet::OfIntegers({9, 3, 3});
  EXPECT_TRUE(integers.Meets(3, 3));
  EXPECT_TRUE(integers.Meets(4, 10));
  EXPECT_FALSE(integers.Meets(4, 8));
  EXPECT_FALSE(integers.Meets(10, 20));
  const KeySet strings = KeySet::OfStrings({"banana"});
  EXPECT_TRUE(strings.Meets("a", "b"));
  EXPECT_FALSE(strings.Meets("a", "ba0"));
  EXPECT_FALSE(strings.Meets("c", "d"));
}

}  // namespace
}  // namespace merganser::engine
