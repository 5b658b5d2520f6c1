#include <algorithm>
#include <array>
#include <map>
#include <numeric>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/coercion.h"

namespace merganser {

namespace {

using plan::SetOperator;

std::string OperatorName(const plan::SetOperation& operation) {
  std::string name = "UNION";
  if (operation.op == SetOperator::kIntersect) name = "INTERSECT";
  if (operation.op == SetOperator::kExcept) name = "EXCEPT";
  if (operation.all && operation.op != SetOperator::kUnion) name += " ALL";
  return name;
}

/// "first", "second", ..., then "11th" and so on.
std::string OrdinalName(size_t position) {
  static constexpr std::array kNames = {"first", "second",  "third",  "fourth", "fifth",
                                        "sixth", "seventh", "eighth", "ninth",  "tenth"};
  return position < kNames.size() ? kNames[position] : std::to_string(position + 1) + "th";
}

/// `relation` with column `positions[i]` as column i, cast to `types[i]`; position -1 is NULL.
BoundRelationPtr Arrange(const BoundRelationPtr& relation, const std::vector<int>& positions,
                         const std::vector<DataType>& types, const Binder& binder) {
  BoundProject project{.child = relation, .outputs = {}};
  std::vector<BoundColumn> columns;
  bool same = positions.size() == relation->columns.size();
  for (size_t i = 0; i < positions.size(); ++i) {
    if (positions[i] < 0) {
      const BoundColumn column{
          .id = binder.NextId(), .name = "", .type = types[i], .nullable = true};
      project.outputs.push_back(
          {MakeBound(plan::Literal{types[i], {}}, types[i], true), column.id});
      columns.push_back(column);
      same = false;
      continue;
    }
    BoundColumn column = relation->columns[static_cast<size_t>(positions[i])];
    const BoundExpressionPtr cast = ImplicitCast(ReferTo(column), types[i], binder.typing());
    if (cast->As<BoundColumnRef>() == nullptr) {
      column = {
          .id = binder.NextId(), .name = column.name, .type = types[i], .nullable = cast->nullable};
      same = false;
    }
    same = same && positions[i] == static_cast<int>(i);
    project.outputs.push_back({cast, column.id});
    columns.push_back(std::move(column));
  }
  return same ? relation : MakeBoundRelation(std::move(project), std::move(columns));
}

}  // namespace

Result<std::vector<int>> Binder::MatchColumnsByName(const plan::SetOperation& operation,
                                                    const BoundRelation& left,
                                                    const BoundRelation& right) const {
  std::vector<int> positions;
  for (const BoundColumn& column : left.columns) {
    int position = -1;
    for (size_t i = 0; i < right.columns.size() && position < 0; ++i) {
      if (SameName(column.name, right.columns[i].name, case_sensitive()))
        position = static_cast<int>(i);
    }
    if (position < 0 && !operation.allow_missing_columns) {
      std::string names;
      for (const BoundColumn& other : right.columns)
        names += (names.empty() ? "" : ", ") + other.name;
      return Error(ErrorClass::UNRESOLVED_COLUMN_AMONG_FIELD_NAMES,
                   {{"colName", column.name}, {"fieldNames", names}});
    }
    positions.push_back(position);
  }
  return positions;
}

Result<Binding> Binder::Bind(const plan::SetOperation& operation, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding left, BindRelation(operation.left));
  MERGANSER_ASSIGN_OR_RETURN(Binding right, BindRelation(operation.right));
  left = Finished(std::move(left));
  right = Finished(std::move(right));
  const size_t left_size = left.relation->columns.size();
  const size_t right_size = right.relation->columns.size();

  std::vector<int> left_positions(left_size);
  std::iota(left_positions.begin(), left_positions.end(), 0);
  std::vector<int> right_positions(right_size);
  std::iota(right_positions.begin(), right_positions.end(), 0);
  if (operation.by_name && (left_size == right_size || operation.allow_missing_columns)) {
    MERGANSER_ASSIGN_OR_RETURN(right_positions,
                               MatchColumnsByName(operation, *left.relation, *right.relation));
    // Columns of the right side alone come last.
    for (size_t i = 0; i < right_size && operation.allow_missing_columns; ++i) {
      const int position = static_cast<int>(i);
      if (std::find(right_positions.begin(), right_positions.end(), position) !=
          right_positions.end())
        continue;
      left_positions.push_back(-1);
      right_positions.push_back(position);
    }
  } else if (left_size != right_size) {
    return At(Error(ErrorClass::NUM_COLUMNS_MISMATCH,
                    {{"operator", OperatorName(operation)},
                     {"firstNumColumns", std::to_string(left_size)},
                     {"invalidOrdinalNum", "second"},
                     {"invalidNumColumns", std::to_string(right_size)}}),
              relation.origin);
  }

  std::vector<DataType> types;
  std::vector<BoundColumn> columns;
  for (size_t i = 0; i < left_positions.size(); ++i) {
    const BoundColumn* from_left =
        left_positions[i] < 0 ? nullptr
                              : &left.relation->columns[static_cast<size_t>(left_positions[i])];
    const BoundColumn* from_right =
        right_positions[i] < 0 ? nullptr
                               : &right.relation->columns[static_cast<size_t>(right_positions[i])];
    BoundColumn column = from_left != nullptr ? *from_left : *from_right;
    column.id = NextId();
    column.nullable = true;
    if (from_left != nullptr && from_right != nullptr) {
      const std::optional<DataType> common =
          FindWiderTypeForTwo(from_left->type, from_right->type, typing_);
      if (!common) {
        return At(Error(ErrorClass::INCOMPATIBLE_COLUMN_TYPE,
                        {{"operator", OperatorName(operation)},
                         {"columnOrdinalNumber", OrdinalName(i)},
                         {"tableOrdinalNumber", "second"},
                         {"dataType1", QuotedType(from_right->type)},
                         {"dataType2", QuotedType(from_left->type)},
                         {"hint", ""}}),
                  relation.origin);
      }
      column.type = *common;
      column.nullable = from_left->nullable;
      if (operation.op == SetOperator::kUnion)
        column.nullable = from_left->nullable || from_right->nullable;
      if (operation.op == SetOperator::kIntersect)
        column.nullable = from_left->nullable && from_right->nullable;
    }
    const bool compares_rows = operation.op != SetOperator::kUnion || !operation.all;
    if (compares_rows) MERGANSER_RETURN_IF_ERROR(CheckComparable(column, relation.origin));
    types.push_back(column.type);
    columns.push_back(std::move(column));
  }

  // The result's columns are the left side's, under their names and qualifiers.
  Scope scope;
  std::map<ColumnId, ColumnId> renamed;
  for (size_t i = 0; i < columns.size(); ++i) {
    ScopeColumn column{.column = columns[i], .identity = columns[i].id};
    if (left_positions[i] >= 0) {
      const ScopeColumn& source = left.scope.columns()[static_cast<size_t>(left_positions[i])];
      if (source.column.type.SameType(columns[i].type)) column.qualifier = source.qualifier;
      renamed[source.column.id] = columns[i].id;
    }
    scope.Add(std::move(column));
  }
  scope.InheritPlans(left.scope, renamed);

  BoundSetOperation node{.left = Arrange(left.relation, left_positions, types, *this),
                         .right = Arrange(right.relation, right_positions, types, *this),
                         .op = operation.op,
                         .all = operation.all};
  return Binding{.relation = MakeBoundRelation(std::move(node), std::move(columns)),
                 .scope = std::move(scope)};
}

}  // namespace merganser
