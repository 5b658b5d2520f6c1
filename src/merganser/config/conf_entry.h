#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "merganser/base/result.h"

namespace merganser {

/// What the text of a setting has to be.
enum class ConfType : uint8_t {
  kBoolean,  ///< true or false, in any case
  kInt,      ///< 32 bits
  kLong,     ///< 64 bits
  kDouble,
  kBytes,   ///< a number of bytes: "1024", "64k", "128MB"
  kMillis,  ///< a duration: "100ms", "5s"; a bare number is milliseconds
  kString,
  kOption,    ///< one of ConfEntry::options, in any case
  kTimeZone,  ///< a region or an offset
};

/// A setting that the session knows. Names and defaults are Spark's and Delta's.
struct ConfEntry {
  std::string_view key;
  ConfType type = ConfType::kString;
  /// Absent: the setting has no value until it is set.
  std::optional<std::string_view> default_value;
  std::string_view doc;
  /// For kOption, comma-separated as messages show them.
  std::string_view options = {};
  /// For numbers: the smallest value allowed.
  std::optional<int64_t> minimum = {};
};

/// All of them, sorted by key.
std::span<const ConfEntry> KnownConfs();

/// The entry of `key`, null for a key the session only stores. Keys are case-sensitive.
const ConfEntry* FindConf(std::string_view key);

/// Fails with INVALID_CONF_VALUE.TYPE_MISMATCH, .OUT_OF_RANGE_OF_OPTIONS, .REQUIREMENT or
/// .TIME_ZONE unless `value` is one for `entry`.
Status CheckConfValue(const ConfEntry& entry, std::string_view value);

/// Who may change a key while the session runs.
enum class ConfScope : uint8_t {
  kSession,  ///< anyone, with SET
  kStatic,   ///< fixed when the session starts; SET gives CANNOT_MODIFY_STATIC_CONFIG
  kCore,     ///< of the Spark process; SET gives CANNOT_MODIFY_CONFIG
};
ConfScope ScopeOf(std::string_view key);

}  // namespace merganser
