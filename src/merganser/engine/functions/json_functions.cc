// JSON text: paths, parsing by a schema, writing, inference.
#include <algorithm>
#include <string>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/json_inference.h"
#include "merganser/engine/functions/json_path.h"
#include "merganser/engine/functions/json_tape.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_type.h"
#include "merganser/engine/functions/text_lists.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// mg_get_json_object(json, path).
ScalarKernel BindGetJsonObject(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(2);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    JsonTape tape;
    std::string last_path;
    std::optional<std::vector<JsonStep>> steps;
    bool compiled = false;
    MapRows<std::string_view, std::string_view>(
        arguments, result,
        [&](std::string_view json, std::string_view path) -> std::optional<std::string> {
          if (!compiled || path != last_path) {
            steps = ParseJsonPath(path, true);
            last_path = path;
            compiled = true;
          }
          if (!steps || !tape.Parse(json)) return std::nullopt;
          return EvaluateJsonPath(tape, *steps);
        });
  };
}

/// mg_json_tuple(json, names...) -> list of the members' texts.
ScalarKernel BindJsonTuple(ScalarCall& call) {
  for (size_t i = 0; i < call.size(); ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Returns(LogicalType::LIST(LogicalType::VARCHAR));
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const idx_t count = arguments.size();
    std::vector<duckdb::UnifiedVectorFormat> columns(arguments.ColumnCount());
    for (size_t i = 0; i < columns.size(); ++i)
      arguments.data[i].ToUnifiedFormat(count, columns[i]);
    TextListResult lists(result, false);
    JsonTape tape;
    std::string text;
    for (idx_t row = 0; row < count; ++row) {
      const auto at = columns[0].sel->get_index(row);
      const bool object = columns[0].validity.RowIsValid(at) &&
                          tape.Parse(Cell<std::string_view>::Read(columns[0], at)) &&
                          tape[0].kind == JsonKind::kObject;
      for (size_t i = 1; i < columns.size(); ++i) {
        const auto name_at = columns[i].sel->get_index(row);
        const bool named = object && columns[i].validity.RowIsValid(name_at);
        const auto member = named
                                ? tape.Member(0, Cell<std::string_view>::Read(columns[i], name_at))
                                : std::nullopt;
        if (!member || tape[*member].kind == JsonKind::kNull) {
          lists.AddNull();
        } else if (tape[*member].kind == JsonKind::kString) {
          lists.Add(tape[*member].text);
        } else {
          text.clear();
          AppendJson(tape, *member, &text);
          lists.Add(text);
        }
      }
      lists.EndRow(row);
    }
    lists.Finish();
  };
}

/// A struct row of which no field could be read; the text itself goes to the column for such rows.
void WriteUnreadable(const DataType& type, std::string_view text, bool corrupt,
                     const TextFormatOptions& options, duckdb::Vector& out, idx_t row) {
  auto& fields = duckdb::StructVector::GetEntries(out);
  for (size_t i = 0; i < fields.size(); ++i) {
    if (corrupt && type.fields()[i].name == options.corrupt_column &&
        type.fields()[i].type.is_string()) {
      FlatResult cell(*fields[i], false);
      Cell<std::string_view>::Write(cell, row, text);
    } else {
      WriteNull(*fields[i], row);
    }
  }
}

bool IsBlank(std::string_view text) {
  return std::all_of(text.begin(), text.end(),
                     [](char c) { return static_cast<unsigned char>(c) <= 0x20; });
}

void FromJsonRow(std::string_view text, const DataType& type, const TextFormatOptions& options,
                 const CallSite& site, JsonTape& tape, duckdb::Vector& result, idx_t row) {
  const bool is_struct = type.is(TypeId::kStruct);
  const bool parsed = tape.Parse(text);
  if (parsed && tape[0].kind == JsonKind::kNull && is_struct) {
    WriteUnreadable(type, text, false, options, result, row);
    return;
  }
  const JsonFit fit = parsed ? WriteJsonValue(type, tape, 0, options, result, row) : JsonFit::kBad;
  if (fit == JsonFit::kGood) return;
  if (options.fail_fast) ThrowMalformedRecord(site, text);
  if (!is_struct) {
    if (!parsed) WriteNull(result, row);
    return;
  }
  if (fit == JsonFit::kBad) {
    duckdb::FlatVector::Validity(result).SetValid(row);
    WriteUnreadable(type, text, true, options, result, row);
    return;
  }
  const int corrupt = type.fields().IndexOf(options.corrupt_column, true);
  if (corrupt >= 0 && type.fields()[static_cast<size_t>(corrupt)].type.is_string()) {
    auto& field = *duckdb::StructVector::GetEntries(result)[static_cast<size_t>(corrupt)];
    duckdb::FlatVector::Validity(field).SetValid(row);
    FlatResult cell(field, false);
    Cell<std::string_view>::Write(cell, row, text);
  }
}

/// mg_from_json(json, schema, options, zone [, context]).
ScalarKernel BindFromJson(ScalarCall& call) {
  const std::string schema = call.Text(1);
  const auto parsed = ParseSparkSchema(schema);
  if (!parsed) ThrowError(Error::Internal("mg_from_json: not a schema: " + schema));
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
    JsonTape tape(options.leniency);
    for (idx_t row = 0; row < count; ++row) {
      const auto at = texts.sel->get_index(row);
      if (!texts.validity.RowIsValid(at) || IsBlank(Cell<std::string_view>::Read(texts, at))) {
        WriteNull(result, row);
        continue;
      }
      FromJsonRow(Cell<std::string_view>::Read(texts, at), type, options, site, tape, result, row);
    }
  };
}

/// mg_to_json(value, type, options, zone [, context]).
ScalarKernel BindToJson(ScalarCall& call) {
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
    std::string buffer;
    for (idx_t row = 0; row < count; ++row) {
      if (!column.unified.validity.RowIsValid(column.unified.sel->get_index(row))) {
        out.SetNull(row);
        continue;
      }
      buffer.clear();
      AppendCellJson(type, column, row, options, &buffer);
      Cell<std::string_view>::Write(out, row, buffer);
    }
  };
}

/// mg_schema_of_json(json, options).
ScalarKernel BindSchemaOfJson(ScalarCall& call) {
  const CallSite site;
  const TextFormatOptions options = ReadTextFormatOptions(call, 1, TimeZone::Find("UTC"), site);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    JsonTape tape(options.leniency);
    MapRows<std::string_view>(arguments, result, [&](std::string_view json) {
      if (!tape.Parse(json)) ThrowMalformedRecord(site, json);
      JsonShape shape;
      shape.Add(tape, 0, options);
      return shape.Type(options).SqlString();
    });
  };
}

ScalarKernel BindArrayLength(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::INTEGER);
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    JsonTape tape;
    MapRows<std::string_view>(arguments, result,
                              [&](std::string_view json) -> std::optional<int32_t> {
                                if (!tape.Parse(json) || tape[0].kind != JsonKind::kArray)
                                  return std::nullopt;
                                return static_cast<int32_t>(tape[0].count);
                              });
  };
}

ScalarKernel BindObjectKeys(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::LIST(LogicalType::VARCHAR));
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const idx_t count = arguments.size();
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(count, texts);
    TextListResult lists(result, false);
    JsonTape tape;
    for (idx_t row = 0; row < count; ++row) {
      const auto at = texts.sel->get_index(row);
      if (!texts.validity.RowIsValid(at) || !tape.Parse(Cell<std::string_view>::Read(texts, at)) ||
          tape[0].kind != JsonKind::kObject) {
        lists.NullRow(row);
        continue;
      }
      uint32_t node = 1;
      for (uint32_t i = 0; i < tape[0].count; ++i, node = tape[node + 1].next)
        lists.Add(tape[node].text);
      lists.EndRow(row);
    }
    lists.Finish();
  };
}

}  // namespace

void RegisterJsonFunctions(FunctionRegistry& registry) {
  registry.Add("mg_get_json_object", BindGetJsonObject);
  registry.Add("mg_json_tuple", BindJsonTuple);
  registry.Add("mg_from_json", BindFromJson);
  registry.Add("mg_to_json", BindToJson);
  registry.Add("mg_schema_of_json", BindSchemaOfJson);
  registry.Add("mg_json_array_length", BindArrayLength);
  registry.Add("mg_json_object_keys", BindObjectKeys);
}

}  // namespace merganser::engine
