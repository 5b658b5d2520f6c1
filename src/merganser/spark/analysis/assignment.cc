#include "merganser/spark/analysis/assignment.h"

#include <algorithm>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/store_assignment.h"

namespace merganser {
namespace {

Error SchemaMismatch(const DataType& from, const DataType& to) {
  return Error(ErrorClass::DELTA_UPDATE_SCHEMA_MISMATCH_EXPRESSION,
               {{"fromCatalog", from.CatalogString()}, {"toCatalog", to.CatalogString()}});
}

/// Safe for every value: nothing is lost and nothing can fail.
bool IsUpCast(const DataType& from, const DataType& to) {
  if (from.is(TypeId::kNull) || from.SameType(to)) return true;
  return CanStoreAssign(from, to, StoreAssignmentPolicy::kStrict);
}

Result<BoundExpressionPtr> AssignAtomic(const BoundExpressionPtr& value, const DataType& type,
                                        const std::string& column, const AssignmentRules& rules,
                                        const TypingContext& typing) {
  const bool up_cast = IsUpCast(value->type, type);
  if (!rules.follows_ansi_flag && rules.policy == StoreAssignmentPolicy::kStrict && !up_cast) {
    return NoUpCast(PrintSql(*value), value->type, type);
  }
  BoundCast cast;
  cast.child = value;
  const bool ansi =
      rules.follows_ansi_flag ? typing.ansi : rules.policy != StoreAssignmentPolicy::kLegacy;
  cast.mode = ansi ? CastMode::kAnsi : CastMode::kLegacy;
  cast.implicit = true;
  if (ansi && CanOverflowInTable(value->type, type)) cast.assigned_column = column;
  TypingContext checking = typing;
  checking.ansi = ansi;
  if (!CanCast(value->type, type, checking)) {
    return ResolveCast(value, type, /*is_try=*/false, checking, value->origin);
  }
  return MakeBound(std::move(cast), type, true, value->origin);
}

/// Does `target` have a field, at any struct depth, that `source` lacks?
bool HasFieldsOfItsOwn(const StructType& target, const StructType& source) {
  return std::ranges::any_of(target, [&](const StructField& field) {
    const StructField* other = source.Find(field.name);
    if (other == nullptr) return true;
    return field.type.is(TypeId::kStruct) && other->type.is(TypeId::kStruct) &&
           HasFieldsOfItsOwn(field.type.fields(), other->type.fields());
  });
}

Result<BoundExpressionPtr> AssignByPosition(const BoundExpressionPtr& value, const DataType& type,
                                            const AssignmentRules& rules,
                                            const TypingContext& typing) {
  const StructType& target = type.fields();
  if (value->type.fields().size() != target.size()) return SchemaMismatch(value->type, type);
  std::vector<BoundExpressionPtr> values;
  for (size_t i = 0; i < target.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr assigned,
                               AssignValue(FieldOf(value, static_cast<int>(i)), target[i].type,
                                           target[i].name, nullptr, rules, typing));
    values.push_back(std::move(assigned));
  }
  const BoundExpressionPtr built = StructOf(type, values);
  return value->nullable ? When(IsNull(value), NullOf(type), built) : built;
}

Result<BoundExpressionPtr> AssignStruct(const BoundExpressionPtr& value, const DataType& type,
                                        const BoundExpressionPtr& current,
                                        const AssignmentRules& rules, const TypingContext& typing) {
  if (!rules.by_name) return AssignByPosition(value, type, rules, typing);
  const StructType& source = value->type.fields();
  const StructType& target = type.fields();
  for (const StructField& field : source) {
    if (target.Find(field.name) == nullptr) return SchemaMismatch(value->type, type);
  }
  if (!rules.evolution && source.size() != target.size()) return SchemaMismatch(value->type, type);
  const bool keeps =
      rules.preserve_target_fields && current != nullptr && current->type.is(TypeId::kStruct);
  std::vector<BoundExpressionPtr> values;
  for (const StructField& field : target) {
    const int own = keeps ? current->type.fields().IndexOf(field.name) : -1;
    const BoundExpressionPtr old = own < 0 ? nullptr : FieldOf(current, own);
    const int index = source.IndexOf(field.name);
    if (index < 0) {
      if (old == nullptr) {
        values.push_back(NullOf(field.type));
        continue;
      }
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr kept,
                                 AssignValue(old, field.type, field.name, nullptr, rules, typing));
      values.push_back(std::move(kept));
      continue;
    }
    MERGANSER_ASSIGN_OR_RETURN(
        BoundExpressionPtr assigned,
        AssignValue(FieldOf(value, index), field.type, field.name, old, rules, typing));
    values.push_back(std::move(assigned));
  }
  const BoundExpressionPtr built = StructOf(type, values);
  if (!value->nullable || !rules.null_structs_stay) return built;
  // A NULL struct stays NULL, unless fields that only the target has are to be kept.
  if (keeps && HasFieldsOfItsOwn(current->type.fields(), source)) {
    const BoundExpressionPtr both_null = MakeBound(
        BoundCall{"and", {IsNull(value), IsNull(current)}, true}, DataType::Boolean(), false);
    return When(both_null, NullOf(type), built);
  }
  return When(IsNull(value), NullOf(type), built);
}

/// `transform(value, x -> x as element)` and its kin for maps.
Result<BoundExpressionPtr> AssignElements(const BoundExpressionPtr& value, const DataType& type,
                                          const std::string& function,
                                          const std::vector<DataType>& parameters,
                                          size_t body_parameter, const DataType& body_type,
                                          const std::string& column, const AssignmentRules& rules,
                                          const TypingContext& typing) {
  static constexpr const char* kNames[] = {"x", "y"};
  BoundLambda lambda;
  std::vector<BoundExpressionPtr> references;
  for (size_t i = 0; i < parameters.size(); ++i) {
    lambda.parameters.push_back({typing.next_id(), kNames[i], {}});
    references.push_back(MakeBound(lambda.parameters.back(), parameters[i], true));
  }
  AssignmentRules inside = rules;
  inside.preserve_target_fields = false;
  MERGANSER_ASSIGN_OR_RETURN(lambda.body, AssignValue(references[body_parameter], body_type, column,
                                                      nullptr, inside, typing));
  const BoundExpressionPtr function_argument = MakeBound(std::move(lambda), body_type, true);
  return MakeBound(BoundCall{function, {value, function_argument}, false}, type, value->nullable);
}

Result<BoundExpressionPtr> AssignMap(const BoundExpressionPtr& value, const DataType& type,
                                     const std::string& column, const AssignmentRules& rules,
                                     const TypingContext& typing) {
  BoundExpressionPtr result = value;
  if (!value->type.key().SameType(type.key())) {
    const DataType with_keys = DataType::Map(type.key(), value->type.value(), type.contains_null());
    MERGANSER_ASSIGN_OR_RETURN(result, AssignElements(result, with_keys, "transform_keys",
                                                      {value->type.key(), value->type.value()}, 0,
                                                      type.key(), column, rules, typing));
  }
  if (!value->type.value().SameType(type.value())) {
    MERGANSER_ASSIGN_OR_RETURN(
        result, AssignElements(result, type, "transform_values", {type.key(), value->type.value()},
                               1, type.value(), column, rules, typing));
  }
  return result;
}

}  // namespace

Result<BoundExpressionPtr> AssignValue(const BoundExpressionPtr& value, const DataType& type,
                                       const std::string& column, const BoundExpressionPtr& current,
                                       const AssignmentRules& rules, const TypingContext& typing) {
  const DataType stored = type.is_string() ? DataType::String() : type;
  if (value->type.is(TypeId::kNull)) return NullOf(stored);
  const bool keeps_fields =
      rules.preserve_target_fields && current != nullptr && value->type.is(TypeId::kStruct);
  if (value->type.SameType(stored) && !keeps_fields) return value;
  if (value->type.is(TypeId::kStruct) && stored.is(TypeId::kStruct)) {
    return AssignStruct(value, stored, current, rules, typing);
  }
  if (value->type.is(TypeId::kArray) && stored.is(TypeId::kArray)) {
    return AssignElements(value, stored, "transform", {value->type.element()}, 0, stored.element(),
                          column, rules, typing);
  }
  if (value->type.is(TypeId::kMap) && stored.is(TypeId::kMap))
    return AssignMap(value, stored, column, rules, typing);
  return AssignAtomic(value, stored, column, rules, typing);
}

Result<BoundExpressionPtr> AssignFields(const std::vector<const FieldAssignment*>& assignments,
                                        size_t depth, const BoundExpressionPtr& current,
                                        const DataType& type, const std::string& column,
                                        const TypingContext& typing) {
  if (assignments.size() == 1 && assignments[0]->path.size() == depth) {
    const FieldAssignment& whole = *assignments[0];
    return AssignValue(whole.value, type, column, current, whole.rules, typing);
  }
  if (!type.is(TypeId::kStruct)) {
    return Error(
        ErrorClass::DELTA_UNSUPPORTED_FIELD_UPDATE_NON_STRUCT,
        {{"columnName", QuotedIdentifier(assignments[0]->path)}, {"dataType", type.SqlString()}});
  }
  const bool has_current = current != nullptr && current->type.is(TypeId::kStruct);
  AssignmentRules keep;
  keep.evolution = true;
  std::vector<BoundExpressionPtr> values;
  for (const StructField& field : type.fields()) {
    std::vector<const FieldAssignment*> inside;
    for (const FieldAssignment* assignment : assignments) {
      if (assignment->path.size() > depth && assignment->path[depth] == field.name)
        inside.push_back(assignment);
    }
    const int own = has_current ? current->type.fields().IndexOf(field.name) : -1;
    const BoundExpressionPtr old = own < 0 ? nullptr : FieldOf(current, own);
    if (!inside.empty()) {
      MERGANSER_ASSIGN_OR_RETURN(
          BoundExpressionPtr value,
          AssignFields(inside, depth + 1, old, field.type, field.name, typing));
      values.push_back(std::move(value));
    } else if (old == nullptr) {
      values.push_back(NullOf(field.type));
    } else {
      MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr value,
                                 AssignValue(old, field.type, field.name, nullptr, keep, typing));
      values.push_back(std::move(value));
    }
  }
  return StructOf(type, values);
}

}  // namespace merganser
