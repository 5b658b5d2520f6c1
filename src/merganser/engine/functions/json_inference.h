#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/json_tape.h"
#include "merganser/engine/functions/json_values.h"

namespace merganser::engine {

/// The type that holds all JSON values it has seen, as Spark infers it.
class JsonShape {
 public:
  void Add(const JsonTape& tape, uint32_t node, const TextFormatOptions& options);
  void Merge(JsonShape&& other);

  bool is_object() const { return kind_ == Kind::kObject; }
  bool is_array() const { return kind_ == Kind::kArray; }
  /// Nothing but nulls.
  bool is_null() const { return kind_ == Kind::kNull; }
  /// Of an array's elements; null for an empty one.
  JsonShape* element() { return element_.get(); }

  /// The type without VOID: such values are texts, or their fields are left out
  /// (dropFieldIfAllNull). Structs without fields are left out of structs.
  DataType Type(const TextFormatOptions& options) const;

 private:
  enum class Kind : uint8_t {
    kNull,
    kBoolean,
    kLong,
    kDecimal,
    kDouble,
    kString,
    kTimestamp,
    kArray,
    kObject
  };
  using Field = std::pair<std::string, std::unique_ptr<JsonShape>>;

  void Take(Kind kind, int whole_digits = 0, int scale = 0);
  void AddNumber(std::string_view text, const TextFormatOptions& options);
  JsonShape& Member(std::string_view name, size_t* hint);
  /// Does the value leave nothing behind?
  bool IsDropped(const TextFormatOptions& options) const;

  Kind kind_ = Kind::kNull;
  int whole_digits_ = 0;  ///< Of decimals.
  int scale_ = 0;
  std::unique_ptr<JsonShape> element_;
  std::vector<Field> fields_;  ///< In the order in which they were seen.
};

/// The schema of many JSON records.
class JsonInference {
 public:
  explicit JsonInference(TextFormatOptions options)
      : options_(std::move(options)), tape_(options_.leniency) {}

  /// Fails with MALFORMED_RECORD_IN_PARSING (mode FAILFAST).
  void Add(std::string_view record);
  void Merge(JsonInference&& other);
  /// Fields by name; one for the records that cannot be read, if there are any (mode PERMISSIVE).
  StructType Schema() const;

 private:
  TextFormatOptions options_;
  JsonTape tape_;
  JsonShape root_;
  bool malformed_ = false;
};

}  // namespace merganser::engine
