#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/literal.h"
#include "merganser/spark/plan/origin.h"

/// Unresolved expressions: what a front end (SQL text, DeltaTable builder, Spark Connect) says,
/// before names and types are known. Plain immutable data, shared by pointer.
namespace merganser::plan {

struct Expression;
struct Relation;
using ExpressionPtr = std::shared_ptr<const Expression>;
using RelationPtr = std::shared_ptr<const Relation>;

/// A name of one or more parts; or IDENTIFIER(expression), which gives the parts once evaluated.
struct MultipartName {
  std::vector<std::string> parts;
  ExpressionPtr identifier;  ///< Set for IDENTIFIER(...) only; then `parts` is empty.
  Origin origin;
};

/// A column or field reference: `a`, `t.a`, `t.a.b`.
struct Attribute {
  std::vector<std::string> parts;
  /// Spark Connect: the relation's plan id that the column was taken from, -1 if none.
  int64_t plan_id = -1;
};

/// IDENTIFIER(expression) used as an expression name.
struct IdentifierAttribute {
  ExpressionPtr expression;
};

/// `*`, `t.*`, `* EXCEPT (a, b.c)`; and all columns with some replaced in their places (the pipe
/// operator SET).
struct Star {
  std::vector<std::string> qualifier;
  std::vector<std::vector<std::string>> except;
  /// Empty, or as long as `except`: the value that stands in the place, and under the name, of each
  /// column.
  std::vector<ExpressionPtr> replacements;
  /// Spark Connect: the relation's plan id whose columns are meant, -1 if none.
  int64_t plan_id = -1;
  /// Spark Connect (colRegex): only columns whose whole name this Java pattern matches.
  std::optional<std::string> name_pattern = std::nullopt;
};

/// A function or operator. Operators are calls of these names (as Spark Connect sends them):
/// + - * / % div & | ^ ~ << >> >>> || = <=> <> < <= > >= and or not negative positive isnull
/// isnotnull in (first argument is the value) between like ilike rlike (like/ilike: optional third
/// argument = escape) when (condition, value, ..., else) [] of `a[b]` is ExtractValue, `a::t` is
/// Cast.
/// `!=` and `==` arrive as `<>` and `=`; `x IS [NOT] DISTINCT FROM y` as <=>; `x IS TRUE` as
/// istrue, isfalse, isunknown. like/ilike ANY|ALL|SOME arrive as like_any, like_all, not_like_any,
/// not_like_all (+ ilike_...).
struct Call {
  std::vector<std::string> name;
  std::vector<ExpressionPtr> arguments;
  /// Empty, or as long as `arguments`: the name of each `name => value` argument, empty for
  /// positional ones.
  std::vector<std::string> argument_names;
  bool distinct = false;
  ExpressionPtr filter;                     ///< FILTER (WHERE ...), may be null.
  std::optional<bool> ignore_nulls;         ///< IGNORE NULLS / RESPECT NULLS.
  std::vector<ExpressionPtr> within_group;  ///< WITHIN GROUP (ORDER BY ...): SortOrder expressions.
  /// True for operators and syntax forms (`a + b`, `CASE`), false for `f(a)`: matters to error
  /// texts only.
  bool is_operator = false;
};

/// CAST, TRY_CAST and `::`.
struct Cast {
  ExpressionPtr child;
  DataType type;
  bool is_try = false;
  bool is_literal = false;  ///< The text of a typed literal, which stands for its value.
};

/// `child AS name` or `child AS (a, b)`.
struct Alias {
  ExpressionPtr child;
  std::vector<std::string> names;
  /// The column's metadata (Spark Connect); without it a plain column keeps its own.
  std::optional<FieldMetadata> metadata = std::nullopt;
};

/// `child[key]`, or `child.field` where child is not a plain name (then key is a string literal).
struct ExtractValue {
  ExpressionPtr child;
  ExpressionPtr key;
};

/// withField and dropFields: the struct `child` with the field at the path `field` set to `value`
/// (added if it is not there), or left out where `value` is null.
struct UpdateFields {
  ExpressionPtr child;
  std::vector<std::string> field;
  ExpressionPtr value;
};

/// `(x, y) -> body` as an argument of a higher-order function.
struct Lambda {
  std::vector<std::string> parameters;
  ExpressionPtr body;
};

enum class SubqueryKind : uint8_t { kScalar, kExists, kIn };

/// (SELECT ...), EXISTS (SELECT ...), `values IN (SELECT ...)`.
struct Subquery {
  SubqueryKind kind;
  RelationPtr query;
  std::vector<ExpressionPtr> values;  ///< kIn only: left side, one or more.
};

/// An ORDER BY item.
struct SortOrder {
  ExpressionPtr child;
  bool ascending = true;
  std::optional<bool> nulls_first;  ///< Default: first when ascending, last when descending.
};

enum class FrameUnit : uint8_t { kRows, kRange };
enum class BoundKind : uint8_t {
  kUnboundedPreceding,
  kPreceding,
  kCurrentRow,
  kFollowing,
  kUnboundedFollowing
};

struct FrameBound {
  BoundKind kind = BoundKind::kUnboundedPreceding;
  ExpressionPtr offset;  ///< kPreceding and kFollowing only.
};

struct WindowFrame {
  FrameUnit unit = FrameUnit::kRange;
  FrameBound lower;
  FrameBound upper;
};

struct WindowSpec {
  std::string base;  ///< Name of a WINDOW clause definition, empty if none.
  std::vector<ExpressionPtr> partition_by;
  std::vector<ExpressionPtr> order_by;  ///< SortOrder expressions.
  std::optional<WindowFrame> frame;
};

/// `function OVER (...)`.
struct Window {
  ExpressionPtr function;
  WindowSpec spec;
};

/// `?` (by position) or `:name`.
struct Parameter {
  std::string name;  ///< Empty for positional parameters.
  int32_t position = -1;
};

/// The keyword DEFAULT as a value.
struct DefaultValue {};

struct Expression {
  std::variant<Literal, Attribute, IdentifierAttribute, Star, Call, Cast, Alias, ExtractValue,
               UpdateFields, Lambda, Subquery, SortOrder, Window, Parameter, DefaultValue>
      node;
  Origin origin;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

/// Values of a statement's parameters: `:name` and `?`. Literals, or calls of array, map and the
/// like.
struct ParameterValues {
  std::map<std::string, ExpressionPtr, std::less<>> named;
  std::vector<ExpressionPtr> positional;

  bool empty() const { return named.empty() && positional.empty(); }
};

/// A function that a text of SQL calls, by the name that stands there.
struct CalledRoutine {
  std::vector<std::string> name;
  Origin origin;
};

/// A shared expression of `node`.
template <typename T>
ExpressionPtr MakeExpression(T node, const Origin& origin = {}) {
  return std::make_shared<const Expression>(Expression{std::move(node), origin});
}

}  // namespace merganser::plan
