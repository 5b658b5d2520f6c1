#include <algorithm>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

using plan::JoinType;

bool KeepsLeftOnly(JoinType type) {
  return type == JoinType::kLeftSemi || type == JoinType::kLeftAnti;
}

void MakeNullable(Scope& scope) {
  for (ScopeColumn& column : scope.columns()) column.column.nullable = true;
}

std::vector<BoundColumn> Nullable(std::vector<BoundColumn> columns, bool nullable) {
  for (BoundColumn& column : columns) column.nullable = column.nullable || nullable;
  return columns;
}

const ScopeColumn* FindVisible(const Scope& scope, const std::string& name, bool case_sensitive) {
  for (const ScopeColumn& column : scope.columns()) {
    if (!column.hidden && SameName(column.column.name, name, case_sensitive)) return &column;
  }
  return nullptr;
}

std::vector<std::string> CommonNames(const Scope& left, const Scope& right, bool case_sensitive) {
  std::vector<std::string> names;
  for (const ScopeColumn& column : left.columns()) {
    if (!column.hidden && FindVisible(right, column.column.name, case_sensitive) != nullptr) {
      names.push_back(column.column.name);
    }
  }
  return names;
}

Error UnresolvedUsing(const std::string& name, const char* side, const Scope& scope) {
  std::vector<std::string> names;
  for (const ScopeColumn& column : scope.columns()) {
    if (!column.hidden) names.push_back(QuotedIdentifier(column.column.name));
  }
  std::sort(names.begin(), names.end());
  std::string list;
  for (const std::string& other : names) list += (list.empty() ? "" : ", ") + other;
  return Error(ErrorClass::UNRESOLVED_USING_COLUMN_FOR_JOIN,
               {{"colName", QuotedIdentifier(name)}, {"side", side}, {"suggestion", list}});
}

const char* JoinName(JoinType type) {
  switch (type) {
    case JoinType::kInner:
      return "INNER";
    case JoinType::kCross:
      return "CROSS";
    case JoinType::kLeft:
      return "LEFT OUTER";
    case JoinType::kRight:
      return "RIGHT OUTER";
    case JoinType::kFull:
      return "FULL OUTER";
    case JoinType::kLeftSemi:
      return "LEFT SEMI";
    case JoinType::kLeftAnti:
      return "LEFT ANTI";
  }
  return "";
}

CallRequest Operator(const char* name, BoundExpressionPtr left, BoundExpressionPtr right,
                     const plan::Origin& origin) {
  CallRequest request;
  request.name = name;
  request.arguments = {std::move(left), std::move(right)};
  request.lambdas = {nullptr, nullptr};
  request.is_operator = true;
  request.origin = origin;
  return request;
}

}  // namespace

Status Binder::CheckJoinCondition(const BoundExpression& condition,
                                  const plan::Origin& origin) const {
  std::string invalid;
  if (const BoundExpression* window = FindWindow(condition)) {
    invalid = QuotedExpression(*window);
  } else if (const BoundExpression* aggregate = FindAggregate(condition)) {
    invalid = QuotedExpression(*aggregate);
  }
  if (!invalid.empty()) {
    return At(Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR, {{"invalidExprSqls", invalid}}),
              origin);
  }
  MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(condition, "Join"));
  if (!condition.type.is(TypeId::kBoolean)) {
    return At(Error(ErrorClass::JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE,
                    {{"joinCondition", QuotedExpression(condition)},
                     {"conditionType", QuotedType(condition.type)}}),
              origin);
  }
  if (!IsDeterministic(condition)) {
    return At(Error(ErrorClass::INVALID_NON_DETERMINISTIC_EXPRESSIONS,
                    {{"sqlExprs", QuotedExpression(condition)}}),
              origin);
  }
  return Status::Ok();
}

Result<Binding> Binder::Bind(const plan::Join& join, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding left, BindRelation(join.left));
  Binding right;
  if (join.lateral) {
    if (join.type != JoinType::kInner && join.type != JoinType::kCross &&
        join.type != JoinType::kLeft) {
      return At(Error(ErrorClass::INVALID_LATERAL_JOIN_TYPE, {{"joinType", JoinName(join.type)}}),
                relation.origin);
    }
    MERGANSER_ASSIGN_OR_RETURN(std::optional<Binding> generated, BindLateralGenerator(join, left));
    if (generated) return *std::move(generated);
    std::vector<BoundColumnRef> uses;
    MERGANSER_ASSIGN_OR_RETURN(right,
                               BindSubqueryRelation(join.right, {.scopes = {&left.scope}}, &uses));
    if (!uses.empty() && !IsDeterministicRelation(*right.relation)) {
      return At(Error(ErrorClass::UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY,
                      {{"treeNode", "LateralJoin"}}, "NON_DETERMINISTIC_LATERAL_SUBQUERIES"),
                relation.origin);
    }
  } else {
    MERGANSER_ASSIGN_OR_RETURN(right, BindRelation(join.right));
  }
  std::vector<std::string> names = join.using_columns;
  if (join.natural) names = CommonNames(left.scope, right.scope, case_sensitive());
  if (!names.empty())
    return BindUsing(join, std::move(left), std::move(right), names, relation.origin);

  BoundExpressionPtr condition;
  if (join.condition != nullptr) {
    const Scope both = Scope::Join(left.scope, right.scope);
    ExpressionScope scope{.scopes = {&both}};
    scope.operator_name = "Join";
    scope.operator_origin = relation.origin;
    MERGANSER_ASSIGN_OR_RETURN(condition, BindExpression(join.condition, scope));
    MERGANSER_RETURN_IF_ERROR(CheckJoinCondition(*condition, relation.origin));
  }
  return FinishJoin(join, std::move(left), std::move(right), std::move(condition));
}

Binding Binder::FinishJoin(const plan::Join& join, Binding left, Binding right,
                           BoundExpressionPtr condition) const {
  const bool left_nullable = join.type == JoinType::kRight || join.type == JoinType::kFull;
  const bool right_nullable = join.type == JoinType::kLeft || join.type == JoinType::kFull;
  std::vector<BoundColumn> columns = Nullable(left.relation->columns, left_nullable);
  Binding binding;
  if (KeepsLeftOnly(join.type)) {
    binding.scope = left.scope;
  } else {
    const std::vector<BoundColumn> more = Nullable(right.relation->columns, right_nullable);
    columns.insert(columns.end(), more.begin(), more.end());
    if (left_nullable) MakeNullable(left.scope);
    if (right_nullable) MakeNullable(right.scope);
    binding.scope = Scope::Join(left.scope, right.scope);
  }
  binding.relation = MakeBoundRelation(
      BoundJoin{left.relation, right.relation, join.type, std::move(condition), join.lateral},
      std::move(columns));
  return binding;
}

Result<Binding> Binder::BindUsing(const plan::Join& join, Binding left, Binding right,
                                  const std::vector<std::string>& names,
                                  const plan::Origin& origin) {
  std::vector<std::pair<ScopeColumn, ScopeColumn>> keys;
  BoundExpressionPtr condition;
  for (const std::string& name : names) {
    const ScopeColumn* left_key = FindVisible(left.scope, name, case_sensitive());
    if (left_key == nullptr) return UnresolvedUsing(name, "left", left.scope);
    const ScopeColumn* right_key = FindVisible(right.scope, name, case_sensitive());
    if (right_key == nullptr) return UnresolvedUsing(name, "right", right.scope);
    keys.emplace_back(*left_key, *right_key);
    auto equal = ResolveCall(Operator("=", ReferTo(left_key->column, left_key->qualifier),
                                      ReferTo(right_key->column, right_key->qualifier), origin),
                             typing_, {});
    if (!equal.ok()) return At(std::move(equal).error(), origin);
    if (condition == nullptr) {
      condition = *std::move(equal);
    } else {
      MERGANSER_ASSIGN_OR_RETURN(
          condition, ResolveCall(Operator("and", condition, *equal, origin), typing_, {}));
    }
  }
  const auto is_key = [&](ColumnId id, bool of_left) {
    return std::any_of(keys.begin(), keys.end(), [&](const auto& key) {
      return (of_left ? key.first : key.second).column.id == id;
    });
  };
  const size_t left_size = left.scope.columns().size();
  Binding joined = FinishJoin(join, std::move(left), std::move(right), std::move(condition));
  const auto current = [&](ColumnId id) {
    const auto& columns = joined.scope.columns();
    return *std::find_if(columns.begin(), columns.end(),
                         [id](const auto& column) { return column.column.id == id; });
  };

  std::vector<ScopeColumn> output;
  std::vector<ScopeColumn> rest;
  std::vector<ScopeColumn> hidden;
  const std::vector<ScopeColumn> columns = joined.scope.columns();
  for (size_t i = 0; i < columns.size(); ++i) {
    ScopeColumn column = columns[i];
    if (column.hidden) {
      hidden.push_back(std::move(column));
    } else if (!is_key(column.column.id, i < left_size)) {
      rest.push_back(std::move(column));
    }
  }
  const auto hide = [&](const ScopeColumn& key) {
    hidden.push_back(current(key.column.id));
    hidden.back().hidden = true;
  };
  BoundProject project{.child = joined.relation, .outputs = {}};
  std::vector<BoundColumn> project_columns;
  if (join.type == JoinType::kFull) {
    for (const BoundColumn& column : joined.relation->columns) {
      project.outputs.push_back({ReferTo(column), column.id});
      project_columns.push_back(column);
    }
  }
  for (const auto& [left_key, right_key] : keys) {
    if (KeepsLeftOnly(join.type)) {
      output.push_back(left_key);
    } else if (join.type == JoinType::kRight) {
      output.push_back(current(right_key.column.id));
      hide(left_key);
    } else if (join.type == JoinType::kFull) {
      const BoundColumn from_left = current(left_key.column.id).column;
      const BoundColumn from_right = current(right_key.column.id).column;
      CallRequest request = Operator("coalesce", ReferTo(from_left), ReferTo(from_right), origin);
      request.is_operator = false;
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr key, ResolveCall(request, typing_, {}));
      const BoundColumn column{.id = NextId(),
                               .name = left_key.column.name,
                               .type = key->type,
                               .nullable = left_key.column.nullable || right_key.column.nullable};
      project.outputs.push_back({std::move(key), column.id});
      project_columns.push_back(column);
      output.push_back({.column = column, .identity = column.id});
      hide(left_key);
      hide(right_key);
    } else {
      output.push_back(current(left_key.column.id));
      hide(right_key);
    }
  }
  if (!project_columns.empty())
    joined.relation = MakeBoundRelation(std::move(project), std::move(project_columns));
  output.insert(output.end(), rest.begin(), rest.end());
  output.insert(output.end(), hidden.begin(), hidden.end());
  joined.scope.columns() = std::move(output);
  return joined;
}

}  // namespace merganser
