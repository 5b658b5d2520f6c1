#include "merganser/config/session_conf.h"

#include <charconv>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/size_and_duration.h"
#include "merganser/base/time_zone_name.h"

namespace merganser {
namespace {

constexpr std::string_view kDocumentation = "https://spark.apache.org/docs/latest";

std::string InDoubleQuotes(std::string_view key) { return '"' + std::string(key) + '"'; }

Error StaticKey(std::string_view key) {
  return Error(ErrorClass::CANNOT_MODIFY_STATIC_CONFIG, {{"key", InDoubleQuotes(key)}});
}

/// Text of a checked value without the spaces and plus sign that Spark lets pass.
std::string Bare(std::string text) {
  std::erase(text, ' ');
  if (text.starts_with('+')) text.erase(0, 1);
  return AsciiLowerCase(text);
}

}  // namespace

Result<SessionConf> SessionConf::WithInitial(Values initial) {
  for (const auto& [key, value] : initial) {
    if (const ConfEntry* entry = FindConf(key)) {
      MERGANSER_RETURN_IF_ERROR(CheckConfValue(*entry, value));
    }
  }
  SessionConf conf;
  conf.values_ = initial;
  conf.initial_ = std::move(initial);
  return conf;
}

Status SessionConf::Set(std::string_view key, std::string_view value) {
  switch (ScopeOf(key)) {
    case ConfScope::kStatic:
      return StaticKey(key);
    case ConfScope::kCore:
      return Error(ErrorClass::CANNOT_MODIFY_CONFIG,
                   {{"key", InDoubleQuotes(key)}, {"docroot", std::string(kDocumentation)}});
    case ConfScope::kSession:
      break;
  }
  if (const ConfEntry* entry = FindConf(key)) {
    MERGANSER_RETURN_IF_ERROR(CheckConfValue(*entry, value));
  }
  values_.insert_or_assign(std::string(key), std::string(value));
  return Status::Ok();
}

Status SessionConf::Unset(std::string_view key) {
  if (ScopeOf(key) == ConfScope::kStatic) return StaticKey(key);
  if (const auto found = values_.find(key); found != values_.end()) values_.erase(found);
  if (const auto found = initial_.find(key); found != initial_.end()) values_.insert(*found);
  return Status::Ok();
}

void SessionConf::Reset() { values_ = initial_; }

std::optional<std::string> SessionConf::Find(std::string_view key) const {
  if (const auto found = values_.find(key); found != values_.end()) return found->second;
  const ConfEntry* entry = FindConf(key);
  if (entry != nullptr && entry->type == ConfType::kTimeZone) return SystemTimeZone();
  if (entry == nullptr || !entry->default_value) return std::nullopt;
  return std::string(*entry->default_value);
}

Result<std::string> SessionConf::Get(std::string_view key) const {
  if (auto value = Find(key)) return *std::move(value);
  return Error(ErrorClass::SQL_CONF_NOT_FOUND, {{"sqlConf", InDoubleQuotes(key)}});
}

bool SessionConf::IsSet(std::string_view key) const { return values_.contains(key); }

bool SessionConf::IsModifiable(std::string_view key) const {
  return FindConf(key) != nullptr && ScopeOf(key) == ConfScope::kSession;
}

SessionConf::Values SessionConf::WithPrefix(std::string_view prefix) const {
  Values found;
  for (auto it = values_.lower_bound(prefix); it != values_.end() && it->first.starts_with(prefix);
       ++it) {
    found.emplace(it->first.substr(prefix.size()), it->second);
  }
  return found;
}

bool SessionConf::GetBoolean(std::string_view key) const {
  return Bare(Find(key).value_or("false")) == "true";
}

int64_t SessionConf::GetInteger(std::string_view key) const {
  const std::string text = Find(key).value_or("0");
  const ConfEntry* entry = FindConf(key);
  if (entry != nullptr && entry->type == ConfType::kBytes) return ParseByteSize(text).value_or(0);
  if (entry != nullptr && entry->type == ConfType::kMillis) {
    return ParseDurationMillis(text).value_or(0);
  }
  const std::string bare = Bare(text);
  int64_t number = 0;
  std::from_chars(bare.data(), bare.data() + bare.size(), number);
  return number;
}

double SessionConf::GetDouble(std::string_view key) const {
  const std::string bare = Bare(Find(key).value_or("0"));
  double number = 0;
  std::from_chars(bare.data(), bare.data() + bare.size(), number);
  return number;
}

std::string SessionConf::GetString(std::string_view key) const { return Find(key).value_or(""); }

std::string SessionConf::session_time_zone() const {
  return CanonicalTimeZone(GetString("spark.sql.session.timeZone")).value_or("UTC");
}

StoreAssignmentPolicy SessionConf::store_assignment_policy() const {
  const std::string policy = Bare(GetString("spark.sql.storeAssignmentPolicy"));
  if (policy == "legacy") return StoreAssignmentPolicy::kLegacy;
  if (policy == "strict") return StoreAssignmentPolicy::kStrict;
  return StoreAssignmentPolicy::kAnsi;
}

bool SessionConf::timestamp_is_ntz() const {
  return Bare(GetString("spark.sql.timestampType")) == "timestamp_ntz";
}

bool SessionConf::dynamic_partition_overwrite() const {
  return Bare(GetString("spark.sql.sources.partitionOverwriteMode")) == "dynamic";
}

std::optional<int64_t> SessionConf::txn_version() const {
  constexpr std::string_view kKey = "spark.databricks.delta.write.txnVersion";
  if (!Find(kKey)) return std::nullopt;
  return GetInteger(kKey);
}

std::optional<int64_t> SessionConf::checkpoint_part_size() const {
  constexpr std::string_view kKey = "spark.databricks.delta.checkpoint.partSize";
  if (!Find(kKey)) return std::nullopt;
  return GetInteger(kKey);
}

bool SessionConf::json_checkpoint_main_file() const {
  constexpr std::string_view kKey = "spark.databricks.delta.checkpointV2.topLevelFileFormat";
  return Find(kKey) && Bare(GetString(kKey)) == "json";
}

MultiMatchRule SessionConf::multi_match_rule() const {
  return Bare(GetString("spark.databricks.delta.merge.multiMatch")) == "on"
             ? MultiMatchRule::kOn
             : MultiMatchRule::kActing;
}

std::string SessionConf::automatic_type_widening() const {
  return Bare(GetString("spark.databricks.delta.typeWidening.allowAutomaticWidening"));
}

}  // namespace merganser
