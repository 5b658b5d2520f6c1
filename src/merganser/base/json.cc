#include "merganser/base/json.h"

#include <array>
#include <charconv>
#include <cmath>
#include <limits>

#include <nlohmann/json.hpp>

#include "merganser/base/java_double.h"

namespace merganser {

/// Receives the parser's events and builds the value.
class JsonBuilder : public nlohmann::json_sax<nlohmann::json> {
 public:
  bool null() override { return Add(Json()); }
  bool boolean(bool value) override { return Add(Json(value)); }
  bool number_integer(number_integer_t value) override { return Add(Json(int64_t{value})); }
  bool number_unsigned(number_unsigned_t value) override {
    if (value <= static_cast<uint64_t>(std::numeric_limits<int64_t>::max())) {
      return Add(Json(static_cast<int64_t>(value)));
    }
    return Add(Json::NumberFromText(std::to_string(value)));
  }
  // Integers past 64 bits arrive here too, with their text.
  bool number_float(number_float_t, const string_t& text) override {
    return Add(Json::NumberFromText(text));
  }
  bool string(string_t& value) override { return Add(Json(std::move(value))); }
  bool binary(binary_t&) override { return false; }
  bool start_object(std::size_t) override { return Open(Json::MakeObject()); }
  bool key(string_t& name) override {
    keys_.back() = std::move(name);
    return true;
  }
  bool end_object() override { return Close(); }
  bool start_array(std::size_t) override { return Open(Json::MakeArray()); }
  bool end_array() override { return Close(); }
  bool parse_error(std::size_t position, const std::string&,
                   const nlohmann::detail::exception&) override {
    error_position_ = position;
    return false;
  }

  Json Take() { return std::move(root_); }
  size_t error_position() const { return error_position_; }
  bool too_deep() const { return too_deep_; }

 private:
  static constexpr size_t kMaxDepth = 512;

  bool Add(Json value) {
    if (open_.empty()) {
      root_ = std::move(value);
    } else if (open_.back().is_array()) {
      open_.back().items().push_back(std::move(value));
    } else {
      AddMember(std::move(value));
    }
    return true;
  }

  void AddMember(Json value) {
    auto& members = std::get<Json::Object>(open_.back().value_);
    // Small objects only: a linear search of a large one would make parsing quadratic, and the
    // documents with large objects (maps of file names) come from writers that cannot repeat a key.
    if (members.size() < kMaxSearchedMembers) {
      if (Json* existing = open_.back().find(keys_.back())) {
        *existing = std::move(value);
        return;
      }
    }
    members.emplace_back(std::move(keys_.back()), std::move(value));
  }

  bool Open(Json container) {
    if (open_.size() >= kMaxDepth) {
      too_deep_ = true;
      return false;
    }
    open_.push_back(std::move(container));
    keys_.emplace_back();
    return true;
  }

  bool Close() {
    Json closed = std::move(open_.back());
    open_.pop_back();
    keys_.pop_back();
    return Add(std::move(closed));
  }

  static constexpr size_t kMaxSearchedMembers = 256;

  Json root_;
  std::vector<Json> open_;
  std::vector<std::string> keys_;
  size_t error_position_ = 0;
  bool too_deep_ = false;
};

Json::Json(double value) {
  if (std::isfinite(value)) {
    value_ = Number{value, JavaToString(value)};
  } else {
    value_ = JavaToString(value);
  }
}

Json Json::MakeObject(Object members) {
  Json object;
  object.value_ = Object{};
  for (auto& [key, value] : members) object.Set(key, std::move(value));
  return object;
}

Json Json::NumberFromText(std::string text) {
  double value = 0;
  // Leaves 0 for a number too small for a double.
  std::from_chars(text.data(), text.data() + text.size(), value);
  Json number;
  number.value_ = Number{value, std::move(text)};
  return number;
}

Result<Json> Json::Parse(std::string_view text) {
  JsonBuilder builder;
  if (nlohmann::json::sax_parse(text.begin(), text.end(), &builder)) return builder.Take();
  const std::string reason = builder.too_deep() ? "nested too deeply"
                                                : "unexpected character at byte " +
                                                      std::to_string(builder.error_position());
  constexpr size_t kShown = 120;
  return Error(ErrorClass::MALFORMED_JSON,
               {{"reason", reason}, {"text", std::string(text.substr(0, kShown))}});
}

double Json::as_double() const {
  return is_int() ? static_cast<double>(as_int()) : std::get<Number>(value_).value;
}

std::string Json::number_text() const {
  return is_int() ? std::to_string(as_int()) : std::get<Number>(value_).text;
}

size_t Json::size() const {
  if (is_array()) return items().size();
  if (is_object()) return members().size();
  return 0;
}

const Json* Json::find(std::string_view key) const {
  if (!is_object()) return nullptr;
  for (const auto& [name, value] : members()) {
    if (name == key) return &value;
  }
  return nullptr;
}

Json* Json::find(std::string_view key) {
  return const_cast<Json*>(static_cast<const Json*>(this)->find(key));
}

std::optional<int64_t> Json::find_int(std::string_view key) const {
  const Json* member = find(key);
  if (member == nullptr || !member->is_int()) return std::nullopt;
  return member->as_int();
}

std::string Json::string_or(std::string_view key, std::string_view otherwise) const {
  const Json* member = find(key);
  if (member == nullptr || !member->is_string()) return std::string(otherwise);
  return member->as_string();
}

int64_t Json::int_or(std::string_view key, int64_t otherwise) const {
  return find_int(key).value_or(otherwise);
}

bool Json::bool_or(std::string_view key, bool otherwise) const {
  const Json* member = find(key);
  return member != nullptr && member->is_bool() ? member->as_bool() : otherwise;
}

Json& Json::operator[](std::string_view key) {
  if (is_null()) value_ = Object{};
  if (Json* member = find(key)) return *member;
  auto& members = std::get<Object>(value_);
  members.emplace_back(std::string(key), Json());
  return members.back().second;
}

Json& Json::Set(std::string_view key, Json value) {
  (*this)[key] = std::move(value);
  return *this;
}

bool Json::Erase(std::string_view key) {
  if (!is_object()) return false;
  return std::erase_if(std::get<Object>(value_),
                       [&](const Member& member) { return member.first == key; }) > 0;
}

void Json::Append(Json item) {
  if (is_null()) value_ = Array{};
  items().push_back(std::move(item));
}

std::string Json::Dump() const {
  std::string out;
  Write(&out, 0, 0);
  return out;
}

std::string Json::DumpPretty() const {
  std::string out;
  Write(&out, 2, 0);
  return out;
}

void Json::Write(std::string* out, int indent, int level) const {
  const auto new_line = [&](int at) {
    if (indent == 0) return;
    out->push_back('\n');
    out->append(static_cast<size_t>(indent) * static_cast<size_t>(at), ' ');
  };
  if (is_null()) {
    out->append("null");
  } else if (is_bool()) {
    out->append(as_bool() ? "true" : "false");
  } else if (is_number()) {
    out->append(number_text());
  } else if (is_string()) {
    AppendJsonString(as_string(), out);
  } else if (is_array()) {
    out->push_back('[');
    bool first = true;
    for (const Json& item : items()) {
      if (!first) out->push_back(',');
      first = false;
      new_line(level + 1);
      item.Write(out, indent, level + 1);
    }
    if (!first) new_line(level);
    out->push_back(']');
  } else {
    out->push_back('{');
    bool first = true;
    for (const auto& [name, value] : members()) {
      if (!first) out->push_back(',');
      first = false;
      new_line(level + 1);
      AppendJsonString(name, out);
      out->append(indent == 0 ? ":" : ": ");
      value.Write(out, indent, level + 1);
    }
    if (!first) new_line(level);
    out->push_back('}');
  }
}

bool operator==(const Json& left, const Json& right) {
  if (left.is_number() && right.is_number()) {
    if (left.is_int() && right.is_int()) return left.as_int() == right.as_int();
    return left.number_text() == right.number_text() || left.as_double() == right.as_double();
  }
  if (left.value_.index() != right.value_.index()) return false;
  if (left.is_null()) return true;
  if (left.is_bool()) return left.as_bool() == right.as_bool();
  if (left.is_string()) return left.as_string() == right.as_string();
  if (left.is_array()) return left.items() == right.items();
  if (left.size() != right.size()) return false;
  for (const auto& [name, value] : left.members()) {
    const Json* other = right.find(name);
    if (other == nullptr || !(*other == value)) return false;
  }
  return true;
}

void AppendJsonString(std::string_view text, std::string* out) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  out->push_back('"');
  for (const char c : text) {
    switch (c) {
      case '"':
        out->append("\\\"");
        break;
      case '\\':
        out->append("\\\\");
        break;
      case '\b':
        out->append("\\b");
        break;
      case '\f':
        out->append("\\f");
        break;
      case '\n':
        out->append("\\n");
        break;
      case '\r':
        out->append("\\r");
        break;
      case '\t':
        out->append("\\t");
        break;
      default: {
        const auto byte = static_cast<unsigned char>(c);
        if (byte < 0x20) {
          out->append("\\u00");
          out->push_back(kHex[byte >> 4]);
          out->push_back(kHex[byte & 0xF]);
        } else {
          out->push_back(c);
        }
      }
    }
  }
  out->push_back('"');
}

}  // namespace merganser
