#include "merganser/engine/duckdb_error.h"

#include <duckdb.hpp>
#include <gtest/gtest.h>

#include "merganser/engine/logical_type.h"
#include "merganser/engine/type_mapping.h"

namespace merganser::engine {
namespace {

Error Example() {
  return Error(
      ErrorClass::CAST_INVALID_INPUT,
      {{"expression", "'a\"b\n'"}, {"sourceType", "\"STRING\""}, {"targetType", "\"INT\""}});
}

TEST(DuckDbError, BringsAnErrorOfOursBackAsItWas) {
  try {
    ThrowError(Example());
  } catch (const std::exception& exception) {
    const Error back = FromException(exception);
    EXPECT_EQ(back.error_class(), Example().error_class());
    EXPECT_EQ(back.parameters(), Example().parameters());
    EXPECT_EQ(back.message(), Example().message());
    return;
  }
  FAIL() << "nothing was thrown";
}

void Fail(duckdb::DataChunk&, duckdb::ExpressionState&, duckdb::Vector&) { ThrowError(Example()); }

TEST(DuckDbError, SurvivesExecutionOfAStatement) {
  duckdb::DuckDB database(nullptr);
  duckdb::ExtensionLoader loader(*database.instance, "test");
  duckdb::ScalarFunction function("mg_fail", {duckdb::LogicalType::BIGINT},
                                  duckdb::LogicalType::BIGINT, Fail);
  function.SetFallible();
  loader.RegisterFunction(function);
  duckdb::Connection connection(database);
  for (const char* sql : {"SELECT mg_fail(1)", "SELECT sum(mg_fail(range)) FROM range(100000)",
                          "SELECT * FROM range(3) WHERE mg_fail(range) = 1",
                          "CREATE TABLE t AS SELECT mg_fail(range) FROM range(9)"}) {
    auto result = connection.Query(sql);
    ASSERT_TRUE(result->HasError()) << sql;
    const Error error = FromEngineError(result->GetErrorObject());
    EXPECT_EQ(error.message(), Example().message()) << sql;
    EXPECT_EQ(error.parameters(), Example().parameters()) << sql;
  }
  EXPECT_FALSE(connection.Query("SELECT 1")->HasError());
}

TEST(DuckDbError, TellsKindsOfFailureApart) {
  EXPECT_EQ(FromException(duckdb::OutOfMemoryException("full")).error_class(),
            ErrorClass::MEMORY_LIMIT_EXCEEDED);
  EXPECT_EQ(FromException(duckdb::InterruptException()).error_class(),
            ErrorClass::OPERATION_CANCELED);
  EXPECT_EQ(FromException(duckdb::IOException("no")).kind(), ErrorKind::kIo);
  EXPECT_EQ(FromException(duckdb::IOException({{"errno", "28"}}, "No space left")).error_class(),
            ErrorClass::SPILL_SPACE_EXHAUSTED);
  EXPECT_EQ(FromException(duckdb::OutOfRangeException("Overflow")).error_class(),
            ErrorClass::ARITHMETIC_OVERFLOW);
  EXPECT_EQ(FromException(duckdb::BinderException("what")).kind(), ErrorKind::kInternal);
  EXPECT_EQ(FromException(std::runtime_error("other")).kind(), ErrorKind::kInternal);
}

TEST(TypeMapping, SqlTextAndTypeAgree) {
  const DataType nested = DataType::Struct(
      StructType({{"a b\"", DataType::Array(DataType::Decimal(10, 2))},
                  {"m", DataType::Map(DataType::String(), DataType::Timestamp())}}));
  for (const DataType& type : {DataType::Null(),
                               DataType::Boolean(),
                               DataType::Byte(),
                               DataType::Short(),
                               DataType::Integer(),
                               DataType::Long(),
                               DataType::Float(),
                               DataType::Double(),
                               DataType::Decimal(38, 0),
                               DataType::String(),
                               DataType::Varchar(3),
                               DataType::Binary(),
                               DataType::Date(),
                               DataType::Timestamp(),
                               DataType::TimestampNtz(),
                               DataType::YearMonthInterval(),
                               DataType::DayTimeInterval(),
                               DataType::CalendarInterval(),
                               DataType::Variant(),
                               nested}) {
    duckdb::DuckDB database(nullptr);
    duckdb::Connection connection(database);
    auto result = connection.Query("SELECT CAST(NULL AS " + EngineTypeSql(type) + ")");
    ASSERT_FALSE(result->HasError()) << EngineTypeSql(type) << ": " << result->GetError();
    EXPECT_EQ(result->types[0], ToLogicalType(type)) << EngineTypeSql(type);
  }
  EXPECT_EQ(FromLogicalType(ToLogicalType(nested)).SqlString(), nested.SqlString());
}

}  // namespace
}  // namespace merganser::engine
