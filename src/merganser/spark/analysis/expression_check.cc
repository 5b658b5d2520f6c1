#include "merganser/spark/analysis/expression_check.h"

#include <algorithm>
#include <array>
#include <functional>
#include <string_view>
#include <utility>

#include <fmt/format.h>

#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/expression_tree.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {

namespace {

const BoundExpression* FindNode(const BoundExpression& expression,
                                const std::function<bool(const BoundExpression&)>& test) {
  if (test(expression)) return &expression;
  const BoundExpression* found = nullptr;
  ForEachChild(expression, [&](const BoundExpression& child) {
    if (found == nullptr) found = FindNode(child, test);
  });
  return found;
}

void CollectAggregates(const BoundExpression& expression,
                       std::vector<const BoundExpression*>& found) {
  if (const auto* window = expression.As<BoundWindow>()) {
    ForEachChild(expression, [&](const BoundExpression& child) {
      if (&child != window->function.get()) return CollectAggregates(child, found);
      ForEachChild(child,
                   [&](const BoundExpression& argument) { CollectAggregates(argument, found); });
    });
    return;
  }
  if (expression.As<BoundAggregate>() != nullptr) found.push_back(&expression);
  ForEachChild(expression, [&](const BoundExpression& child) { CollectAggregates(child, found); });
}

/// The name of the operator that gives the same with its operands swapped, empty if there is none.
std::string_view Swapped(std::string_view function) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 13> kSwapped = {{
      {"+", "+"},
      {"*", "*"},
      {"&", "&"},
      {"|", "|"},
      {"^", "^"},
      {"=", "="},
      {"<=>", "<=>"},
      {"and", "and"},
      {"or", "or"},
      {"<", ">"},
      {">", "<"},
      {"<=", ">="},
      {">=", "<="},
  }};
  for (const auto& [name, swapped] : kSwapped) {
    if (name == function) return swapped;
  }
  return {};
}

}  // namespace

const BoundExpression* FindAggregate(const BoundExpression& expression) {
  const std::vector<const BoundExpression*> found = AggregatesOf(expression);
  return found.empty() ? nullptr : found[0];
}

Status CheckNoGenerator(const BoundExpression& expression, std::string_view operator_name) {
  if (FindGenerator(expression) == nullptr) return Status::Ok();
  return Error(ErrorClass::UNSUPPORTED_GENERATOR,
               {{"plan", fmt::format("{} {}", operator_name, GeneratedName(expression))}},
               "OUTSIDE_SELECT");
}

std::vector<const BoundExpression*> AggregatesOf(const BoundExpression& expression) {
  std::vector<const BoundExpression*> found;
  CollectAggregates(expression, found);
  return found;
}

const BoundExpression* FindWindow(const BoundExpression& expression) {
  return FindNode(expression,
                  [](const BoundExpression& node) { return node.As<BoundWindow>() != nullptr; });
}

const BoundExpression* FindGenerator(const BoundExpression& expression) {
  return FindNode(expression, [](const BoundExpression& node) {
    const auto* call = node.As<BoundCall>();
    return call != nullptr && FindFunction(call->function) == FunctionKind::kGenerator;
  });
}

bool Equivalent(const BoundExpression& left, const BoundExpression& right) {
  if (SameExpression(left, right)) return true;
  if (!left.type.SameType(right.type)) return false;
  if (const auto* cast = left.As<BoundCast>()) {
    const auto* other = right.As<BoundCast>();
    return other != nullptr && cast->mode == other->mode && Equivalent(*cast->child, *other->child);
  }
  if (const auto* field = left.As<BoundField>()) {
    const auto* other = right.As<BoundField>();
    return other != nullptr && field->index == other->index &&
           Equivalent(*field->child, *other->child);
  }
  const auto* call = left.As<BoundCall>();
  const auto* other = right.As<BoundCall>();
  if (call == nullptr || other == nullptr || call->arguments.size() != other->arguments.size())
    return false;
  const auto same = [](const BoundExpressionPtr& a, const BoundExpressionPtr& b) {
    return a == b || (a != nullptr && b != nullptr && Equivalent(*a, *b));
  };
  if (call->function == other->function &&
      std::equal(call->arguments.begin(), call->arguments.end(), other->arguments.begin(), same)) {
    return true;
  }
  return call->arguments.size() == 2 && Swapped(call->function) == other->function &&
         same(call->arguments[0], other->arguments[1]) &&
         same(call->arguments[1], other->arguments[0]);
}

std::string QuotedExpressions(const std::vector<BoundExpressionPtr>& expressions) {
  std::string text;
  for (const BoundExpressionPtr& expression : expressions) {
    text += (text.empty() ? "" : ", ") + QuotedExpression(*expression);
  }
  return text;
}

}  // namespace merganser
