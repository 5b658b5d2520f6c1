#include "merganser/engine/functions/variant_values.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>
#include <vector>

#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/engine/functions/cell_text.h"
#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/encodings.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"

namespace merganser::engine {
namespace {

/// Names and value nodes of an object, sorted by name.
std::vector<std::pair<std::string_view, uint32_t>> SortedMembers(const JsonTape& tape,
                                                                 uint32_t object) {
  std::vector<std::pair<std::string_view, uint32_t>> members;
  uint32_t at = object + 1;
  for (uint32_t i = 0; i < tape[object].count; ++i, at = tape[at + 1].next)
    members.emplace_back(tape[at].text, at + 1);
  std::sort(members.begin(), members.end(),
            [](const auto& a, const auto& b) { return a.first < b.first; });
  return members;
}

bool Normalize(const JsonTape& tape, uint32_t node, std::string* out) {
  const JsonNode& value = tape[node];
  switch (value.kind) {
    case JsonKind::kNumber: {
      const auto exact = ExactVariantNumber(value.text);
      if (exact) {
        *out += ToPlainString(*exact);
        return true;
      }
      const auto number = ParseFloating<double>(value.text);
      if (!std::isfinite(*number)) return false;
      *out += JavaToString(*number);
      return true;
    }
    case JsonKind::kArray: {
      *out += '[';
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at].next) {
        if (i > 0) *out += ',';
        if (!Normalize(tape, at, out)) return false;
      }
      *out += ']';
      return true;
    }
    case JsonKind::kObject: {
      const auto members = SortedMembers(tape, node);
      *out += '{';
      for (size_t i = 0; i < members.size(); ++i) {
        if (i > 0 && members[i].first == members[i - 1].first) return false;
        if (i > 0) *out += ',';
        AppendJsonString(members[i].first, out);
        *out += ':';
        if (!Normalize(tape, members[i].second, out)) return false;
      }
      *out += '}';
      return true;
    }
    default:
      AppendJson(tape, node, out);
      return true;
  }
}

/// A scalar as a number: booleans are one and zero, text is read as the cast to `type` does.
std::optional<DecimalText> AsDecimal(const JsonNode& value) {
  switch (value.kind) {
    case JsonKind::kTrue:
      return DecimalText{false, "1", 0};
    case JsonKind::kFalse:
      return DecimalText{false, "0", 0};
    case JsonKind::kNumber:
      return ParseBigDecimal(value.text);
    case JsonKind::kString:
      return ParseBigDecimal(TrimJava(value.text));
    default:
      return std::nullopt;
  }
}

template <typename T>
bool CastToWhole(const JsonNode& value, duckdb::Vector& out, duckdb::idx_t row) {
  std::optional<T> number;
  if (value.kind == JsonKind::kString) {
    number = ParseInteger<T>(value.text, false);
  } else if (auto decimal = AsDecimal(value); decimal && IntegralDigits(*decimal) <= 19) {
    // Fractions are cut off.
    std::string digits = ToPlainString(*decimal);
    number = ParseInteger<T>(digits.substr(0, digits.find('.')), false);
  }
  if (!number) return false;
  WriteCell<T>(out, row, *number);
  return true;
}

template <typename T>
bool CastToFloating(const JsonNode& value, duckdb::Vector& out, duckdb::idx_t row) {
  std::optional<T> number;
  if (value.kind == JsonKind::kTrue || value.kind == JsonKind::kFalse) {
    number = value.kind == JsonKind::kTrue ? T{1} : T{0};
  } else if (value.kind == JsonKind::kNumber || value.kind == JsonKind::kString) {
    number = ParseFloating<T>(value.text);
  }
  if (!number) return false;
  WriteCell<T>(out, row, *number);
  return true;
}

bool WriteBoolean(const JsonNode& value, duckdb::Vector& out, duckdb::idx_t row) {
  std::optional<bool> flag;
  switch (value.kind) {
    case JsonKind::kTrue:
    case JsonKind::kFalse:
      flag = value.kind == JsonKind::kTrue;
      break;
    case JsonKind::kNumber:
      flag = ParseFloating<double>(value.text).value_or(0) != 0;
      break;
    case JsonKind::kString:
      flag = ParseBoolean(value.text);
      break;
    default:
      break;
  }
  if (!flag) return false;
  WriteCell<bool>(out, row, *flag);
  return true;
}

bool WriteScalar(const DataType& type, const JsonTape& tape, uint32_t node, const TimeZone& zone,
                 duckdb::Vector& out, duckdb::idx_t row) {
  const JsonNode& value = tape[node];
  switch (type.id()) {
    case TypeId::kBoolean:
      return WriteBoolean(value, out, row);
    case TypeId::kByte:
      return CastToWhole<int8_t>(value, out, row);
    case TypeId::kShort:
      return CastToWhole<int16_t>(value, out, row);
    case TypeId::kInteger:
      return CastToWhole<int32_t>(value, out, row);
    case TypeId::kLong:
      return CastToWhole<int64_t>(value, out, row);
    case TypeId::kFloat:
      return CastToFloating<float>(value, out, row);
    case TypeId::kDouble:
      return CastToFloating<double>(value, out, row);
    case TypeId::kDecimal: {
      const auto number = AsDecimal(value);
      const auto unscaled =
          number ? ToDecimal(*number, type.precision(), type.scale()) : std::nullopt;
      if (!unscaled) return false;
      WriteCell<DecimalCell>(out, row, {*unscaled});
      return true;
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar: {
      if (value.kind == JsonKind::kString) {
        WriteCell<std::string_view>(out, row, value.text);
        return true;
      }
      std::string text;
      AppendVariantJson(tape, node, &text);
      WriteCell<std::string_view>(out, row, text);
      return true;
    }
    case TypeId::kDate: {
      const auto days =
          value.kind == JsonKind::kString ? engine::ParseDate(value.text) : std::nullopt;
      if (!days) return false;
      WriteCell<int32_t>(out, row, *days);
      return true;
    }
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz: {
      std::optional<int64_t> micros;
      if (value.kind == JsonKind::kString) {
        micros = type.is(TypeId::kTimestamp) ? engine::ParseTimestamp(value.text, zone, 0)
                                             : ParseTimestampNtz(value.text);
      } else if (type.is(TypeId::kTimestamp)) {
        const auto seconds = AsDecimal(value);
        const auto scaled = seconds ? ToDecimal(*seconds, kMaxDecimalPrecision, 6) : std::nullopt;
        if (scaled && static_cast<int64_t>(*scaled) == *scaled)
          micros = static_cast<int64_t>(*scaled);
      }
      if (!micros) return false;
      WriteCell<int64_t>(out, row, *micros);
      return true;
    }
    case TypeId::kVariant: {
      std::string text;
      Normalize(tape, node, &text);
      WriteCell<std::string_view>(out, row, text);
      return true;
    }
    default:
      return false;
  }
}

bool WriteNested(const DataType& type, const JsonTape& tape, uint32_t node, const TimeZone& zone,
                 duckdb::Vector& out, duckdb::idx_t row) {
  const JsonNode& value = tape[node];
  bool good = true;
  if (type.is(TypeId::kArray)) {
    if (value.kind != JsonKind::kArray) return false;
    const duckdb::idx_t begin = GrowList(out, value.count);
    uint32_t at = node + 1;
    for (uint32_t i = 0; i < value.count; ++i, at = tape[at].next) {
      good = WriteVariantValue(type.element(), tape, at, zone, duckdb::ListVector::GetEntry(out),
                               begin + i) &&
             good;
    }
    duckdb::FlatVector::GetData<duckdb::list_entry_t>(out)[row] = {begin, value.count};
    return good;
  }
  if (value.kind != JsonKind::kObject) return false;
  if (type.is(TypeId::kMap)) {
    const duckdb::idx_t begin = GrowList(out, value.count);
    uint32_t at = node + 1;
    for (uint32_t i = 0; i < value.count; ++i, at = tape[at + 1].next) {
      auto& parts = duckdb::StructVector::GetEntries(duckdb::ListVector::GetEntry(out));
      WriteCell<std::string_view>(*parts[0], begin + i, tape[at].text);
      good = WriteVariantValue(type.value(), tape, at + 1, zone, *parts[1], begin + i) && good;
    }
    duckdb::FlatVector::GetData<duckdb::list_entry_t>(out)[row] = {begin, value.count};
    return good;
  }
  auto& fields = duckdb::StructVector::GetEntries(out);
  for (size_t i = 0; i < fields.size(); ++i) {
    const auto member = tape.Member(node, type.fields()[i].name);
    if (member) {
      good = WriteVariantValue(type.fields()[i].type, tape, *member, zone, *fields[i], row) && good;
    } else {
      WriteNull(*fields[i], row);
    }
  }
  return good;
}

}  // namespace

std::optional<DecimalText> ExactVariantNumber(std::string_view text) {
  if (text.find_first_of("eE") != std::string_view::npos) return std::nullopt;
  auto number = ParseBigDecimal(text);
  if (!number || std::max<int64_t>(static_cast<int64_t>(number->digits.size()), number->scale) >
                     kMaxDecimalPrecision)
    return std::nullopt;
  return number;
}

void StripTrailingZeros(DecimalText* number) {
  while (number->scale > 0 && number->digits.back() == '0') {
    --number->scale;
    if (number->digits.size() > 1) {
      number->digits.pop_back();
    } else {
      number->scale = 0;
    }
  }
}

std::optional<std::string> NormalizeVariant(const JsonTape& tape, uint32_t node) {
  std::string out;
  if (!Normalize(tape, node, &out)) return std::nullopt;
  return out;
}

void AppendVariantJson(const JsonTape& tape, uint32_t node, std::string* out) {
  const JsonNode& value = tape[node];
  switch (value.kind) {
    case JsonKind::kNumber: {
      auto exact = ExactVariantNumber(value.text);
      if (!exact) {
        *out += JavaToString(*ParseFloating<double>(value.text));
        return;
      }
      StripTrailingZeros(&*exact);
      *out += ToPlainString(*exact);
      return;
    }
    case JsonKind::kArray: {
      *out += '[';
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at].next) {
        if (i > 0) *out += ',';
        AppendVariantJson(tape, at, out);
      }
      *out += ']';
      return;
    }
    case JsonKind::kObject: {
      *out += '{';
      uint32_t at = node + 1;
      for (uint32_t i = 0; i < value.count; ++i, at = tape[at + 1].next) {
        if (i > 0) *out += ',';
        AppendJsonString(tape[at].text, out);
        *out += ':';
        AppendVariantJson(tape, at + 1, out);
      }
      *out += '}';
      return;
    }
    default:
      AppendJson(tape, node, out);
  }
}

bool WriteVariantValue(const DataType& type, const JsonTape& tape, uint32_t node,
                       const TimeZone& zone, duckdb::Vector& out, duckdb::idx_t row) {
  if (tape[node].kind == JsonKind::kNull && !type.is(TypeId::kVariant)) {
    WriteNull(out, row);
    return true;
  }
  const bool nested = type.is(TypeId::kArray) || type.is(TypeId::kMap) || type.is(TypeId::kStruct);
  const bool good = nested ? WriteNested(type, tape, node, zone, out, row)
                           : WriteScalar(type, tape, node, zone, out, row);
  if (!good) WriteNull(out, row);
  return good;
}

void AppendCellVariant(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                       duckdb::idx_t row, const TimeZone& zone, std::string* out) {
  const auto at = column.unified.sel->get_index(row);
  if (!column.unified.validity.RowIsValid(at)) {
    *out += "null";
    return;
  }
  switch (type.id()) {
    case TypeId::kVariant:
      *out += Cell<std::string_view>::Read(column.unified, at);
      return;
    case TypeId::kArray: {
      const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
      *out += '[';
      for (duckdb::idx_t i = 0; i < list.length; ++i) {
        if (i > 0) *out += ',';
        AppendCellVariant(type.element(), column.children[0], list.offset + i, zone, out);
      }
      *out += ']';
      return;
    }
    case TypeId::kMap:
    case TypeId::kStruct: {
      std::map<std::string, std::string> members;
      if (type.is(TypeId::kMap)) {
        const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
        for (duckdb::idx_t i = 0; i < list.length; ++i) {
          std::string name;
          AppendCellText(type.key(), column.children[0].children[0], list.offset + i,
                         TextStyle{TimeZone::Find(zone.id()), true}, &name);
          AppendCellVariant(type.value(), column.children[0].children[1], list.offset + i, zone,
                            &members[name]);
        }
      } else {
        for (size_t i = 0; i < type.fields().size(); ++i) {
          AppendCellVariant(type.fields()[i].type, column.children[i], row, zone,
                            &members[type.fields()[i].name]);
        }
      }
      *out += '{';
      bool first = true;
      for (const auto& [name, member] : members) {
        if (!first) *out += ',';
        first = false;
        AppendJsonString(name, out);
        *out += ':' + member;
      }
      *out += '}';
      return;
    }
    case TypeId::kTimestamp: {
      std::string text;
      const int64_t micros = Cell<int64_t>::Read(column.unified, at);
      AppendTimestamp(zone.ToLocalMicros(micros), &text);
      text += OffsetText(zone.OffsetAt(FloorDivide(micros, kMicrosPerSecond)));
      AppendJsonString(text, out);
      return;
    }
    default:
      break;
  }
  std::string text;
  if (type.is(TypeId::kBinary)) {
    text = Base64Text(Cell<std::string_view>::Read(column.unified, at));
  } else {
    AppendCellText(type, column, row, TextStyle{TimeZone::Find("UTC"), true}, &text);
  }
  const bool bare = (type.is_numeric() || type.is(TypeId::kBoolean)) && text != "NaN" &&
                    text != "Infinity" && text != "-Infinity";
  if (bare) {
    *out += text;
  } else {
    AppendJsonString(text, out);
  }
}

}  // namespace merganser::engine
