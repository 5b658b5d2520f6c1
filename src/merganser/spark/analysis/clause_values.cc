#include "merganser/spark/analysis/clause_values.h"

#include <algorithm>
#include <utility>

#include "merganser/base/json.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/identity_columns.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

constexpr std::string_view kGenerationKey = "delta.generationExpression";
constexpr std::string_view kIdentityKey = "delta.identity.start";
constexpr std::string_view kDefaultKey = "CURRENT_DEFAULT";

std::vector<const FieldAssignment*> Of(const std::vector<FieldAssignment>& assignments,
                                       const std::string& column) {
  std::vector<const FieldAssignment*> own;
  for (const FieldAssignment& assignment : assignments) {
    if (assignment.path[0] == column) own.push_back(&assignment);
  }
  return own;
}

bool IsPrefix(const std::vector<std::string>& prefix, const std::vector<std::string>& path) {
  return prefix.size() <= path.size() && std::equal(prefix.begin(), prefix.end(), path.begin());
}

Status CheckNoConflicts(const std::vector<FieldAssignment>& assignments) {
  for (size_t i = 0; i < assignments.size(); ++i) {
    for (size_t j = 0; j < assignments.size(); ++j) {
      if (i == j || !IsPrefix(assignments[i].path, assignments[j].path)) continue;
      return Error(ErrorClass::DELTA_CONFLICT_SET_COLUMN,
                   {{"columnList", QuotedIdentifier(assignments[i].path)}});
    }
  }
  return Status::Ok();
}

}  // namespace

std::string MetadataText(const StructField& field, std::string_view key) {
  const auto found = field.metadata.find(key);
  if (found == field.metadata.end()) return {};
  const auto json = Json::Parse(found->second);
  return json.ok() && json->is_string() ? json->as_string() : std::string();
}

bool IsGenerated(const StructField& field) { return field.metadata.contains(kGenerationKey); }
bool IsIdentity(const StructField& field) { return field.metadata.contains(kIdentityKey); }

Result<BoundExpressionPtr> RowBuilder::DefaultOf(const StructField& field) {
  const std::string text = MetadataText(field, kDefaultKey);
  if (text.empty()) return NullOf(field.type);
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed, ParseExpression(text));
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr value,
                             analyzer_.BindExpression(parsed, Scope()));
  return AssignValue(value, field.type, field.name, nullptr, {}, analyzer_.typing());
}

Status RowBuilder::Generate(const std::vector<FieldAssignment>& assignments,
                            std::vector<BoundExpressionPtr>& row) {
  // Generation expressions see the new row: they are bound over columns of their own, which are
  // then replaced.
  Scope scope;
  std::vector<BoundColumn> columns;
  for (const StructField& field : merge_.schema) {
    ScopeColumn column;
    column.column = {analyzer_.NextId(), field.name, field.type, true, {}};
    column.identity = column.column.id;
    columns.push_back(column.column);
    scope.Add(std::move(column));
  }
  for (size_t i = 0; i < row.size(); ++i) {
    const StructField& field = merge_.schema[i];
    if (!IsGenerated(field) || !Of(assignments, field.name).empty()) continue;
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr parsed,
                               ParseExpression(MetadataText(field, kGenerationKey)));
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                               analyzer_.BindExpression(parsed, scope));
    const BoundExpressionPtr over_row =
        Transform(bound, [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
          const auto* reference = node->As<BoundColumnRef>();
          if (reference == nullptr) return nullptr;
          const auto column =
              std::ranges::find_if(columns, [&](const auto& c) { return c.id == reference->id; });
          return column == columns.end() ? nullptr
                                         : row[static_cast<size_t>(column - columns.begin())];
        });
    MERGANSER_ASSIGN_OR_RETURN(
        row[i], AssignValue(over_row, field.type, field.name, nullptr, {}, analyzer_.typing()));
  }
  return Status::Ok();
}

Result<std::vector<BoundExpressionPtr>> RowBuilder::UpdatedRow(
    const std::vector<FieldAssignment>& assignments) {
  MERGANSER_RETURN_IF_ERROR(CheckNoConflicts(assignments));
  std::vector<BoundExpressionPtr> row;
  for (size_t i = 0; i < merge_.schema.size(); ++i) {
    const StructField& field = merge_.schema[i];
    const auto own = Of(assignments, field.name);
    if (own.empty()) {
      row.push_back(merge_.unchanged[i]);
      continue;
    }
    if (IsIdentity(field)) {
      return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_UPDATE_NOT_SUPPORTED,
                   {{"colName", field.name}});
    }
    const BoundExpressionPtr current =
        i < merge_.target_columns.size() ? merge_.unchanged[i] : nullptr;
    MERGANSER_ASSIGN_OR_RETURN(
        BoundExpressionPtr value,
        AssignFields(own, 1, current, field.type,
                     QuotedIdentifier(std::vector<std::string>{field.name}), analyzer_.typing()));
    row.push_back(std::move(value));
  }
  MERGANSER_RETURN_IF_ERROR(Generate(assignments, row));
  return row;
}

std::vector<size_t> RowBuilder::NumberedColumns(
    const std::vector<FieldAssignment>& assignments) const {
  std::vector<size_t> numbered;
  for (size_t i = 0; i < merge_.schema.size(); ++i) {
    const StructField& field = merge_.schema[i];
    if (IsIdentity(field) && Of(assignments, field.name).empty()) numbered.push_back(i);
  }
  return numbered;
}

Result<std::vector<BoundExpressionPtr>> RowBuilder::InsertedRow(
    const std::vector<FieldAssignment>& assignments) {
  std::vector<BoundExpressionPtr> row;
  for (const StructField& field : merge_.schema) {
    const auto own = Of(assignments, field.name);
    const auto identity = FindIdentity(field);
    if (own.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value,
                                 identity ? IdentityValues(*identity) : DefaultOf(field));
      row.push_back(std::move(value));
      continue;
    }
    if (identity && !identity->allows_explicit_values) {
      return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED,
                   {{"colName", field.name}});
    }
    MERGANSER_ASSIGN_OR_RETURN(
        BoundExpressionPtr value,
        AssignFields({own[0]}, 1, nullptr, field.type,
                     QuotedIdentifier(std::vector<std::string>{field.name}), analyzer_.typing()));
    row.push_back(std::move(value));
  }
  MERGANSER_RETURN_IF_ERROR(Generate(assignments, row));
  return row;
}

}  // namespace merganser
