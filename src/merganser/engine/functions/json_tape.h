#pragma once

#include <cstdint>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace merganser::engine {

enum class JsonKind : uint8_t { kNull, kTrue, kFalse, kNumber, kString, kArray, kObject };

/// A value of a parsed document. Containers are followed by what they hold, depth first; members of
/// an object are a kString node with the name and then the value.
struct JsonNode {
  JsonKind kind = JsonKind::kNull;
  uint32_t count = 0;     ///< Items or members.
  uint32_t next = 0;      ///< Index of the node after this value.
  std::string_view text;  ///< Of strings (unescaped) and numbers (as written).
};

/// What a reader puts up with beyond the JSON standard.
struct JsonLeniency {
  bool single_quotes = true;
  bool non_numeric_numbers = true;  ///< NaN, Infinity, +INF, -INF, ...
  bool unquoted_names = false;
  bool leading_zeros = false;
  bool comments = false;
  bool control_characters = false;
  bool backslash_any = false;
};

/// A JSON document as a flat array of nodes, made to be used again for one row after the other.
class JsonTape {
 public:
  explicit JsonTape(JsonLeniency leniency = {}) : leniency_(leniency) {}

  /// Read the value at the front of `text`, which has to outlive its nodes. What follows the value
  /// is left unread; `AtEnd` says whether there is anything but blanks.
  bool Parse(std::string_view text);
  bool AtEnd();

  const JsonNode& operator[](uint32_t i) const { return nodes_[i]; }
  uint32_t size() const { return static_cast<uint32_t>(nodes_.size()); }

  /// Index of the value of the first member called `name`; nullopt if there is none.
  std::optional<uint32_t> Member(uint32_t object, std::string_view name) const;

 private:
  bool Value(int depth);
  bool Object(int depth);
  bool Array(int depth);
  bool Text(char quote, std::string_view* out);
  bool Number();
  bool Word();
  void SkipBlanks();
  bool Take(char c) {
    SkipBlanks();
    if (rest_.empty() || rest_[0] != c) return false;
    rest_.remove_prefix(1);
    return true;
  }
  uint32_t Push(JsonKind kind, std::string_view text = {}) {
    nodes_.push_back({kind, 0, static_cast<uint32_t>(nodes_.size()) + 1, text});
    return static_cast<uint32_t>(nodes_.size()) - 1;
  }

  JsonLeniency leniency_;
  std::string_view rest_;
  std::vector<JsonNode> nodes_;
  std::deque<std::string> unescaped_;
};

/// Append a value as Jackson writes it again: no blanks; numbers with a fraction or an exponent as
/// Java's doubles.
void AppendJson(const JsonTape& tape, uint32_t node, std::string* out);

/// Is a number's text one of a whole number?
bool IsWholeNumber(std::string_view number);

}  // namespace merganser::engine
