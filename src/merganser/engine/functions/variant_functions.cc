// Functions of variants, and casts from and to VARIANT.
#include <algorithm>
#include <string>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/cast.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/json_path.h"
#include "merganser/engine/functions/json_tape.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/variant_schema.h"
#include "merganser/engine/functions/variant_values.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/variant/variant_text.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

[[noreturn]] void ThrowInvalidCast(const CallSite& site, const JsonTape& tape, uint32_t node,
                                   const DataType& type) {
  std::string value;
  AppendVariantJson(tape, node, &value);
  site.Throw(
      Error(ErrorClass::INVALID_VARIANT_CAST, {{"value", value}, {"dataType", QuotedType(type)}}));
}

/// What the steps lead to.
std::optional<uint32_t> FindPart(const JsonTape& tape, const std::vector<JsonStep>& steps) {
  std::optional<uint32_t> node = 0;
  for (const JsonStep& step : steps) {
    if (!node) break;
    if (step.kind == JsonStep::Kind::kName) {
      node = tape.Member(*node, step.name);
    } else if (tape[*node].kind == JsonKind::kArray && step.index < tape[*node].count) {
      uint32_t item = *node + 1;
      for (uint32_t i = 0; i < step.index; ++i) item = tape[item].next;
      node = item;
    } else {
      node.reset();
    }
  }
  return node;
}

/// Rows of variants to rows of `type`; `steps_of(row)` lead to the part that is wanted, nullptr
/// gives NULL.
template <typename StepsOf>
void ConvertVariants(duckdb::Vector& source, idx_t count, const StepsOf& steps_of,
                     const DataType& type, const CallSite& site, const TimeZone& zone,
                     duckdb::Vector& result) {
  duckdb::UnifiedVectorFormat texts;
  source.ToUnifiedFormat(count, texts);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  JsonTape tape;
  for (idx_t row = 0; row < count; ++row) {
    const auto at = texts.sel->get_index(row);
    const std::vector<JsonStep>* steps = texts.validity.RowIsValid(at) ? steps_of(row) : nullptr;
    if (steps == nullptr || !tape.Parse(Cell<std::string_view>::Read(texts, at))) {
      WriteNull(result, row);
      continue;
    }
    const auto node = FindPart(tape, *steps);
    if (!node) {
      WriteNull(result, row);
    } else if (!WriteVariantValue(type, tape, *node, zone, result, row) &&
               site.mode != EvalMode::kTry) {
      ThrowInvalidCast(site, tape, *node, type);
    }
  }
}

std::vector<JsonStep> VariantPath(std::string_view path, const CallSite& site) {
  auto steps = ParseJsonPath(path, false);
  if (!steps) {
    site.Throw(Error(ErrorClass::INVALID_VARIANT_GET_PATH,
                     {{"path", std::string(path)},
                      {"functionName", QuotedId(site.mode == EvalMode::kTry ? "try_variant_get"
                                                                            : "variant_get")}}));
  }
  return *std::move(steps);
}

/// mg_variant_get(variant, path, type, mode, zone [, context]).
ScalarKernel BindVariantGet(ScalarCall& call) {
  const auto path = call.TryText(1);
  const DataType type = call.SparkType(2);
  const CallSite site = call.Site(3, 5);
  const auto zone = call.Zone(4);
  call.Expect(0, LogicalType::VARCHAR);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(ToLogicalType(type));
  call.KeepArguments(2);
  if (path) {
    return [=, steps = VariantPath(*path, site)](duckdb::DataChunk& arguments,
                                                 duckdb::Vector& result) {
      ConvertVariants(
          arguments.data[0], arguments.size(), [&](idx_t) { return &steps; }, type, site, *zone,
          result);
    };
  }
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat paths;
    arguments.data[1].ToUnifiedFormat(arguments.size(), paths);
    std::vector<JsonStep> steps;
    const auto steps_of = [&](idx_t row) -> const std::vector<JsonStep>* {
      const auto at = paths.sel->get_index(row);
      if (!paths.validity.RowIsValid(at)) return nullptr;
      steps = VariantPath(Cell<std::string_view>::Read(paths, at), site);
      return &steps;
    };
    ConvertVariants(arguments.data[0], arguments.size(), steps_of, type, site, *zone, result);
  };
}

/// mg_parse_json(text, mode [, context]).
ScalarKernel BindParseJson(ScalarCall& call) {
  const CallSite site = call.Site(1);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    JsonLeniency strict;
    strict.single_quotes = false;
    strict.non_numeric_numbers = false;
    JsonTape tape(strict);
    MapRows<std::string_view>(arguments, result, [&](std::string_view text) {
      std::optional<std::string> variant;
      if (tape.Parse(text) && tape.AtEnd()) variant = NormalizeVariant(tape, 0);
      if (!variant && site.mode != EvalMode::kTry) ThrowMalformedRecord(site, text);
      return variant;
    });
  };
}

/// mg_variant_text(struct of value and metadata): the text of a variant in its binary encoding.
/// Text stays as it is.
ScalarKernel BindVariantText(ScalarCall& call) {
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  if (call.type(0).id() != duckdb::LogicalTypeId::STRUCT) {
    call.Expect(0, LogicalType::VARCHAR);
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      result.Reference(arguments.data[0]);
    };
  }
  const auto binary =
      LogicalType::STRUCT({{"value", LogicalType::BLOB}, {"metadata", LogicalType::BLOB}});
  call.Expect(0, binary);
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const idx_t count = arguments.size();
    duckdb::RecursiveUnifiedVectorFormat variants;
    duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[0], count, variants);
    const auto bytes = [&](size_t child, idx_t row) -> std::string_view {
      const auto& cells = variants.children[child].unified;
      const auto at = cells.sel->get_index(row);
      return cells.validity.RowIsValid(at) ? Cell<std::string_view>::Read(cells, at) : "";
    };
    FlatResult out(result, false);
    for (idx_t row = 0; row < count; ++row) {
      if (!variants.unified.validity.RowIsValid(variants.unified.sel->get_index(row))) {
        out.SetNull(row);
        continue;
      }
      const auto text = VariantToJson(bytes(1, row), bytes(0, row));
      if (!text) ThrowError(Error(ErrorClass::MALFORMED_VARIANT));
      Cell<std::string>::Write(out, row, *text);
    }
  };
}

/// mg_schema_of_variant(variant).
ScalarKernel BindSchemaOfVariant(ScalarCall& call) {
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    JsonTape tape;
    MapRows<std::string_view>(arguments, result,
                              [&](std::string_view text) -> std::optional<std::string> {
                                if (!tape.Parse(text)) return std::nullopt;
                                return VariantSchema::Of(tape, 0).Text();
                              });
  };
}

/// mg_schema_of_variant_agg(list of variants): of all of them, VOID if there are none.
ScalarKernel BindSchemaOfVariants(ScalarCall& call) {
  call.Expect(0, LogicalType::LIST(LogicalType::VARCHAR));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat lists;
    duckdb::UnifiedVectorFormat variants;
    arguments.data[0].ToUnifiedFormat(arguments.size(), lists);
    duckdb::ListVector::GetEntry(arguments.data[0])
        .ToUnifiedFormat(duckdb::ListVector::GetListSize(arguments.data[0]), variants);
    FlatResult out(result, false);
    JsonTape tape;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const auto list_at = lists.sel->get_index(row);
      VariantSchema schema;
      if (lists.validity.RowIsValid(list_at)) {
        const auto list = Cell<duckdb::list_entry_t>::Read(lists, list_at);
        for (idx_t i = list.offset; i < list.offset + list.length; ++i) {
          const auto at = variants.sel->get_index(i);
          if (variants.validity.RowIsValid(at) &&
              tape.Parse(Cell<std::string_view>::Read(variants, at))) {
            schema.Merge(VariantSchema::Of(tape, 0));
          }
        }
      }
      Cell<std::string_view>::Write(out, row, schema.Text());
    }
  };
}

/// mg_variant_items(variant) -> list of (pos, key, value).
ScalarKernel BindVariantItems(ScalarCall& call) {
  StructType fields(
      {{"pos", DataType::Integer()}, {"key", DataType::String()}, {"value", DataType::Variant()}});
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(ToLogicalType(DataType::Array(DataType::Struct(std::move(fields)))));
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(arguments.size(), texts);
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    JsonTape tape;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const auto at = texts.sel->get_index(row);
      const bool parsed =
          texts.validity.RowIsValid(at) && tape.Parse(Cell<std::string_view>::Read(texts, at));
      if (!parsed || (tape[0].kind != JsonKind::kArray && tape[0].kind != JsonKind::kObject)) {
        WriteNull(result, row);
        continue;
      }
      const bool object = tape[0].kind == JsonKind::kObject;
      const idx_t begin = duckdb::ListVector::GetListSize(result);
      duckdb::ListVector::Reserve(result, begin + tape[0].count);
      duckdb::ListVector::SetListSize(result, begin + tape[0].count);
      auto& parts = duckdb::StructVector::GetEntries(duckdb::ListVector::GetEntry(result));
      uint32_t node = 1;
      for (uint32_t i = 0; i < tape[0].count; ++i) {
        duckdb::FlatVector::GetData<int32_t>(*parts[0])[begin + i] = static_cast<int32_t>(i);
        if (object) {
          FlatResult key(*parts[1], false);
          Cell<std::string_view>::Write(key, begin + i, tape[node].text);
          ++node;
        } else {
          WriteNull(*parts[1], begin + i);
        }
        WriteVariantValue(DataType::Variant(), tape, node, TimeZone::Utc(), *parts[2], begin + i);
        node = tape[node].next;
      }
      duckdb::FlatVector::GetData<duckdb::list_entry_t>(result)[row] = {begin, tape[0].count};
    }
  };
}

/// Cells of any type as variants.
void MakeVariants(const DataType& from, const TimeZone& zone, duckdb::Vector& source,
                  duckdb::Vector& result, idx_t count) {
  const bool constant = source.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
  duckdb::RecursiveUnifiedVectorFormat column;
  duckdb::Vector::RecursiveToUnifiedFormat(source, count, column);
  FlatResult out(result, constant);
  std::string buffer;
  for (idx_t row = 0; row < (constant ? std::min<idx_t>(count, 1) : count); ++row) {
    if (!column.unified.validity.RowIsValid(column.unified.sel->get_index(row))) {
      out.SetNull(row);
      continue;
    }
    buffer.clear();
    AppendCellVariant(from, column, row, zone, &buffer);
    Cell<std::string_view>::Write(out, row, buffer);
  }
}

/// mg_to_variant_object(value, type, zone).
ScalarKernel BindToVariantObject(ScalarCall& call) {
  const DataType type = call.SparkType(1);
  const auto zone = call.Zone(2);
  call.Expect(0, ToLogicalType(type));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  call.NeverFails();
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MakeVariants(type, *zone, arguments.data[0], result, arguments.size());
  };
}

}  // namespace

CastKernel MakeVariantCast(const DataType& from, const DataType& to,
                           const CastSettingsPtr& settings) {
  if (from.is(TypeId::kVariant) && to.is(TypeId::kVariant)) {
    return [](duckdb::Vector& source, duckdb::Vector& result, idx_t) { result.Reference(source); };
  }
  if (from.is(TypeId::kVariant)) {
    return [=](duckdb::Vector& source, duckdb::Vector& result, idx_t count) {
      const std::vector<JsonStep> whole;
      ConvertVariants(
          source, count, [&](idx_t) { return &whole; }, to, settings->site, *settings->zone,
          result);
    };
  }
  return [=](duckdb::Vector& source, duckdb::Vector& result, idx_t count) {
    MakeVariants(from, *settings->zone, source, result, count);
  };
}

void RegisterVariantFunctions(FunctionRegistry& registry) {
  registry.Add("mg_parse_json", BindParseJson);
  registry.Add("mg_variant_get", BindVariantGet);
  registry.Add("mg_variant_text", BindVariantText);
  registry.Add("mg_variant_items", BindVariantItems);
  registry.Add("mg_to_variant_object", BindToVariantObject);
  registry.Add("mg_schema_of_variant", BindSchemaOfVariant);
  registry.Add("mg_schema_of_variant_agg", BindSchemaOfVariants);
}

}  // namespace merganser::engine
