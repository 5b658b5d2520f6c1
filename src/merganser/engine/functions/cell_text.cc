#include "merganser/engine/functions/cell_text.h"

#include "merganser/base/java_double.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

void AppendList(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                duckdb::list_entry_t entry, const TextStyle& style, std::string* out) {
  *out += '[';
  for (duckdb::idx_t i = 0; i < entry.length; ++i) {
    if (i > 0) *out += ", ";
    AppendCellText(type.element(), column.children[0], entry.offset + i, style, out);
  }
  *out += ']';
}

void AppendMap(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
               duckdb::list_entry_t entry, const TextStyle& style, std::string* out) {
  const auto& pairs = column.children[0];
  *out += '{';
  for (duckdb::idx_t i = 0; i < entry.length; ++i) {
    if (i > 0) *out += ", ";
    AppendCellText(type.key(), pairs.children[0], entry.offset + i, style, out);
    *out += " -> ";
    AppendCellText(type.value(), pairs.children[1], entry.offset + i, style, out);
  }
  *out += '}';
}

}  // namespace

void AppendCellText(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                    duckdb::idx_t row, const TextStyle& style, std::string* out) {
  const auto& format = column.unified;
  const duckdb::idx_t at = format.sel->get_index(row);
  if (!format.validity.RowIsValid(at)) {
    *out += "null";
    return;
  }
  switch (type.id()) {
    case TypeId::kNull:
      *out += "null";
      break;
    case TypeId::kBoolean:
      *out += Cell<bool>::Read(format, at) ? "true" : "false";
      break;
    case TypeId::kByte:
      AppendInteger(Cell<int8_t>::Read(format, at), out);
      break;
    case TypeId::kShort:
      AppendInteger(Cell<int16_t>::Read(format, at), out);
      break;
    case TypeId::kInteger:
      AppendInteger(Cell<int32_t>::Read(format, at), out);
      break;
    case TypeId::kLong:
      AppendInteger(Cell<int64_t>::Read(format, at), out);
      break;
    case TypeId::kFloat:
      *out += JavaToString(Cell<float>::Read(format, at));
      break;
    case TypeId::kDouble:
      *out += JavaToString(Cell<double>::Read(format, at));
      break;
    case TypeId::kDecimal: {
      const Int128 unscaled = Cell<DecimalCell>::Read(format, at).unscaled;
      *out += style.plain_decimals ? DecimalToPlainString(unscaled, type.scale())
                                   : DecimalToJavaString(unscaled, type.scale());
      break;
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
    case TypeId::kVariant:
      *out += Cell<std::string_view>::Read(format, at);
      break;
    case TypeId::kBinary: {
      const auto bytes = Cell<std::string_view>::Read(format, at);
      if (IsValidUtf8(bytes)) {
        *out += bytes;
      } else {
        *out += ValidUtf8(bytes);
      }
      break;
    }
    case TypeId::kDate:
      AppendDate(Cell<int32_t>::Read(format, at), out);
      break;
    case TypeId::kTimestamp:
      AppendTimestamp(style.zone->ToLocalMicros(Cell<int64_t>::Read(format, at)), out);
      break;
    case TypeId::kTimestampNtz:
      AppendTimestamp(Cell<int64_t>::Read(format, at), out);
      break;
    case TypeId::kYearMonthInterval:
      *out += YearMonthIntervalText(Cell<int32_t>::Read(format, at), type);
      break;
    case TypeId::kDayTimeInterval:
      *out += DayTimeIntervalText(Cell<int64_t>::Read(format, at), type);
      break;
    case TypeId::kCalendarInterval: {
      const auto interval = Cell<duckdb::interval_t>::Read(format, at);
      *out += CalendarIntervalText({interval.months, interval.days, interval.micros});
      break;
    }
    case TypeId::kArray:
      AppendList(type, column, Cell<duckdb::list_entry_t>::Read(format, at), style, out);
      break;
    case TypeId::kMap:
      AppendMap(type, column, Cell<duckdb::list_entry_t>::Read(format, at), style, out);
      break;
    case TypeId::kStruct: {
      *out += '{';
      for (size_t i = 0; i < type.fields().size(); ++i) {
        if (i > 0) *out += ", ";
        AppendCellText(type.fields()[i].type, column.children[i], row, style, out);
      }
      *out += '}';
      break;
    }
  }
}

}  // namespace merganser::engine
