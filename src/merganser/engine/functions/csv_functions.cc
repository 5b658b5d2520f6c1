// from_csv, to_csv and schema_of_csv.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/csv_text.h"
#include "merganser/engine/functions/csv_values.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_type.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// mg_from_csv(line, schema, options, zone [, context]).
ScalarKernel BindFromCsv(ScalarCall& call) {
  const std::string schema = call.Text(1);
  const auto parsed = ParseSparkSchema(schema);
  if (!parsed || !parsed->is(TypeId::kStruct))
    ThrowError(Error::Internal("mg_from_csv: not a schema: " + schema));
  const DataType& type = *parsed;
  const CallSite site = call.Context(4);
  const TextFormatOptions options = ReadTextFormatOptions(call, 2, call.Zone(3), site);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(ToLogicalType(type));
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const idx_t count = arguments.size();
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(count, texts);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    auto& fields = duckdb::StructVector::GetEntries(result);
    CsvTokenizer tokenizer(options, /*multi_line=*/false);
    const std::vector<size_t> columns = CsvColumns(type, options);
    for (idx_t row = 0; row < count; ++row) {
      const auto at = texts.sel->get_index(row);
      if (!texts.validity.RowIsValid(at)) {
        WriteNull(result, row);
        continue;
      }
      const auto line = Cell<std::string_view>::Read(texts, at);
      const auto& values = tokenizer.Split(line);
      bool good = values.size() == columns.size();
      for (size_t i = 0; i < columns.size(); ++i) {
        duckdb::Vector& field = *fields[columns[i]];
        if (i >= values.size()) {
          WriteNull(field, row);
        } else {
          const DataType& field_type = type.fields()[columns[i]].type;
          good = WriteCsvValue(field_type, values[i], options, field, row) && good;
        }
      }
      if (columns.size() < fields.size()) {
        const auto corrupt =
            static_cast<size_t>(type.fields().IndexOf(options.corrupt_column, true));
        if (good) {
          WriteNull(*fields[corrupt], row);
        } else {
          WriteCell<std::string_view>(*fields[corrupt], row, line);
        }
      }
      if (!good && options.fail_fast) ThrowMalformedRecord(site, line);
    }
  };
}

/// "41 42".
std::string HexPairs(std::string_view bytes) {
  std::string text;
  for (const char byte : bytes) {
    text += fmt::format("{}{:02X}", text.empty() ? "" : " ", static_cast<uint8_t>(byte));
  }
  return text;
}

/// Append a value as a field's text. Inside of arrays, maps and structs a NULL is the null text,
/// with no space before it if that is empty.
void AppendCsvValue(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                    idx_t row, const TextFormatOptions& options, std::string* out) {
  const auto at = column.unified.sel->get_index(row);
  const auto append = [&](const DataType& part, const duckdb::RecursiveUnifiedVectorFormat& cells,
                          idx_t i, bool spaced) {
    const bool null = !cells.unified.validity.RowIsValid(cells.unified.sel->get_index(i));
    if (spaced && !(null && options.null_value.empty())) *out += ' ';
    if (null) {
      *out += options.null_value;
    } else {
      AppendCsvValue(part, cells, i, options, out);
    }
  };
  switch (type.id()) {
    case TypeId::kArray: {
      const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
      *out += '[';
      for (idx_t i = 0; i < list.length; ++i) {
        if (i > 0) *out += ',';
        append(type.element(), column.children[0], list.offset + i, i > 0);
      }
      *out += ']';
      return;
    }
    case TypeId::kMap: {
      const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
      const auto& pairs = column.children[0];
      *out += '{';
      for (idx_t i = 0; i < list.length; ++i) {
        if (i > 0) *out += ',';
        append(type.key(), pairs.children[0], list.offset + i, i > 0);
        *out += " ->";
        append(type.value(), pairs.children[1], list.offset + i, true);
      }
      *out += '}';
      return;
    }
    case TypeId::kStruct:
      *out += '{';
      for (size_t i = 0; i < type.fields().size(); ++i) {
        if (i > 0) *out += ',';
        const auto& cells = column.children[i].unified;
        const bool null = !cells.validity.RowIsValid(cells.sel->get_index(row));
        append(type.fields()[i].type, column.children[i], row, i > 0 || null);
      }
      *out += '}';
      return;
    case TypeId::kBinary:
      *out += '[' + HexPairs(Cell<std::string_view>::Read(column.unified, at)) + ']';
      return;
    default:
      AppendScalarText(type, column, row, options, out);
  }
}

/// mg_to_csv(struct, type, options, zone [, context]).
ScalarKernel BindToCsv(ScalarCall& call) {
  const DataType type = call.SparkType(1);
  const CallSite site = call.Context(4);
  TextFormatOptions read = ReadTextFormatOptions(call, 2, call.Zone(3), site);
  read.SetWriterDefaults();
  const TextFormatOptions options = std::move(read);
  call.Expect(0, ToLogicalType(type));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const bool constant = arguments.data[0].GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
    const idx_t count = constant ? std::min<idx_t>(arguments.size(), 1) : arguments.size();
    duckdb::RecursiveUnifiedVectorFormat column;
    duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[0], arguments.size(), column);
    FlatResult out(result, constant);
    for (idx_t row = 0; row < count; ++row) {
      if (!column.unified.validity.RowIsValid(column.unified.sel->get_index(row))) {
        out.SetNull(row);
        continue;
      }
      std::string line;
      for (size_t i = 0; i < type.fields().size(); ++i) {
        if (i > 0) line += options.separator;
        const auto& cells = column.children[i].unified;
        if (!cells.validity.RowIsValid(cells.sel->get_index(row))) {
          AppendCsvNull(options, &line);
          continue;
        }
        std::string text;
        AppendCsvValue(type.fields()[i].type, column.children[i], row, options, &text);
        AppendCsvField(text, options, &line);
      }
      Cell<std::string>::Write(out, row, line);
    }
  };
}

/// mg_schema_of_csv(line, options).
ScalarKernel BindSchemaOfCsv(ScalarCall& call) {
  const TextFormatOptions options =
      ReadTextFormatOptions(call, 1, TimeZone::Find("UTC"), CallSite());
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(arguments, result, [&](std::string_view line) {
      CsvTokenizer tokenizer(options, /*multi_line=*/false);
      StructType fields;
      for (const auto& field : tokenizer.Split(line)) {
        const DataType type = IsCsvNull(field, options)
                                  ? DataType::Null()
                                  : InferCsvType(DataType::Null(), field.text, options);
        fields.Add({"_c" + std::to_string(fields.size()),
                    type.is(TypeId::kNull) ? DataType::String() : type});
      }
      return DataType::Struct(std::move(fields)).SqlString();
    });
  };
}

}  // namespace

void RegisterCsvFunctions(FunctionRegistry& registry) {
  registry.Add("mg_from_csv", BindFromCsv);
  registry.Add("mg_to_csv", BindToCsv);
  registry.Add("mg_schema_of_csv", BindSchemaOfCsv);
}

}  // namespace merganser::engine
