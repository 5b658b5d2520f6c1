#include "merganser/spark/analysis/bound_forms.h"

#include <utility>

namespace merganser {

BoundExpressionPtr NullOf(const DataType& type) {
  return MakeBound(plan::Literal{type, std::monostate{}}, type, true);
}

BoundExpressionPtr IsNull(const BoundExpressionPtr& child) {
  return MakeBound(BoundCall{"isnull", {child}, true}, DataType::Boolean(), false);
}

BoundExpressionPtr When(const BoundExpressionPtr& condition, const BoundExpressionPtr& yes,
                        const BoundExpressionPtr& no) {
  return MakeBound(BoundCall{"when", {condition, yes, no}, true}, yes->type,
                   yes->nullable || no->nullable);
}

BoundExpressionPtr StructOf(const DataType& type, const std::vector<BoundExpressionPtr>& values) {
  BoundCall call{"named_struct", {}, false};
  for (size_t i = 0; i < values.size(); ++i) {
    call.arguments.push_back(MakeBound(plan::Literal{DataType::String(), type.fields()[i].name},
                                       DataType::String(), false));
    call.arguments.push_back(values[i]);
  }
  return MakeBound(std::move(call), type, false);
}

BoundExpressionPtr FieldOf(const BoundExpressionPtr& parent, int index) {
  const StructField& field = parent->type.fields()[static_cast<size_t>(index)];
  return MakeBound(BoundField{parent, index, field.name}, field.type,
                   parent->nullable || field.nullable, parent->origin);
}

}  // namespace merganser
