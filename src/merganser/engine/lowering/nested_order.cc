#include "merganser/engine/lowering/nested_order.h"

#include <fmt/format.h>

#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

std::string KeyAt(const std::string& value, const DataType& type, int depth);

/// The members of a row that orders `value`, NULL below everything else.
std::string NullsBelow(const std::string& value, const DataType& type, int depth) {
  return fmt::format("{} IS NOT NULL, {}", value, KeyAt(value, type, depth));
}

/// `depth` keeps the names of lambda parameters apart.
std::string KeyAt(const std::string& value, const DataType& type, int depth) {
  if (!NeedsOrderKey(type)) return value;
  const std::string name = fmt::format("ordered{}", depth);
  if (type.is(TypeId::kArray)) {
    return fmt::format("list_transform({}, lambda {}: row({}))", value, name,
                       NullsBelow(name, type.element(), depth + 1));
  }
  std::string members;
  for (const StructField& field : type.fields()) {
    const std::string member = fmt::format("struct_extract({}, {})", name, QuoteText(field.name));
    members += (members.empty() ? "" : ", ") + NullsBelow(member, field.type, depth + 1);
  }
  return fmt::format(
      "list_extract(list_transform([{0}], lambda {1}: CASE WHEN {1} IS NOT NULL THEN row({2}) "
      "END), 1)",
      value, name, members);
}

}  // namespace

bool NeedsOrderKey(const DataType& type) {
  return type.is(TypeId::kArray) || (type.is(TypeId::kStruct) && !type.fields().empty());
}

std::string OrderKeySql(const std::string& value, const DataType& type) {
  return KeyAt(value, type, 0);
}

std::string SortedListSql(const std::string& list, const DataType& element, ListOrder order) {
  const bool descending = order == ListOrder::kDescendingNullsLast;
  const bool nulls_first = order == ListOrder::kAscendingNullsFirst;
  const std::string direction =
      fmt::format("'{}', 'NULLS {}'", descending ? "DESC" : "ASC", nulls_first ? "FIRST" : "LAST");
  if (!NeedsOrderKey(element)) return fmt::format("list_sort({}, {})", list, direction);
  const char* present = order == ListOrder::kAscendingNullsLast ? "IS NULL" : "IS NOT NULL";
  return fmt::format(
      "list_transform(list_sort(list_transform({}, lambda item: row(item {}, {}, item)), {}), "
      "lambda keyed: struct_extract(keyed, 3))",
      list, present, OrderKeySql("item", element), direction);
}

}  // namespace merganser
