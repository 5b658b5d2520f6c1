#include <algorithm>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

bool HasMap(const DataType& type) {
  switch (type.id()) {
    case TypeId::kMap:
      return true;
    case TypeId::kArray:
      return HasMap(type.element());
    case TypeId::kStruct:
      return std::any_of(type.fields().begin(), type.fields().end(),
                         [](const StructField& field) { return HasMap(field.type); });
    default:
      return false;
  }
}

}  // namespace

Result<Binding> Binder::Bind(const plan::Distinct& distinct, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(distinct.child));
  child = Finished(std::move(child));
  for (const BoundColumn& column : child.relation->columns) {
    MERGANSER_RETURN_IF_ERROR(CheckComparable(column, relation.origin));
  }
  std::vector<BoundColumn> columns = child.relation->columns;
  child.relation = MakeBoundRelation(BoundDistinct{child.relation, {}}, std::move(columns));
  return child;
}

Status Binder::CheckComparable(const BoundColumn& column, const plan::Origin& origin) const {
  if (!HasMap(column.type)) return Status::Ok();
  return At(
      Error(ErrorClass::UNSUPPORTED_FEATURE,
            {{"colName", QuotedIdentifier(column.name)}, {"dataType", QuotedType(column.type)}},
            "SET_OPERATION_ON_MAP_TYPE"),
      origin);
}

Result<Binding> Binder::Bind(const plan::Deduplicate& deduplicate, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(deduplicate.child));
  child = Finished(std::move(child));
  BoundDistinct node{.child = child.relation, .columns = {}};
  for (const std::string& name : deduplicate.columns) {
    const size_t before = node.columns.size();
    for (const BoundColumn& column : child.relation->columns) {
      if (SameName(column.name, name, case_sensitive())) node.columns.push_back(column.id);
    }
    if (node.columns.size() > before) continue;
    std::string names;
    for (const BoundColumn& column : child.relation->columns)
      names += (names.empty() ? "" : ", ") + column.name;
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"colName", name}, {"fieldNames", names}},
                 "UNRESOLVED_COLUMN_AMONG_FIELD_NAMES");
  }
  for (const BoundColumn& column : child.relation->columns) {
    const bool compared =
        node.columns.empty() ||
        std::find(node.columns.begin(), node.columns.end(), column.id) != node.columns.end();
    if (compared) MERGANSER_RETURN_IF_ERROR(CheckComparable(column, relation.origin));
  }
  std::vector<BoundColumn> columns = child.relation->columns;
  child.relation = MakeBoundRelation(std::move(node), std::move(columns));
  return child;
}

}  // namespace merganser
