#include "merganser/arrow/display_text.h"

#include <string_view>

#include "merganser/arrow/interval_text.h"
#include "merganser/base/java_double.h"
#include "merganser/base/time_units.h"
#include "merganser/delta/schema/calendar_text.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser {
namespace {

void AppendBinary(std::string_view bytes, std::string* out) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  out->push_back('[');
  for (size_t i = 0; i < bytes.size(); ++i) {
    if (i != 0) out->push_back(' ');
    out->push_back(kDigits[static_cast<uint8_t>(bytes[i]) >> 4]);
    out->push_back(kDigits[static_cast<uint8_t>(bytes[i]) & 15]);
  }
  out->push_back(']');
}

void AppendElements(const ArrowColumn& column, int64_t row, const DisplayFormat& format,
                    std::string* out) {
  const auto range = column.Elements(row);
  const bool map = column.type().is(TypeId::kMap);
  out->push_back(map ? '{' : '[');
  for (int64_t i = range.begin; i < range.end; ++i) {
    if (i != range.begin) out->append(", ");
    AppendDisplayText(column.child(0), i, format, out);
    if (!map) continue;
    out->append(" -> ");
    AppendDisplayText(column.child(1), i, format, out);
  }
  out->push_back(map ? '}' : ']');
}

}  // namespace

void AppendDisplayText(const ArrowColumn& column, int64_t row, const DisplayFormat& format,
                       std::string* out) {
  if (column.IsNull(row)) {
    out->append("NULL");
    return;
  }
  const DataType& type = column.type();
  switch (type.id()) {
    case TypeId::kNull:
      out->append("NULL");
      break;
    case TypeId::kBoolean:
      out->append(column.Bool(row) ? "true" : "false");
      break;
    case TypeId::kFloat:
      out->append(JavaToString(static_cast<float>(column.Double(row))));
      break;
    case TypeId::kDouble:
      out->append(JavaToString(column.Double(row)));
      break;
    case TypeId::kDecimal:
      out->append(FormatDecimal(column.Decimal(row), type.scale()));
      break;
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      out->append(column.Bytes(row));
      break;
    case TypeId::kBinary:
      AppendBinary(column.Bytes(row), out);
      break;
    case TypeId::kDate:
      out->append(FormatDate(column.Int64(row)));
      break;
    case TypeId::kTimestamp: {
      const int64_t micros = column.Int64(row);
      const int64_t offset = format.utc_offset_seconds ? format.utc_offset_seconds(micros) : 0;
      out->append(
          FormatTimestamp(micros + offset * kMicrosPerSecond, ' ', FractionDigits::kShortest));
      break;
    }
    case TypeId::kTimestampNtz:
      out->append(FormatTimestamp(column.Int64(row), ' ', FractionDigits::kShortest));
      break;
    case TypeId::kYearMonthInterval:
      AppendYearMonthIntervalText(column.Int64(row), type.start_field(), type.end_field(), out);
      break;
    case TypeId::kDayTimeInterval:
      AppendDayTimeIntervalText(column.Int64(row), type.start_field(), type.end_field(), out);
      break;
    case TypeId::kCalendarInterval:
      AppendCalendarIntervalText(column.Interval(row), out);
      break;
    case TypeId::kArray:
    case TypeId::kMap:
      AppendElements(column, row, format, out);
      break;
    case TypeId::kStruct:
      out->push_back('{');
      for (size_t i = 0; i < column.children().size(); ++i) {
        if (i != 0) out->append(", ");
        AppendDisplayText(column.child(i), column.FieldRow(row), format, out);
      }
      out->push_back('}');
      break;
    default:
      out->append(std::to_string(column.Int64(row)));
      break;
  }
}

}  // namespace merganser
