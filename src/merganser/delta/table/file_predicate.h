#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "merganser/delta/schema/scalar.h"

namespace merganser {

/// What a predicate asks of a column. Except for the null tests, a NULL column gives "not true".
enum class PredicateOperator : uint8_t {
  kEqual,
  kNotEqual,
  kLess,
  kLessOrEqual,
  kGreater,
  kGreaterOrEqual,
  kNullSafeEqual,  ///< `<=>`: NULL equals NULL.
  kIn,             ///< Values sorted ascending, without NULL.
  kStartsWith,
  kIsNull,
  kIsNotNull,
};

/// One test of one column against literals of the column's own type.
struct ColumnPredicate {
  std::vector<std::string> column;  ///< Logical names from the root: {"a"} or {"a", "b"}.
  PredicateOperator op = PredicateOperator::kEqual;
  std::vector<Scalar> values;  ///< One, many for kIn, none for the null tests.
};

/// A condition on the rows of a table, as far as files can be judged by it: the AND of its parts.
/// An empty predicate is true for every row.
struct FilePredicate {
  std::vector<ColumnPredicate> conjuncts;

  bool empty() const { return conjuncts.empty(); }
};

std::string ToString(const FilePredicate& predicate);

}  // namespace merganser
