#include "merganser/commands/dependent_expressions.h"

#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

/// Does an expression name the column at `path`, a field inside it, or a struct around it?
bool Names(const plan::ExpressionPtr& expression, const std::vector<std::string>& path) {
  if (expression == nullptr) return false;
  const auto any = [&](const std::vector<plan::ExpressionPtr>& children) {
    return std::ranges::any_of(children, [&](const auto& child) { return Names(child, path); });
  };
  if (const auto* attribute = expression->As<plan::Attribute>()) {
    const size_t common = std::min(attribute->parts.size(), path.size());
    return std::ranges::equal(
        attribute->parts.begin(), attribute->parts.begin() + static_cast<ptrdiff_t>(common),
        path.begin(), path.begin() + static_cast<ptrdiff_t>(common),
        [](const auto& a, const auto& b) { return EqualsIgnoringCase(a, b); });
  }
  if (const auto* call = expression->As<plan::Call>()) return any(call->arguments);
  if (const auto* cast = expression->As<plan::Cast>()) return Names(cast->child, path);
  if (const auto* alias = expression->As<plan::Alias>()) return Names(alias->child, path);
  if (const auto* extract = expression->As<plan::ExtractValue>())
    return any({extract->child, extract->key});
  if (const auto* lambda = expression->As<plan::Lambda>()) return Names(lambda->body, path);
  return false;
}

Status CheckType(const Snapshot& snapshot, std::vector<std::string> path, const DataType& before,
                 const DataType& after);

/// The fields of a struct, as far as both have them.
Status CheckFields(const Snapshot& snapshot, const std::vector<std::string>& path,
                   const StructType& before, const StructType& after) {
  for (const StructField& field : before) {
    const StructField* other = after.Find(field.name);
    if (other == nullptr) continue;
    std::vector<std::string> inner = path;
    inner.push_back(field.name);
    MERGANSER_RETURN_IF_ERROR(CheckType(snapshot, std::move(inner), field.type, other->type));
  }
  return Status::Ok();
}

Status CheckType(const Snapshot& snapshot, std::vector<std::string> path, const DataType& before,
                 const DataType& after) {
  if (before.SameType(after)) return Status::Ok();
  const auto inside = [&](const char* part, const DataType& from, const DataType& to) {
    std::vector<std::string> inner = path;
    inner.emplace_back(part);
    return CheckType(snapshot, std::move(inner), from, to);
  };
  if (before.is(TypeId::kStruct) && after.is(TypeId::kStruct))
    return CheckFields(snapshot, path, before.fields(), after.fields());
  if (before.is(TypeId::kArray) && after.is(TypeId::kArray))
    return inside("element", before.element(), after.element());
  if (before.is(TypeId::kMap) && after.is(TypeId::kMap)) {
    MERGANSER_RETURN_IF_ERROR(inside("key", before.key(), after.key()));
    return inside("value", before.value(), after.value());
  }
  Error::Parameters parameters = {{"columnName", QuotedIfNeeded(path)},
                                  {"columnType", before.SqlString()},
                                  {"dataType", after.SqlString()}};
  MERGANSER_ASSIGN_OR_RETURN(const std::string constraints, ConstraintsUsing(snapshot, path));
  if (!constraints.empty()) {
    parameters["constraints"] = constraints;
    return Error(ErrorClass::DELTA_CONSTRAINT_DATA_TYPE_MISMATCH, std::move(parameters));
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::string generated, GeneratedColumnsUsing(snapshot, path));
  if (generated.empty()) return Status::Ok();
  parameters["generatedColumns"] = generated;
  return Error(ErrorClass::DELTA_GENERATED_COLUMNS_DATA_TYPE_MISMATCH, std::move(parameters));
}

}  // namespace

Result<std::string> ConstraintsUsing(const Snapshot& snapshot,
                                     const std::vector<std::string>& path) {
  std::string lines;
  for (const auto& [name, text] : snapshot.properties().constraints()) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, ParseExpression(text));
    if (Names(expression, path)) lines += (lines.empty() ? "" : "\n") + name + " -> " + text;
  }
  return lines;
}

Result<std::string> GeneratedColumnsUsing(const Snapshot& snapshot,
                                          const std::vector<std::string>& path) {
  std::string lines;
  for (const StructField& field : snapshot.schema()) {
    if (!IsGenerated(field)) continue;
    const std::string text = MetadataText(field, "delta.generationExpression");
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, ParseExpression(text));
    if (Names(expression, path)) lines += (lines.empty() ? "" : "\n") + field.name + " -> " + text;
  }
  return lines;
}

Status CheckTypeChanges(const Snapshot& snapshot, const StructType& after) {
  return CheckFields(snapshot, {}, snapshot.schema(), after);
}

}  // namespace merganser
