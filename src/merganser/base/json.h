#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/base/result.h"

namespace merganser {

/// A JSON value that is built, read and written whole. Objects keep the order of their members.
///
/// A plain value: copying copies everything below it. Lines of the transaction log, which are read
/// by the million, have their own reader; this one is for schemas, settings and small documents.
class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  // NOLINTBEGIN(google-explicit-constructor): values of these types stand for JSON in braces.
  Json() = default;  ///< null
  Json(std::nullptr_t) {}
  template <std::same_as<bool> T>  // A template, so that no pointer turns into a bool.
  Json(T value) : value_(value) {}
  template <std::signed_integral T>
    requires(!std::same_as<T, char>)
  Json(T value) : value_(int64_t{value}) {}
  Json(double value);
  Json(const char* value) : value_(std::string(value)) {}
  Json(std::string_view value) : value_(std::string(value)) {}
  Json(std::string value) : value_(std::move(value)) {}
  Json(Array value) : value_(std::move(value)) {}
  // NOLINTEND(google-explicit-constructor)

  static Json MakeArray() { return Json(Array{}); }
  /// An object; of members with the same key the last wins.
  static Json MakeObject(Object members = {});
  /// A number written exactly as `text`, for values that neither an int64 nor a double holds.
  /// Requires `text` to be a JSON number within the range of a double.
  static Json NumberFromText(std::string text);

  /// Parse one JSON document. Fails with MALFORMED_JSON, also on nesting deeper than 512 and
  /// on numbers past the range of a double. Of repeated keys the last wins, at the place of the
  /// first.
  static Result<Json> Parse(std::string_view text);

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }
  bool is_bool() const { return std::holds_alternative<bool>(value_); }
  bool is_string() const { return std::holds_alternative<std::string>(value_); }
  bool is_array() const { return std::holds_alternative<Array>(value_); }
  bool is_object() const { return std::holds_alternative<Object>(value_); }
  /// A number without fraction and exponent that fits an int64.
  bool is_int() const { return std::holds_alternative<int64_t>(value_); }
  bool is_number() const { return is_int() || std::holds_alternative<Number>(value_); }

  // Each requires the matching is_*().
  bool as_bool() const { return std::get<bool>(value_); }
  int64_t as_int() const { return std::get<int64_t>(value_); }
  /// Any number, rounded to the nearest double.
  double as_double() const;
  /// A number as it was written.
  std::string number_text() const;
  const std::string& as_string() const { return std::get<std::string>(value_); }
  const Array& items() const { return std::get<Array>(value_); }
  Array& items() { return std::get<Array>(value_); }
  const Object& members() const { return std::get<Object>(value_); }

  /// Number of items or members; 0 for anything else.
  size_t size() const;
  bool empty() const { return size() == 0; }

  /// The member called `key`; null if this is not an object or has none.
  const Json* find(std::string_view key) const;
  Json* find(std::string_view key);
  /// The integer called `key`; none if there is no such member or it is something else.
  std::optional<int64_t> find_int(std::string_view key) const;
  bool contains(std::string_view key) const { return find(key) != nullptr; }

  // Typed look-ups: the member if present and of that type, else `otherwise`.
  std::string string_or(std::string_view key, std::string_view otherwise = {}) const;
  int64_t int_or(std::string_view key, int64_t otherwise) const;
  bool bool_or(std::string_view key, bool otherwise) const;

  /// The member called `key`, added as null if missing. Null turns into an object first.
  /// Requires an object or null.
  Json& operator[](std::string_view key);
  /// Set `key` and return this, for building in one expression.
  Json& Set(std::string_view key, Json value);
  /// Drop the member; says whether there was one.
  bool Erase(std::string_view key);
  /// Append to an array. Null turns into an array first.
  void Append(Json item);

  /// Compact text, as Jackson writes it: members in order, only `"`, `\` and control characters
  /// escaped, doubles as Java prints them (NaN and infinities as strings).
  std::string Dump() const;
  /// The same with two spaces of indent a level.
  std::string DumpPretty() const;

  /// Equal values; objects compare without regard to order.
  friend bool operator==(const Json& left, const Json& right);

 private:
  struct Number {
    double value;
    std::string text;
  };
  friend class JsonBuilder;
  void Write(std::string* out, int indent, int level) const;

  std::variant<std::monostate, bool, int64_t, Number, std::string, Array, Object> value_;
};

/// Append `text` to `out` as a quoted JSON string.
void AppendJsonString(std::string_view text, std::string* out);

}  // namespace merganser
