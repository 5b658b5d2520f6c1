#include "merganser/config/table_property.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <utility>

#include "merganser/base/calendar_interval.h"
#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

constexpr std::string_view kPrefix = "delta.";
constexpr std::string_view kConstraintPrefix = "delta.constraints.";
constexpr std::string_view kFeaturePrefix = "delta.feature.";
constexpr std::string_view kUniversalFormatPrefix = "delta.universalformat.config.";
constexpr std::string_view kDefaultsPrefix = "spark.databricks.delta.properties.defaults.";
constexpr std::string_view kAllowArbitrary =
    "spark.databricks.delta.allowArbitraryProperties.enabled";
constexpr std::string_view kLogRetention = "delta.logRetentionDuration";
constexpr std::string_view kDeletedFileRetention = "delta.deletedFileRetentionDuration";
constexpr std::string_view kIsolationLevel = "delta.isolationLevel";

Error Invalid(std::string_view key, std::string_view value, std::string requirement) {
  return Error(ErrorClass::INVALID_TABLE_PROPERTY, {{"property", std::string(key)},
                                                    {"value", std::string(value)},
                                                    {"requirement", std::move(requirement)}});
}

Status CheckInteger(const TableProperty& property, std::string_view value, int64_t lowest,
                    int64_t highest) {
  lowest = std::max(lowest, property.minimum);
  highest = std::min(highest, property.maximum);
  std::string_view digits = value;
  if (digits.starts_with('+')) digits.remove_prefix(1);
  int64_t number = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  const bool whole = parsed.ec == std::errc() && parsed.ptr == digits.data() + digits.size();
  if (whole && number >= lowest && number <= highest) return Status::Ok();
  return Invalid(property.key, value,
                 "an integer from " + std::to_string(lowest) + " to " + std::to_string(highest));
}

Result<int64_t> IntervalMicros(std::string_view key, std::string_view value) {
  const auto only_space = [](char c) { return static_cast<unsigned char>(c) <= ' '; };
  if (std::ranges::all_of(value, only_space)) {
    return Error(ErrorClass::DELTA_INVALID_CALENDAR_INTERVAL_EMPTY);
  }
  const auto interval = ParseCalendarInterval(value);
  if (!interval) {
    return Error(ErrorClass::DELTA_INVALID_INTERVAL, {{"interval", std::string(value)}});
  }
  const auto micros = interval->MicrosWithoutMonths();
  if (interval->months != 0 || !micros || *micros < 0) {
    return Invalid(key, value, "an interval of days and less, such as '2 weeks' or '365 days'");
  }
  return *micros;
}

Status CheckOption(const TableProperty& property, std::string_view value) {
  const std::string wanted = AsciiLowerCase(value);
  std::string_view options = property.options;
  while (!options.empty()) {
    const size_t comma = std::min(options.find(", "), options.size());
    if (AsciiLowerCase(options.substr(0, comma)) == wanted) return Status::Ok();
    options.remove_prefix(std::min(comma + 2, options.size()));
  }
  constexpr std::array<std::string_view, 3> kLevels = {"serializable", "writeserializable",
                                                       "snapshotisolation"};
  if (property.key == kIsolationLevel && std::ranges::find(kLevels, wanted) == kLevels.end()) {
    return Error(ErrorClass::DELTA_INVALID_ISOLATION_LEVEL,
                 {{"isolationLevel", std::string(value)}});
  }
  return Invalid(property.key, value, "one of: " + std::string(property.options));
}

/// Whether `value` is a list of column names: parts of letters, digits and underscores or in
/// backticks, joined by dots, separated by commas.
bool IsColumnList(std::string_view value) {
  size_t at = 0;
  const auto skip_space = [&] {
    while (at < value.size() && value[at] == ' ') ++at;
  };
  const auto take_part = [&] {
    const size_t start = at;
    if (at < value.size() && value[at] == '`') {
      // A doubled backtick is part of the name.
      for (++at; at < value.size(); ++at) {
        if (value[at] != '`') continue;
        if (at + 1 >= value.size() || value[at + 1] != '`') break;
        ++at;
      }
      if (at >= value.size()) return false;
      ++at;
      return at - start > 2;
    }
    const auto plain = [](char c) {
      return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
    };
    while (at < value.size() && plain(value[at])) ++at;
    return at > start;
  };
  for (;;) {
    skip_space();
    if (!take_part()) return false;
    skip_space();
    if (at == value.size()) return true;
    if (value[at] != '.' && value[at] != ',') return false;
    ++at;
  }
}

/// Whether `value` is three numbers joined by dots, at least 1.0.0.
bool IsSemanticVersion(std::string_view value) {
  for (int part = 0; part < 3; ++part) {
    int number = 0;
    const auto parsed = std::from_chars(value.data(), value.data() + value.size(), number);
    if (parsed.ec != std::errc() || number < (part == 0 ? 1 : 0)) return false;
    value.remove_prefix(static_cast<size_t>(parsed.ptr - value.data()));
    if (part == 2) return value.empty();
    if (!value.starts_with('.')) return false;
    value.remove_prefix(1);
  }
  return false;
}

Status CheckValue(const TableProperty& property, std::string_view value) {
  switch (property.type) {
    case PropertyType::kBoolean: {
      const std::string word = AsciiLowerCase(value);
      if (word == "true" || word == "false") return Status::Ok();
      return Invalid(property.key, value, "true or false");
    }
    case PropertyType::kInt:
      return CheckInteger(property, value, INT32_MIN, INT32_MAX);
    case PropertyType::kLong:
      return CheckInteger(property, value, INT64_MIN, INT64_MAX);
    case PropertyType::kInterval: {
      const auto micros = IntervalMicros(property.key, value);
      return micros.ok() ? Status::Ok() : Status(micros.error());
    }
    case PropertyType::kOption:
      return CheckOption(property, value);
    case PropertyType::kColumns:
      if (IsColumnList(value)) return Status::Ok();
      return Invalid(property.key, value, "column names separated by commas");
    case PropertyType::kSemanticVersion:
      if (IsSemanticVersion(value)) return Status::Ok();
      return Invalid(property.key, value, "three numbers joined by dots, such as 1.0.0");
    case PropertyType::kString:
      return Status::Ok();
  }
  return Error::Internal("unknown type of table property");
}

/// A table must keep its log at least as long as its deleted files: time travel needs both.
Status CheckRetention(const PropertyMap& properties) {
  const auto micros = [&](std::string_view key) -> Result<int64_t> {
    for (const auto& [name, value] : properties) {
      if (AsciiLowerCase(name) == AsciiLowerCase(key)) return IntervalMicros(key, value);
    }
    return IntervalMicros(key, *FindTableProperty(key)->default_value);
  };
  MERGANSER_ASSIGN_OR_RETURN(const int64_t log, micros(kLogRetention));
  MERGANSER_ASSIGN_OR_RETURN(const int64_t files, micros(kDeletedFileRetention));
  if (log >= files) return Status::Ok();
  return Invalid(kLogRetention, std::to_string(log / 1000000) + " seconds",
                 "at least " + std::string(kDeletedFileRetention) + ", which is " +
                     std::to_string(files / 1000000) + " seconds");
}

Status CheckOne(std::string_view key, std::string_view value, const SessionConf& conf,
                const PropertyMap& all) {
  const std::string lower = AsciiLowerCase(key);
  if (!lower.starts_with(kPrefix) || lower.starts_with(kConstraintPrefix) ||
      lower.starts_with(kFeaturePrefix)) {
    return Status::Ok();
  }
  const TableProperty* property = FindTableProperty(key);
  if (property == nullptr) {
    if (lower.starts_with(kUniversalFormatPrefix) || conf.allow_arbitrary_table_properties()) {
      return Status::Ok();
    }
    return Error(
        ErrorClass::DELTA_UNKNOWN_CONFIGURATION,
        {{"config", std::string(key)}, {"disableCheckConfig", std::string(kAllowArbitrary)}});
  }
  if (!property->editable) {
    return Error(ErrorClass::DELTA_CANNOT_MODIFY_TABLE_PROPERTY,
                 {{"prop", std::string(property->key)}});
  }
  MERGANSER_RETURN_IF_ERROR(CheckValue(*property, value));
  const bool retention = property->key == kLogRetention || property->key == kDeletedFileRetention;
  if (retention && conf.GetBoolean("spark.databricks.delta.vacuum."
                                   "enforceDeletedFileAndLogRetentionDurationCompatibility")) {
    MERGANSER_RETURN_IF_ERROR(CheckRetention(all));
  }
  return Status::Ok();
}

}  // namespace

const TableProperty* FindTableProperty(std::string_view key) {
  const std::string wanted = AsciiLowerCase(key);
  const auto all = KnownTableProperties();
  const auto found = std::ranges::lower_bound(
      all, wanted, {}, [](const TableProperty& property) { return AsciiLowerCase(property.key); });
  return found == all.end() || AsciiLowerCase(found->key) != wanted ? nullptr : &*found;
}

std::string NormalizedPropertyKey(std::string_view key) {
  if (const TableProperty* property = FindTableProperty(key)) return std::string(property->key);
  std::string lower = AsciiLowerCase(key);
  const bool fold = lower.starts_with(kFeaturePrefix) || lower.starts_with(kUniversalFormatPrefix);
  return fold ? lower : std::string(key);
}

bool IsProtocolProperty(std::string_view key) {
  const std::string lower = AsciiLowerCase(key);
  return lower.starts_with(kFeaturePrefix) || lower == "delta.minreaderversion" ||
         lower == "delta.minwriterversion" || lower == "delta.ignoreprotocoldefaults";
}

Result<PropertyMap> ValidateTableProperties(const PropertyMap& properties, const SessionConf& conf,
                                            const PropertyMap& existing) {
  PropertyMap normalized;
  for (const auto& [key, value] : properties) {
    normalized.insert_or_assign(NormalizedPropertyKey(key), value);
  }
  PropertyMap all = normalized;
  all.insert(existing.begin(), existing.end());
  for (const auto& [key, value] : properties) {
    MERGANSER_RETURN_IF_ERROR(CheckOne(key, value, conf, all));
  }
  return normalized;
}

Result<PropertyMap> NewTableProperties(const PropertyMap& properties, const SessionConf& conf) {
  MERGANSER_ASSIGN_OR_RETURN(PropertyMap merged, ValidateTableProperties(properties, conf));
  const SessionConf::Values defaults = conf.WithPrefix(kDefaultsPrefix);
  const auto ignore_key = NormalizedPropertyKey("delta.ignoreProtocolDefaults");
  bool ignore_protocol = false;
  if (const auto found = merged.find(ignore_key); found != merged.end()) {
    ignore_protocol = AsciiLowerCase(found->second) == "true";
  } else if (const auto session = defaults.find("ignoreProtocolDefaults");
             session != defaults.end()) {
    ignore_protocol = AsciiLowerCase(session->second) == "true";
  }
  for (const auto& [name, value] : defaults) {
    const std::string key = std::string(kPrefix) + name;
    const TableProperty* property = FindTableProperty(key);
    const bool feature = AsciiLowerCase(key).starts_with(kFeaturePrefix);
    // A default is a session key, and those are case-sensitive.
    if (!feature && (property == nullptr || property->key != key)) continue;
    if (ignore_protocol && IsProtocolProperty(key)) continue;
    if (merged.contains(NormalizedPropertyKey(key))) continue;
    MERGANSER_ASSIGN_OR_RETURN(const PropertyMap checked,
                               ValidateTableProperties({{key, value}}, conf, merged));
    merged.insert(checked.begin(), checked.end());
  }
  return merged;
}

}  // namespace merganser
