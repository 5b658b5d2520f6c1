#include "merganser/commands/insert_rows.h"

#include <map>
#include <utility>

#include "merganser/commands/generated_columns.h"
#include "merganser/commands/insert_defaults.h"
#include "merganser/spark/analysis/assignment.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/identity_columns.h"
#include "merganser/spark/analysis/store_assignment.h"
#include "merganser/spark/functions/expression_tree.h"

namespace merganser {
namespace {

/// Collects the values of one projection.
class Projection {
 public:
  Projection(Analyzer& analyzer, BoundRelationPtr child)
      : analyzer_(analyzer), project_{std::move(child), {}} {}

  void Add(const BoundExpressionPtr& value, const StructField& field) {
    const ColumnId id = analyzer_.NextId();
    columns_.push_back({id, field.name, field.type, value->nullable, {}});
    project_.outputs.push_back({value, id});
  }
  const std::vector<BoundColumn>& columns() const { return columns_; }
  BoundRelationPtr Build() && {
    return MakeBoundRelation(std::move(project_), std::move(columns_));
  }

 private:
  Analyzer& analyzer_;
  BoundProject project_;
  std::vector<BoundColumn> columns_;
};

/// A given value as the column stores it.
Result<BoundExpressionPtr> Stored(StatementContext& context, Analyzer& analyzer,
                                  const BoundExpressionPtr& value, const StructField& field,
                                  bool fields_by_name) {
  const StoreAssignmentPolicy policy = context.conf.store_assignment_policy();
  BoundExpressionPtr given = value;
  if (fields_by_name && field.type.is_nested() && !value->type.SameType(field.type)) {
    AssignmentRules rules;
    rules.policy = policy;
    MERGANSER_ASSIGN_OR_RETURN(
        given, AssignValue(value, field.type, field.name, nullptr, rules, analyzer.typing()));
  }
  return StoreAssign(given, field, policy, analyzer.typing());
}

Result<BoundExpressionPtr> Default(StatementContext& context, Analyzer& analyzer,
                                   const StructField& field) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, DefaultExpression(field));
  if (expression == nullptr) return NullOf(field.type);
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr value,
                             analyzer.BindExpression(expression, Scope()));
  return StoreAssign(value, field, context.conf.store_assignment_policy(), analyzer.typing());
}

void CountUses(const BoundExpression& expression, std::map<ColumnId, int>& uses) {
  if (const auto* column = expression.As<BoundColumnRef>()) ++uses[column->id];
  ForEachChild(expression, [&](const BoundExpression& child) { CountUses(child, uses); });
}

/// A projection of a projection as one, unless a value would then be computed more than once. As in
/// Spark, what fails inside of a value then fails inside of the cast for its column.
BoundRelationPtr InOneProjection(const BoundRelationPtr& rows) {
  const auto* outer = rows->As<BoundProject>();
  const auto* inner = outer == nullptr ? nullptr : outer->child->As<BoundProject>();
  if (inner == nullptr) return rows;
  std::map<ColumnId, int> uses;
  for (const BoundOutput& output : outer->outputs) CountUses(*output.expression, uses);
  std::map<ColumnId, BoundExpressionPtr> values;
  for (const BoundOutput& output : inner->outputs) {
    if (uses[output.id] > 1 && output.expression->As<BoundColumnRef>() == nullptr) return rows;
    values[output.id] = output.expression;
  }
  BoundProject project{inner->child, {}};
  for (const BoundOutput& output : outer->outputs) {
    project.outputs.push_back({Transform(output.expression,
                                         [&](const BoundExpressionPtr& node) -> BoundExpressionPtr {
                                           const auto* column = node->As<BoundColumnRef>();
                                           const auto value = column == nullptr
                                                                  ? values.end()
                                                                  : values.find(column->id);
                                           return value == values.end() ? nullptr : value->second;
                                         }),
                               output.id});
  }
  return MakeBoundRelation(std::move(project), rows->columns);
}

}  // namespace

Result<InsertRows> CompleteInsertRows(StatementContext& context, Analyzer& analyzer,
                                      const BoundRelationPtr& query, const InsertColumns& columns) {
  InsertRows result;
  Projection given(analyzer, query);
  bool has_generated = false;
  for (size_t i = 0; i < columns.schema.size(); ++i) {
    const StructField& field = columns.schema[i];
    const BoundExpressionPtr& value = columns.values[i];
    const auto identity = FindIdentity(field);
    if (value != nullptr) {
      if (identity && !identity->allows_explicit_values) {
        return Error(ErrorClass::DELTA_IDENTITY_COLUMNS_EXPLICIT_INSERT_NOT_SUPPORTED,
                     {{"colName", field.name}});
      }
      MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr stored,
                                 Stored(context, analyzer, value, field, columns.fields_by_name));
      given.Add(stored, field);
    } else if (IsGenerated(field)) {
      has_generated = true;
      result.computed.insert(field.name);
      given.Add(NullOf(field.type), field);
    } else if (identity) {
      result.numbered.push_back(i);
      MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr numbers, IdentityValues(*identity));
      given.Add(numbers, field);
    } else {
      MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr value_of_default,
                                 Default(context, analyzer, field));
      given.Add(value_of_default, field);
    }
  }
  result.rows = InOneProjection(std::move(given).Build());
  if (!has_generated) return result;

  const std::vector<BoundColumn>& row = result.rows->columns;
  const Scope scope = TableScope(columns.schema, row);
  Projection complete(analyzer, result.rows);
  for (size_t i = 0; i < columns.schema.size(); ++i) {
    const StructField& field = columns.schema[i];
    BoundExpressionPtr value = ColumnReference(row[i]);
    if (result.computed.contains(field.name)) {
      MERGANSER_ASSIGN_OR_RETURN(value, GenerationExpression(analyzer, field, scope));
    }
    complete.Add(value, field);
  }
  result.rows = std::move(complete).Build();
  return result;
}

}  // namespace merganser
