#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/base/version.h"

namespace merganser {

/// Kinds of files in `_delta_log` ("File Types" in PROTOCOL.md).
enum class LogFileKind : uint8_t {
  kCommit,
  kClassicCheckpoint,
  kMultiPartCheckpoint,
  kUuidCheckpoint,
  kCompaction,
  kChecksum,
};

/// A parsed file name of the log.
struct LogPath {
  LogFileKind kind = LogFileKind::kCommit;
  Version version = Version::None();
  Version end_version = Version::None();  ///< Of a compaction; else equal to `version`.
  int32_t part = 1;                       ///< 1-based, of a multi-part checkpoint.
  int32_t part_count = 1;
  bool is_json = false;  ///< Of a UUID-named checkpoint.
  std::string name = {};
  int64_t size = 0;
  int64_t modification_time = 0;  ///< Milliseconds since the epoch.

  bool is_checkpoint() const {
    return kind == LogFileKind::kClassicCheckpoint || kind == LogFileKind::kMultiPartCheckpoint ||
           kind == LogFileKind::kUuidCheckpoint;
  }

  /// Nothing for names that are no files of the log.
  static std::optional<LogPath> Parse(std::string_view name);

  bool operator==(const LogPath& other) const = default;
};

/// "<table>/_delta_log".
std::string LogDirectory(std::string_view table_path);
/// "00000000000000000042.json"; 20 digits.
std::string CommitFileName(Version version);
std::string ClassicCheckpointFileName(Version version);
std::string MultiPartCheckpointFileName(Version version, int32_t part, int32_t part_count);
std::string UuidCheckpointFileName(Version version, std::string_view uuid,
                                   std::string_view extension);
std::string CompactionFileName(Version start, Version end);
std::string ChecksumFileName(Version version);
/// Names that sort after this one belong to `version` or later.
std::string FileNamesBefore(Version version);

inline constexpr std::string_view kLastCheckpointFileName = "_last_checkpoint";
inline constexpr std::string_view kSidecarDirectory = "_sidecars";

}  // namespace merganser
