#include "merganser/commands/protocol_wish.h"

#include <algorithm>
#include <charconv>
#include <optional>

#include "merganser/base/letter_case.h"
#include "merganser/commands/type_changes.h"
#include "merganser/delta/protocol/table_features.h"

namespace merganser {
namespace {

constexpr std::string_view kFeaturePrefix = "delta.feature.";

Result<std::string> FeatureNamed(std::string_view key, std::string_view status) {
  const std::string_view name = key.substr(kFeaturePrefix.size());
  for (const TableFeature& feature : KnownTableFeatures()) {
    if (!EqualsIgnoringCase(feature.name, name)) continue;
    if (EqualsIgnoringCase(status, "supported") || EqualsIgnoringCase(status, "enabled")) {
      return std::string(feature.name);
    }
    return Error(ErrorClass::DELTA_UNSUPPORTED_FEATURE_STATUS,
                 {{"feature", std::string(feature.name)}, {"status", std::string(status)}});
  }
  return Error(ErrorClass::DELTA_UNSUPPORTED_FEATURES_IN_CONFIG, {{"configs", std::string(key)}});
}

Result<int32_t> VersionOf(std::string_view key, std::string_view value) {
  int32_t version = 0;
  const auto [end, code] = std::from_chars(value.data(), value.data() + value.size(), version);
  if (code == std::errc() && end == value.data() + value.size()) return version;
  return Error(ErrorClass::DELTA_PROTOCOL_PROPERTY_NOT_INT,
               {{"key", std::string(key)}, {"value", std::string(value)}});
}

bool Contains(const DataType& type, TypeId id) {
  if (type.is(id)) return true;
  if (type.is(TypeId::kArray)) return Contains(type.element(), id);
  if (type.is(TypeId::kMap)) return Contains(type.key(), id) || Contains(type.value(), id);
  if (!type.is(TypeId::kStruct)) return false;
  return std::ranges::any_of(type.fields(),
                             [id](const StructField& field) { return Contains(field.type, id); });
}

bool HasMetadata(const StructType& schema, std::string_view key) {
  return std::ranges::any_of(
      schema, [key](const StructField& field) { return field.metadata.contains(key); });
}

bool IsOn(const TableProperties& properties, std::string_view key) {
  const auto value = properties.Find(key);
  return value && EqualsIgnoringCase(*value, "true");
}

}  // namespace

std::vector<std::string> ProtocolWish::Features(const Protocol& otherwise) const {
  std::vector<std::string> all = features;
  if (!min_reader_version && !min_writer_version) return all;
  Protocol versions;
  versions.min_writer_version = min_writer_version.value_or(otherwise.min_writer_version);
  versions.min_reader_version = min_reader_version.value_or(otherwise.min_reader_version);
  // Readers cannot be asked for features one by one where writers are not.
  if (versions.min_writer_version < kTableFeaturesWriterVersion) {
    versions.min_reader_version =
        std::min(versions.min_reader_version, kTableFeaturesReaderVersion - 1);
  }
  const auto implied = SupportedFeatures(versions);
  all.insert(all.end(), implied.begin(), implied.end());
  return all;
}

Result<ProtocolWish> TakeProtocolWish(PropertyMap& properties) {
  ProtocolWish wish;
  for (const auto& [key, value] : properties) {
    if (key.starts_with(kFeaturePrefix)) {
      MERGANSER_ASSIGN_OR_RETURN(std::string feature, FeatureNamed(key, value));
      wish.features.push_back(std::move(feature));
    } else if (key == "delta.minReaderVersion") {
      MERGANSER_ASSIGN_OR_RETURN(wish.min_reader_version, VersionOf(key, value));
    } else if (key == "delta.minWriterVersion") {
      MERGANSER_ASSIGN_OR_RETURN(wish.min_writer_version, VersionOf(key, value));
    }
  }
  std::erase_if(properties, [](const auto& entry) { return IsProtocolProperty(entry.first); });
  return wish;
}

Protocol DefaultProtocol() {
  Protocol protocol;
  protocol.min_reader_version = 1;
  protocol.min_writer_version = 2;
  return protocol;
}

std::vector<std::string> RequiredFeatures(const StructType& schema,
                                          const StringMap& configuration) {
  std::vector<std::string> features;
  const TableProperties properties(configuration);
  const DataType row = DataType::Struct(schema);
  const auto need = [&](bool condition, const char* feature) {
    if (condition) features.emplace_back(feature);
  };
  need(Contains(row, TypeId::kTimestampNtz), "timestampNtz");
  need(Contains(row, TypeId::kVariant), "variantType");
  need(IsOn(properties, "delta.enableVariantShredding"), "variantShredding");
  need(HasMetadata(schema, "delta.generationExpression"), "generatedColumns");
  need(HasMetadata(schema, "delta.identity.start"), "identityColumns");
  need(!properties.constraints().empty(), "checkConstraints");
  need(properties.append_only(), "appendOnly");
  need(properties.enable_change_data_feed(), "changeDataFeed");
  need(properties.column_mapping_mode() != ColumnMappingMode::kNone, "columnMapping");
  need(properties.enable_deletion_vectors(), "deletionVectors");
  need(properties.enable_row_tracking(), "rowTracking");
  need(properties.enable_type_widening() || HasTypeChanges(schema), "typeWidening");
  need(properties.enable_in_commit_timestamps(), "inCommitTimestamp");
  need(properties.v2_checkpoint_policy(), "v2Checkpoint");
  need(IsOn(properties, "delta.enableIcebergCompatV1"), "icebergCompatV1");
  need(IsOn(properties, "delta.enableIcebergCompatV2"), "icebergCompatV2");
  need(IsOn(properties, "delta.enableIcebergCompatV3"), "icebergCompatV3");
  need(IsOn(properties, "delta.enableMaterializePartitionColumnsFeature"),
       "materializePartitionColumns");
  return features;
}

}  // namespace merganser
