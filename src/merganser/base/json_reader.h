#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

#include <simdjson.h>

namespace merganser {

/// A JSON value read in place, once and front to back: the fast way into documents that are read by
/// the million. Every Read says whether the value is of that type; after a false the document is
/// spent. Text handed out lives until the next document.
class JsonReader {
 public:
  explicit JsonReader(simdjson::ondemand::value value) : value_(value) {}

  bool is_null() {
    bool null = false;
    return value_.is_null().get(null) == simdjson::SUCCESS && null;
  }
  bool is_string() { return Type() == simdjson::ondemand::json_type::string; }
  bool is_object() { return Type() == simdjson::ondemand::json_type::object; }
  bool is_array() { return Type() == simdjson::ondemand::json_type::array; }

  bool Read(std::string_view* out) { return value_.get_string().get(*out) == simdjson::SUCCESS; }
  bool Read(std::string* out) {
    std::string_view text;
    if (!Read(&text)) return false;
    out->assign(text);
    return true;
  }
  bool Read(int64_t* out) { return value_.get_int64().get(*out) == simdjson::SUCCESS; }
  bool Read(int32_t* out) {
    int64_t wide = 0;
    if (!Read(&wide) || wide != static_cast<int32_t>(wide)) return false;
    *out = static_cast<int32_t>(wide);
    return true;
  }
  bool Read(double* out) { return value_.get_double().get(*out) == simdjson::SUCCESS; }
  bool Read(bool* out) { return value_.get_bool().get(*out) == simdjson::SUCCESS; }

  /// The text of the value as it stands in the document.
  bool ReadText(std::string_view* out) {
    if (is_object()) {
      simdjson::ondemand::object object;
      return value_.get_object().get(object) == simdjson::SUCCESS &&
             object.raw_json().get(*out) == simdjson::SUCCESS;
    }
    if (is_array()) {
      simdjson::ondemand::array array;
      return value_.get_array().get(array) == simdjson::SUCCESS &&
             array.raw_json().get(*out) == simdjson::SUCCESS;
    }
    *out = value_.raw_json_token();
    while (!out->empty() && (out->back() == ' ' || out->back() == '\t' || out->back() == '\r' ||
                             out->back() == '\n')) {
      out->remove_suffix(1);
    }
    return true;
  }

  /// Call `each(key, reader)` for every member, in order; stop with false when it returns false. A
  /// member that is not read is skipped.
  template <typename Function>
  bool Members(Function&& each) {
    simdjson::ondemand::object object;
    if (value_.get_object().get(object) != simdjson::SUCCESS) return false;
    for (auto member : object) {
      std::string_view key;
      if (member.unescaped_key().get(key) != simdjson::SUCCESS) return false;
      simdjson::ondemand::value value;
      if (member.value().get(value) != simdjson::SUCCESS) return false;
      if (!each(key, JsonReader(value))) return false;
    }
    return true;
  }

  /// Call `each(reader)` for every item of an array.
  template <typename Function>
  bool Items(Function&& each) {
    simdjson::ondemand::array array;
    if (value_.get_array().get(array) != simdjson::SUCCESS) return false;
    for (auto item : array) {
      simdjson::ondemand::value value;
      if (item.get(value) != simdjson::SUCCESS) return false;
      if (!each(JsonReader(value))) return false;
    }
    return true;
  }

 private:
  simdjson::ondemand::json_type Type() {
    simdjson::ondemand::json_type type = simdjson::ondemand::json_type::null;
    (void)value_.type().get(type);
    return type;
  }

  simdjson::ondemand::value value_;
};

/// Parses documents one after the other, reusing its buffers. Not for use from two threads at once.
class JsonDocumentParser {
 public:
  /// Parse `text` and call `read(JsonReader)` on it. `readable` bytes may be read from the start of
  /// `text` on; a document that has little room behind it is copied first. False if the text is no
  /// JSON object or array, if anything follows it, or if `read` returns false.
  template <typename Function>
  bool Parse(std::string_view text, size_t readable, Function&& read) {
    const char* data = text.data();
    size_t capacity = readable;
    if (readable < text.size() + simdjson::SIMDJSON_PADDING) {
      padded_.assign(text);
      padded_.append(simdjson::SIMDJSON_PADDING, ' ');
      data = padded_.data();
      capacity = padded_.size();
    }
    simdjson::ondemand::document document;
    if (parser_.iterate(data, text.size(), capacity).get(document) != simdjson::SUCCESS)
      return false;
    simdjson::ondemand::value value;
    if (document.get_value().get(value) != simdjson::SUCCESS) return false;
    if (!read(JsonReader(value))) return false;
    const char* rest = nullptr;
    return document.current_location().get(rest) == simdjson::OUT_OF_BOUNDS;
  }

  template <typename Function>
  bool Parse(std::string_view text, Function&& read) {
    return Parse(text, text.size(), std::forward<Function>(read));
  }

 private:
  // A longer document is refused before it claims memory.
  static constexpr size_t kLongestDocument = size_t{1} << 29;

  simdjson::ondemand::parser parser_{kLongestDocument};
  std::string padded_;
};

}  // namespace merganser
