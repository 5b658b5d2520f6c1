#include "merganser/arrow/json_value.h"

#include <cmath>
#include <string_view>

#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/delta/schema/calendar_text.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser {
namespace {

void AppendHex(std::string_view bytes, std::string* out) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  out->push_back('"');
  for (const char byte : bytes) {
    out->push_back(kDigits[static_cast<uint8_t>(byte) >> 4]);
    out->push_back(kDigits[static_cast<uint8_t>(byte) & 15]);
  }
  out->push_back('"');
}

void AppendArray(const ArrowColumn& column, int64_t row, std::string* out) {
  const auto range = column.Elements(row);
  const bool map = column.type().is(TypeId::kMap);
  out->push_back('[');
  for (int64_t i = range.begin; i < range.end; ++i) {
    if (i != range.begin) out->push_back(',');
    if (map) out->push_back('[');
    AppendJsonValue(column.child(0), i, out);
    if (!map) continue;
    out->push_back(',');
    AppendJsonValue(column.child(1), i, out);
    out->push_back(']');
  }
  out->push_back(']');
}

void AppendObject(const ArrowColumn& column, int64_t row, std::string* out) {
  out->push_back('{');
  for (size_t i = 0; i < column.children().size(); ++i) {
    if (i != 0) out->push_back(',');
    AppendJsonString(column.type().fields()[i].name, out);
    out->push_back(':');
    AppendJsonValue(column.child(i), column.FieldRow(row), out);
  }
  out->push_back('}');
}

}  // namespace

void AppendJsonValue(const ArrowColumn& column, int64_t row, std::string* out) {
  if (column.IsNull(row)) {
    out->append("null");
    return;
  }
  switch (column.type().id()) {
    case TypeId::kNull:
      out->append("null");
      break;
    case TypeId::kBoolean:
      out->append(column.Bool(row) ? "true" : "false");
      break;
    case TypeId::kFloat:
    case TypeId::kDouble: {
      const double value = column.Double(row);
      const bool quote = !std::isfinite(value);
      if (quote) out->push_back('"');
      out->append(JavaToString(value));
      if (quote) out->push_back('"');
      break;
    }
    case TypeId::kDecimal:
      out->push_back('"');
      out->append(FormatDecimal(column.Decimal(row), column.type().scale()));
      out->push_back('"');
      break;
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      AppendJsonString(column.Bytes(row), out);
      break;
    case TypeId::kBinary:
      AppendHex(column.Bytes(row), out);
      break;
    case TypeId::kDate:
      out->push_back('"');
      out->append(FormatDate(column.Int64(row)));
      out->push_back('"');
      break;
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      out->push_back('"');
      out->append(FormatTimestamp(column.Int64(row), ' ', FractionDigits::kShortest));
      out->push_back('"');
      break;
    case TypeId::kCalendarInterval:
      out->push_back('"');
      AppendCalendarIntervalText(column.Interval(row), out);
      out->push_back('"');
      break;
    case TypeId::kArray:
    case TypeId::kMap:
      AppendArray(column, row, out);
      break;
    case TypeId::kStruct:
      AppendObject(column, row, out);
      break;
    default:
      out->append(std::to_string(column.Int64(row)));
      break;
  }
}

}  // namespace merganser
