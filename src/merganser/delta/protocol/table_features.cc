#include "merganser/delta/protocol/table_features.h"

#include <algorithm>
#include <iterator>
#include <set>
#include <utility>

#include "merganser/base/build_version.h"

namespace merganser {
namespace {

using enum WriteSupport;

constexpr TableFeature WriterFeature(std::string_view name, WriteSupport support,
                                     std::array<std::string_view, 3> required = {}) {
  return {.name = name, .write_support = support, .requires_features = required};
}

constexpr TableFeature LegacyWriterFeature(std::string_view name, int32_t version,
                                           WriteSupport support) {
  return {.name = name, .legacy_writer_version = version, .write_support = support};
}

constexpr TableFeature ReaderWriterFeature(std::string_view name, WriteSupport support,
                                           std::array<std::string_view, 3> required = {}) {
  return {
      .name = name, .reader_writer = true, .write_support = support, .requires_features = required};
}

constexpr TableFeature UnreadableFeature(std::string_view name,
                                         std::array<std::string_view, 3> required = {}) {
  return {.name = name,
          .reader_writer = true,
          .readable = false,
          .write_support = kNone,
          .requires_features = required};
}

// A table that lists `geospatial` can be used as long as it has no column of such a type: reading
// its schema fails by name otherwise.
constexpr std::array kFeatures = {
    UnreadableFeature("adaptiveMetadata-preview"),
    WriterFeature("allowColumnDefaults", kFull),
    LegacyWriterFeature("appendOnly", 2, kFull),
    UnreadableFeature("catalogManaged", {"inCommitTimestamp", "vacuumProtocolCheck"}),
    LegacyWriterFeature("changeDataFeed", 4, kFull),
    LegacyWriterFeature("checkConstraints", 3, kFull),
    WriterFeature("checkpointProtection", kFull),
    WriterFeature("clustering", kFull, {"domainMetadata"}),
    TableFeature{.name = "columnMapping",
                 .reader_writer = true,
                 .legacy_reader_version = 2,
                 .legacy_writer_version = 5},
    WriterFeature("coordinatedCommits-preview", kNone,
                  {"inCommitTimestamp", "vacuumProtocolCheck"}),
    ReaderWriterFeature("deletionVectors", kFull),
    WriterFeature("domainMetadata", kFull),
    LegacyWriterFeature("generatedColumns", 4, kFull),
    ReaderWriterFeature("geospatial", kFull),
    WriterFeature("icebergCompatV1", kFull, {"columnMapping"}),
    WriterFeature("icebergCompatV2", kFull, {"columnMapping"}),
    WriterFeature("icebergCompatV3", kFull, {"columnMapping", "rowTracking"}),
    LegacyWriterFeature("identityColumns", 6, kFull),
    WriterFeature("inCommitTimestamp", kFull),
    LegacyWriterFeature("invariants", 2, kFull),
    WriterFeature("materializePartitionColumns", kFull),
    WriterFeature("rowTracking", kFull, {"domainMetadata"}),
    ReaderWriterFeature("timestampNtz", kFull),
    ReaderWriterFeature("typeWidening", kFull),
    ReaderWriterFeature("typeWidening-preview", kFull),
    ReaderWriterFeature("v2Checkpoint", kFull),
    ReaderWriterFeature("vacuumProtocolCheck", kFull),
    ReaderWriterFeature("variantShredding", kFull, {"variantType"}),
    ReaderWriterFeature("variantShredding-preview", kFull),
    ReaderWriterFeature("variantType", kFull),
    ReaderWriterFeature("variantType-preview", kFull),
};

template <typename Features>
bool ContainsName(const Features& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

bool IsNamed(const Protocol& protocol, std::string_view name) {
  return (protocol.reader_features && ContainsName(*protocol.reader_features, name)) ||
         (protocol.writer_features && ContainsName(*protocol.writer_features, name));
}

bool IsImplied(const Protocol& protocol, const TableFeature& feature) {
  if (!feature.is_legacy()) return false;
  const bool reads = protocol.min_reader_version < kTableFeaturesReaderVersion &&
                     protocol.min_reader_version >= feature.legacy_reader_version;
  const bool writes = protocol.min_writer_version < kTableFeaturesWriterVersion &&
                      protocol.min_writer_version >= feature.legacy_writer_version;
  return reads && writes;
}

std::set<std::string> ImpliedFeatures(const Protocol& protocol) {
  std::set<std::string> names;
  for (const TableFeature& feature : kFeatures) {
    if (IsImplied(protocol, feature)) names.emplace(feature.name);
  }
  return names;
}

void AddWithRequired(std::string_view name, std::vector<std::string>* names) {
  if (ContainsName(*names, name)) return;
  names->emplace_back(name);
  const TableFeature* feature = FindTableFeature(name);
  if (feature == nullptr) return;
  for (const std::string_view required : feature->requires_features) {
    if (!required.empty()) AddWithRequired(required, names);
  }
}

std::string Join(const std::vector<std::string>& names) {
  std::string text;
  for (const std::string& name : names) {
    if (!text.empty()) text += ", ";
    text += name;
  }
  return text;
}

Error Unsupported(ErrorClass error_class, std::string_view table,
                  const std::vector<std::string>& features) {
  return Error(error_class, {{"tableNameOrPath", std::string(table)},
                             {"deltaVersion", std::string(kBuildVersion)},
                             {"unsupported", Join(features)}});
}

Error InvalidVersion(const Protocol& protocol, std::string_view table) {
  return Error(ErrorClass::DELTA_INVALID_PROTOCOL_VERSION,
               {{"tableNameOrPath", std::string(table)},
                {"readerRequired", std::to_string(protocol.min_reader_version)},
                {"writerRequired", std::to_string(protocol.min_writer_version)},
                {"deltaVersion", std::string(kBuildVersion)},
                {"supportedReaders", "1, 2, 3"},
                {"supportedWriters", "1, 2, 3, 4, 5, 6, 7"}});
}

}  // namespace

int32_t TableFeature::min_reader_version() const {
  if (!reader_writer) return 1;
  return is_legacy() ? legacy_reader_version : kTableFeaturesReaderVersion;
}

int32_t TableFeature::min_writer_version() const {
  return is_legacy() ? legacy_writer_version : kTableFeaturesWriterVersion;
}

std::span<const TableFeature> KnownTableFeatures() { return kFeatures; }

const TableFeature* FindTableFeature(std::string_view name) {
  const auto found =
      std::find_if(kFeatures.begin(), kFeatures.end(),
                   [name](const TableFeature& feature) { return feature.name == name; });
  return found == kFeatures.end() ? nullptr : &*found;
}

bool SupportsFeature(const Protocol& protocol, std::string_view feature) {
  if (IsNamed(protocol, feature)) return true;
  const TableFeature* known = FindTableFeature(feature);
  return known != nullptr && IsImplied(protocol, *known);
}

std::vector<std::string> SupportedFeatures(const Protocol& protocol) {
  std::set<std::string> names = ImpliedFeatures(protocol);
  if (protocol.reader_features)
    names.insert(protocol.reader_features->begin(), protocol.reader_features->end());
  if (protocol.writer_features)
    names.insert(protocol.writer_features->begin(), protocol.writer_features->end());
  return {names.begin(), names.end()};
}

Result<Protocol> WithFeatures(const Protocol& protocol, std::span<const std::string> features) {
  std::vector<std::string> names;
  if (protocol.writer_features) names = *protocol.writer_features;
  if (protocol.reader_features) {
    for (const std::string& name : *protocol.reader_features) {
      if (!ContainsName(names, name)) names.push_back(name);
    }
  }
  for (const std::string& name : ImpliedFeatures(protocol)) {
    if (!ContainsName(names, name)) names.push_back(name);
  }
  for (const std::string& name : features) {
    if (FindTableFeature(name) == nullptr) {
      return Error(ErrorClass::DELTA_UNSUPPORTED_FEATURES_IN_CONFIG,
                   {{"configs", "delta.feature." + name}});
    }
    AddWithRequired(name, &names);
  }

  int32_t reader_version = 1;
  int32_t writer_version = 1;
  for (const std::string& name : names) {
    const TableFeature* feature = FindTableFeature(name);
    // What a feature of another build needs is what the protocol has already.
    const bool reader = feature != nullptr ? feature->reader_writer
                                           : protocol.reader_features &&
                                                 ContainsName(*protocol.reader_features, name);
    const int32_t least_reader = feature != nullptr ? feature->min_reader_version()
                                 : reader           ? 3
                                                    : 1;
    reader_version = std::max(reader_version, least_reader);
    writer_version = std::max(writer_version, feature != nullptr ? feature->min_writer_version()
                                                                 : kTableFeaturesWriterVersion);
  }

  Protocol legacy{reader_version, writer_version, std::nullopt, std::nullopt};
  if (writer_version < kTableFeaturesWriterVersion) {
    const std::set<std::string> implied = ImpliedFeatures(legacy);
    if (implied == std::set<std::string>(names.begin(), names.end())) return legacy;
  }
  Protocol result{reader_version, kTableFeaturesWriterVersion, std::nullopt, names};
  if (reader_version == kTableFeaturesReaderVersion) {
    std::vector<std::string>& readers = result.reader_features.emplace();
    for (const std::string& name : names) {
      const TableFeature* feature = FindTableFeature(name);
      const bool reader = feature != nullptr ? feature->reader_writer
                                             : protocol.reader_features &&
                                                   ContainsName(*protocol.reader_features, name);
      if (reader) readers.push_back(name);
    }
  }
  return result;
}

Status CheckReadable(const Protocol& protocol, std::string_view table) {
  if (protocol.min_reader_version < 1 ||
      protocol.min_reader_version > kTableFeaturesReaderVersion) {
    return InvalidVersion(protocol, table);
  }
  std::vector<std::string> unsupported;
  for (const std::string& name : protocol.reader_features.value_or(std::vector<std::string>())) {
    const TableFeature* feature = FindTableFeature(name);
    if (feature == nullptr || !feature->readable) unsupported.push_back(name);
  }
  if (!unsupported.empty())
    return Unsupported(ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_READ, table, unsupported);
  return Status::Ok();
}

Status CheckWritable(const Protocol& protocol, std::string_view table) {
  if (protocol.min_writer_version < 1 ||
      protocol.min_writer_version > kTableFeaturesWriterVersion) {
    return InvalidVersion(protocol, table);
  }
  MERGANSER_RETURN_IF_ERROR(CheckReadable(protocol, table));
  std::vector<std::string> unsupported;
  for (const std::string& name : protocol.writer_features.value_or(std::vector<std::string>())) {
    const TableFeature* feature = FindTableFeature(name);
    if (feature == nullptr || feature->write_support == kNone) unsupported.push_back(name);
  }
  if (!unsupported.empty())
    return Unsupported(ErrorClass::DELTA_UNSUPPORTED_FEATURES_FOR_WRITE, table, unsupported);
  return Status::Ok();
}

}  // namespace merganser
