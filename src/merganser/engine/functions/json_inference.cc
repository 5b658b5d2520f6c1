#include "merganser/engine/functions/json_inference.h"

#include <algorithm>

#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/number_text.h"

namespace merganser::engine {
namespace {

/// BIGINT as a decimal.
constexpr int kLongDigits = 20;

bool IsTime(std::string_view text, const TextFormatOptions& options) {
  if (options.timestamp_parser != nullptr)
    return options.timestamp_parser->Parse(text, *options.zone).has_value();
  return engine::ParseTimestamp(text, *options.zone, options.now_micros).has_value();
}

}  // namespace

void JsonShape::Take(Kind kind, int whole_digits, int scale) {
  if (kind == Kind::kNull) return;
  if (kind_ == Kind::kNull || (kind_ == kind && kind != Kind::kDecimal)) {
    kind_ = kind;
    whole_digits_ = whole_digits;
    scale_ = scale;
    return;
  }
  const auto is_number = [](Kind each) {
    return each == Kind::kLong || each == Kind::kDecimal || each == Kind::kDouble;
  };
  if (!is_number(kind) || !is_number(kind_)) {
    kind_ = Kind::kString;
    element_.reset();
    fields_.clear();
    return;
  }
  if (kind == Kind::kDouble || kind_ == Kind::kDouble) {
    kind_ = Kind::kDouble;
    return;
  }
  whole_digits_ = std::max(kind_ == Kind::kLong ? kLongDigits : whole_digits_,
                           kind == Kind::kLong ? kLongDigits : whole_digits);
  scale_ = std::max(kind_ == Kind::kLong ? 0 : scale_, scale);
  kind_ = whole_digits_ + scale_ > kMaxDecimalPrecision ? Kind::kDouble : Kind::kDecimal;
}

void JsonShape::AddNumber(std::string_view text, const TextFormatOptions& options) {
  if (options.primitives_as_string) return Take(Kind::kString);
  const bool whole = IsWholeNumber(text);
  if (whole) {
    if (ParseInteger<int64_t>(text, false)) return Take(Kind::kLong);
    const auto digits = static_cast<int>(text.size() - (text[0] == '-' ? 1 : 0));
    if (digits <= kMaxDecimalPrecision) return Take(Kind::kDecimal, digits, 0);
    return Take(Kind::kDouble);
  }
  const size_t point = text.find('.');
  if (options.prefers_decimal && point != text.npos && text.find_first_of("eE") == text.npos) {
    const int sign = text[0] == '-' ? 1 : 0;
    const auto scale = static_cast<int>(text.size() - point) - 1;
    const auto leading = static_cast<int>(point) - sign;
    const int digits =
        std::max(leading == 1 && text[static_cast<size_t>(sign)] == '0' ? 0 : leading, 0);
    if (digits + scale <= kMaxDecimalPrecision) return Take(Kind::kDecimal, digits, scale);
  }
  Take(Kind::kDouble);
}

JsonShape& JsonShape::Member(std::string_view name, size_t* hint) {
  // Records mostly have their fields in one order.
  if (*hint < fields_.size() && fields_[*hint].first == name) return *fields_[(*hint)++].second;
  for (size_t i = 0; i < fields_.size(); ++i) {
    if (fields_[i].first != name) continue;
    *hint = i + 1;
    return *fields_[i].second;
  }
  fields_.emplace_back(name, std::make_unique<JsonShape>());
  *hint = fields_.size();
  return *fields_.back().second;
}

void JsonShape::Add(const JsonTape& tape, uint32_t node, const TextFormatOptions& options) {
  const JsonNode& value = tape[node];
  switch (value.kind) {
    case JsonKind::kNull:
      return;
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      return Take(options.primitives_as_string ? Kind::kString : Kind::kBoolean);
    case JsonKind::kString:
      // Some writers do not tell an empty text from null.
      if (value.text.empty()) return;
      return Take(options.infer_timestamp && IsTime(value.text, options) ? Kind::kTimestamp
                                                                         : Kind::kString);
    case JsonKind::kNumber:
      return AddNumber(value.text, options);
    case JsonKind::kArray: {
      Take(Kind::kArray);
      if (kind_ != Kind::kArray) return;
      if (element_ == nullptr) element_ = std::make_unique<JsonShape>();
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at].next)
        element_->Add(tape, at, options);
      return;
    }
    case JsonKind::kObject: {
      Take(Kind::kObject);
      if (kind_ != Kind::kObject) return;
      size_t hint = 0;
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at + 1].next)
        Member(tape[at].text, &hint).Add(tape, at + 1, options);
      return;
    }
  }
}

void JsonShape::Merge(JsonShape&& other) {
  if (other.kind_ == Kind::kNull) return;
  if (kind_ == Kind::kNull) {
    *this = std::move(other);
    return;
  }
  Take(other.kind_, other.whole_digits_, other.scale_);
  if (kind_ == Kind::kArray && other.element_ != nullptr) {
    if (element_ == nullptr) element_ = std::make_unique<JsonShape>();
    element_->Merge(std::move(*other.element_));
  }
  if (kind_ != Kind::kObject) return;
  size_t hint = 0;
  for (auto& [name, field] : other.fields_) Member(name, &hint).Merge(std::move(*field));
}

bool JsonShape::IsDropped(const TextFormatOptions& options) const {
  if (kind_ == Kind::kNull) return options.drop_null_fields;
  if (kind_ == Kind::kArray && options.drop_null_fields)
    return element_ == nullptr || element_->IsDropped(options);
  return kind_ == Kind::kObject && std::ranges::all_of(fields_, [&](const Field& field) {
           return field.second->IsDropped(options);
         });
}

DataType JsonShape::Type(const TextFormatOptions& options) const {
  switch (kind_) {
    case Kind::kBoolean:
      return DataType::Boolean();
    case Kind::kLong:
      return DataType::Long();
    case Kind::kDecimal:
      return DataType::Decimal(whole_digits_ + scale_, scale_);
    case Kind::kDouble:
      return DataType::Double();
    case Kind::kTimestamp:
      return DataType::Timestamp();
    case Kind::kArray:
      return DataType::Array(element_ == nullptr ? DataType::String() : element_->Type(options));
    case Kind::kObject: {
      StructType type;
      for (const auto& [name, field] : fields_) {
        if (!field->IsDropped(options)) type.Add({name, field->Type(options), true, {}});
      }
      std::ranges::sort(type.fields(), {}, &StructField::name);
      return DataType::Struct(std::move(type));
    }
    default:
      return DataType::String();
  }
}

void JsonInference::Add(std::string_view record) {
  if (TrimJava(record).empty()) return;
  bool good = tape_.Parse(record);
  if (good && tape_[0].kind == JsonKind::kArray) {
    JsonShape array;
    array.Add(tape_, 0, options_);
    JsonShape* element = array.element();
    if (element->is_object()) {
      root_.Merge(std::move(*element));
    } else {
      good = element->is_null();
    }
  } else if (good && tape_[0].kind == JsonKind::kObject) {
    root_.Add(tape_, 0, options_);
  } else if (good) {
    good = tape_[0].kind == JsonKind::kNull;
  }
  if (good) return;
  if (options_.fail_fast) ThrowMalformedRecord(CallSite(), options_.corrupt_column);
  malformed_ = true;
}

void JsonInference::Merge(JsonInference&& other) {
  root_.Merge(std::move(other.root_));
  malformed_ = malformed_ || other.malformed_;
}

StructType JsonInference::Schema() const {
  StructType schema;
  if (root_.is_object()) schema = root_.Type(options_).fields();
  if (malformed_ && !options_.drop_malformed && schema.IndexOf(options_.corrupt_column, true) < 0) {
    schema.Add({options_.corrupt_column, DataType::String(), true, {}});
    std::ranges::sort(schema.fields(), {}, &StructField::name);
  }
  return schema;
}

}  // namespace merganser::engine
