// Numbers to text and back by formats, and format_string().
#include <string>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/cell_text.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/java_formatter.h"
#include "merganser/engine/functions/number_format.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

/// mg_format_number(x, decimals INTEGER or pattern VARCHAR).
ScalarKernel BindFormatNumber(ScalarCall& call) {
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(2);
  call.NeverFails();
  const bool by_pattern = call.type(1).id() == LogicalTypeId::VARCHAR;
  if (!by_pattern) call.Expect(1, LogicalType::INTEGER);
  const auto of_decimals = [](auto write) {
    return [write](auto value, int32_t decimals) -> std::optional<std::string> {
      if (decimals < 0) return std::nullopt;
      return write(value, decimals);
    };
  };
  if (call.type(0).id() == LogicalTypeId::DECIMAL) {
    const int scale = duckdb::DecimalType::GetScale(call.type(0));
    if (by_pattern) {
      return [scale](duckdb::DataChunk& arguments, duckdb::Vector& result) {
        MapRows<DecimalCell, std::string_view>(
            arguments, result, [&](DecimalCell value, std::string_view pattern) {
              return DecimalPattern::Compile(pattern).Write(value.unscaled, scale);
            });
      };
    }
    const auto write = of_decimals([scale](DecimalCell value, int32_t decimals) {
      return GroupedText(value.unscaled, scale, decimals);
    });
    return [write](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<DecimalCell, int32_t>(arguments, result, write);
    };
  }
  const bool floating =
      call.type(0).id() == LogicalTypeId::FLOAT || call.type(0).id() == LogicalTypeId::DOUBLE;
  call.Expect(0, floating ? LogicalType::DOUBLE : LogicalType::BIGINT);
  if (floating && by_pattern) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<double, std::string_view>(arguments, result,
                                        [](double value, std::string_view pattern) {
                                          return DecimalPattern::Compile(pattern).Write(value);
                                        });
    };
  }
  if (by_pattern) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t, std::string_view>(arguments, result,
                                         [](int64_t value, std::string_view pattern) {
                                           return DecimalPattern::Compile(pattern).Write(value, 0);
                                         });
    };
  }
  if (floating) {
    const auto write =
        of_decimals([](double value, int32_t decimals) { return GroupedText(value, decimals); });
    return [write](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<double, int32_t>(arguments, result, write);
    };
  }
  const auto write =
      of_decimals([](int64_t value, int32_t decimals) { return GroupedText(value, 0, decimals); });
  return [write](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int32_t>(arguments, result, write);
  };
}

NumberFormat CompileFormat(const std::string& text, const CallSite& site) {
  auto format = NumberFormat::Compile(text);
  if (!format.ok()) site.Throw(format.error());
  return *std::move(format);
}

/// mg_to_number(text, format, mode [, context]) -> DECIMAL of the format's digits.
ScalarKernel BindToNumber(ScalarCall& call) {
  const CallSite site = call.Site(2);
  const std::string text = call.Text(1);
  const NumberFormat format = CompileFormat(text, site);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::DECIMAL(static_cast<uint8_t>(format.precision()),
                                    static_cast<uint8_t>(format.scale())));
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(
        arguments, result, [&](std::string_view input) -> std::optional<DecimalCell> {
          const auto value = format.Parse(input);
          if (value) return DecimalCell{*value};
          if (site.mode == EvalMode::kTry) return std::nullopt;
          site.Throw(
              Error(ErrorClass::INVALID_FORMAT,
                    {{"inputType", "\"STRING\""}, {"input", std::string(input)}, {"format", text}},
                    "MISMATCH_INPUT"));
        });
  };
}

/// mg_to_char(DECIMAL, format [, context]).
ScalarKernel BindToChar(ScalarCall& call) {
  const CallSite site = call.Context(2);
  const NumberFormat format = CompileFormat(call.Text(1), site);
  if (call.type(0).id() != LogicalTypeId::DECIMAL)
    ThrowError(Error::Internal("mg_to_char: no decimal"));
  const int scale = duckdb::DecimalType::GetScale(call.type(0));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<DecimalCell>(arguments, result,
                         [&](DecimalCell value) { return format.Write(value.unscaled, scale); });
  };
}

FormatArgument ReadArgument(const duckdb::LogicalType& type, const DataType& spark_type,
                            const duckdb::RecursiveUnifiedVectorFormat& column, duckdb::idx_t row) {
  const auto at = column.unified.sel->get_index(row);
  if (!column.unified.validity.RowIsValid(at)) return std::monostate{};
  const auto& cells = column.unified;
  switch (type.id()) {
    case LogicalTypeId::BOOLEAN:
      return Cell<bool>::Read(cells, at);
    case LogicalTypeId::TINYINT:
      return FormatInteger{Cell<int8_t>::Read(cells, at), 1};
    case LogicalTypeId::SMALLINT:
      return FormatInteger{Cell<int16_t>::Read(cells, at), 2};
    case LogicalTypeId::INTEGER:
    case LogicalTypeId::DATE:  // Spark formats what carries a date or time.
      return FormatInteger{Cell<int32_t>::Read(cells, at), 4};
    case LogicalTypeId::BIGINT:
    case LogicalTypeId::TIMESTAMP:
    case LogicalTypeId::TIMESTAMP_TZ:
      return FormatInteger{Cell<int64_t>::Read(cells, at), 8};
    case LogicalTypeId::FLOAT:
      return static_cast<double>(Cell<float>::Read(cells, at));
    case LogicalTypeId::DOUBLE:
      return Cell<double>::Read(cells, at);
    case LogicalTypeId::DECIMAL:
      return FormatDecimal{Cell<DecimalCell>::Read(cells, at).unscaled,
                           duckdb::DecimalType::GetScale(type)};
    case LogicalTypeId::VARCHAR:
    case LogicalTypeId::BLOB:
      return std::string(Cell<std::string_view>::Read(cells, at));
    default: {
      std::string text;
      AppendCellText(spark_type, column, row, TextStyle{TimeZone::Find("UTC"), true}, &text);
      return text;
    }
  }
}

/// mg_format_string(format, arguments...).
ScalarKernel BindFormatString(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  std::vector<LogicalType> types;
  std::vector<DataType> spark_types;
  for (size_t i = 1; i < call.size(); ++i) {
    types.push_back(call.type(i));
    spark_types.push_back(FromLogicalType(call.type(i)));
  }
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const duckdb::idx_t count = arguments.size();
    std::vector<duckdb::RecursiveUnifiedVectorFormat> columns(arguments.ColumnCount());
    bool constant = true;
    for (size_t i = 0; i < columns.size(); ++i) {
      constant =
          constant && arguments.data[i].GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
      duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[i], count, columns[i]);
    }
    FlatResult out(result, constant);
    std::vector<FormatArgument> row_arguments(types.size());
    for (duckdb::idx_t row = 0; row < (constant ? std::min<duckdb::idx_t>(count, 1) : count);
         ++row) {
      const auto at = columns[0].unified.sel->get_index(row);
      if (!columns[0].unified.validity.RowIsValid(at)) {
        out.SetNull(row);
        continue;
      }
      const auto format = Cell<std::string_view>::Read(columns[0].unified, at);
      for (size_t i = 0; i < types.size(); ++i)
        row_arguments[i] = ReadArgument(types[i], spark_types[i], columns[i + 1], row);
      const auto text = JavaFormat(format, row_arguments);
      if (!text) {
        ThrowError(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                         {{"parameter", QuotedId("strfmt")},
                          {"functionName", QuotedId("format_string")},
                          {"value", QuotedValue(format)}},
                         "PATTERN"));
      }
      Cell<std::string>::Write(out, row, *text);
    }
  };
}

}  // namespace

void RegisterFormatFunctions(FunctionRegistry& registry) {
  registry.Add("mg_format_number", BindFormatNumber);
  registry.Add("mg_format_string", BindFormatString);
  registry.Add("mg_to_number", BindToNumber);
  registry.Add("mg_to_char", BindToChar);
}

}  // namespace merganser::engine
