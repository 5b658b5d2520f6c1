#include "merganser/engine/scan/column_conversion.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include <duckdb/function/scalar_function.hpp>
#include <duckdb/planner/expression/bound_function_expression.hpp>
#include <duckdb/planner/expression/bound_reference_expression.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/logical_type.h"
#include "merganser/engine/variant/engine_variant.h"
#include "merganser/engine/variant/variant_text.h"

namespace merganser::engine {
namespace {

using duckdb::FlatVector;
using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::MultiFileColumnDefinition;
using duckdb::Vector;
using Conversion = ConversionNode::Kind;

bool ChangesForm(const LogicalType& stored, const LogicalType& wanted) {
  return (stored.id() == LogicalTypeId::BLOB && wanted.id() == LogicalTypeId::VARCHAR) ||
         (stored.id() == LogicalTypeId::VARCHAR && wanted.id() == LogicalTypeId::BLOB);
}

std::optional<size_t> FindPart(const MultiFileColumnDefinition& wanted,
                               const duckdb::vector<MultiFileColumnDefinition>& parts) {
  for (size_t i = 0; i < parts.size(); ++i) {
    if (parts[i].identifier == wanted.identifier) return i;
  }
  return std::nullopt;
}

// The parts of a nested type, in the order of the table's definition.
std::vector<DataType> PartTypes(const DataType& type) {
  switch (type.id()) {
    case TypeId::kArray:
      return {type.element()};
    case TypeId::kMap:
      return {type.key(), type.value()};
    default: {
      std::vector<DataType> types;
      for (const StructField& field : type.fields()) types.push_back(field.type);
      return types;
    }
  }
}

class Planner {
 public:
  // Whether something was found that the engine's reader gets wrong.
  bool needed() const { return needed_; }

  std::shared_ptr<const ConversionNode> Plan(const DataType& type,
                                             const MultiFileColumnDefinition& table,
                                             const MultiFileColumnDefinition& file, bool is_root) {
    auto node = std::make_shared<ConversionNode>();
    node->table_type = table.type;
    if (type.is(TypeId::kVariant) && file.type.id() == LogicalTypeId::STRUCT) {
      PlanVariant(file, node.get());
    } else if (file.type.id() == LogicalTypeId::VARIANT) {
      node->kind = Conversion::kEngineVariant;
      needed_ = true;
    } else if (type.is_nested() && !file.children.empty()) {
      PlanNested(type, table, file, is_root, node.get());
    } else if (ChangesForm(file.type, table.type)) {
      node->kind = Conversion::kReinterpret;
      needed_ = true;
    } else if (file.type != table.type) {
      node->kind = Conversion::kCast;
    }
    return node;
  }

 private:
  void PlanVariant(const MultiFileColumnDefinition& file, ConversionNode* node) {
    node->kind = Conversion::kVariant;
    needed_ = true;
    for (const char* name : {"metadata", "value"}) {
      const auto found = std::find_if(file.children.begin(), file.children.end(),
                                      [&](const auto& child) { return child.name == name; });
      if (found == file.children.end()) {
        node->parts.emplace_back();
      } else {
        node->parts.emplace_back(
            ConversionNode::Part{static_cast<size_t>(found - file.children.begin()), nullptr});
      }
    }
  }

  void PlanNested(const DataType& type, const MultiFileColumnDefinition& table,
                  const MultiFileColumnDefinition& file, bool is_root, ConversionNode* node) {
    node->kind = Conversion::kNested;
    const bool is_map = type.is(TypeId::kMap);
    const auto& file_parts = is_map ? file.children[0].children : file.children;
    const std::vector<DataType> types = PartTypes(type);
    bool any = false;
    for (size_t i = 0; i < types.size(); ++i) {
      const auto found = FindPart(table.children[i], file_parts);
      node->parts.emplace_back();
      if (!found) continue;
      any = true;
      node->parts.back() = ConversionNode::Part{
          *found, Plan(types[i], table.children[i], file_parts[*found], false)};
    }
    if (!any && !is_root) needed_ = true;
  }

  bool needed_ = false;
};

void Convert(duckdb::ClientContext& context, const ConversionNode& node, Vector& stored,
             idx_t count, Vector& result);

// Texts that are not UTF-8 would upset the engine; what is wrong in them turns into question marks.
void Reinterpret(Vector& stored, idx_t count, Vector& result) {
  if (result.GetType().id() != LogicalTypeId::VARCHAR) {
    result.Reinterpret(stored);
    return;
  }
  duckdb::UnaryExecutor::Execute<duckdb::string_t, duckdb::string_t>(
      stored, result, count, [&](duckdb::string_t bytes) {
        if (duckdb::Value::StringIsValid(bytes.GetData(), bytes.GetSize())) {
          return duckdb::StringVector::AddString(result, bytes);
        }
        duckdb::string text = bytes.GetString();
        for (char& character : text) {
          if (static_cast<signed char>(character) <= 0) character = '?';
        }
        return duckdb::StringVector::AddString(result, text);
      });
}

void ConvertVariant(const ConversionNode& node, Vector& stored, idx_t count, Vector& result) {
  stored.Flatten(count);
  auto& parts = duckdb::StructVector::GetEntries(stored);
  for (auto& part : parts) part->Flatten(count);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  const auto bytes = [&](size_t i, idx_t row) -> std::string_view {
    if (!node.parts[i]) return {};
    const Vector& part = *parts[node.parts[i]->file_part];
    if (FlatVector::IsNull(part, row)) return {};
    const auto& text = FlatVector::GetData<duckdb::string_t>(part)[row];
    return {text.GetData(), text.GetSize()};
  };
  for (idx_t row = 0; row < count; ++row) {
    if (FlatVector::IsNull(stored, row)) {
      FlatVector::SetNull(result, row, true);
      continue;
    }
    const auto json = VariantToJson(bytes(0, row), bytes(1, row));
    if (!json) ThrowError(Error(ErrorClass::MALFORMED_VARIANT));
    FlatVector::GetData<duckdb::string_t>(result)[row] =
        duckdb::StringVector::AddString(result, *json);
  }
}

void ConvertPart(duckdb::ClientContext& context, const std::optional<ConversionNode::Part>& part,
                 const std::vector<Vector*>& stored, idx_t count, Vector& result) {
  if (part) {
    Convert(context, *part->node, *stored[part->file_part], count, result);
  } else {
    result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
    duckdb::ConstantVector::SetNull(result, true);
  }
}

void ConvertNested(duckdb::ClientContext& context, const ConversionNode& node, Vector& stored,
                   idx_t count, Vector& result) {
  stored.Flatten(count);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  FlatVector::SetValidity(result, FlatVector::Validity(stored));
  std::vector<Vector*> sources;
  if (node.table_type.id() == LogicalTypeId::STRUCT) {
    for (auto& entry : duckdb::StructVector::GetEntries(stored)) sources.push_back(entry.get());
    auto& targets = duckdb::StructVector::GetEntries(result);
    for (size_t i = 0; i < node.parts.size(); ++i)
      ConvertPart(context, node.parts[i], sources, count, *targets[i]);
    return;
  }
  const idx_t size = duckdb::ListVector::GetListSize(stored);
  std::copy_n(FlatVector::GetData<duckdb::list_entry_t>(stored), count,
              FlatVector::GetData<duckdb::list_entry_t>(result));
  duckdb::ListVector::Reserve(result, size);
  duckdb::ListVector::SetListSize(result, size);
  if (node.table_type.id() == LogicalTypeId::LIST) {
    ConvertPart(context, node.parts[0], {&duckdb::ListVector::GetEntry(stored)}, size,
                duckdb::ListVector::GetEntry(result));
    return;
  }
  sources = {&duckdb::MapVector::GetKeys(stored), &duckdb::MapVector::GetValues(stored)};
  ConvertPart(context, node.parts[0], sources, size, duckdb::MapVector::GetKeys(result));
  ConvertPart(context, node.parts[1], sources, size, duckdb::MapVector::GetValues(result));
}

void Convert(duckdb::ClientContext& context, const ConversionNode& node, Vector& stored,
             idx_t count, Vector& result) {
  switch (node.kind) {
    case Conversion::kSame:
      result.Reference(stored);
      break;
    case Conversion::kCast:
      duckdb::VectorOperations::Cast(context, stored, result, count);
      break;
    case Conversion::kReinterpret:
      Reinterpret(stored, count, result);
      break;
    case Conversion::kVariant:
      ConvertVariant(node, stored, count, result);
      break;
    case Conversion::kEngineVariant:
      EngineVariantsToJson(stored, count, result);
      break;
    case Conversion::kNested:
      ConvertNested(context, node, stored, count, result);
      break;
  }
}

struct ConversionData final : duckdb::FunctionData {
  explicit ConversionData(std::shared_ptr<const ConversionNode> node)
      : conversion(std::move(node)) {}

  duckdb::unique_ptr<duckdb::FunctionData> Copy() const override {
    return duckdb::make_uniq<ConversionData>(conversion);
  }
  bool Equals(const duckdb::FunctionData& other) const override {
    return conversion == other.Cast<ConversionData>().conversion;
  }

  std::shared_ptr<const ConversionNode> conversion;
};

void ConvertColumn(duckdb::DataChunk& arguments, duckdb::ExpressionState& state, Vector& result) {
  const auto& function = state.expr.Cast<duckdb::BoundFunctionExpression>();
  const auto& conversion = *function.bind_info->Cast<ConversionData>().conversion;
  Convert(state.GetContext(), conversion, arguments.data[0], arguments.size(), result);
}

duckdb::unique_ptr<duckdb::Expression> ConversionOf(const ConvertedColumn& column,
                                                    const LogicalType& stored, idx_t position) {
  const LogicalType& wanted = column.conversion->table_type;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>> arguments;
  arguments.push_back(duckdb::make_uniq<duckdb::BoundReferenceExpression>(stored, position));
  duckdb::ScalarFunction function("mg_convert_column", {stored}, wanted, ConvertColumn);
  return duckdb::make_uniq<duckdb::BoundFunctionExpression>(
      wanted, std::move(function), std::move(arguments),
      duckdb::make_uniq<ConversionData>(column.conversion));
}

}  // namespace

std::shared_ptr<const ConversionNode> FindConversion(const DataType& type,
                                                     const MultiFileColumnDefinition& table_column,
                                                     const MultiFileColumnDefinition& file_column) {
  Planner planner;
  auto node = planner.Plan(type, table_column, file_column, true);
  return planner.needed() ? node : nullptr;
}

duckdb::vector<MultiFileColumnDefinition> WithoutConversion(
    const duckdb::vector<MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<MultiFileColumnDefinition>& file_columns,
    const std::vector<ConvertedColumn>& converted) {
  auto columns = table_columns;
  for (const ConvertedColumn& column : converted) {
    const MultiFileColumnDefinition& stored = file_columns[column.file_column];
    // A plain column keeps its type, so that filters on it are not taken for filters on what is
    // stored. A nested one would be taken apart, part by part.
    if (stored.children.empty()) continue;
    columns[column.column].type = stored.type;
    columns[column.column].children.clear();
  }
  return columns;
}

void AddConversions(const std::vector<ConvertedColumn>& converted,
                    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                    duckdb::MultiFileReaderData& reader_data) {
  duckdb::BaseFileReader& reader = *reader_data.reader;
  for (const ConvertedColumn& column : converted) {
    for (idx_t output = 0; output < column_ids.size(); ++output) {
      if (column_ids[output].GetPrimaryIndex() != column.column) continue;
      const LogicalType& stored = reader.columns[column.file_column].type;
      for (idx_t i = 0; i < reader.column_ids.size(); ++i) {
        if (reader.column_ids[duckdb::MultiFileLocalIndex(i)].GetId() != column.file_column)
          continue;
        reader.column_indexes[i] = duckdb::ColumnIndex(column.file_column);
        const auto filtered = reader.expression_map.find(column.file_column);
        if (filtered == reader.expression_map.end()) {
          reader_data.expressions[output] = ConversionOf(column, stored, i);
        } else {
          // The reader converts before it filters, and hands out what it converted.
          filtered->second = ConversionOf(column, stored, 0);
          reader_data.expressions[output] =
              duckdb::make_uniq<duckdb::BoundReferenceExpression>(column.conversion->table_type, i);
        }
      }
    }
  }
}

}  // namespace merganser::engine
