#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/table_property.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// What properties of a statement say about the protocol: delta.feature.*, delta.minReaderVersion
/// and delta.minWriterVersion.
struct ProtocolWish {
  std::vector<std::string> features;
  std::optional<int32_t> min_reader_version;
  std::optional<int32_t> min_writer_version;

  /// All features asked for, those that the versions imply included; `otherwise` has the versions
  /// that are not given.
  std::vector<std::string> Features(const Protocol& otherwise) const;
};

/// Take the properties about the protocol out of `properties`, which are checked ones with
/// normalised keys. They are never stored. Fails with DELTA_UNSUPPORTED_FEATURES_IN_CONFIG,
/// DELTA_UNSUPPORTED_FEATURE_STATUS and DELTA_PROTOCOL_PROPERTY_NOT_INT.
Result<ProtocolWish> TakeProtocolWish(PropertyMap& properties);

/// The protocol of a table without any wish: reader 1, writer 2.
Protocol DefaultProtocol();

/// Names of the table features that a schema and properties ask for, implied ones left to
/// WithFeatures.
std::vector<std::string> RequiredFeatures(const StructType& schema, const StringMap& configuration);

}  // namespace merganser
