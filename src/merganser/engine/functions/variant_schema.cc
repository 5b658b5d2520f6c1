#include "merganser/engine/functions/variant_schema.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/variant_values.h"

namespace merganser::engine {
namespace {

/// Digits before the point of any BIGINT, as Spark counts them when it widens one to a decimal.
constexpr int kMostLongDigits = 20;

/// A member's name as it stands in a type.
std::string FieldName(const std::string& name) {
  const std::string type = DataType::Struct(StructType({{name, DataType::Null()}})).SqlString();
  constexpr std::string_view kBefore = "STRUCT<";
  constexpr std::string_view kAfter = ": VOID>";
  return type.substr(kBefore.size(), type.size() - kBefore.size() - kAfter.size());
}

}  // namespace

VariantSchema VariantSchema::Leaf(std::string name) {
  VariantSchema schema;
  schema.leaf_ = std::move(name);
  return schema;
}

VariantSchema VariantSchema::OfNumber(std::string_view text) {
  if (IsWholeNumber(text) && ParseInteger<int64_t>(text, false)) return Leaf("BIGINT");
  auto exact = ExactVariantNumber(text);
  if (!exact) return Leaf("DOUBLE");
  StripTrailingZeros(&*exact);
  VariantSchema schema = Leaf("DECIMAL");
  schema.scale_ = static_cast<int>(exact->scale);
  schema.precision_ = std::max(static_cast<int>(exact->digits.size()), schema.scale_);
  return schema;
}

VariantSchema VariantSchema::Of(const JsonTape& tape, uint32_t node) {
  const JsonNode& value = tape[node];
  VariantSchema schema;
  switch (value.kind) {
    case JsonKind::kNull:
      break;
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return Leaf("BOOLEAN");
    case JsonKind::kString:
      return Leaf("STRING");
    case JsonKind::kNumber:
      return OfNumber(value.text);
    case JsonKind::kArray: {
      schema.kind_ = Kind::kArray;
      schema.element_.emplace_back();
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at].next)
        schema.element_[0].Merge(Of(tape, at));
      break;
    }
    case JsonKind::kObject: {
      schema.kind_ = Kind::kObject;
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at + 1].next) {
        schema.fields_[std::string(tape[at].text)] = Of(tape, at + 1);
      }
      break;
    }
  }
  return schema;
}

void VariantSchema::Merge(const VariantSchema& other) {
  if (other.is_void()) return;
  if (is_void()) {
    *this = other;
  } else if (kind_ != other.kind_) {
    *this = Leaf("VARIANT");
  } else if (kind_ == Kind::kArray) {
    element_[0].Merge(other.element_[0]);
  } else if (kind_ == Kind::kObject) {
    for (const auto& [name, field] : other.fields_) fields_[name].Merge(field);
  } else {
    MergeLeaf(other);
  }
}

void VariantSchema::MergeLeaf(const VariantSchema& other) {
  if (leaf_ == other.leaf_ && leaf_ != "DECIMAL") return;
  if (!is_number() || !other.is_number()) {
    *this = Leaf("VARIANT");
    return;
  }
  const auto whole = [](const VariantSchema& s) {
    return s.leaf_ == "BIGINT" ? kMostLongDigits : s.precision_ - s.scale_;
  };
  const int scale = std::max(scale_, other.scale_);
  const int precision = std::max(whole(*this), whole(other)) + scale;
  const bool exact =
      leaf_ != "DOUBLE" && other.leaf_ != "DOUBLE" && precision <= kMaxDecimalPrecision;
  *this = Leaf(exact ? "DECIMAL" : "DOUBLE");
  if (!exact) return;
  precision_ = precision;
  scale_ = scale;
}

std::string VariantSchema::Text() const {
  if (kind_ == Kind::kArray) return "ARRAY<" + element_[0].Text() + ">";
  if (kind_ == Kind::kObject) {
    std::string text = "OBJECT<";
    for (const auto& [name, field] : fields_) {
      if (text.back() != '<') text += ", ";
      text += FieldName(name) + ": " + field.Text();
    }
    return text + ">";
  }
  if (leaf_ != "DECIMAL") return leaf_;
  return "DECIMAL(" + std::to_string(precision_) + "," + std::to_string(scale_) + ")";
}

}  // namespace merganser::engine
