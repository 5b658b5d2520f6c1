#include "merganser/engine/functions/json_tape.h"

#include <cctype>
#include <cmath>

#include "merganser/base/ascii_text.h"
#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

constexpr int kMaxDepth = 1000;

bool IsNameCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) || c == '_' || c == '$' || (c & 0x80) != 0;
}

std::optional<uint32_t> FourHex(std::string_view text) {
  if (text.size() < 4) return std::nullopt;
  uint32_t value = 0;
  for (size_t i = 0; i < 4; ++i) {
    const int digit = HexDigit(text[i]);
    if (digit < 0) return std::nullopt;
    value = value << 4 | static_cast<uint32_t>(digit);
  }
  return value;
}

}  // namespace

void JsonTape::SkipBlanks() {
  while (true) {
    while (!rest_.empty() &&
           (rest_[0] == ' ' || rest_[0] == '\t' || rest_[0] == '\n' || rest_[0] == '\r'))
      rest_.remove_prefix(1);
    if (!leniency_.comments || rest_.size() < 2 || rest_[0] != '/') return;
    if (rest_[1] == '/') {
      const size_t end = rest_.find('\n');
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 1);
    } else if (rest_[1] == '*') {
      const size_t end = rest_.find("*/", 2);
      rest_.remove_prefix(end == std::string_view::npos ? rest_.size() : end + 2);
    } else {
      return;
    }
  }
}

bool JsonTape::Parse(std::string_view text) {
  rest_ = text;
  nodes_.clear();
  unescaped_.clear();
  return Value(0);
}

bool JsonTape::AtEnd() {
  SkipBlanks();
  return rest_.empty();
}

bool JsonTape::Value(int depth) {
  SkipBlanks();
  if (rest_.empty() || depth > kMaxDepth) return false;
  switch (rest_[0]) {
    case '{':
      return Object(depth);
    case '[':
      return Array(depth);
    case '\'':
      if (!leniency_.single_quotes) return false;
      [[fallthrough]];
    case '"': {
      const char quote = rest_[0];
      rest_.remove_prefix(1);
      std::string_view out;
      if (!Text(quote, &out)) return false;
      Push(JsonKind::kString, out);
      return true;
    }
    default:
      if (rest_[0] == '-' || std::isdigit(static_cast<unsigned char>(rest_[0]))) {
        if (rest_.size() < 2 || rest_[0] != '-' ||
            !std::isalpha(static_cast<unsigned char>(rest_[1])))
          return Number();
      }
      return Word();
  }
}

bool JsonTape::Object(int depth) {
  const uint32_t self = Push(JsonKind::kObject);
  rest_.remove_prefix(1);
  uint32_t count = 0;
  if (!Take('}')) {
    do {
      SkipBlanks();
      if (rest_.empty()) return false;
      std::string_view name;
      if (rest_[0] == '"' || (rest_[0] == '\'' && leniency_.single_quotes)) {
        const char quote = rest_[0];
        rest_.remove_prefix(1);
        if (!Text(quote, &name)) return false;
      } else if (leniency_.unquoted_names) {
        size_t size = 0;
        while (size < rest_.size() && IsNameCharacter(rest_[size])) ++size;
        if (size == 0) return false;
        name = rest_.substr(0, size);
        rest_.remove_prefix(size);
      } else {
        return false;
      }
      Push(JsonKind::kString, name);
      if (!Take(':') || !Value(depth + 1)) return false;
      ++count;
    } while (Take(','));
    if (!Take('}')) return false;
  }
  nodes_[self].count = count;
  nodes_[self].next = size();
  return true;
}

bool JsonTape::Array(int depth) {
  const uint32_t self = Push(JsonKind::kArray);
  rest_.remove_prefix(1);
  uint32_t count = 0;
  if (!Take(']')) {
    do {
      if (!Value(depth + 1)) return false;
      ++count;
    } while (Take(','));
    if (!Take(']')) return false;
  }
  nodes_[self].count = count;
  nodes_[self].next = size();
  return true;
}

bool JsonTape::Text(char quote, std::string_view* out) {
  size_t plain = 0;
  while (plain < rest_.size() && rest_[plain] != quote && rest_[plain] != '\\') {
    if (static_cast<unsigned char>(rest_[plain]) < 0x20 && !leniency_.control_characters)
      return false;
    ++plain;
  }
  if (plain >= rest_.size()) return false;
  if (rest_[plain] == quote) {
    *out = rest_.substr(0, plain);
    rest_.remove_prefix(plain + 1);
    return true;
  }
  std::string& text = unescaped_.emplace_back(rest_.substr(0, plain));
  rest_.remove_prefix(plain);
  while (!rest_.empty() && rest_[0] != quote) {
    const char c = rest_[0];
    if (c != '\\') {
      if (static_cast<unsigned char>(c) < 0x20 && !leniency_.control_characters) return false;
      text += c;
      rest_.remove_prefix(1);
      continue;
    }
    if (rest_.size() < 2) return false;
    const char escaped = rest_[1];
    rest_.remove_prefix(2);
    switch (escaped) {
      case 'b':
        text += '\b';
        break;
      case 'f':
        text += '\f';
        break;
      case 'n':
        text += '\n';
        break;
      case 'r':
        text += '\r';
        break;
      case 't':
        text += '\t';
        break;
      case 'u': {
        auto code = FourHex(rest_);
        if (!code) return false;
        rest_.remove_prefix(4);
        if (*code >= 0xD800 && *code <= 0xDBFF && rest_.substr(0, 2) == "\\u") {
          const auto low = FourHex(rest_.substr(2));
          if (low && *low >= 0xDC00 && *low <= 0xDFFF) {
            code = 0x10000 + ((*code - 0xD800) << 10) + (*low - 0xDC00);
            rest_.remove_prefix(6);
          }
        }
        // Half of a pair is no character.
        AppendCodePoint(*code >= 0xD800 && *code <= 0xDFFF ? 0xFFFD : *code, &text);
        break;
      }
      default:
        if (std::string_view("\"\\/'").find(escaped) == std::string_view::npos &&
            !leniency_.backslash_any)
          return false;
        text += escaped;
    }
  }
  if (rest_.empty()) return false;
  rest_.remove_prefix(1);
  *out = text;
  return true;
}

bool JsonTape::Number() {
  size_t at = rest_[0] == '-' ? 1 : 0;
  const size_t first = at;
  const auto digits = [&] {
    const size_t from = at;
    while (at < rest_.size() && std::isdigit(static_cast<unsigned char>(rest_[at]))) ++at;
    return at - from;
  };
  const size_t whole = digits();
  if (whole == 0) return false;
  if (whole > 1 && rest_[first] == '0' && !leniency_.leading_zeros) return false;
  if (at < rest_.size() && rest_[at] == '.') {
    ++at;
    if (digits() == 0) return false;
  }
  if (at < rest_.size() && (rest_[at] == 'e' || rest_[at] == 'E')) {
    ++at;
    if (at < rest_.size() && (rest_[at] == '+' || rest_[at] == '-')) ++at;
    if (digits() == 0) return false;
  }
  // A number has to be followed by something that can stand after a value.
  if (at < rest_.size() && (IsNameCharacter(rest_[at]) || rest_[at] == '.')) return false;
  std::string_view text = rest_.substr(0, at);
  if (whole > 1 && rest_[first] == '0') {
    std::string& trimmed = unescaped_.emplace_back(text);
    while (trimmed.size() > first + 1 && trimmed[first] == '0' &&
           std::isdigit(static_cast<unsigned char>(trimmed[first + 1])))
      trimmed.erase(first, 1);
    text = trimmed;
  }
  Push(JsonKind::kNumber, text);
  rest_.remove_prefix(at);
  return true;
}

bool JsonTape::Word() {
  size_t size = rest_[0] == '+' || rest_[0] == '-' ? 1 : 0;
  while (size < rest_.size() && IsNameCharacter(rest_[size])) ++size;
  const std::string_view word = rest_.substr(0, size);
  if (word == "null") {
    Push(JsonKind::kNull);
  } else if (word == "true") {
    Push(JsonKind::kTrue);
  } else if (word == "false") {
    Push(JsonKind::kFalse);
  } else if (leniency_.non_numeric_numbers && word == "NaN") {
    Push(JsonKind::kNumber, "NaN");
  } else if (leniency_.non_numeric_numbers &&
             (word == "Infinity" || word == "+Infinity" || word == "INF" || word == "+INF")) {
    Push(JsonKind::kNumber, "Infinity");
  } else if (leniency_.non_numeric_numbers && (word == "-Infinity" || word == "-INF")) {
    Push(JsonKind::kNumber, "-Infinity");
  } else {
    return false;
  }
  rest_.remove_prefix(size);
  return true;
}

std::optional<uint32_t> JsonTape::Member(uint32_t object, std::string_view name) const {
  if (nodes_[object].kind != JsonKind::kObject) return std::nullopt;
  uint32_t at = object + 1;
  for (uint32_t i = 0; i < nodes_[object].count; ++i) {
    if (nodes_[at].text == name) return at + 1;
    at = nodes_[at + 1].next;
  }
  return std::nullopt;
}

bool IsWholeNumber(std::string_view number) {
  return number.find_first_not_of("-0123456789") == std::string_view::npos;
}

void AppendJson(const JsonTape& tape, uint32_t node, std::string* out) {
  const JsonNode& value = tape[node];
  switch (value.kind) {
    case JsonKind::kNull:
      *out += "null";
      return;
    case JsonKind::kTrue:
      *out += "true";
      return;
    case JsonKind::kFalse:
      *out += "false";
      return;
    case JsonKind::kNumber: {
      if (IsWholeNumber(value.text)) {
        *out += value.text;
        return;
      }
      const auto number = ParseFloating<double>(value.text);
      if (std::isfinite(*number)) {
        *out += JavaToString(*number);
      } else {
        AppendJsonString(JavaToString(*number), out);
      }
      return;
    }
    case JsonKind::kString:
      AppendJsonString(value.text, out);
      return;
    case JsonKind::kArray: {
      *out += '[';
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i) {
        if (i > 0) *out += ',';
        AppendJson(tape, at, out);
        at = tape[at].next;
      }
      *out += ']';
      return;
    }
    case JsonKind::kObject: {
      *out += '{';
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i) {
        if (i > 0) *out += ',';
        AppendJsonString(tape[at].text, out);
        *out += ':';
        AppendJson(tape, at + 1, out);
        at = tape[at + 1].next;
      }
      *out += '}';
      return;
    }
  }
}

}  // namespace merganser::engine
