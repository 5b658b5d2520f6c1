#pragma once

#include "merganser/base/result.h"
#include "merganser/connect/plan/translate.h"

namespace merganser::connect {

/// A literal that is one value. Arrays, maps, structs and calendar intervals fail with
/// CONNECT_INVALID_PLAN.UNSUPPORTED_LITERAL_TYPE.
Result<plan::Literal> TranslateScalar(const spark::connect::Expression::Literal& literal,
                                      const ParserOptions& parser);

/// Any literal; nested ones become calls of array, map_from_arrays and named_struct.
Result<plan::ExpressionPtr> TranslateLiteral(const spark::connect::Expression::Literal& literal,
                                             const ParserOptions& parser);

/// A call of a built-in function.
plan::ExpressionPtr MakeCall(const char* name, std::vector<plan::ExpressionPtr> arguments,
                             bool is_operator = false);
plan::ExpressionPtr MakeText(std::string text);
plan::ExpressionPtr MakeInteger(int64_t value);
plan::ExpressionPtr MakeLong(int64_t value);
/// A column of that one name.
plan::ExpressionPtr MakeColumn(std::string name);

}  // namespace merganser::connect
