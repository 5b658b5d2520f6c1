#include <algorithm>
#include <array>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/select_binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

Result<std::vector<size_t>> Binder::ColumnsCalled(const Scope& scope, const std::string& name,
                                                  const plan::Origin& origin) const {
  std::vector<size_t> found;
  for (size_t i = 0; i < scope.columns().size(); ++i) {
    const ScopeColumn& column = scope.columns()[i];
    if (!column.hidden && SameName(column.column.name, name, case_sensitive())) found.push_back(i);
  }
  if (found.empty()) return UnresolvedColumn({name}, scope.columns(), origin);
  return found;
}

Result<std::vector<size_t>> Binder::ColumnsCalled(const Scope& scope,
                                                  const std::vector<std::string>& names,
                                                  const plan::Origin& origin) const {
  std::vector<size_t> positions;
  if (names.empty()) {
    for (size_t i = 0; i < scope.columns().size(); ++i) {
      if (!scope.columns()[i].hidden) positions.push_back(i);
    }
  }
  for (const std::string& name : names) {
    MERGANSER_ASSIGN_OR_RETURN(const auto found, ColumnsCalled(scope, name, origin));
    positions.insert(positions.end(), found.begin(), found.end());
  }
  return positions;
}

Result<BoundExpressionPtr> Binder::CallOf(const char* name,
                                          std::vector<BoundExpressionPtr> arguments) const {
  static constexpr std::array kWords = {"isnotnull", "or",  "and", "not", "+",
                                        ">=",        "<=>", "=",   "when"};
  CallRequest request;
  request.name = name;
  request.lambdas.resize(arguments.size(), nullptr);
  request.arguments = std::move(arguments);
  request.is_operator = std::any_of(kWords.begin(), kWords.end(),
                                    [&](const char* word) { return request.name == word; });
  return ResolveCall(request, typing_, {});
}

Result<Binding> Binder::Recomputed(Binding child,
                                   const std::map<size_t, BoundExpressionPtr>& values,
                                   const plan::Origin& origin) {
  const Scope scope = child.scope;
  SelectBinder select(*this, origin);
  select.Input(std::move(child));
  for (size_t i = 0; i < scope.columns().size(); ++i) {
    const ScopeColumn& column = scope.columns()[i];
    if (column.hidden) continue;
    const auto value = values.find(i);
    select.Item({column.column.name,
                 value != values.end() ? value->second : ReferTo(column.column, column.qualifier)});
  }
  MERGANSER_RETURN_IF_ERROR(select.NoGroupBy(false));
  return select.Finish();
}

Result<Binding> Binder::Bind(const plan::Parameterized& query, const plan::Relation&) {
  MERGANSER_RETURN_IF_ERROR(LookUpRoutines(query.routines));
  StatementParameters others = std::exchange(parameters_, query.values);
  auto bound = BindRelation(query.child);
  parameters_ = std::move(others);
  return bound;
}

Result<Binding> Binder::Bind(const plan::WithColumns& with, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(with.child));
  for (size_t i = 0; i < with.columns.size(); ++i) {
    for (size_t j = 0; j < i; ++j) {
      const std::string& name = with.columns[i].names[0];
      if (!SameName(name, with.columns[j].names[0], case_sensitive())) continue;
      return Error(
          ErrorClass::COLUMN_ALREADY_EXISTS,
          {{"columnName", QuotedIdentifier(std::vector<std::string>{AsciiLowerCase(name)})}});
    }
  }
  const Scope scope = child.scope;
  SelectBinder select(*this, relation.origin);
  select.Input(std::move(child));
  std::vector<bool> used(with.columns.size());
  const auto item = [&](size_t i) {
    used[i] = true;
    return select.Items({plan::MakeExpression(with.columns[i])});
  };
  for (const ScopeColumn& column : scope.columns()) {
    if (column.hidden) continue;
    const auto replaced =
        std::find_if(with.columns.begin(), with.columns.end(), [&](const plan::Alias& own) {
          return SameName(own.names[0], column.column.name, case_sensitive());
        });
    if (replaced == with.columns.end()) {
      select.Item({column.column.name, ReferTo(column.column, column.qualifier)});
    } else {
      MERGANSER_RETURN_IF_ERROR(item(static_cast<size_t>(replaced - with.columns.begin())));
    }
  }
  for (size_t i = 0; i < with.columns.size(); ++i) {
    if (!used[i]) MERGANSER_RETURN_IF_ERROR(item(i));
  }
  MERGANSER_RETURN_IF_ERROR(select.NoGroupBy(false));
  return select.Finish();
}

Result<Binding> Binder::Bind(const plan::WithColumnsRenamed& renamed, const plan::Relation&) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(renamed.child));
  child = Finished(std::move(child));
  for (const auto& [old_name, new_name] : renamed.names) {
    for (ScopeColumn& column : child.scope.columns()) {
      if (SameName(column.column.name, old_name, case_sensitive())) {
        column.column.name = new_name;
        column.qualifier.clear();
      }
    }
  }
  return child;
}

Result<Binding> Binder::Bind(const plan::DropColumns& drop, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(drop.child));
  std::vector<ColumnId> dropped;
  for (const plan::ExpressionPtr& expression : drop.columns) {
    ExpressionScope scope{.scopes = {&child.scope}};
    scope.operator_name = "Drop";
    scope.operator_origin = relation.origin;
    auto bound = BindExpression(expression, scope);
    const bool unknown =
        !bound.ok() && (bound.error().error_class() == ErrorClass::UNRESOLVED_COLUMN ||
                        bound.error().error_class() == ErrorClass::CANNOT_RESOLVE_DATAFRAME_COLUMN);
    if (unknown) continue;
    if (!bound.ok()) return std::move(bound).error();
    if (const auto* column = (*bound)->As<BoundColumnRef>()) dropped.push_back(column->id);
  }
  child = Finished(std::move(child));
  std::erase_if(child.scope.columns(), [&](const ScopeColumn& column) {
    return std::find(dropped.begin(), dropped.end(), column.column.id) != dropped.end() ||
           std::any_of(drop.names.begin(), drop.names.end(), [&](const std::string& name) {
             return SameName(column.column.name, name, case_sensitive());
           });
  });
  return child;
}

Result<Binding> Binder::Bind(const plan::ToDataFrame& frame, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(frame.child));
  child = Finished(std::move(child));
  if (frame.names.size() != child.scope.columns().size()) {
    return At(Error(ErrorClass::ASSIGNMENT_ARITY_MISMATCH,
                    {{"numExpr", std::to_string(frame.names.size())},
                     {"numTarget", std::to_string(child.scope.columns().size())}}),
              relation.origin);
  }
  for (size_t i = 0; i < frame.names.size(); ++i) {
    child.scope.columns()[i].column.name = frame.names[i];
    child.scope.columns()[i].qualifier.clear();
  }
  return child;
}

Result<Binding> Binder::Bind(const plan::ToSchema& to, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(to.child));
  const Scope scope = child.scope;
  SelectBinder select(*this, relation.origin);
  select.Input(std::move(child));
  for (const StructField& field : to.schema) {
    auto found = ColumnsCalled(scope, field.name, relation.origin);
    if (!found.ok() && !field.nullable) return std::move(found).error();
    if (!found.ok()) {
      select.Item({field.name, MakeBound(plan::Literal{field.type, {}}, field.type, true)});
      continue;
    }
    const BoundColumn& column = scope.columns()[found->front()].column;
    if (found->size() > 1) {
      return Error(ErrorClass::AMBIGUOUS_COLUMN_OR_FIELD,
                   {{"name", QuotedIdentifier(column.name)}, {"n", std::to_string(found->size())}});
    }
    if (column.nullable && !field.nullable) {
      return Error(ErrorClass::NULLABLE_COLUMN_OR_FIELD, {{"name", QuotedIdentifier(column.name)}});
    }
    if (!CanStoreAssign(column.type, field.type, StoreAssignmentPolicy::kAnsi)) {
      return Error(ErrorClass::INVALID_COLUMN_OR_FIELD_DATA_TYPE,
                   {{"name", QuotedIdentifier(column.name)},
                    {"type", QuotedType(column.type)},
                    {"expectedType", QuotedType(field.type)}});
    }
    select.Item({field.name, ImplicitCast(ReferTo(column), field.type, typing_)});
  }
  MERGANSER_RETURN_IF_ERROR(select.NoGroupBy(false));
  return select.Finish();
}

Result<Binding> Binder::Bind(const plan::Tail& tail, const plan::Relation&) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(tail.child));
  child = Finished(std::move(child));
  std::vector<BoundColumn> columns = child.relation->columns;
  child.relation = MakeBoundRelation(BoundTail{child.relation, std::max<int64_t>(0, tail.limit)},
                                     std::move(columns));
  return child;
}

}  // namespace merganser
