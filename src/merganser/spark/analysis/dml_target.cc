#include "merganser/spark/analysis/dml_target.h"

#include <algorithm>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/relation_walk.h"

namespace merganser {
namespace {

/// The scan below projections that only pass columns on; `names` are the table's names of the
/// relation's columns.
const BoundScan* WholeTable(const BoundRelation& relation, std::vector<std::string>& names) {
  if (const auto* scan = relation.As<BoundScan>()) {
    names = scan->columns;
    return names.size() == scan->snapshot->schema().size() ? scan : nullptr;
  }
  const auto* project = relation.As<BoundProject>();
  if (project == nullptr) return nullptr;
  std::vector<std::string> inner;
  const BoundScan* scan = WholeTable(*project->child, inner);
  if (scan == nullptr || project->outputs.size() != inner.size()) return nullptr;
  for (const BoundOutput& output : project->outputs) {
    const auto* reference = output.expression->As<BoundColumnRef>();
    if (reference == nullptr) return nullptr;
    const auto& columns = project->child->columns;
    const auto column =
        std::ranges::find_if(columns, [&](const auto& c) { return c.id == reference->id; });
    if (column == columns.end()) return nullptr;
    names.push_back(inner[static_cast<size_t>(column - columns.begin())]);
  }
  return scan;
}

bool RenamesColumns(const BoundRelation& relation, const std::vector<std::string>& names) {
  for (size_t i = 0; i < names.size(); ++i) {
    if (relation.columns[i].name != names[i]) return true;
  }
  return false;
}

bool ReadsDelta(const BoundRelation& relation) {
  return AnyRelation(relation,
                     [](const BoundRelation& part) { return part.As<BoundScan>() != nullptr; });
}

std::string NameOf(const plan::RelationPtr& relation) {
  if (const auto* alias = relation->As<plan::SubqueryAlias>()) return NameOf(alias->child);
  const auto* table = relation->As<plan::TableReference>();
  return table == nullptr ? std::string() : QuotedIdentifier(table->name.parts);
}

}  // namespace

plan::RelationPtr TargetRelation(const plan::MultipartName& name, const std::string& alias) {
  plan::RelationPtr table =
      plan::MakeRelation(plan::TableReference{name, std::nullopt, {}}, name.origin);
  if (alias.empty()) return table;
  return plan::MakeRelation(plan::SubqueryAlias{std::move(table), alias, {}}, name.origin);
}

Result<DmlTarget> BindTarget(Analyzer& analyzer, const plan::RelationPtr& target,
                             const std::string& operation) {
  MERGANSER_ASSIGN_OR_RETURN(AnalyzedRelation bound, analyzer.BindRelation(target));
  std::vector<std::string> names;
  const BoundScan* scan = WholeTable(*bound.relation, names);
  if (scan == nullptr) {
    if (!ReadsDelta(*bound.relation)) {
      return Error(ErrorClass::UNSUPPORTED_FEATURE,
                   {{"tableName", NameOf(target)}, {"operation", operation}}, "TABLE_OPERATION");
    }
    return Error(ErrorClass::DELTA_UNEXPECTED_PARTIAL_SCAN, {{"path", NameOf(target)}});
  }
  if (bound.relation->As<BoundScan>() == nullptr && RenamesColumns(*bound.relation, names) &&
      std::ranges::any_of(scan->snapshot->schema(), IsGenerated)) {
    return Error(ErrorClass::DELTA_OPERATION_ON_TEMP_VIEW_WITH_GENERATED_COLS_NOT_SUPPORTED,
                 {{"operation", operation}});
  }
  DmlTarget result;
  result.snapshot = scan->snapshot;
  for (const StructField& field : scan->snapshot->schema()) {
    const auto position = std::ranges::find(names, field.name) - names.begin();
    BoundColumn column = bound.relation->columns[static_cast<size_t>(position)];
    column.name = field.name;
    result.columns.push_back(std::move(column));
  }
  result.scope = std::move(bound.scope);
  return result;
}

}  // namespace merganser
