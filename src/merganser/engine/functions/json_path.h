#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/engine/functions/json_tape.h"

namespace merganser::engine {

/// One step of a path below `$`.
struct JsonStep {
  enum class Kind : uint8_t { kName, kIndex, kAnyItem, kAnyMember };
  Kind kind;
  std::string name;
  uint32_t index = 0;
};

/// Read "$.a['b c'][0][*]"; nullopt if malformed. `wildcards` allows [*] and .*.
std::optional<std::vector<JsonStep>> ParseJsonPath(std::string_view path, bool wildcards);

/// get_json_object: what the path finds, as text: a string's characters, other values as JSON;
/// several values as an array. nullopt if it finds nothing, or null.
std::optional<std::string> EvaluateJsonPath(const JsonTape& tape,
                                            const std::vector<JsonStep>& steps);

}  // namespace merganser::engine
