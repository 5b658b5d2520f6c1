#include "merganser/commands/predicate_text.h"

#include <utility>

#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

BoundExpressionPtr WithBareNames(const BoundExpressionPtr& condition) {
  return Transform(condition, [](const BoundExpressionPtr& node) -> BoundExpressionPtr {
    const auto* column = node->As<BoundColumnRef>();
    if (column == nullptr || column->qualifier.empty()) return nullptr;
    return MakeBound(BoundColumnRef{column->id, column->name, {}}, node->type, node->nullable,
                     node->origin);
  });
}

}  // namespace

std::string PredicateText(const BoundExpressionPtr& condition) {
  return GeneratedName(*WithBareNames(condition));
}

std::string PredicateSql(const BoundExpressionPtr& condition) {
  return PrintSql(*WithBareNames(condition));
}

}  // namespace merganser
