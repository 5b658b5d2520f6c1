#include <gtest/gtest.h>

#include "merganser/connect/plan/plan_from_text_for_test.h"

namespace merganser::connect {
namespace {

std::string Literal(const std::string& text) { return ExpressionOf("literal { " + text + " }"); }

std::string Function(const std::string& name, const std::string& arguments) {
  return ExpressionOf("unresolved_function { function_name: '" + name + "' " + arguments + " }");
}

const char* const kA = " arguments { unresolved_attribute { unparsed_identifier: 'a' } }";
const char* const kOne = " arguments { literal { integer: 1 } }";

TEST(TranslateExpressionTest, Literals) {
  EXPECT_EQ(Literal("integer: 7"), "7");
  EXPECT_EQ(Literal("long: 7"), "7:bigint");
  EXPECT_EQ(Literal("string: 'x'"), "'x'");
  EXPECT_EQ(Literal("null { string {} }"), "null");
  EXPECT_EQ(Literal("boolean: true"), "true");
  EXPECT_EQ(Literal("date: 19723"), "19723:date");
  EXPECT_EQ(Literal("day_time_interval: 86400000000"), "86400000000:interval day to second");
  EXPECT_EQ(Literal("array { element_type { integer {} } elements { integer: 1 } }"), "array(1)");
  EXPECT_EQ(Literal("array { element_type { integer {} } }"), "cast(array() AS array<int>)");
  EXPECT_EQ(Literal("specialized_array { longs { values: 1 values: 2 } }"),
            "array(1:bigint, 2:bigint)");
  EXPECT_EQ(Literal("map { keys { string: 'k' } values { integer: 1 } }"),
            "map_from_arrays(array('k'), array(1))");
  EXPECT_EQ(Literal("time { nano: 1 }"), "UNSUPPORTED_TIME_TYPE");
  EXPECT_EQ(Literal(""), "CONNECT_INVALID_PLAN.UNSUPPORTED_LITERAL_TYPE");
}

TEST(TranslateExpressionTest, ADecimalIsAsWideAsItsDigitsAndItsDeclarationWant) {
  EXPECT_EQ(Literal("decimal { value: '1.20' precision: 10 scale: 0 }"), "120:decimal(10,2)");
  EXPECT_EQ(Literal("decimal { value: '-12345678901' precision: 10 scale: 0 }"),
            "-12345678901:decimal(11,0)");
  EXPECT_EQ(Literal("decimal { value: '0.001' }"), "1:decimal(3,3)");
  EXPECT_EQ(Literal("decimal { value: '1E+3' }"), "1000:decimal(4,0)");
  EXPECT_EQ(Literal("decimal { value: '1.2.3' }"), "CONNECT_INVALID_PLAN.ASSERTION_FAILURE");
  EXPECT_EQ(Literal("decimal { value: '-' }"), "CONNECT_INVALID_PLAN.ASSERTION_FAILURE");
}

TEST(TranslateExpressionTest, OperatorsHaveTheNamesOfSql) {
  EXPECT_EQ(Function("==", std::string(kA) + kOne), "(a = 1)");
  EXPECT_EQ(Function("isNull", kA), "isnull(a)");
  EXPECT_EQ(Function("when", std::string(" arguments { literal { boolean: true } }") + kA),
            "when(true, a)");
  EXPECT_EQ(Function("in", kA), "false");
  EXPECT_EQ(Function("count", std::string(kA) + " is_distinct: true"), "count(DISTINCT a)");
  EXPECT_EQ(Function("count", " arguments { unresolved_star {} }"), "count(*)");
}

TEST(TranslateExpressionTest, NamesStarsAndText) {
  EXPECT_EQ(ExpressionOf("unresolved_attribute { unparsed_identifier: 't.`a.b`' }"), "t.a.b");
  EXPECT_EQ(ExpressionOf("unresolved_star { unparsed_target: 's.*' }"), "s.*");
  EXPECT_EQ(ExpressionOf("unresolved_star { unparsed_target: 's' }"),
            "CONNECT_INVALID_PLAN.UNRESOLVED_STAR_TARGET_INVALID");
  EXPECT_EQ(ExpressionOf("expression_string { expression: 'a + 1 AS b' }"), "(a + 1) AS b");
  EXPECT_EQ(ExpressionOf("expression_string { expression: 'a +' }"), "PARSE_SYNTAX_ERROR");
  EXPECT_EQ(ExpressionOf("cast { expr { literal { string: '1' } } type_str: 'decimal(10,2)' "
                         "eval_mode: EVAL_MODE_TRY }"),
            "try_cast('1' AS decimal(10,2))");
}

TEST(TranslateExpressionTest, Windows) {
  const std::string row_number =
      "window_function { unresolved_function { function_name: "
      "'row_number' } } partition_spec { unresolved_attribute { "
      "unparsed_identifier: 'g' } } order_spec { child { "
      "unresolved_attribute { unparsed_identifier: 'o' } } direction: "
      "SORT_DIRECTION_DESCENDING null_ordering: SORT_NULLS_LAST } ";
  EXPECT_EQ(ExpressionOf("window { " + row_number + "}"),
            "row_number() OVER ( PARTITION g ORDER o DESC NULLS LAST)");
  EXPECT_EQ(ExpressionOf("window { " + row_number +
                         "frame_spec { frame_type: FRAME_TYPE_ROW lower { value { literal { "
                         "integer: -2 } } } upper { current_row: true } } }"),
            "row_number() OVER ( PARTITION g ORDER o DESC NULLS LAST ROWS <2 =)");
  EXPECT_EQ(ExpressionOf("window { " + row_number +
                         "frame_spec { frame_type: FRAME_TYPE_RANGE lower { unbounded: true } } }"),
            "CONNECT_INVALID_PLAN.UPPER_BOUND_REQUIRED_IN_WINDOW_FRAME");
}

TEST(TranslateExpressionTest, Lambdas) {
  EXPECT_EQ(ExpressionOf("lambda_function { function { unresolved_named_lambda_variable { "
                         "name_parts: 'x_0' } } arguments { name_parts: 'x_0' } }"),
            "x_0 -> x_0");
  EXPECT_EQ(ExpressionOf("lambda_function { function { literal { integer: 1 } } }"),
            "CONNECT_INVALID_PLAN.LAMBDA_FUNCTION_ARGUMENT_COUNT_INVALID");
}

TEST(TranslateExpressionTest, WhatThereIsNotIsRefusedByName) {
  TranslationContext context = TestContext();
  const auto udf = TranslateExpression(
      FromText<spark::connect::Expression>("common_inline_user_defined_function {}"), context);
  ASSERT_FALSE(udf.ok());
  EXPECT_EQ(udf.error().full_name(), "CONNECT_INVALID_PLAN.INVALID_ONE_OF_FIELD_NOT_SUPPORTED");
  EXPECT_EQ(udf.error().parameters().at("name"), "common_inline_user_defined_function");
  const auto nothing = TranslateExpression(spark::connect::Expression(), context);
  ASSERT_FALSE(nothing.ok());
  EXPECT_EQ(nothing.error().full_name(), "CONNECT_INVALID_PLAN.INVALID_ONE_OF_FIELD_NOT_SET");
  EXPECT_EQ(nothing.error().parameters().at("name"), "EXPRTYPE_NOT_SET");
}

}  // namespace
}  // namespace merganser::connect
