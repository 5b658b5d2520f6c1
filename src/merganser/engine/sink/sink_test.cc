#include "merganser/engine/sink/sink.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <map>
#include <mutex>
#include <set>
#include <thread>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/engine/native.h"
#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/sql_text.h"
#include "merganser/engine/test_engine.h"
#include "merganser/io/file_systems.h"

namespace merganser::engine {
namespace {

class SinkTest : public EngineTest {
 protected:
  /// One family with all rows of route 0.
  SinkSpec Spec(StructType schema) {
    SinkSpec spec;
    spec.root = folder_;
    spec.file_system = FileSystems().local();
    spec.families = {SinkFamily{.schema = std::move(schema)}};
    spec.families[0].statistics = StatisticsColumns(spec.families[0].schema, {}, TableProperties());
    spec.routes = {SinkRoute{{SinkOutput{0, {}}}}};
    return spec;
  }

  SinkResult Write(const SinkSpec& spec, const std::string& select) {
    auto result = RunSink(*connection_, select, spec, created_);
    EXPECT_TRUE(result.ok()) << result.error().message();
    return result.ok() ? *std::move(result) : SinkResult{};
  }

  static std::string Parquet(const WrittenFile& file) {
    return "read_parquet(" + QuoteString(file.absolute_path) + ")";
  }

  CreatedFiles created_;
};

TEST_F(SinkTest, WritesOneFileWithStatistics) {
  const DataType nested =
      DataType::Struct(StructType({{"a", DataType::Integer()}, {"b", DataType::String()}}));
  const SinkSpec spec = Spec(StructType({{"id", DataType::Long()},
                                         {"d", DataType::Decimal(20, 2)},
                                         {"t", DataType::Timestamp()},
                                         {"f", DataType::Double()},
                                         {"ok", DataType::Boolean()},
                                         {"st", nested},
                                         {"li", DataType::Array(DataType::Integer())}}));
  const auto result =
      Write(spec,
            "SELECT 0::INTEGER, id::BIGINT, d::DECIMAL(20,2), t::TIMESTAMPTZ, f::DOUBLE, ok, "
            "st::STRUCT(a INTEGER, b VARCHAR), "
            "li::INTEGER[] FROM (VALUES (3, 1.5, '2024-01-01 00:00:00.000001+00', 1.0::DOUBLE, "
            "true, {'a': "
            "1, 'b': NULL}, [1, NULL]), "
            "(NULL, -2.25, '2024-01-02 00:00:00+00', 'NaN'::DOUBLE, NULL, NULL, NULL), "
            "(1, NULL, NULL, -5.0, false, {'a': 7, 'b': 'z'}, [])) v(id, d, t, f, ok, st, li)");
  ASSERT_EQ(result.files.size(), 1u);
  const WrittenFile& file = result.files[0];
  EXPECT_THAT(file.path, testing::MatchesRegex("part-00000-[0-9a-f-]{36}-c000\\.snappy\\.parquet"));
  EXPECT_EQ(file.absolute_path, folder_ + "/" + file.path);
  EXPECT_EQ(file.num_records, 3);
  EXPECT_EQ(file.size, static_cast<int64_t>(std::filesystem::file_size(file.absolute_path)));
  EXPECT_THAT(result.route_rows, testing::ElementsAre(3));
  EXPECT_THAT(created_.Paths(), testing::ElementsAre(file.absolute_path));
  EXPECT_EQ(file.statistics.num_records, 3);
  const auto leaf = [&](const FieldPath& path) { return *file.statistics.Find(path); };
  EXPECT_EQ(*leaf({"id"}).min, Scalar::Long(1));
  EXPECT_EQ(*leaf({"id"}).max, Scalar::Long(3));
  EXPECT_EQ(*leaf({"id"}).null_count, 1);
  EXPECT_EQ(*leaf({"d"}).min, Scalar::Decimal(DataType::Decimal(20, 2), -225));
  EXPECT_EQ(*leaf({"t"}).min, Scalar::Timestamp(1704067200000001));
  EXPECT_EQ(leaf({"f"}).min->floating(), -5.0);
  EXPECT_NE(leaf({"f"}).max->floating(), leaf({"f"}).max->floating()) << "NaN is the largest value";
  EXPECT_EQ(*leaf({"ok"}).null_count, 1);
  EXPECT_FALSE(leaf({"ok"}).min.has_value());
  EXPECT_EQ(*leaf({"st", "a"}).max, Scalar::Integer(7));
  EXPECT_EQ(*leaf({"st", "a"}).null_count, 1);
  EXPECT_EQ(*leaf({"st", "b"}).null_count, 2);
  EXPECT_EQ(*leaf({"li"}).null_count, 1);
  EXPECT_EQ(Rows("SELECT * FROM " + Parquet(file) + " ORDER BY id NULLS FIRST"),
            "[null,\"-2.25\",\"2024-01-02 00:00:00\",\"NaN\",null,null,null]\n"
            "[1,null,null,-5.0,false,{\"a\":7,\"b\":\"z\"},[]]\n"
            "[3,\"1.50\",\"2024-01-01 00:00:00.000001\",1.0,true,{\"a\":1,\"b\":null},[1,null]]");
}

TEST_F(SinkTest, WritesNoFileForNoRows) {
  const SinkSpec spec = Spec(StructType({{"id", DataType::Long()}}));
  EXPECT_TRUE(Write(spec, "SELECT 0::INTEGER, 1::BIGINT WHERE false").files.empty());
  const auto dropped = Write(spec, "SELECT NULL::INTEGER, 1::BIGINT");
  EXPECT_TRUE(dropped.files.empty());
  EXPECT_THAT(dropped.route_rows, testing::ElementsAre(0));
}

TEST_F(SinkTest, PutsPartitionsIntoFoldersAndTheirValuesIntoTheResult) {
  SinkSpec spec = Spec(
      StructType({{"p", DataType::String()}, {"id", DataType::Long()}, {"day", DataType::Date()}}));
  spec.families[0].partition_columns = {"p", "day"};
  const auto result =
      Write(spec,
            "SELECT 0::INTEGER, p, id::BIGINT, DATE '2024-01-01' + (id % 2)::INTEGER FROM "
            "(VALUES ('a b/c', 0), ('a b/c', 2), (NULL, 3), ('x', 4)) v(p, id)");
  std::map<std::string, int64_t> rows;
  for (const WrittenFile& file : result.files)
    rows[file.path.substr(0, file.path.rfind('/'))] += file.num_records;
  EXPECT_THAT(rows,
              testing::ElementsAre(testing::Pair("p=__HIVE_DEFAULT_PARTITION__/day=2024-01-02", 1),
                                   testing::Pair("p=a b%2Fc/day=2024-01-01", 2),
                                   testing::Pair("p=x/day=2024-01-01", 1)));
  for (const WrittenFile& file : result.files) {
    EXPECT_EQ(Rows("SELECT count(*) FROM parquet_schema(" + QuoteString(file.absolute_path) +
                   ") WHERE name IN ('p', 'day')"),
              "[0]");
    if (file.path.starts_with("p=x")) {
      EXPECT_EQ(file.partition_values, (PartitionValues{{"p", "x"}, {"day", "2024-01-01"}}));
    }
    if (file.path.starts_with("p=__HIVE")) {
      EXPECT_EQ(file.partition_values[0].second, std::nullopt);
    }
  }
}

TEST_F(SinkTest, RoutesRowsToSeveralFamilies) {
  SinkSpec spec = Spec(StructType({{"id", DataType::Long()}, {"v", DataType::String()}}));
  spec.families.push_back(SinkFamily{.schema = StructType({{"id", DataType::Long()},
                                                           {"v", DataType::String()},
                                                           {"_change_type", DataType::String()}}),
                                     .directory = "_change_data",
                                     .file_prefix = "cdc"});
  // Inputs: id, old v, new v.
  spec.routes = {
      SinkRoute{{SinkOutput{0, {{0}, {2}}}}},
      SinkRoute{{SinkOutput{0, {{0}, {2}}}, SinkOutput{1, {{0}, {1}, {-1, "update_preimage"}}},
                 SinkOutput{1, {{0}, {2}, {-1, "update_postimage"}}}}},
      SinkRoute{{SinkOutput{1, {{0}, {1}, {-1, "delete"}}}}},
      SinkRoute{},
  };
  const auto result = Write(
      spec,
      "SELECT route::INTEGER, id::BIGINT, o, n FROM (VALUES (0, 1, 'a', 'a'), (1, 2, 'b', 'B'), "
      "(2, 3, 'c', NULL), (3, 4, 'd', 'd'), (NULL, 5, 'e', 'e')) v(route, id, o, n)");
  EXPECT_THAT(result.route_rows, testing::ElementsAre(1, 1, 1, 1));
  ASSERT_EQ(result.files.size(), 2u);
  const WrittenFile& data = result.files[result.files[0].family == 0 ? 0 : 1];
  const WrittenFile& changes = result.files[result.files[0].family == 0 ? 1 : 0];
  EXPECT_EQ(Rows("SELECT * FROM " + Parquet(data) + " ORDER BY id"), "[1,\"a\"]\n[2,\"B\"]");
  EXPECT_THAT(changes.path, testing::StartsWith("_change_data/cdc-00000-"));
  EXPECT_EQ(Rows("SELECT * FROM " + Parquet(changes) + " ORDER BY id, v DESC"),
            "[2,\"b\",\"update_preimage\"]\n[2,\"B\",\"update_postimage\"]\n[3,\"c\",\"delete\"]");
}

TEST_F(SinkTest, WritesPhysicalNamesAndIdsAtEveryLevel) {
  const auto mapped = [](const char* name, DataType type, int id) {
    StructField field{name, std::move(type)};
    field.metadata[std::string(kColumnMappingIdKey)] = std::to_string(id);
    field.metadata[std::string(kColumnMappingPhysicalNameKey)] =
        "\"col-" + std::to_string(id) + "\"";
    return field;
  };
  const DataType item = DataType::Struct(StructType({mapped("x", DataType::Integer(), 5)}));
  const DataType other = DataType::Struct(StructType({mapped("x", DataType::Integer(), 6)}));
  SinkSpec spec =
      Spec(StructType({mapped("id", DataType::Long(), 1), mapped("part", DataType::Integer(), 2),
                       mapped("li", DataType::Array(item), 3),
                       mapped("mp", DataType::Map(DataType::String(), other), 4)}));
  SinkFamily& family = spec.families[0];
  family.column_mapping = ColumnMappingMode::kName;
  family.partition_columns = {"part"};
  family.random_prefix_length = 2;
  family.statistics = {{{"col-1"}, DataType::Long()}, {{"col-3"}, DataType::Array(item), false}};
  const auto result =
      Write(spec,
            "SELECT 0::INTEGER, 7::BIGINT, 1::INTEGER, [{'x': 1}, NULL]::STRUCT(x INTEGER)[], "
            "MAP {'k': {'x': 2}}::MAP(VARCHAR, STRUCT(x INTEGER))");
  ASSERT_EQ(result.files.size(), 1u);
  const WrittenFile& file = result.files[0];
  EXPECT_THAT(file.path, testing::MatchesRegex("[0-9A-Za-z]{2}/part-00000-.*"));
  EXPECT_EQ(file.partition_values, (PartitionValues{{"col-2", "1"}}));
  EXPECT_EQ(*file.statistics.Find({"col-1"})->max, Scalar::Long(7));
  EXPECT_EQ(*file.statistics.Find({"col-3"})->null_count, 0);
  EXPECT_EQ(Rows("SELECT * FROM " + Parquet(file)),
            "[7,[{\"col-5\":1},null],[[\"k\",{\"col-6\":2}]]]");
  EXPECT_EQ(Rows("SELECT name, field_id FROM parquet_schema(" + QuoteString(file.absolute_path) +
                 ") WHERE field_id IS NOT NULL ORDER BY field_id, name"),
            "[\"col-1\",1]\n[\"col-3\",3]\n[\"col-4\",4]\n[\"col-5\",5]\n[\"col-6\",6]");
}

TEST_F(SinkTest, StartsANewFileAtTheTargetSize) {
  SinkSpec spec = Spec(StructType({{"id", DataType::Long()}, {"s", DataType::String()}}));
  spec.target_file_bytes = 1 << 20;
  spec.row_group_rows = 10000;
  const auto result =
      Write(spec, "SELECT 0::INTEGER, range::BIGINT, md5(range::VARCHAR) FROM range(200000)");
  EXPECT_GE(result.files.size(), 3u);
  int64_t rows = 0;
  int64_t largest = -1;
  for (const WrittenFile& file : result.files) {
    rows += file.num_records;
    largest = std::max(largest, file.statistics.Find({"id"})->max->integral());
    EXPECT_LT(file.size, 3 << 20);
    EXPECT_EQ(Rows("SELECT count(*), min(id), max(id) FROM " + Parquet(file)),
              "[" + std::to_string(file.num_records) + "," +
                  std::to_string(file.statistics.Find({"id"})->min->integral()) + "," +
                  std::to_string(file.statistics.Find({"id"})->max->integral()) + "]");
  }
  EXPECT_EQ(rows, 200000);
  EXPECT_EQ(largest, 199999);
}

TEST_F(SinkTest, WritesMorePartitionsThanWritersMayBeOpen) {
  SinkSpec spec = Spec(StructType({{"p", DataType::Integer()}, {"id", DataType::Long()}}));
  spec.families[0].partition_columns = {"p"};
  spec.max_open_writers = 3;
  const auto result =
      Write(spec, "SELECT 0::INTEGER, (range % 400)::INTEGER, range::BIGINT FROM range(100000)");
  EXPECT_EQ(result.files.size(), 400u);
  int64_t rows = 0;
  for (const WrittenFile& file : result.files) rows += file.num_records;
  EXPECT_EQ(rows, 100000);
  EXPECT_EQ(Rows("SELECT count(*), count(DISTINCT id) FROM read_parquet(" +
                 QuoteString(folder_ + "/*/*.parquet") + ")"),
            "[100000,100000]");
}

TEST_F(SinkTest, FailsWithTheErrorOfTheStatementAndNamesItsFiles) {
  SinkSpec spec = Spec(StructType({{"id", DataType::Long()}}));
  spec.row_group_rows = 2048;
  auto result = RunSink(*connection_,
                        "SELECT 0::INTEGER, CASE WHEN range = 90000 THEN error('stop')::BIGINT "
                        "ELSE range END FROM range(100000)",
                        spec, created_);
  ASSERT_FALSE(result.ok());
  EXPECT_FALSE(created_.Paths().empty());
}

TEST_F(SinkTest, WritesOnAllThreads) {
  // Each thread waits for another one to come: a single one gives up after a while.
  struct Meeting {
    std::mutex mutex;
    std::condition_variable changed;
    std::set<std::thread::id> threads;
  };
  auto meeting = std::make_shared<Meeting>();
  connection_->native().connection.CreateVectorizedFunction<int64_t, int64_t>(
      "meet_another_thread",
      [meeting](duckdb::DataChunk& rows, duckdb::ExpressionState&, duckdb::Vector& result) {
        std::unique_lock lock(meeting->mutex);
        meeting->threads.insert(std::this_thread::get_id());
        meeting->changed.notify_all();
        meeting->changed.wait_for(lock, std::chrono::seconds(20),
                                  [&] { return meeting->threads.size() > 1; });
        result.Reference(rows.data[0]);
      });
  Run("CREATE TEMP TABLE numbers AS SELECT range AS id FROM range(500000)");
  const SinkSpec spec = Spec(StructType({{"id", DataType::Long()}}));
  const auto result = Write(spec,
                            "SELECT 0::INTEGER, meet_another_thread(id) FROM numbers "
                            "WHERE id % 100000 = 0");
  EXPECT_EQ(meeting->threads.size(), 2u);
  EXPECT_THAT(result.route_rows, testing::ElementsAre(5));
}

TEST_F(SinkTest, RefusesInputOfAnotherType) {
  const SinkSpec spec = Spec(StructType({{"id", DataType::Long()}}));
  auto result = RunSink(*connection_, "SELECT 0::INTEGER, 1::INTEGER", spec, created_);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.error().kind(), ErrorKind::kInternal);
}

TEST_F(SinkTest, StoresVariantsAsTheirBytes) {
  const SinkSpec spec = Spec(StructType({{"v", DataType::Variant()}}));
  const auto result =
      Write(spec, "SELECT 0::INTEGER, v FROM (VALUES ('{\"a\":[1,2.50]}'), (NULL)) t(v)");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(Rows("SELECT typeof(v) FROM " + Parquet(result.files[0]) + " LIMIT 1"),
            "[\"STRUCT(\\\"value\\\" BLOB, metadata BLOB)\"]");
  auto source = std::make_shared<ScanSource>();
  source->schema = spec.families[0].schema;
  source->files = {ScanFile{.path = result.files[0].absolute_path}};
  const ScanHandle scan = RegisterScan(source);
  EXPECT_EQ(Rows("SELECT v FROM " + scan.sql() + " ORDER BY v NULLS FIRST"),
            "[null]\n[\"{\\\"a\\\":[1,2.50]}\"]");
  EXPECT_EQ(Rows("SELECT count(*) FROM " + scan.sql() + " WHERE v LIKE '%2.50%'"), "[1]");
}

TEST_F(SinkTest, StoresVariantsInsideOfOtherTypes) {
  const DataType pair =
      DataType::Struct(StructType({{"n", DataType::Integer()}, {"v", DataType::Variant()}}));
  const SinkSpec spec =
      Spec(StructType({{"m", DataType::Map(DataType::String(), DataType::Array(pair))}}));
  const auto result = Write(
      spec,
      "SELECT 0::INTEGER, m FROM (VALUES (MAP {'k': [{'n': 1, 'v': '[2.50]'}, NULL, "
      "{'n': 2, 'v': NULL}], 'l': []}::MAP(VARCHAR, STRUCT(n INTEGER, v VARCHAR)[])), (NULL)) "
      "t(m)");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(Rows("SELECT typeof(m) FROM " + Parquet(result.files[0]) + " LIMIT 1"),
            "[\"MAP(VARCHAR, STRUCT(n INTEGER, v STRUCT(\\\"value\\\" BLOB, metadata BLOB))[])\"]");
  auto source = std::make_shared<ScanSource>();
  source->schema = spec.families[0].schema;
  source->files = {ScanFile{.path = result.files[0].absolute_path}};
  const ScanHandle scan = RegisterScan(source);
  EXPECT_EQ(Rows("SELECT m FROM " + scan.sql() + " ORDER BY m NULLS FIRST"),
            "[null]\n[[[\"k\",[{\"n\":1,\"v\":\"[2.50]\"},null,{\"n\":2,\"v\":null}]],"
            "[\"l\",[]]]]");
}

TEST_F(SinkTest, StoresPartitionColumnsAfterTheOthers) {
  SinkSpec spec = Spec(StructType({{"p", DataType::String()}, {"id", DataType::Long()}}));
  spec.families[0].partition_columns = {"p"};
  spec.families[0].write_partition_columns = true;
  const auto result = Write(spec, "SELECT 0::INTEGER, 'x', 1::BIGINT");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(Rows("SELECT * FROM read_parquet(" + QuoteString(result.files[0].absolute_path) +
                 ", hive_partitioning = false)"),
            "[1,\"x\"]");
}

TEST_F(SinkTest, WritesIdsOfElementsKeysAndValues) {
  const auto numbered = [](const char* name, DataType type, int id, const char* inside) {
    return StructField{name,
                       std::move(type),
                       true,
                       {{std::string(kColumnMappingIdKey), std::to_string(id)},
                        {std::string(kColumnMappingNestedIdsKey), inside}}};
  };
  const DataType item = DataType::Struct(
      StructType({numbered("x", DataType::Array(DataType::Integer()), 3, R"({"x.element":7})")}));
  SinkSpec spec =
      Spec(StructType({numbered("id", DataType::Long(), 1, "{}"),
                       numbered("m", DataType::Map(DataType::String(), DataType::Array(item)), 2,
                                R"({"m.key":4,"m.value":5,"m.value.element":6})")}));
  spec.families[0].column_mapping = ColumnMappingMode::kName;
  const auto result =
      Write(spec,
            "SELECT 0::INTEGER, 7::BIGINT, MAP {'k': [{'x': [2]}]}::MAP(VARCHAR, STRUCT(x "
            "INTEGER[])[])");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(Rows("SELECT name, field_id FROM parquet_schema(" +
                 QuoteString(result.files[0].absolute_path) +
                 ") WHERE field_id IS NOT NULL ORDER BY field_id"),
            "[\"id\",1]\n[\"m\",2]\n[\"x\",3]\n[\"key\",4]\n[\"value\",5]\n[\"element\",6]\n"
            "[\"element\",7]");
}

TEST_F(SinkTest, LeavesOutVoidColumns) {
  SinkSpec spec = Spec(StructType({{"id", DataType::Long()}, {"nothing", DataType::Null()}}));
  const auto result = Write(spec, "SELECT 0::INTEGER, 1::BIGINT, NULL::INTEGER");
  ASSERT_EQ(result.files.size(), 1u);
  EXPECT_EQ(Rows("SELECT * FROM " + Parquet(result.files[0])), "[1]");
}

}  // namespace
}  // namespace merganser::engine
