#pragma once

#include <optional>

#include "merganser/spark/functions/resolve.h"

/// Common types of operands ("type coercion" of Spark, under ANSI and not).
namespace merganser {

/// The type that both convert to without loss and without reading strings as other types; VOID
/// gives way to anything.
std::optional<DataType> FindTightestCommonType(const DataType& left, const DataType& right,
                                               const TypingContext& context);

/// The type that a string operand is read as beside an operand of the other type (ANSI): BIGINT
/// beside integers, DOUBLE beside other numbers, the other type itself if it is atomic and no
/// interval. Requires exactly one string.
std::optional<DataType> PromoteString(const DataType& left, const DataType& right);

/// FindTightestCommonType, or the wider decimal, or string promotion; also inside arrays, maps and
/// structs.
std::optional<DataType> FindWiderTypeForTwo(const DataType& left, const DataType& right,
                                            const TypingContext& context);

/// The same without reading strings as other types: what arrays and their elements meet as.
std::optional<DataType> FindWiderTypeWithoutStrings(const DataType& left, const DataType& right,
                                                    const TypingContext& context);

/// What operands of `=`, `<` and so on are compared as, if one of them is to be read as another
/// type (not ANSI).
std::optional<DataType> FindComparisonType(const DataType& left, const DataType& right);

/// The decimal that a number operand counts as beside a decimal: a literal SMALLINT, INT or
/// BIGINT has only the digits it shows.
DataType DecimalOperand(const BoundExpression& operand);

/// True if values of the type have an order: no maps, variants or calendar intervals at any depth.
bool IsOrderable(const DataType& type);

}  // namespace merganser
