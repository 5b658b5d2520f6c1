#include "merganser/engine/functions/json_path.h"

#include <cctype>
#include <utility>

#include "merganser/base/json.h"

namespace merganser::engine {
namespace {

using Step = JsonStep::Kind;
using Steps = std::vector<JsonStep>;

/// How values found are written: as they are asked for, or within an array that is being written.
enum class Style : uint8_t { kRaw, kQuoted, kFlatten };

/// Writes the values that a path finds, as Hive's evaluator does: arrays under several [*] are made
/// flat.
class PathWriter {
 public:
  explicit PathWriter(const JsonTape& tape) : tape_(tape) {}

  bool Evaluate(uint32_t node, const Steps& steps, size_t step, Style style, std::string* out,
                uint32_t* written);

 private:
  bool Items(uint32_t node, const Steps& steps, size_t step, Style style, std::string* out,
             uint32_t* written);
  void Separate(std::string* out, uint32_t* written) const {
    if (*written > 0) *out += ',';
    ++*written;
  }

  const JsonTape& tape_;
};

bool PathWriter::Evaluate(uint32_t node, const Steps& steps, size_t step, Style style,
                          std::string* out, uint32_t* written) {
  const JsonNode& value = tape_[node];
  if (step == steps.size()) {
    if (value.kind == JsonKind::kString && style == Style::kRaw) {
      *out += value.text;
      ++*written;
      return true;
    }
    if (value.kind == JsonKind::kArray && style == Style::kFlatten) {
      bool any = false;
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape_[at].next)
        any = Evaluate(at, steps, step, style, out, written) || any;
      return any;
    }
    Separate(out, written);
    AppendJson(tape_, node, out);
    return true;
  }
  const JsonStep& next = steps[step];
  if (next.kind == Step::kName) {
    if (value.kind == JsonKind::kObject) {
      // Of members with one name, the first that leads on counts; null leads nowhere.
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i) {
        if (tape_[at].text == next.name && tape_[at + 1].kind != JsonKind::kNull &&
            Evaluate(at + 1, steps, step + 1, style, out, written))
          return true;
        at = tape_[at + 1].next;
      }
      return false;
    }
    return false;
  }
  if (value.kind != JsonKind::kArray) return false;
  if (next.kind == Step::kIndex) {
    if (next.index >= value.count) return false;
    uint32_t at = node + 1;
    for (uint32_t i = 0; i < next.index; ++i) at = tape_[at].next;
    // An item that is asked for by [*] further down is written as an element.
    const bool then_any = step + 1 < steps.size() && steps[step + 1].kind == Step::kAnyItem;
    return Evaluate(at, steps, step + 1, then_any ? Style::kQuoted : style, out, written);
  }
  if (next.kind == Step::kAnyItem) return Items(node, steps, step, style, out, written);
  return false;
}

bool PathWriter::Items(uint32_t node, const Steps& steps, size_t step, Style style,
                       std::string* out, uint32_t* written) {
  const JsonNode& array = tape_[node];
  const bool again = step + 1 < steps.size() && steps[step + 1].kind == Step::kAnyItem;
  const size_t below = step + (again ? 2 : 1);
  std::string buffer;
  uint32_t found = 0;
  const Style inner = again ? Style::kFlatten : style == Style::kRaw ? Style::kQuoted : style;
  uint32_t at = node + 1;
  bool any = false;
  for (uint32_t i = 0; i < array.count; ++i, at = tape_[at].next)
    any = Evaluate(at, steps, below, inner, &buffer, &found) || any;
  if (again) {
    Separate(out, written);
    *out += "[" + buffer + "]";
    return any;
  }
  if (style != Style::kRaw) {
    if (style == Style::kQuoted) {
      Separate(out, written);
      *out += "[" + buffer + "]";
    } else if (found > 0) {
      Separate(out, written);
      *out += buffer;
    }
    return any;
  }
  // One value found stands for itself, several for an array.
  if (found > 1) {
    *out += "[" + buffer + "]";
  } else if (found == 1) {
    *out += buffer;
  }
  *written += found;
  return any;
}

}  // namespace

std::optional<Steps> ParseJsonPath(std::string_view path, bool wildcards) {
  if (path.empty() || path[0] != '$') return std::nullopt;
  Steps steps;
  size_t at = 1;
  while (at < path.size()) {
    if (path[at] == '.') {
      const size_t end = std::min(path.find_first_of(".[", at + 1), path.size());
      const std::string_view name = path.substr(at + 1, end - at - 1);
      if (name.empty()) return std::nullopt;
      if (name == "*") {
        if (!wildcards) return std::nullopt;
        steps.push_back({Step::kAnyMember, {}, 0});
      } else {
        steps.push_back({Step::kName, std::string(name), 0});
      }
      at = end;
    } else if (path[at] == '[') {
      const char quote = at + 1 < path.size() ? path[at + 1] : '\0';
      if (quote == '\'' || quote == '"') {
        const size_t end = path.find(quote, at + 2);
        if (end == std::string_view::npos || end + 1 >= path.size() || path[end + 1] != ']')
          return std::nullopt;
        const std::string_view name = path.substr(at + 2, end - at - 2);
        steps.push_back(
            {name == "*" && wildcards ? Step::kAnyMember : Step::kName, std::string(name), 0});
        at = end + 2;
        continue;
      }
      const size_t end = path.find(']', at);
      if (end == std::string_view::npos) return std::nullopt;
      const std::string_view index = path.substr(at + 1, end - at - 1);
      if (index == "*" && wildcards) {
        steps.push_back({Step::kAnyItem, {}, 0});
      } else {
        if (index.empty() || index.size() > 9 ||
            index.find_first_not_of("0123456789") != std::string_view::npos)
          return std::nullopt;
        steps.push_back({Step::kIndex, {}, static_cast<uint32_t>(std::stoul(std::string(index)))});
      }
      at = end + 1;
    } else {
      return std::nullopt;
    }
  }
  return steps;
}

std::optional<std::string> EvaluateJsonPath(const JsonTape& tape, const Steps& steps) {
  std::string out;
  uint32_t written = 0;
  if (!PathWriter(tape).Evaluate(0, steps, 0, Style::kRaw, &out, &written)) return std::nullopt;
  if (steps.empty() && tape[0].kind == JsonKind::kNull) return std::nullopt;
  return out;
}

}  // namespace merganser::engine
