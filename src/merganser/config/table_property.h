#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/config/session_conf.h"

namespace merganser {

using PropertyMap = std::map<std::string, std::string, std::less<>>;

enum class PropertyType : uint8_t {
  kBoolean,
  kInt,
  kLong,
  kInterval,         ///< "interval 1 week", "30 days"; no months or years, not negative
  kOption,           ///< one of TableProperty::options
  kColumns,          ///< column names, comma-separated, backticks where needed
  kSemanticVersion,  ///< three numbers joined by dots
  kString,
};

/// A `delta.` property of tables that Delta knows.
struct TableProperty {
  std::string_view key;  ///< With its prefix and in its own case: "delta.appendOnly".
  PropertyType type = PropertyType::kString;
  /// Absent: off or decided elsewhere until it is set.
  std::optional<std::string_view> default_value;
  std::string_view doc;
  /// For kOption, comma-separated.
  std::string_view options = {};
  /// For kInt and kLong.
  int64_t minimum = INT64_MIN;
  int64_t maximum = INT64_MAX;
  /// False for bookkeeping that only the engine writes.
  bool editable = true;
};

/// All of them, sorted by key without regard to case.
std::span<const TableProperty> KnownTableProperties();

/// The property called `key`, in any case; null if Delta has none of that name.
const TableProperty* FindTableProperty(std::string_view key);

/// `key` in the case in which it is stored: a known property's own, lower case for
/// "delta.feature.*", anything else as given.
std::string NormalizedPropertyKey(std::string_view key);

/// Whether the property describes the protocol (versions, features, ignoreProtocolDefaults) and
/// is never stored in the metadata.
bool IsProtocolProperty(std::string_view key);

/// Check properties that a statement sets, and give them with normalised keys.
///
/// `existing` are those the table already has; checks that span two properties see both. Keys
/// without the "delta." prefix are the user's own and pass.
/// Fails with DELTA_UNKNOWN_CONFIGURATION, DELTA_CANNOT_MODIFY_TABLE_PROPERTY,
/// DELTA_INVALID_ISOLATION_LEVEL, DELTA_INVALID_INTERVAL, DELTA_INVALID_CALENDAR_INTERVAL_EMPTY or
/// INVALID_TABLE_PROPERTY.
Result<PropertyMap> ValidateTableProperties(const PropertyMap& properties, const SessionConf& conf,
                                            const PropertyMap& existing = {});

/// The properties of a new table: those of `properties`, over the session's
/// "spark.databricks.delta.properties.defaults.*". Fails as ValidateTableProperties does.
Result<PropertyMap> NewTableProperties(const PropertyMap& properties, const SessionConf& conf);

}  // namespace merganser
