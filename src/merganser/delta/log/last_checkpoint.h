#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// The hint file `_last_checkpoint` ("Last Checkpoint File Schema" in PROTOCOL.md).
struct LastCheckpoint {
  Version version = Version::None();
  int64_t size = 0;  ///< Actions in the checkpoint.
  std::optional<int32_t> parts = {};
  std::optional<int64_t> size_in_bytes = {};
  std::optional<int64_t> num_of_add_files = {};
  /// JSON text of the checkpoint's schema.
  std::optional<std::string> checkpoint_schema = {};
  std::optional<StringMap> tags = {};
  /// JSON text of `v2Checkpoint`, which Delta writes for V2 checkpoints.
  std::optional<std::string> v2_checkpoint = {};

  bool operator==(const LastCheckpoint& other) const = default;
};

/// Nothing if the text is malformed or its checksum does not match: a hint is never an error.
std::optional<LastCheckpoint> ParseLastCheckpoint(std::string_view json);
/// One line of JSON with its checksum.
std::string ToJson(const LastCheckpoint& hint);

/// The hint of a log folder; nothing if it is missing, malformed or cannot be read.
std::optional<LastCheckpoint> ReadLastCheckpoint(FileSystem& file_system,
                                                 const std::string& log_directory);

/// MD5, in hexadecimal, of the canonical form of a JSON object ("JSON checksum").
Result<std::string> JsonChecksum(std::string_view json);
/// The canonical form itself.
Result<std::string> CanonicalizeJson(std::string_view json);

}  // namespace merganser
