#include "merganser/spark/analysis/store_assignment.h"

#include <algorithm>
#include <utility>

#include "merganser/delta/schema/char_varchar.h"

namespace merganser {
namespace {

/// Text padded with spaces to the length of its CHAR column; longer text is left to the column's
/// check.
BoundExpressionPtr PadChar(BoundExpressionPtr value, int length) {
  const auto constant = [](const DataType& type, plan::LiteralValue literal) {
    return MakeBound(plan::Literal{type, std::move(literal)}, type, false);
  };
  const bool nullable = value->nullable;
  const BoundExpressionPtr size =
      MakeBound(BoundCall{"char_length", {value}, false}, DataType::Integer(), nullable);
  const BoundExpressionPtr limit = constant(DataType::Integer(), int64_t{length});
  const BoundExpressionPtr is_short =
      MakeBound(BoundCall{"<", {size, limit}, true}, DataType::Boolean(), nullable);
  const BoundExpressionPtr padded = MakeBound(
      BoundCall{"rpad", {value, limit, constant(DataType::String(), std::string(" "))}, false},
      DataType::String(), nullable);
  return MakeBound(BoundCall{"when", {is_short, padded, value}, true}, DataType::String(),
                   nullable);
}

bool HoldsExactNumbers(const DataType& type) {
  if (type.is(TypeId::kArray)) return HoldsExactNumbers(type.element());
  if (type.is(TypeId::kMap))
    return HoldsExactNumbers(type.key()) || HoldsExactNumbers(type.value());
  if (type.is(TypeId::kStruct)) {
    return std::ranges::any_of(
        type.fields(), [](const StructField& field) { return HoldsExactNumbers(field.type); });
  }
  return type.is_integral() || type.is(TypeId::kDecimal);
}

}  // namespace

bool CanOverflowInTable(const DataType& from, const DataType& to) {
  return HoldsExactNumbers(to) && !CanStoreAssign(from, to, StoreAssignmentPolicy::kStrict);
}

BoundExpressionPtr ColumnReference(const BoundColumn& column) {
  return MakeBound(BoundColumnRef{column.id, column.name, {}}, column.type, column.nullable);
}

Error NoUpCast(const std::string& expression, const DataType& from, const DataType& to) {
  return Error(ErrorClass::CANNOT_UP_CAST_DATATYPE, {{"expression", expression},
                                                     {"sourceType", "\"" + from.SqlString() + "\""},
                                                     {"targetType", "\"" + to.SqlString() + "\""},
                                                     {"details", ""}});
}

Result<BoundExpressionPtr> StoreAssign(const BoundExpressionPtr& value, const StructField& field,
                                       StoreAssignmentPolicy policy, const TypingContext& typing) {
  const DataType declared = DeclaredType(field);
  BoundExpressionPtr stored = value;
  const DataType type = field.type.is_string() ? DataType::String() : field.type;
  if (!value->type.SameType(type)) {
    if (policy == StoreAssignmentPolicy::kStrict && !CanStoreAssign(value->type, type, policy)) {
      return NoUpCast(field.name, value->type, type);
    }
    // The checks are those of a written cast; the node also carries the column for the overflow
    // error.
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr checked,
                               ResolveCast(value, type, /*is_try=*/false, typing, value->origin));
    BoundCast cast;
    cast.child = value;
    cast.mode = policy == StoreAssignmentPolicy::kLegacy ? CastMode::kLegacy : CastMode::kAnsi;
    cast.implicit = true;
    if (policy == StoreAssignmentPolicy::kAnsi && CanOverflowInTable(value->type, type))
      cast.assigned_column = field.name;
    cast.is_insert = true;
    stored = MakeBound(std::move(cast), type, checked->nullable, value->origin);
  }
  if (declared.is(TypeId::kChar)) stored = PadChar(std::move(stored), declared.length());
  return stored;
}

}  // namespace merganser
