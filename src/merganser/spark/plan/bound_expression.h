#pragma once

#include <memory>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/expression.h"
#include "merganser/spark/plan/literal.h"

/// Bound expressions: names are column ids, every node has its Spark type, every coercion is an
/// explicit cast. Made by spark/functions and spark/analysis, printed as engine SQL by
/// engine/lowering.
namespace merganser {

/// Identity of a column within one statement, unique across all its relations.
using ColumnId = int64_t;

struct BoundExpression;
struct BoundRelation;
using BoundExpressionPtr = std::shared_ptr<const BoundExpression>;
using BoundRelationPtr = std::shared_ptr<const BoundRelation>;

/// A column of a relation in scope (or of an outer query: the id says it all), or a lambda
/// parameter.
struct BoundColumnRef {
  ColumnId id = 0;
  std::string name;
  /// Qualifier for printing: `spark_catalog.default.t` or an alias.
  std::vector<std::string> qualifier;
};

/// A resolved function or operator. `function` is the canonical name in the registry of
/// spark/functions (lower case; operators by their symbol); argument types are exactly what the
/// signature wants.
struct BoundCall {
  std::string function;
  std::vector<BoundExpressionPtr> arguments;
  bool is_operator = false;
  /// Set where the call is defined in terms of others (`ifnull(a, b)` is `coalesce(a, b)`): what is
  /// computed, while `function` and `arguments` are what is printed. Null for calls that the engine
  /// lowers themselves.
  BoundExpressionPtr replacement = nullptr;
};

enum class CastMode : uint8_t {
  kAnsi,    ///< Malformed input and overflow are errors.
  kTry,     ///< NULL instead of an error.
  kLegacy,  ///< spark.sql.ansi.enabled=false: NULL or wrap-around.
};

struct BoundCast {
  BoundExpressionPtr child;
  CastMode mode = CastMode::kAnsi;
  /// Inserted by coercion: left out of generated names and printed SQL.
  bool implicit = false;
  /// Store assignment: the column a write casts for, where values can overflow. Overflow of the
  /// cast, and any arithmetic exception inside of `child`, then raises
  /// DELTA_CAST_OVERFLOW_IN_TABLE_WRITE (Delta's UPDATE and MERGE) or CAST_OVERFLOW_IN_TABLE_INSERT
  /// (INSERT). Empty for other casts.
  std::string assigned_column;
  bool is_insert = false;
};

/// `(x, y) -> body`. Parameters are referred to in `body` by BoundColumnRef.
struct BoundLambda {
  std::vector<BoundColumnRef> parameters;
  BoundExpressionPtr body;
};

/// Scalar, EXISTS or IN subquery, possibly correlated (it may refer to outer column ids).
struct BoundSubquery {
  plan::SubqueryKind kind = plan::SubqueryKind::kScalar;
  BoundRelationPtr query;
  std::vector<BoundExpressionPtr> values;  ///< kIn only.
  /// Columns of enclosing queries that `query` uses, each once: what makes it correlated.
  std::vector<BoundColumnRef> outer = {};
};

struct BoundSortOrder {
  BoundExpressionPtr child;
  bool ascending = true;
  bool nulls_first = true;
};

/// An aggregate function application.
struct BoundAggregate {
  std::string function;
  std::vector<BoundExpressionPtr> arguments;
  bool distinct = false;
  BoundExpressionPtr filter;  ///< May be null.
  bool ignore_nulls = false;
  std::vector<BoundSortOrder> order;  ///< WITHIN GROUP.
};

struct BoundFrameBound {
  plan::BoundKind kind = plan::BoundKind::kUnboundedPreceding;
  /// kPreceding and kFollowing only; has no columns. May be negative: `-1 FOLLOWING` is `1
  /// PRECEDING`.
  BoundExpressionPtr offset;
};

/// A window function application; `function` is a BoundAggregate or a BoundCall of a ranking/offset
/// function.
struct BoundWindow {
  BoundExpressionPtr function;
  std::vector<BoundExpressionPtr> partition_by;
  std::vector<BoundSortOrder> order_by;
  plan::FrameUnit unit = plan::FrameUnit::kRange;
  BoundFrameBound lower;
  BoundFrameBound upper;
};

/// `child.field` by position; the struct is NULL => NULL.
struct BoundField {
  BoundExpressionPtr child;
  int index = 0;
  std::string name;
};

struct BoundExpression {
  std::variant<plan::Literal, BoundColumnRef, BoundCall, BoundCast, BoundLambda, BoundSubquery,
               BoundAggregate, BoundWindow, BoundField>
      node;
  DataType type;
  bool nullable = true;
  plan::Origin origin = {};

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

template <typename T>
BoundExpressionPtr MakeBound(T node, DataType type, bool nullable = true,
                             const plan::Origin& origin = {}) {
  return std::make_shared<const BoundExpression>(
      BoundExpression{std::move(node), std::move(type), nullable, origin});
}

}  // namespace merganser
