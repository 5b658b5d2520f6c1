#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// A capability a table may ask of its readers and writers ("Valid Feature Names in Table Features").
struct TableFeature {
  std::string_view name;
  /// Readers have to know it too.
  bool reader_writer = false;
  /// Lowest versions that imply the feature without naming it; 0 if only naming does.
  int32_t legacy_reader_version = 0;
  int32_t legacy_writer_version = 0;
  /// This build follows what the feature asks of a reader, of a writer.
  bool readable = false;
  bool writable = false;
  /// Features that must be supported with it.
  std::span<const std::string_view> requires_features = {};
};

inline constexpr int32_t kTableFeaturesReaderVersion = 3;
inline constexpr int32_t kTableFeaturesWriterVersion = 7;

/// Every feature this build knows by name, sorted by name.
std::span<const TableFeature> KnownTableFeatures();
const TableFeature* FindTableFeature(std::string_view name);

/// True if the table supports `feature`: by name, or because its versions imply it.
bool SupportsFeature(const Protocol& protocol, std::string_view feature);
/// Names of all supported features, sorted.
std::vector<std::string> SupportedFeatures(const Protocol& protocol);

/// The lowest protocol that has what `protocol` has and supports `features` and all they require.
/// Legacy versions stay where they can express the result ("Table Features for New and Existing
/// Tables"). Fails with DELTA_UNSUPPORTED_FEATURES_IN_CONFIG for an unknown name.
Result<Protocol> WithFeatures(const Protocol& protocol, std::span<const std::string> features);

/// Fails unless this build can read the table: DELTA_INVALID_PROTOCOL_VERSION for versions it does not
/// know, DELTA_UNSUPPORTED_FEATURES_FOR_READ with the names of the features it lacks. `table` is shown.
Status CheckReadable(const Protocol& protocol, std::string_view table);
/// Fails unless this build can write the table; DELTA_UNSUPPORTED_FEATURES_FOR_WRITE.
Status CheckWritable(const Protocol& protocol, std::string_view table);

/// Fails with DELTA_TABLE_FEATURES_... corruption classes if the action contradicts itself: features
/// without the versions that allow them, or versions without their lists.
Status CheckWellFormed(const Protocol& protocol);

}  // namespace merganser
