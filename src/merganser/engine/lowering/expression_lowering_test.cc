#include <gtest/gtest.h>

#include "merganser/engine/lowering/lowering.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

BoundExpressionPtr IntegerOf(int64_t value, const DataType& type = DataType::Integer()) {
  return MakeBound(plan::Literal{type, value}, type, false);
}

BoundExpressionPtr TextOf(std::string value) {
  return MakeBound(plan::Literal{DataType::String(), std::move(value)}, DataType::String(), false);
}

BoundExpressionPtr ColumnOf(DataType type, ColumnId id = 1) {
  return MakeBound(BoundColumnRef{id, "a", {}}, std::move(type), true);
}

std::string Sql(const Result<BoundExpressionPtr>& expression, const LoweringContext& context = {}) {
  if (!expression.ok()) return expression.error().message();
  const auto sql = LowerExpression(**expression, context);
  return sql.ok() ? *sql : sql.error().message();
}

Result<BoundExpressionPtr> Call(std::string name, std::vector<BoundExpressionPtr> arguments) {
  CallRequest request;
  request.name = std::move(name);
  request.lambdas.resize(arguments.size());
  request.arguments = std::move(arguments);
  return ResolveCall(request, {}, {});
}

TEST(ExpressionLoweringTest, ComparisonsOfColumnsStayPlainSoThatScansSeeThem) {
  EXPECT_EQ(Sql(Call("=", {ColumnOf(DataType::Integer()), IntegerOf(5)})),
            "(c1 = CAST(5 AS INTEGER))");
  EXPECT_EQ(Sql(Call("in", {ColumnOf(DataType::String()), TextOf("x"), TextOf("y")})),
            "(c1 IN (CAST('x' AS VARCHAR), CAST('y' AS VARCHAR)))");
  EXPECT_EQ(Sql(Call("between", {ColumnOf(DataType::Long()), IntegerOf(1), IntegerOf(2)})),
            "((c1 >= CAST(CAST(1 AS INTEGER) AS BIGINT)) AND (c1 <= CAST(CAST(2 AS INTEGER) AS "
            "BIGINT)))");
  EXPECT_EQ(Sql(Call("<=>", {ColumnOf(DataType::Date()), IntegerOf(0, DataType::Date())})),
            "(c1 IS NOT DISTINCT FROM DATE '1970-01-01')");
  EXPECT_EQ(Sql(Call("like", {ColumnOf(DataType::String()), TextOf("ab%")})),
            "(c1 LIKE CAST('ab%' AS VARCHAR))");
}

TEST(ExpressionLoweringTest, CastsAreTheEnginesOwnOnlyWhereTheyAgree) {
  const auto cast = [](DataType from, const DataType& to, const LoweringContext& context = {}) {
    return Sql(ImplicitCast(ColumnOf(std::move(from)), to, {}), context);
  };
  EXPECT_EQ(cast(DataType::Integer(), DataType::Long()), "CAST(c1 AS BIGINT)");
  EXPECT_EQ(cast(DataType::Integer(), DataType::Decimal(12, 2)), "CAST(c1 AS DECIMAL(12,2))");
  EXPECT_EQ(cast(DataType::Long(), DataType::Integer()),
            "mg_cast(c1, 'BIGINT', 'INT', 'ansi', 'UTC', '')");
  EXPECT_EQ(cast(DataType::Date(), DataType::Timestamp()), "CAST(c1 AS TIMESTAMP WITH TIME ZONE)");
  LoweringContext west;
  west.session_time_zone = "America/Los_Angeles";
  EXPECT_EQ(cast(DataType::Date(), DataType::Timestamp(), west),
            "mg_cast(c1, 'DATE', 'TIMESTAMP', 'ansi', 'America/Los_Angeles', '')");
  EXPECT_EQ(
      cast(DataType::Array(DataType::Integer(), false), DataType::Array(DataType::Integer(), true)),
      "c1");
}

TEST(ExpressionLoweringTest, ErrorsCarryTheirPlaceInTheStatement) {
  const auto source =
      std::make_shared<plan::Source>(plan::Source{.text = CountedText("SELECT \xC3\xA4 / 0")});
  const plan::Origin origin{source, 7, 12, 1, 7};
  CallRequest request;
  request.name = "/";
  request.arguments = {ColumnOf(DataType::Double()), ColumnOf(DataType::Double(), 2)};
  request.lambdas.resize(2);
  request.origin = origin;
  EXPECT_EQ(
      Sql(ResolveCall(request, {}, {})),
      "mg_divide(c1, c2, 'ansi', "
      "'{\"start\":7,\"stop\":11,\"line\":1,\"column\":7,\"fragment\":\"\xC3\xA4 / 0\","
      "\"summary\":\"== SQL (line 1, position 8) ==\\nSELECT \xC3\xA4 / 0\\n       ^^^^^\\n\"}')");
}

TEST(ExpressionLoweringTest, AggregatesKeepTheirModifiers) {
  CallRequest request;
  request.name = "collect_list";
  request.arguments = {ColumnOf(DataType::Integer())};
  request.lambdas.resize(1);
  request.filter = ColumnOf(DataType::Boolean(), 2);
  request.distinct = true;
  EXPECT_EQ(Sql(ResolveCall(request, {}, {})),
            "CAST(coalesce(list(DISTINCT c1) FILTER (WHERE c2 AND c1 IS NOT NULL), CAST([] AS "
            "INTEGER[])) AS INTEGER[])");
  EXPECT_EQ(Sql(Call("count", {IntegerOf(1)})), "CAST(count(*) AS BIGINT)");
  EXPECT_EQ(Sql(Call("count", {ColumnOf(DataType::Integer()), ColumnOf(DataType::Date(), 2)})),
            "CAST(count(*) FILTER (WHERE c1 IS NOT NULL AND c2 IS NOT NULL) AS BIGINT)");
}

TEST(ExpressionLoweringTest, WindowsGiveTheirFrame) {
  BoundWindow window;
  window.function = Call("max", {ColumnOf(DataType::Integer())}).value();
  window.order_by = {{ColumnOf(DataType::Date(), 2), true, true}};
  window.lower = {plan::BoundKind::kPreceding, IntegerOf(3)};
  window.upper = {plan::BoundKind::kCurrentRow, nullptr};
  EXPECT_EQ(Sql(MakeBound(window, DataType::Integer())),
            "CAST(max(c1) OVER (ORDER BY c2 ASC NULLS FIRST RANGE BETWEEN to_days(CAST(CAST(3 AS "
            "INTEGER) AS INTEGER)) "
            "PRECEDING AND CURRENT ROW) AS INTEGER)");
}

TEST(ExpressionLoweringTest, LiteralsAreTypedAndQuoted) {
  EXPECT_EQ(Sql(TextOf("it's")), "CAST('it''s' AS VARCHAR)");
  EXPECT_EQ(Sql(TextOf(std::string("a\0b", 3))), "CAST(('a' || chr(0) || 'b') AS VARCHAR)");
  EXPECT_EQ(Sql(IntegerOf(-1, DataType::Timestamp())),
            "TIMESTAMPTZ '1969-12-31 23:59:59.999999+00'");
  EXPECT_EQ(Sql(IntegerOf(-800000, DataType::Date())),
            "CAST(DATE '1970-01-01' + CAST(-800000 AS INTEGER) AS DATE)");
  EXPECT_EQ(Sql(MakeBound(plan::Literal{DataType::Null(), {}}, DataType::Null())),
            "CAST(NULL AS INTEGER)");
  EXPECT_EQ(EngineType(DataType::Map(DataType::String(), DataType::Array(DataType::Decimal(5, 2)))),
            "MAP(VARCHAR, DECIMAL(5,2)[])");
}

}  // namespace
}  // namespace merganser
