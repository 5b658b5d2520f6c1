#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "delta/connect/delta.pb.h"
#include "merganser/base/result.h"
#include "merganser/delta/schema/data_type.h"
#include "merganser/spark/plan/command.h"
#include "merganser/spark/plan/expression.h"
#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/parser.h"
#include "spark/connect/commands.pb.h"
#include "spark/connect/expressions.pb.h"
#include "spark/connect/relations.pb.h"
#include "spark/connect/types.pb.h"

/// Spark Connect's plans to ours. Nothing is looked up and nothing runs here.
namespace merganser::connect {

/// What translation asks of the session. Callbacks are always set, except `streaming_source`.
struct TranslationContext {
  ParserOptions parser;

  /// A relation of rows that the client sent: Arrow IPC streams of one schema (none: no rows), and
  /// Spark's schema as JSON or DDL text where the client gave one. Fails with INVALID_SCHEMA and
  /// UNSUPPORTED_ARROWTYPE; a damaged stream is CONNECT_INVALID_PLAN.
  std::function<Result<plan::RelationPtr>(const std::vector<std::string_view>& streams,
                                          std::optional<std::string_view> schema)>
      local_rows;

  /// The bytes of an artifact that the client uploaded (`cache/<sha256>`), valid while the session
  /// is.
  std::function<Result<std::string_view>(const std::string& name)> artifact;

  /// The plan that the server keeps under an id (CachedRemoteRelation: checkpoints and streaming
  /// batches).
  std::function<Result<plan::RelationPtr>(const std::string& id)> remote_relation;

  /// What stands for a `Read` with `is_streaming`. Not set where a stream cannot be read.
  std::function<Result<plan::RelationPtr>(const spark::connect::Read&)> streaming_source;

  // While a plan is translated.
  /// Queries that subquery expressions name by their plan id.
  std::map<int64_t, plan::RelationPtr> subqueries = {};
};

/// A relation as a query. A relation that is a command (SQL text of one, Delta's messages other
/// than Scan, catalog calls) becomes plan::CommandRows.
///
/// Fails with CONNECT_INVALID_PLAN where a part is missing or not known, UNSUPPORTED_FEATURE naming
/// what this server does not have (Python functions and the like), and as the parser on SQL text.
Result<plan::RelationPtr> TranslateRelation(const spark::connect::Relation& relation,
                                            TranslationContext& context);

/// A root relation. Where it is itself a command (see TranslateRelation), the statement is that
/// command.
Result<plan::Statement> TranslateStatement(const spark::connect::Relation& root,
                                           TranslationContext& context);

/// A command that says all that is to be done: write_operation, write_operation_v2,
/// create_dataframe_view, merge_into_table_command and Delta's commands. The others (SQL,
/// streaming, checkpoints, ML) belong to the server; asked for them it fails with
/// UNSUPPORTED_FEATURE.
Result<plan::Statement> TranslateCommand(const spark::connect::Command& command,
                                         TranslationContext& context);

/// The statement of `command`, with its arguments in place.
Result<plan::Statement> TranslateSql(const spark::connect::SqlCommand& command,
                                     TranslationContext& context);

/// An expression.
Result<plan::ExpressionPtr> TranslateExpression(const spark::connect::Expression& expression,
                                                TranslationContext& context);

/// A column's name or names, with its metadata. Fails as well with DELTA_SCHEMA_CORRUPTED if that
/// is no JSON object.
Result<plan::Alias> TranslateAlias(const spark::connect::Expression::Alias& alias,
                                   TranslationContext& context);

/// A data type; unparsed type text is parsed. Fails as ParseDataType.
Result<DataType> TranslateType(const spark::connect::DataType& type, const ParserOptions& parser);

/// Write `type` as the wire has it. `out` is empty at first.
void WriteType(const DataType& type, spark::connect::DataType* out);
void WriteType(const StructType& type, spark::connect::DataType* out);

}  // namespace merganser::connect
