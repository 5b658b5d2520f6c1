#include "merganser/delta/table/file_predicate.h"

#include <string_view>

#include "merganser/base/quoted_identifier.h"

namespace merganser {
namespace {

std::string_view Symbol(PredicateOperator op) {
  switch (op) {
    case PredicateOperator::kEqual:
      return "=";
    case PredicateOperator::kNotEqual:
      return "!=";
    case PredicateOperator::kLess:
      return "<";
    case PredicateOperator::kLessOrEqual:
      return "<=";
    case PredicateOperator::kGreater:
      return ">";
    case PredicateOperator::kGreaterOrEqual:
      return ">=";
    case PredicateOperator::kNullSafeEqual:
      return "<=>";
    case PredicateOperator::kIn:
      return "IN";
    case PredicateOperator::kStartsWith:
      return "STARTS WITH";
    case PredicateOperator::kIsNull:
      return "IS NULL";
    case PredicateOperator::kIsNotNull:
      return "IS NOT NULL";
  }
  return {};
}

std::string ToString(const ColumnPredicate& predicate) {
  std::string text = QuotedIfNeeded(predicate.column);
  text += " ";
  text += Symbol(predicate.op);
  if (predicate.op == PredicateOperator::kIn) {
    // Keys of a MERGE can be a million; the number says enough.
    return text + " (" + std::to_string(predicate.values.size()) + " values)";
  }
  for (const Scalar& value : predicate.values) text += " " + ToString(value);
  return text;
}

}  // namespace

std::string ToString(const FilePredicate& predicate) {
  std::string text;
  for (const ColumnPredicate& conjunct : predicate.conjuncts) {
    if (!text.empty()) text += " AND ";
    text += ToString(conjunct);
  }
  return text.empty() ? "true" : text;
}

}  // namespace merganser
