#include "merganser/delta/log/log_path.h"

#include <charconv>

#include <fmt/format.h>

namespace merganser {
namespace {

constexpr size_t kVersionDigits = 20;
constexpr size_t kPartDigits = 10;

/// Takes text off the front of a name, part by part.
class NameCursor {
 public:
  explicit NameCursor(std::string_view name) : rest_(name) {}

  bool Skip(std::string_view text) {
    if (!rest_.starts_with(text)) return false;
    rest_.remove_prefix(text.size());
    return true;
  }
  /// A number of exactly `digits` digits.
  std::optional<int64_t> Number(size_t digits) {
    if (rest_.size() < digits) return std::nullopt;
    int64_t value = 0;
    const auto [end, code] = std::from_chars(rest_.data(), rest_.data() + digits, value);
    if (code != std::errc() || end != rest_.data() + digits || rest_.front() == '-')
      return std::nullopt;
    rest_.remove_prefix(digits);
    return value;
  }
  std::string_view rest() const { return rest_; }
  bool done() const { return rest_.empty(); }

 private:
  std::string_view rest_;
};

/// What follows "<version>.checkpoint."; false if it is not a checkpoint's name.
bool ParseCheckpoint(NameCursor cursor, LogPath* path) {
  if (cursor.rest() == "parquet") {
    path->kind = LogFileKind::kClassicCheckpoint;
    return true;
  }
  NameCursor parts = cursor;
  if (const auto part = parts.Number(kPartDigits); part && parts.Skip(".")) {
    const auto count = parts.Number(kPartDigits);
    if (!count || parts.rest() != ".parquet") return false;
    if (*part < 1 || *count < 1 || *part > *count || *count > INT32_MAX) return false;
    path->kind = LogFileKind::kMultiPartCheckpoint;
    path->part = static_cast<int32_t>(*part);
    path->part_count = static_cast<int32_t>(*count);
    return true;
  }
  const size_t dot = cursor.rest().find('.');
  if (dot == std::string_view::npos || dot == 0) return false;
  const std::string_view extension = cursor.rest().substr(dot + 1);
  if (extension != "json" && extension != "parquet") return false;
  path->kind = LogFileKind::kUuidCheckpoint;
  path->is_json = extension == "json";
  return true;
}

}  // namespace

std::optional<LogPath> LogPath::Parse(std::string_view name) {
  NameCursor cursor(name);
  const auto version = cursor.Number(kVersionDigits);
  if (!version || !cursor.Skip(".")) return std::nullopt;
  LogPath path;
  path.version = path.end_version = Version(*version);
  path.name = name;
  if (cursor.rest() == "json") {
    path.kind = LogFileKind::kCommit;
    return path;
  }
  if (cursor.rest() == "crc") {
    path.kind = LogFileKind::kChecksum;
    return path;
  }
  if (cursor.Skip("checkpoint.")) {
    if (!ParseCheckpoint(cursor, &path)) return std::nullopt;
    return path;
  }
  const auto end = cursor.Number(kVersionDigits);
  if (!end || cursor.rest() != ".compacted.json" || *end <= *version) return std::nullopt;
  path.kind = LogFileKind::kCompaction;
  path.end_version = Version(*end);
  return path;
}

std::string LogDirectory(std::string_view table_path) {
  std::string directory(table_path);
  if (!directory.ends_with('/')) directory += '/';
  return directory + "_delta_log";
}

std::string CommitFileName(Version version) { return fmt::format("{:020}.json", version.value()); }

std::string ClassicCheckpointFileName(Version version) {
  return fmt::format("{:020}.checkpoint.parquet", version.value());
}

std::string MultiPartCheckpointFileName(Version version, int32_t part, int32_t part_count) {
  return fmt::format("{:020}.checkpoint.{:010}.{:010}.parquet", version.value(), part, part_count);
}

std::string UuidCheckpointFileName(Version version, std::string_view uuid,
                                   std::string_view extension) {
  return fmt::format("{:020}.checkpoint.{}.{}", version.value(), uuid, extension);
}

std::string CompactionFileName(Version start, Version end) {
  return fmt::format("{:020}.{:020}.compacted.json", start.value(), end.value());
}

std::string ChecksumFileName(Version version) { return fmt::format("{:020}.crc", version.value()); }

std::string FileNamesBefore(Version version) { return fmt::format("{:020}", version.value()); }

}  // namespace merganser
