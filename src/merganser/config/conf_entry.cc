#include "merganser/config/conf_entry.h"

#include <algorithm>
#include <charconv>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/size_and_duration.h"
#include "merganser/base/time_zone_name.h"

namespace merganser {
namespace {

std::string_view Trimmed(std::string_view text) {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  return text;
}

template <typename T>
std::optional<T> Number(std::string_view text) {
  text = Trimmed(text);
  if (text.starts_with('+')) text.remove_prefix(1);
  T number{};
  const auto parsed = std::from_chars(text.data(), text.data() + text.size(), number);
  if (parsed.ec != std::errc() || parsed.ptr != text.data() + text.size()) return std::nullopt;
  return number;
}

Error Invalid(const ConfEntry& entry, std::string_view value, Error::Parameters parameters,
              std::string sub_class) {
  parameters.emplace("confName", entry.key);
  parameters.emplace("confValue", value);
  return Error(ErrorClass::INVALID_CONF_VALUE, std::move(parameters), std::move(sub_class));
}

Error WrongType(const ConfEntry& entry, std::string_view value, std::string_view type) {
  return Invalid(entry, value, {{"confType", std::string(type)}}, "TYPE_MISMATCH");
}

Status CheckNumber(const ConfEntry& entry, std::string_view value, std::optional<int64_t> number,
                   std::string_view type) {
  if (!number) return WrongType(entry, value, type);
  if (entry.minimum && *number < *entry.minimum) {
    return Invalid(
        entry, value,
        {{"confRequirement", "It must be at least " + std::to_string(*entry.minimum) + "."}},
        "REQUIREMENT");
  }
  return Status::Ok();
}

Status CheckOption(const ConfEntry& entry, std::string_view value) {
  std::string_view options = entry.options;
  while (!options.empty()) {
    const size_t comma = std::min(options.find(','), options.size());
    if (EqualsIgnoringCase(Trimmed(options.substr(0, comma)), Trimmed(value))) return Status::Ok();
    options.remove_prefix(std::min(comma + 1, options.size()));
  }
  return Invalid(entry, value, {{"confOptions", std::string(entry.options)}},
                 "OUT_OF_RANGE_OF_OPTIONS");
}

/// Keys of Spark's static SQL settings.
constexpr std::string_view kStaticKeys[] = {
    "spark.sql.broadcastExchange.maxThreadThreshold",
    "spark.sql.cache.serializer",
    "spark.sql.catalogImplementation",
    "spark.sql.codegen.cache.maxEntries",
    "spark.sql.debug",
    "spark.sql.defaultUrlStreamHandlerFactory.enabled",
    "spark.sql.event.truncate.length",
    "spark.sql.extensions",
    "spark.sql.extensions.test.loadFromCp",
    "spark.sql.filesourceTableRelationCacheSize",
    "spark.sql.globalTempDatabase",
    "spark.sql.hive.thriftServer.singleSession",
    "spark.sql.legacy.sessionInitWithConfigDefaults",
    "spark.sql.metadataCacheTTLSeconds",
    "spark.sql.queryExecutionListeners",
    "spark.sql.shuffleExchange.maxThreadThreshold",
    "spark.sql.sources.schemaStringLengthThreshold",
    "spark.sql.streaming.streamingQueryListeners",
    "spark.sql.streaming.ui.enabled",
    "spark.sql.streaming.ui.retainedProgressUpdates",
    "spark.sql.streaming.ui.retainedQueries",
    "spark.sql.subquery.maxThreadThreshold",
    "spark.sql.ui.retainedExecutions",
    "spark.sql.warehouse.dir",
};

/// Families of the process's own settings. One that ends in a dot covers all keys below it.
constexpr std::string_view kCoreKeys[] = {
    "spark.archives",
    "spark.authenticate",
    "spark.broadcast.",
    "spark.checkpoint.",
    "spark.cleaner.",
    "spark.cores.max",
    "spark.decommission.",
    "spark.deploy.",
    "spark.driver.",
    "spark.dynamicAllocation.",
    "spark.eventLog.",
    "spark.excludeOnFailure.",
    "spark.executor.",
    "spark.extraListeners",
    "spark.files",
    "spark.history.",
    "spark.io.",
    "spark.jars",
    "spark.jars.",
    "spark.kryo.",
    "spark.kryoserializer.",
    "spark.locality.",
    "spark.log.level",
    "spark.memory.",
    "spark.metrics.",
    "spark.network.",
    "spark.plugins",
    "spark.port.maxRetries",
    "spark.pyspark.",
    "spark.python.worker.",
    "spark.rdd.",
    "spark.reducer.",
    "spark.rpc.",
    "spark.scheduler.",
    "spark.serializer",
    "spark.shuffle.",
    "spark.speculation",
    "spark.speculation.",
    "spark.stage.",
    "spark.storage.",
    "spark.submit.",
    "spark.task.",
    "spark.ui.",
    "spark.worker.",
};

}  // namespace

const ConfEntry* FindConf(std::string_view key) {
  const auto all = KnownConfs();
  const auto found = std::ranges::lower_bound(all, key, {}, &ConfEntry::key);
  return found == all.end() || found->key != key ? nullptr : &*found;
}

Status CheckConfValue(const ConfEntry& entry, std::string_view value) {
  switch (entry.type) {
    case ConfType::kBoolean: {
      const std::string_view word = Trimmed(value);
      if (EqualsIgnoringCase(word, "true") || EqualsIgnoringCase(word, "false"))
        return Status::Ok();
      return WrongType(entry, value, "boolean");
    }
    case ConfType::kInt:
      return CheckNumber(entry, value, Number<int32_t>(value), "int");
    case ConfType::kLong:
      return CheckNumber(entry, value, Number<int64_t>(value), "long");
    case ConfType::kDouble: {
      const auto number = Number<double>(value);
      if (!number) return WrongType(entry, value, "double");
      if (entry.minimum && !(*number >= static_cast<double>(*entry.minimum))) {
        return CheckNumber(entry, value, *entry.minimum - 1, "double");
      }
      return Status::Ok();
    }
    case ConfType::kBytes:
      return CheckNumber(entry, value, ParseByteSize(value), "bytes in B");
    case ConfType::kMillis:
      return CheckNumber(entry, value, ParseDurationMillis(value), "time in MILLISECONDS");
    case ConfType::kString:
      return Status::Ok();
    case ConfType::kOption:
      return CheckOption(entry, value);
    case ConfType::kTimeZone:
      if (CanonicalTimeZone(value)) return Status::Ok();
      return Invalid(entry, value, {}, "TIME_ZONE");
  }
  return Error::Internal("unknown type of setting");
}

ConfScope ScopeOf(std::string_view key) {
  if (std::ranges::binary_search(kStaticKeys, key)) return ConfScope::kStatic;
  const bool core = std::ranges::any_of(kCoreKeys, [&](std::string_view family) {
    return family.ends_with('.') ? key.starts_with(family) : key == family;
  });
  return core ? ConfScope::kCore : ConfScope::kSession;
}

}  // namespace merganser
