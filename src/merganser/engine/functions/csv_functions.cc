// from_csv, to_csv and schema_of_csv.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/csv_text.h"
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

/// A field as the JSON value of its type, so that both formats read scalars alike.
std::string AsJson(const DataType& type, const std::string& text) {
  if (type.is_numeric()) {
    // JSON's reader takes no sign in front and no lone point.
    if (type.is_integral())
      return ParseInteger<int64_t>(text, false) && TrimAll(text).size() == text.size()
                 ? std::to_string(*ParseInteger<int64_t>(text, false))
                 : "";
    return text;
  }
  if (type.is(TypeId::kBoolean)) {
    std::string lower = text;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return lower;
  }
  std::string quoted;
  AppendJsonString(text, &quoted);
  return quoted;
}

bool WriteField(const DataType& type, const CsvField& field, const TextFormatOptions& options,
                JsonTape& tape, duckdb::Vector& out, idx_t row) {
  const bool null = !field.quoted && field.text == options.null_value;
  if (null) {
    WriteNull(out, row);
    return true;
  }
  if (type.is_string()) {
    FlatResult cell(out, false);
    Cell<std::string_view>::Write(cell, row, field.text);
    return true;
  }
  const std::string json = AsJson(type, field.text);
  if (!tape.Parse(json) || !tape.AtEnd()) {
    WriteNull(out, row);
    return false;
  }
  return WriteJsonValue(type, tape, 0, options, out, row) == JsonFit::kGood;
}

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
    JsonTape tape(options.leniency);
    for (idx_t row = 0; row < count; ++row) {
      const auto at = texts.sel->get_index(row);
      if (!texts.validity.RowIsValid(at)) {
        WriteNull(result, row);
        continue;
      }
      const auto line = Cell<std::string_view>::Read(texts, at);
      const auto values = SplitCsv(line, options);
      bool good = values.size() == fields.size();
      for (size_t i = 0; i < fields.size(); ++i) {
        if (i >= values.size()) {
          WriteNull(*fields[i], row);
        } else {
          good =
              WriteField(type.fields()[i].type, values[i], options, tape, *fields[i], row) && good;
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
    } else if (part.is(TypeId::kBinary)) {
      *out +=
          '[' +
          HexPairs(Cell<std::string_view>::Read(cells.unified, cells.unified.sel->get_index(i))) +
          ']';
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
    default:
      AppendScalarText(type, column, row, options, out);
  }
}

/// mg_to_csv(struct, type, options, zone [, context]).
ScalarKernel BindToCsv(ScalarCall& call) {
  const DataType type = call.SparkType(1);
  const CallSite site = call.Context(4);
  const TextFormatOptions options = ReadTextFormatOptions(call, 2, call.Zone(3), site);
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
          line += options.null_value;
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
      StructType fields;
      for (const auto& field : SplitCsv(line, options))
        fields.Add({"_c" + std::to_string(fields.size()), InferCsvType(field)});
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
