#include "merganser/delta/transaction/compatible_metadata.h"

#include <string>
#include <string_view>

#include "merganser/delta/protocol/table_features.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {
namespace {

constexpr std::string_view kMode = "delta.columnMapping.mode";

std::string_view ValueOf(const StringMap& configuration, std::string_view key) {
  const auto found = configuration.find(key);
  return found == configuration.end() ? std::string_view() : std::string_view(found->second);
}

bool TurnsOnMappingByName(const Metadata& before, const Metadata& after) {
  const std::string_view old = ValueOf(before.configuration, kMode);
  return (old.empty() || old == "none") && ValueOf(after.configuration, kMode) == "name";
}

/// May `key` get the value `value` without a transaction having to start over?
bool IsHarmless(const Protocol& protocol, std::string_view key, std::string_view value, bool is_new,
                bool maps_by_name) {
  const auto supports = [&](std::string_view feature) {
    return SupportsFeature(protocol, feature);
  };
  if (key == "delta.enableDeletionVectors") return supports("deletionVectors") && value == "true";
  if (key == "delta.checkpointPolicy") return supports("v2Checkpoint") && value == "v2";
  if (key == "delta.enableInCommitTimestamps")
    return supports("inCommitTimestamp") && value == "true";
  if (key == "delta.inCommitTimestampEnablementVersion" ||
      key == "delta.inCommitTimestampEnablementTimestamp") {
    return is_new;
  }
  if (key == kMode || key == "delta.columnMapping.maxColumnId")
    return supports("columnMapping") && maps_by_name;
  return false;
}

bool SameSchema(const std::string& before, const std::string& after, bool maps_by_name) {
  if (before == after) return true;
  auto old_schema = ParseSchemaJson(before);
  auto new_schema = ParseSchemaJson(after);
  if (!old_schema.ok() || !new_schema.ok()) return false;
  const auto plain = [&](StructType schema) {
    if (maps_by_name) schema = DropColumnMapping(schema);
    for (StructField& field : schema.fields()) field.metadata.erase("delta.identity.highWaterMark");
    return schema;
  };
  return plain(*std::move(old_schema)) == plain(*std::move(new_schema));
}

}  // namespace

bool IsCompatibleMetadata(const Protocol& protocol, const Metadata& before, const Metadata& after) {
  Metadata rest = after;
  rest.configuration = before.configuration;
  rest.schema_string = before.schema_string;
  if (rest != before) return false;
  for (const auto& [key, value] : before.configuration) {
    if (!after.configuration.contains(key)) return false;
  }
  const bool maps_by_name = TurnsOnMappingByName(before, after);
  for (const auto& [key, value] : after.configuration) {
    const auto old = before.configuration.find(key);
    const bool is_new = old == before.configuration.end();
    if (!is_new && old->second == value) continue;
    if (!IsHarmless(protocol, key, value, is_new, maps_by_name)) return false;
  }
  return SameSchema(before.schema_string, after.schema_string, maps_by_name);
}

}  // namespace merganser
