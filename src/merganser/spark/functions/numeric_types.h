#pragma once

#include "merganser/delta/schema/data_type.h"

/// Precision and scale rules of Spark's decimals, and the order of its number types.
namespace merganser {

/// The decimal that holds every value of a number type: (3,0) for TINYINT up to (20,0) for BIGINT,
/// (14,7) for FLOAT, (30,15) for DOUBLE, a decimal itself. Requires a number type.
DataType DecimalFor(const DataType& type);

/// The decimal that holds the values of both, with fraction digits given up first where 38 digits
/// do not suffice.
DataType WiderDecimal(const DataType& left, const DataType& right);

/// (precision, scale), each cut at 38.
DataType BoundedDecimal(int precision, int scale);

/// (precision, scale) brought within 38 digits the way results of arithmetic are: integral digits
/// are kept, but at least six fraction digits too.
DataType AdjustedDecimal(int precision, int scale);

enum class DecimalOperation : uint8_t { kAdd, kSubtract, kMultiply, kDivide, kRemainder };

/// Result type of an operation on two decimals. `allow_precision_loss` is
/// spark.sql.decimalOperations.allowPrecisionLoss.
DataType DecimalResult(DecimalOperation operation, const DataType& left, const DataType& right,
                       bool allow_precision_loss);

/// True if the decimal `wide` holds every value of the number type `narrow`.
bool DecimalHolds(const DataType& wide, const DataType& narrow);

/// The later one of TINYINT, SMALLINT, INT, BIGINT, FLOAT, DOUBLE. Requires both to be among them.
DataType WiderNumber(const DataType& left, const DataType& right);

}  // namespace merganser
