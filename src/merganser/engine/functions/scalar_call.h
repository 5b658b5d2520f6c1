#pragma once

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <duckdb.hpp>

#include "merganser/base/error.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// What a function does with malformed input and overflow.
enum class EvalMode : uint8_t {
  kAnsi,    ///< An error.
  kTry,     ///< NULL.
  kLegacy,  ///< spark.sql.ansi.enabled=false: NULL or wrap-around.
};

/// The cast of a value for a column of a table (spec/merge.md 5). Types are Spark's names.
struct Assignment {
  std::string column;
  std::string from;
  std::string to;
  bool is_insert = false;  ///< INSERT, not UPDATE or MERGE.
};

/// How a call fails, and where it stands in the statement.
struct CallSite {
  EvalMode mode = EvalMode::kAnsi;
  QueryContext where;
  /// Set for the cast of a value for a column, and inside of that value.
  std::optional<Assignment> assignment;
  /// Set in a value of an inline table: its SQL text.
  std::string inline_value;

  bool ansi() const { return mode == EvalMode::kAnsi; }
  bool legacy() const { return mode == EvalMode::kLegacy; }
  /// Fail the statement with `error` at this place; with the class of a store assignment's overflow
  /// instead if it is one of Spark's arithmetic exceptions in an assigned value, and as the cause
  /// of INVALID_INLINE_TABLE.FAILED_SQL_EXPRESSION_EVALUATION in an inline table.
  [[noreturn]] void Throw(Error error) const;
};

/// Computes one chunk of rows. The arguments are those that the maker kept. Thread-safe.
using ScalarKernel = std::function<void(duckdb::DataChunk& arguments, duckdb::Vector& result)>;

/// A call of an mg_* function that is being bound: the maker reads its types and constants, says
/// what the call returns, and gives the kernel. A mistake in the call's shape is INTERNAL_ERROR.
class ScalarCall {
 public:
  ScalarCall(duckdb::ClientContext& context, duckdb::ScalarFunction& function,
             duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments);

  const std::string& name() const { return function_.name; }
  duckdb::ClientContext& context() { return context_; }
  size_t size() const { return arguments_.size(); }
  const duckdb::LogicalType& type(size_t i) const;

  /// Argument `i` is computed as `type` (the engine casts it if it has another type).
  void Expect(size_t i, const duckdb::LogicalType& type);
  void Returns(const duckdb::LogicalType& type);
  /// Only the first `count` arguments reach the kernel; the others are constants that were read.
  void KeepArguments(size_t count);
  /// No input makes the kernel throw. Allows the engine to run it on values no row has.
  void NeverFails();
  /// Every row computes anew.
  void IsVolatile();

  // Constants. Each fails with INTERNAL_ERROR if argument `i` is missing or no constant.
  duckdb::Value Constant(size_t i);
  std::string Text(size_t i);
  int64_t Integer(size_t i);
  bool Boolean(size_t i);
  DataType SparkType(size_t i);
  /// Fails with INVALID_TIMEZONE.
  std::shared_ptr<const TimeZone> Zone(size_t i);
  /// The mode at `mode_index` and, if present, the context at `context_index`.
  CallSite Site(size_t mode_index, size_t context_index);
  /// The context follows the mode.
  CallSite Site(size_t mode_index) { return Site(mode_index, mode_index + 1); }
  /// The context at `index`, if present; mode ANSI.
  CallSite Context(size_t index);

  /// The value of argument `i` if it is a constant; it stays an argument.
  std::optional<duckdb::Value> TryConstant(size_t i);
  /// As text; nullopt as well if NULL.
  std::optional<std::string> TryText(size_t i);

  /// What distinguishes this call from others of the same function and arguments.
  std::vector<std::string> constants() && { return std::move(constants_); }
  void Finish();

 private:
  void ReadContext(const std::string& json, CallSite* site);

  duckdb::ClientContext& context_;
  duckdb::ScalarFunction& function_;
  duckdb::vector<duckdb::unique_ptr<duckdb::Expression>>& arguments_;
  duckdb::vector<duckdb::LogicalType> expected_;
  std::vector<std::string> constants_;
  size_t kept_;
};

/// Registers functions in a database.
class FunctionRegistry {
 public:
  using Maker = std::function<ScalarKernel(ScalarCall& call)>;

  explicit FunctionRegistry(duckdb::DatabaseInstance& database) : database_(database) {}

  /// A function whose maker decides by the call's arguments.
  void Add(const std::string& name, Maker maker);
  /// A function of fixed types that never fails.
  void Add(const std::string& name, std::vector<duckdb::LogicalType> arguments,
           duckdb::LogicalType result, ScalarKernel kernel);
  void Add(duckdb::AggregateFunctionSet aggregate);

 private:
  duckdb::DatabaseInstance& database_;
};

}  // namespace merganser::engine
