#include "merganser/streaming/delta_source_options.h"

#include <charconv>

#include "merganser/base/letter_case.h"
#include "merganser/base/size_and_duration.h"

namespace merganser {
namespace {

const std::string* Find(const plan::Options& options, std::string_view key) {
  for (const auto& [name, value] : options) {
    if (AsciiLowerCase(name) == AsciiLowerCase(key)) return &value;
  }
  return nullptr;
}

Result<bool> ReadFlag(const plan::Options& options, const char* key) {
  const std::string* value = Find(options, key);
  if (value == nullptr) return false;
  const std::string text = AsciiLowerCase(*value);
  if (text == "true" || text == "false") return text == "true";
  return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
               {{"name", key}, {"input", *value}, {"explain", "must be 'true' or 'false'"}});
}

std::optional<int64_t> ParseNumber(const std::string& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return number;
}

}  // namespace

Result<DeltaSourceOptions> DeltaSourceOptions::Read(
    const plan::Options& options,
    const std::function<Result<int64_t>(const std::string&)>& millis_of) {
  DeltaSourceOptions read;
  MERGANSER_ASSIGN_OR_RETURN(read.change_feed, ReadFlag(options, "readChangeFeed"));
  if (!read.change_feed) {
    MERGANSER_ASSIGN_OR_RETURN(read.change_feed, ReadFlag(options, "readChangeData"));
  }
  MERGANSER_ASSIGN_OR_RETURN(read.ignore_deletes, ReadFlag(options, "ignoreDeletes"));
  MERGANSER_ASSIGN_OR_RETURN(read.ignore_changes, ReadFlag(options, "ignoreChanges"));
  MERGANSER_ASSIGN_OR_RETURN(read.skip_change_commits, ReadFlag(options, "skipChangeCommits"));
  const std::string* version = Find(options, "startingVersion");
  const std::string* timestamp = Find(options, "startingTimestamp");
  if (version != nullptr && timestamp != nullptr) {
    return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
                 {{"name", "startingTimestamp"},
                  {"input", *timestamp},
                  {"explain", "a stream begins at startingVersion or at startingTimestamp"}});
  }
  if (version != nullptr && AsciiLowerCase(*version) == "latest") {
    read.from_latest = true;
  } else if (version != nullptr) {
    read.starting_version = ParseNumber(*version);
    if (!read.starting_version || *read.starting_version < 0) {
      return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
                   {{"name", "startingVersion"},
                    {"input", *version},
                    {"explain", "must be \"latest\" or a version"}});
    }
  }
  if (timestamp != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(read.starting_millis, millis_of(*timestamp));
  }
  if (const std::string* files = Find(options, "maxFilesPerTrigger")) {
    read.max_files_per_trigger = ParseNumber(*files).value_or(0);
    if (read.max_files_per_trigger <= 0) {
      return Error(ErrorClass::DELTA_ILLEGAL_OPTION, {{"name", "maxFilesPerTrigger"},
                                                      {"input", *files},
                                                      {"explain", "must be a positive integer"}});
    }
  }
  if (const std::string* bytes = Find(options, "maxBytesPerTrigger")) {
    read.max_bytes_per_trigger = ParseByteSize(*bytes).value_or(0);
    if (read.max_bytes_per_trigger <= 0) {
      return Error(ErrorClass::DELTA_ILLEGAL_OPTION, {{"name", "maxBytesPerTrigger"},
                                                      {"input", *bytes},
                                                      {"explain", "must be a size such as '10g'"}});
    }
  }
  return read;
}

}  // namespace merganser
