#include "merganser/spark/analysis/dml_target.h"

#include <algorithm>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/relation_walk.h"

namespace merganser {
namespace {

/// The scan below projections; `names` are the table's names of the relation's columns, empty for
/// what is no column as it is.
const BoundScan* ProjectedTable(const BoundRelation& relation, std::vector<std::string>& names) {
  if (const auto* scan = relation.As<BoundScan>()) {
    names = scan->columns;
    return names.size() == scan->snapshot->schema().size() ? scan : nullptr;
  }
  const auto* project = relation.As<BoundProject>();
  if (project == nullptr) return nullptr;
  std::vector<std::string> inner;
  const BoundScan* scan = ProjectedTable(*project->child, inner);
  if (scan == nullptr) return nullptr;
  for (const BoundOutput& output : project->outputs) {
    const auto* reference = output.expression->As<BoundColumnRef>();
    const auto& columns = project->child->columns;
    const auto column = std::ranges::find_if(columns, [&](const BoundColumn& own) {
      return reference != nullptr && own.id == reference->id;
    });
    names.push_back(column == columns.end() ? std::string()
                                            : inner[static_cast<size_t>(column - columns.begin())]);
  }
  return scan;
}

/// Has the relation each column of the table once, and nothing else?
bool HasAllColumns(const StructType& schema, const std::vector<std::string>& names) {
  return names.size() == schema.size() &&
         std::ranges::all_of(schema, [&](const StructField& field) {
           return std::ranges::find(names, field.name) != names.end();
         });
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

Result<DmlTarget> BindWholeTarget(Analyzer& analyzer, const plan::MultipartName& name,
                                  const std::string& alias, const std::string& operation) {
  MERGANSER_ASSIGN_OR_RETURN(DmlTarget target,
                             BindTarget(analyzer, TargetRelation(name, alias), operation));
  if (target.has_all_columns) return target;
  MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer.NameParts(name));
  return Error(ErrorClass::DELTA_UNEXPECTED_PARTIAL_SCAN, {{"path", QuotedIdentifier(parts)}});
}

Error NoFieldToSet(Analyzer& analyzer, const std::vector<std::string>& parts, const Scope& scope,
                   const plan::Origin& origin) {
  auto read =
      analyzer.BindExpression(plan::MakeExpression(plan::Attribute{parts, -1}, origin), scope);
  if (!read.ok()) return std::move(read).error();
  return Error(ErrorClass::DELTA_UNSUPPORTED_NESTED_FIELD_IN_UPDATE,
               {{"optionalPrefixMessage", ""}});
}

plan::RelationPtr TargetRelation(const plan::MultipartName& name, const std::string& alias) {
  plan::RelationPtr table =
      plan::MakeRelation(plan::TableReference{name, std::nullopt, {}}, name.origin);
  if (alias.empty()) return table;
  return plan::MakeRelation(plan::SubqueryAlias{std::move(table), alias, {}}, name.origin);
}

Result<DmlTarget> BindTarget(Analyzer& analyzer, const plan::RelationPtr& target,
                             const std::string& operation) {
  MERGANSER_ASSIGN_OR_RETURN(AnalyzedRelation bound, analyzer.BindRelation(target));
  if (!ReadsDelta(*bound.relation)) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE,
                 {{"tableName", NameOf(target)}, {"operation", operation}}, "TABLE_OPERATION");
  }
  // Rows are changed through temporary views only.
  if (bound.reads_stored_view) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_SOURCE,
                 {{"operation", operation.substr(0, operation.find(' '))},
                  {"plan", "the view " + NameOf(target)}});
  }
  std::vector<std::string> names;
  const BoundScan* scan = ProjectedTable(*bound.relation, names);
  if (scan == nullptr) {
    return Error(ErrorClass::DELTA_UNEXPECTED_PARTIAL_SCAN, {{"path", NameOf(target)}});
  }
  if (bound.relation->As<BoundScan>() == nullptr && RenamesColumns(*bound.relation, names) &&
      std::ranges::any_of(scan->snapshot->schema(), IsGenerated)) {
    return Error(ErrorClass::DELTA_OPERATION_ON_TEMP_VIEW_WITH_GENERATED_COLS_NOT_SUPPORTED,
                 {{"operation", operation}});
  }
  DmlTarget result;
  result.snapshot = scan->snapshot;
  result.has_all_columns = HasAllColumns(scan->snapshot->schema(), names);
  for (const StructField& field : scan->snapshot->schema()) {
    const auto name = std::ranges::find(names, field.name);
    if (name == names.end()) continue;
    BoundColumn column = bound.relation->columns[static_cast<size_t>(name - names.begin())];
    column.name = field.name;
    result.columns.push_back(std::move(column));
  }
  result.scope = std::move(bound.scope);
  return result;
}

}  // namespace merganser
