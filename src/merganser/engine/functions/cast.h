#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/delta/schema/scalar.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// What every part of one cast shares.
struct CastSettings {
  CallSite site;
  std::shared_ptr<const TimeZone> zone;
  int64_t now_micros = 0;  ///< For times without a date.

  // How values that cannot be converted fail in ANSI mode. Types are the innermost ones.
  /// CAST_OVERFLOW.
  [[noreturn]] void Overflow(std::string value, const DataType& source,
                             const DataType& target) const;
  /// NUMERIC_VALUE_OUT_OF_RANGE.WITH_SUGGESTION.
  [[noreturn]] void OutOfPrecision(std::string value, const DataType& target) const;
  /// CAST_INVALID_INPUT; `value` as a literal.
  [[noreturn]] void InvalidInput(std::string value, const DataType& source,
                                 const DataType& target) const;
};
using CastSettingsPtr = std::shared_ptr<const CastSettings>;

/// Converts `count` rows.
using CastKernel =
    std::function<void(duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count)>;

/// The kernel that converts Spark type `from` to `to`. Null if there is none: the analyser refuses
/// such casts, with a better error than could be given here.
CastKernel MakeCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings);

/// The parts of MakeCast, by what they convert to; each gives null for what it does not handle.
CastKernel MakeNumericCast(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings);
CastKernel MakeTimeCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings);
/// The value as it is.
CastKernel ShareKernel();
CastKernel MakeTextCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings);
CastKernel MakeTextParse(const DataType& from, const DataType& to, const CastSettingsPtr& settings);
CastKernel MakeVariantCast(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings);

}  // namespace merganser::engine
