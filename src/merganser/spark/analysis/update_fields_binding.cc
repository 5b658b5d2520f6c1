#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

BoundExpressionPtr FieldNameLiteral(const std::string& name) {
  const DataType type = DataType::String();
  return MakeBound(plan::Literal{type, name}, type, false);
}

/// Rebuilds structs with one field changed.
class FieldUpdate {
 public:
  FieldUpdate(const std::vector<std::string>& path, BoundExpressionPtr value,
              const TypingContext& typing)
      : path_(path), value_(std::move(value)), typing_(typing) {}

  Result<BoundExpressionPtr> Apply(const BoundExpressionPtr& structure, size_t depth) const {
    if (!structure->type.is(TypeId::kStruct)) {
      return Error(ErrorClass::DATATYPE_MISMATCH,
                   {{"sqlExpr", QuotedExpression(*structure)},
                    {"paramIndex", "first"},
                    {"requiredType", "\"STRUCT\""},
                    {"inputSql", QuotedExpression(*structure)},
                    {"inputType", QuotedType(structure->type)}},
                   "UNEXPECTED_INPUT_TYPE");
    }
    const StructType& own = structure->type.fields();
    std::vector<BoundExpressionPtr> fields;
    bool found = false;
    for (size_t i = 0; i < own.size(); ++i) {
      BoundExpressionPtr field = MakeBound(BoundField{structure, static_cast<int>(i), own[i].name},
                                           own[i].type, structure->nullable || own[i].nullable);
      if (SameName(own[i].name, path_[depth], typing_.case_sensitive)) {
        found = true;
        const bool last = depth + 1 == path_.size();
        if (last && value_ == nullptr) continue;
        if (last) {
          field = value_;
        } else {
          MERGANSER_ASSIGN_OR_RETURN(field, Apply(field, depth + 1));
        }
      }
      fields.push_back(FieldNameLiteral(own[i].name));
      fields.push_back(std::move(field));
    }
    if (!found && depth + 1 < path_.size()) {
      std::string names;
      for (const StructField& field : own)
        names += (names.empty() ? "" : ", ") + QuotedIdentifier(field.name);
      return Error(ErrorClass::FIELD_NOT_FOUND,
                   {{"fieldName", QuotedIdentifier(path_[depth])}, {"fields", names}});
    }
    if (!found && value_ != nullptr) {
      fields.push_back(FieldNameLiteral(path_[depth]));
      fields.push_back(value_);
    }
    if (fields.empty()) {
      return Error(ErrorClass::DATATYPE_MISMATCH, {{"sqlExpr", QuotedExpression(*structure)}},
                   "CANNOT_DROP_ALL_FIELDS");
    }
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr changed, Call("named_struct", std::move(fields)));
    if (!structure->nullable) return changed;
    MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr missing, Call("isnull", {structure}, true));
    const BoundExpressionPtr null =
        MakeBound(plan::Literal{changed->type, {}}, changed->type, true);
    return Call("if", {std::move(missing), null, std::move(changed)});
  }

 private:
  Result<BoundExpressionPtr> Call(const char* name, std::vector<BoundExpressionPtr> arguments,
                                  bool is_operator = false) const {
    CallRequest request;
    request.name = name;
    request.lambdas.resize(arguments.size(), nullptr);
    request.arguments = std::move(arguments);
    request.is_operator = is_operator;
    return ResolveCall(request, typing_, {});
  }

  const std::vector<std::string>& path_;
  BoundExpressionPtr value_;
  const TypingContext& typing_;
};

}  // namespace

Result<BoundExpressionPtr> Binder::BindNode(const plan::UpdateFields& update,
                                            const plan::Expression&, ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr child, BindExpression(update.child, scope));
  BoundExpressionPtr value;
  if (update.value != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(value, BindExpression(update.value, scope));
  }
  return FieldUpdate(update.field, std::move(value), typing_).Apply(child, 0);
}

}  // namespace merganser
