#include "merganser/delta/log/last_checkpoint.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "merganser/base/json.h"
#include "merganser/base/uri.h"
#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/md5.h"

namespace merganser {
namespace {

std::string QuotedUrlEncoded(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    const bool stays = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       c == '-' || c == '.' || c == '_' || c == '~';
    if (stays) {
      out.push_back(c);
    } else {
      AppendPercentEncoded(static_cast<unsigned char>(c), &out);
    }
  }
  return out + "\"";
}

/// Path of a leaf and its value, both in canonical form.
using Leaves = std::vector<std::pair<std::string, std::string>>;

void CollectLeaves(const Json& json, const std::string& path, Leaves* leaves) {
  const auto below = [&](const std::string& name) {
    return path.empty() ? name : path + "+" + name;
  };
  if (json.is_object()) {
    for (const auto& [key, value] : json.members()) {
      // The checksum does not cover itself.
      if (path.empty() && key == "checksum") continue;
      CollectLeaves(value, below(QuotedUrlEncoded(key)), leaves);
    }
  } else if (json.is_array()) {
    size_t index = 0;
    for (const Json& item : json.items())
      CollectLeaves(item, below(std::to_string(index++)), leaves);
  } else if (json.is_string()) {
    leaves->emplace_back(path, QuotedUrlEncoded(json.as_string()));
  } else {
    leaves->emplace_back(path, json.is_number() ? json.number_text() : json.Dump());
  }
}

std::string Canonicalize(const Json& json) {
  Leaves leaves;
  CollectLeaves(json, "", &leaves);
  std::sort(leaves.begin(), leaves.end());
  std::string text;
  for (const auto& [path, value] : leaves) {
    if (!text.empty()) text += ",";
    text += path + "=" + value;
  }
  return text;
}

std::optional<std::string> Text(const Json& json, std::string_view key) {
  const Json* member = json.find(key);
  if (member == nullptr || member->is_null()) return std::nullopt;
  return member->Dump();
}

}  // namespace

std::optional<LastCheckpoint> ParseLastCheckpoint(std::string_view text) {
  const Result<Json> json = Json::Parse(text);
  if (!json.ok() || !json->is_object()) return std::nullopt;
  const auto version = json->find_int("version");
  if (!version || *version < 0) return std::nullopt;
  if (const Json* checksum = json->find("checksum"); checksum != nullptr && checksum->is_string()) {
    if (checksum->as_string() != Md5Hex(Canonicalize(*json))) return std::nullopt;
  }
  LastCheckpoint hint;
  hint.version = Version(*version);
  hint.size = json->int_or("size", 0);
  if (const auto parts = json->find_int("parts")) {
    if (*parts < 1 || *parts > INT32_MAX) return std::nullopt;
    hint.parts = static_cast<int32_t>(*parts);
  }
  hint.size_in_bytes = json->find_int("sizeInBytes");
  hint.num_of_add_files = json->find_int("numOfAddFiles");
  hint.checkpoint_schema = Text(*json, "checkpointSchema");
  hint.v2_checkpoint = Text(*json, "v2Checkpoint");
  if (const Json* tags = json->find("tags"); tags != nullptr && tags->is_object()) {
    StringMap& map = hint.tags.emplace();
    for (const auto& [key, value] : tags->members()) {
      if (value.is_string()) map[key] = value.as_string();
    }
  }
  return hint;
}

std::string ToJson(const LastCheckpoint& hint) {
  Json json = Json::MakeObject();
  json.Set("version", hint.version.value());
  json.Set("size", hint.size);
  if (hint.parts) json.Set("parts", *hint.parts);
  if (hint.size_in_bytes) json.Set("sizeInBytes", *hint.size_in_bytes);
  if (hint.num_of_add_files) json.Set("numOfAddFiles", *hint.num_of_add_files);
  const auto set_parsed = [&](std::string_view key, const std::optional<std::string>& text) {
    if (!text) return;
    Result<Json> value = Json::Parse(*text);
    if (value.ok()) json.Set(key, std::move(value).value());
  };
  set_parsed("checkpointSchema", hint.checkpoint_schema);
  set_parsed("v2Checkpoint", hint.v2_checkpoint);
  if (hint.tags) {
    Json tags = Json::MakeObject();
    for (const auto& [key, value] : *hint.tags) tags.Set(key, value);
    json.Set("tags", std::move(tags));
  }
  json.Set("checksum", Md5Hex(Canonicalize(json)));
  return json.Dump();
}

std::optional<LastCheckpoint> ReadLastCheckpoint(FileSystem& file_system,
                                                 const std::string& log_directory) {
  const auto bytes = file_system.ReadIfExists(JoinPath(log_directory, kLastCheckpointFileName));
  if (!bytes.ok() || !bytes->has_value()) return std::nullopt;
  return ParseLastCheckpoint(**bytes);
}

Result<std::string> CanonicalizeJson(std::string_view text) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(text));
  return Canonicalize(json);
}

Result<std::string> JsonChecksum(std::string_view text) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string canonical, CanonicalizeJson(text));
  return Md5Hex(canonical);
}

}  // namespace merganser
