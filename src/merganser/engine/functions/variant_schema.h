#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "merganser/engine/functions/json_tape.h"

namespace merganser::engine {

/// The type of a variant's value, or of several values: VARIANT where they differ.
class VariantSchema {
 public:
  /// Of no value: VOID.
  VariantSchema() = default;
  static VariantSchema Of(const JsonTape& tape, uint32_t node);

  void Merge(const VariantSchema& other);
  /// "OBJECT<a: BIGINT>".
  std::string Text() const;

 private:
  enum class Kind : uint8_t { kLeaf, kArray, kObject };

  static VariantSchema Leaf(std::string name);
  static VariantSchema OfNumber(std::string_view text);
  bool is_void() const { return kind_ == Kind::kLeaf && leaf_ == "VOID"; }
  bool is_number() const { return leaf_ == "BIGINT" || leaf_ == "DECIMAL" || leaf_ == "DOUBLE"; }
  void MergeLeaf(const VariantSchema& other);

  Kind kind_ = Kind::kLeaf;
  std::string leaf_ = "VOID";  ///< SQL name of a leaf.
  int precision_ = 0;          ///< Of a DECIMAL leaf.
  int scale_ = 0;
  std::vector<VariantSchema> element_;
  std::map<std::string, VariantSchema> fields_;
};

}  // namespace merganser::engine
