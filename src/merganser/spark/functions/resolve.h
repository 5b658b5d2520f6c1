#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/config/store_assignment_policy.h"
#include "merganser/spark/plan/bound_expression.h"

/// Built-in functions and operators: names, signatures, coercion, result types. The analyser
/// resolves names and calls in here; nothing here knows relations or the engine.
namespace merganser {

/// Settings that typing depends on.
struct TypingContext {
  bool ansi = true;
  bool case_sensitive = false;
  /// spark.sql.decimalOperations.allowPrecisionLoss.
  bool decimal_precision_loss = true;
  std::string session_time_zone = "UTC";
  /// Values that stay equal within one statement.
  int64_t current_timestamp_us = 0;
  std::string current_user = "user";
  std::string current_catalog = "spark_catalog";
  std::string current_schema = "default";
  /// Reads a schema given as text (`a INT, b STRING`, `ARRAY<INT>`): from_json, variant_get. Fails
  /// with PARSE_SYNTAX_ERROR.
  std::function<Result<DataType>(std::string_view ddl)> parse_type;
  /// The value of an expression without columns that FoldLiteral cannot fold; may be empty.
  std::function<Result<plan::Literal>(const BoundExpression& expression)> evaluate;
  /// Hands out statement-unique ids (lambda parameters).
  std::function<ColumnId()> next_id;
};

/// A call after its arguments are bound and before it is typed. A lambda argument is given unbound:
/// the function decides its parameter types, then asks `bind_lambda`.
struct CallRequest {
  std::string name;                           ///< As written, one part.
  std::vector<BoundExpressionPtr> arguments;  ///< Null at positions that hold a lambda.
  std::vector<const plan::Lambda*>
      lambdas;                              ///< As long as `arguments`; null at ordinary positions.
  std::vector<std::string> argument_names;  ///< As in plan::Call.
  bool distinct = false;
  BoundExpressionPtr filter;
  std::optional<bool> ignore_nulls;
  std::vector<BoundSortOrder> within_group;
  bool is_operator = false;
  plan::Origin origin;
};

/// Binds a lambda body with the given parameter types; supplied by the analyser.
using LambdaBinder = std::function<Result<BoundExpressionPtr>(const plan::Lambda& lambda,
                                                              const std::vector<DataType>& types,
                                                              const std::vector<bool>& nullable)>;

enum class FunctionKind : uint8_t { kScalar, kAggregate, kWindow, kGenerator, kTable };

/// The kind of the built-in called `name` (any case), nullopt if there is none.
std::optional<FunctionKind> FindFunction(std::string_view name);

/// Canonical names of all built-ins of SQL, sorted; operators by their symbols included.
std::vector<std::string> FunctionNames();

/// Type a call: check arity, insert casts, compute the result. The result's node is a BoundCall,
/// BoundAggregate, or whatever the function rewrites to (`+` of a date becomes `date_add`,
/// `current_date()` a literal, ...). A call that only another call computes keeps its name and
/// carries a `replacement`. A generator's type is the struct of its output columns (`col`, or `pos`
/// and `col`, ...); its arguments are what BoundGenerate takes. Fails with UNRESOLVED_ROUTINE,
/// WRONG_NUM_ARGS.*, DATATYPE_MISMATCH.* and the function's own classes.
Result<BoundExpressionPtr> ResolveCall(const CallRequest& request, const TypingContext& context,
                                       const LambdaBinder& bind_lambda);

/// An explicit CAST or TRY_CAST. Fails with DATATYPE_MISMATCH.CAST_WITHOUT_SUGGESTION and its
/// siblings.
Result<BoundExpressionPtr> ResolveCast(BoundExpressionPtr child, const DataType& type, bool is_try,
                                       const TypingContext& context,
                                       const plan::Origin& origin = {});

/// `child[key]` and `child.name`. Fails with INVALID_EXTRACT_FIELD, FIELD_NOT_FOUND,
/// INVALID_EXTRACT_BASE_FIELD_TYPE.
Result<BoundExpressionPtr> ResolveExtract(BoundExpressionPtr child, BoundExpressionPtr key,
                                          const TypingContext& context,
                                          const plan::Origin& origin = {});

/// An implicit cast to `type` (no check); the child itself if it has that type already. `origin` is
/// the place of what asks for the cast; where that is not known, the child's.
BoundExpressionPtr ImplicitCast(BoundExpressionPtr child, const DataType& type,
                                const TypingContext& context, const plan::Origin& origin = {});

/// The type that CASE, coalesce, IN, array() and UNION give operands of these types; nullopt if
/// there is none.
std::optional<DataType> FindWiderType(const std::vector<DataType>& types,
                                      const TypingContext& context);

/// May a value of type `from` be stored in a column of type `to` by an INSERT (nested types
/// included)?
bool CanStoreAssign(const DataType& from, const DataType& to, StoreAssignmentPolicy policy);

/// May CAST convert `from` to `to` (under `context.ansi`)?
bool CanCast(const DataType& from, const DataType& to, const TypingContext& context);

/// An argument with a name of its own, as in `struct(a + 1 AS b)`: prints as `(a + 1) AS b`, means
/// `child`.
BoundExpressionPtr NamedArgument(BoundExpressionPtr child, std::string name);

/// How literals print.
struct NameFormat {
  /// Seconds east of UTC of the session's time zone at an instant (microseconds since 1970-01-01);
  /// empty means UTC.
  std::function<int64_t(int64_t)> utc_offset_seconds = {};
};

/// Name that Spark gives an unaliased result column: `(a + 1)`, `count(1)`, `CAST(x AS INT)`.
std::string GeneratedName(const BoundExpression& expression, const NameFormat& format = {});

/// Spark's SQL text of an expression, as operationParameters show it: strings quoted, names
/// qualified where known, implicit casts written out. Error parameters show GeneratedName in double
/// quotes instead.
std::string PrintSql(const BoundExpression& expression, const NameFormat& format = {});

/// Equal in everything but origins.
bool SameExpression(const BoundExpression& left, const BoundExpression& right);

bool ContainsAggregate(const BoundExpression& expression);
bool ContainsWindow(const BoundExpression& expression);
bool ContainsSubquery(const BoundExpression& expression);
/// No rand(), uuid(), monotonically_increasing_id(), ... inside.
bool IsDeterministic(const BoundExpression& expression);
/// The value of an expression without columns that folds without an engine (literals, casts between
/// integers, unary minus); nullopt when it does not.
std::optional<plan::Literal> FoldLiteral(const BoundExpression& expression);

/// Column ids used in the expression, those of subqueries' outer references included, without
/// duplicates.
void CollectColumns(const BoundExpression& expression, std::vector<ColumnId>& ids);

/// `expression` with each node replaced by what `replace` gives (null: keep and descend). Queries
/// inside subqueries are not entered.
BoundExpressionPtr Transform(
    const BoundExpressionPtr& expression,
    const std::function<BoundExpressionPtr(const BoundExpressionPtr&)>& replace);

}  // namespace merganser
