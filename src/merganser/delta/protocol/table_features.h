#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/schema/data_type.h"

namespace merganser {

/// How far this build follows what a feature asks of writers.
enum class WriteSupport : uint8_t {
  kNone,  ///< Tables that list the feature are not written.
  kFull,
};

/// A capability a table may ask of its readers and writers ("Valid Feature Names in Table
/// Features").
struct TableFeature {
  std::string_view name;
  /// Readers have to know it too.
  bool reader_writer = false;
  /// Lowest versions that imply the feature without naming it; 0 if only naming does.
  int32_t legacy_reader_version = 0;
  int32_t legacy_writer_version = 0;
  bool readable = true;
  WriteSupport write_support = WriteSupport::kFull;
  /// Features that must be supported with it; empty names end the list.
  std::array<std::string_view, 3> requires_features = {};

  bool is_legacy() const { return legacy_writer_version != 0; }
  /// Versions a protocol needs to support the feature in any form.
  int32_t min_reader_version() const;
  int32_t min_writer_version() const;
};

inline constexpr int32_t kTableFeaturesReaderVersion = 3;
inline constexpr int32_t kTableFeaturesWriterVersion = 7;

/// Every feature this build knows by name, sorted by name.
std::span<const TableFeature> KnownTableFeatures();
/// The feature called `name`, null if this build knows none. Names compare exactly.
const TableFeature* FindTableFeature(std::string_view name);

/// True if the table supports `feature`: by name, or because its versions imply it.
bool SupportsFeature(const Protocol& protocol, std::string_view feature);
/// Names of all supported features, sorted.
std::vector<std::string> SupportedFeatures(const Protocol& protocol);

/// The weakest protocol that supports what `protocol` supports, `features`, and all they require.
/// Legacy versions stay or come back where they express exactly that ("Table Features for New and
/// Existing Tables"). Fails with DELTA_UNSUPPORTED_FEATURES_IN_CONFIG for an unknown name.
Result<Protocol> WithFeatures(const Protocol& protocol, std::span<const std::string> features);

/// Fails unless this build can read the table: DELTA_INVALID_PROTOCOL_VERSION for versions it does
/// not know, DELTA_UNSUPPORTED_FEATURES_FOR_READ with the names of the features it lacks. `table`
/// is shown.
Status CheckReadable(const Protocol& protocol, std::string_view table);

/// Fails unless this build can write tables with the protocol: DELTA_INVALID_PROTOCOL_VERSION,
/// DELTA_UNSUPPORTED_FEATURES_FOR_READ, DELTA_UNSUPPORTED_FEATURES_FOR_WRITE.
Status CheckWritable(const Protocol& protocol, std::string_view table);

}  // namespace merganser
