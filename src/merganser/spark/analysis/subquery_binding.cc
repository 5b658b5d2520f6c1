#include <algorithm>
#include <string>

#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"

namespace merganser {

namespace {

/// Order `columns` as `query` mentions them from its top down, which is how Spark names subqueries.
void SortByAppearance(std::vector<BoundColumnRef>& columns, const BoundRelation& query) {
  if (columns.size() < 2) return;
  std::vector<ColumnId> mentioned;
  AnyRelation(query, [&](const BoundRelation& relation) {
    ForEachExpression(relation, [&](const BoundExpression& expression) {
      CollectColumns(expression, mentioned);
    });
    return false;
  });
  const auto place = [&](const BoundColumnRef& column) {
    return std::find(mentioned.begin(), mentioned.end(), column.id) - mentioned.begin();
  };
  std::stable_sort(columns.begin(), columns.end(),
                   [&](const auto& left, const auto& right) { return place(left) < place(right); });
}

}  // namespace

Result<Binding> Binder::BindSubqueryRelation(const plan::RelationPtr& query,
                                             const ExpressionScope& scope,
                                             std::vector<BoundColumnRef>* outer_references) {
  const std::shared_ptr<const Scope> enclosing = outer_;
  for (auto names = scope.scopes.rbegin(); names != scope.scopes.rend(); ++names) {
    auto chained = std::make_shared<Scope>(**names);
    chained->set_outer(outer_);
    chained->set_same_query(names != scope.scopes.rend() - 1);
    outer_ = std::move(chained);
  }
  if (scope.scopes.empty()) {
    auto nothing = std::make_shared<Scope>();
    nothing->set_outer(outer_);
    outer_ = std::move(nothing);
  }
  const auto windows = std::exchange(named_windows_, {});
  outer_uses_.push_back(outer_references);
  auto bound = BindRelation(query);
  outer_uses_.pop_back();
  named_windows_ = windows;
  outer_ = enclosing;
  if (!bound.ok()) return std::move(bound).error();
  return Finished(*std::move(bound));
}

Result<BoundExpressionPtr> Binder::BindNode(const plan::Subquery& subquery,
                                            const plan::Expression& expression,
                                            ExpressionScope& scope) {
  const plan::Origin origin = expression.origin;
  if (!scope.lambdas.empty()) {
    return Error(ErrorClass::UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY, {}, "HIGHER_ORDER_FUNCTION");
  }
  BoundSubquery bound{.kind = subquery.kind, .query = nullptr, .values = {}};
  for (const plan::ExpressionPtr& value : subquery.values) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr child, BindExpression(value, scope));
    bound.values.push_back(std::move(child));
  }
  MERGANSER_ASSIGN_OR_RETURN(const Binding query,
                             BindSubqueryRelation(subquery.query, scope, &bound.outer));
  bound.query = query.relation;
  SortByAppearance(bound.outer, *bound.query);
  const std::vector<BoundColumn>& columns = bound.query->columns;
  switch (subquery.kind) {
    case plan::SubqueryKind::kExists:
      return MakeBound(std::move(bound), DataType::Boolean(), false, origin);
    case plan::SubqueryKind::kIn:
      return FinishInSubquery(std::move(bound), origin);
    case plan::SubqueryKind::kScalar:
      break;
  }
  if (columns.size() != 1) {
    return At(
        Error(ErrorClass::INVALID_SUBQUERY_EXPRESSION, {{"number", std::to_string(columns.size())}},
              "SCALAR_SUBQUERY_RETURN_MORE_THAN_ONE_OUTPUT_COLUMN"),
        origin);
  }
  const DataType type = columns[0].type;
  return MakeBound(std::move(bound), type, true, origin);
}

Result<BoundExpressionPtr> Binder::FinishInSubquery(BoundSubquery subquery,
                                                    const plan::Origin& origin) const {
  const DataType boolean = DataType::Boolean();
  const std::vector<BoundColumn> columns = subquery.query->columns;
  const auto mismatch = [&](std::string sub_class, Error::Parameters parameters) {
    parameters["sqlExpr"] = QuotedExpression(*MakeBound(subquery, boolean));
    return At(Error(ErrorClass::DATATYPE_MISMATCH, std::move(parameters), std::move(sub_class)),
              origin);
  };
  if (columns.size() != subquery.values.size()) {
    std::string right;
    for (const BoundColumn& column : columns)
      right += (right.empty() ? "\"" : ", \"") + column.name + "\"";
    return mismatch("IN_SUBQUERY_LENGTH_MISMATCH",
                    {{"leftColumns", QuotedExpressions(subquery.values)},
                     {"leftLength", std::to_string(subquery.values.size())},
                     {"rightColumns", right},
                     {"rightLength", std::to_string(columns.size())}});
  }
  BoundProject casts{.child = subquery.query, .outputs = {}};
  std::vector<BoundColumn> cast_columns;
  bool nullable = false;
  bool is_cast = false;
  for (size_t i = 0; i < columns.size(); ++i) {
    const BoundExpressionPtr& value = subquery.values[i];
    const std::optional<DataType> common =
        FindWiderTypeForTwo(value->type, columns[i].type, typing_);
    if (!common || !IsOrderable(*common)) {
      return mismatch("IN_SUBQUERY_DATA_TYPE_MISMATCH",
                      {{"mismatchedColumns",
                        "(" + PrintSql(*value) + ":" + value->type.CatalogString() + ", `" +
                            columns[i].name + "`:" + columns[i].type.CatalogString() + ")"},
                       {"leftType", QuotedType(value->type)},
                       {"rightType", QuotedType(columns[i].type)}});
    }
    nullable = nullable || value->nullable || columns[i].nullable;
    BoundColumn column = columns[i];
    const BoundExpressionPtr cast = ImplicitCast(ReferTo(column), *common, typing_);
    if (cast->As<BoundColumnRef>() == nullptr) {
      is_cast = true;
      column.id = NextId();
      column.type = *common;
    }
    casts.outputs.push_back({cast, column.id});
    cast_columns.push_back(std::move(column));
    subquery.values[i] = ImplicitCast(value, *common, typing_);
  }
  if (is_cast) subquery.query = MakeBoundRelation(std::move(casts), std::move(cast_columns));
  return MakeBound(std::move(subquery), boolean, nullable, origin);
}

}  // namespace merganser
