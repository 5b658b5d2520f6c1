#pragma once

#include "merganser/delta/schema/data_type.h"

/// Which casts exist. Nullability of nested parts is not looked at.
namespace merganser {

/// A type that a text can be cast to and from: not nested, not VOID, INTERVAL or VARIANT.
inline bool IsAtomic(const DataType& type) {
  return !type.is_nested() && !type.is(TypeId::kNull) && !type.is(TypeId::kCalendarInterval) &&
         !type.is(TypeId::kVariant);
}

/// With or without time zone.
inline bool IsTimestamp(const DataType& type) {
  return type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
}

/// CAST under ANSI mode, and TRY_CAST in either mode.
bool CanAnsiCast(const DataType& from, const DataType& to);

/// CAST with spark.sql.ansi.enabled=false.
bool CanLegacyCast(const DataType& from, const DataType& to);

/// spark.sql.storeAssignmentPolicy=ANSI: no string into a number, no date into a number.
bool CanAnsiStoreAssign(const DataType& from, const DataType& to);

/// Does Spark take the result for nullable although the value cast is not? In either mode, also
/// where the cast rather fails.
bool CastForcesNullable(const DataType& from, const DataType& to);

/// No value is lost or changed.
bool CanUpCast(const DataType& from, const DataType& to);

}  // namespace merganser
