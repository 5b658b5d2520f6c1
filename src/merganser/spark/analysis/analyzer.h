#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/analysis/scope.h"
#include "merganser/spark/catalog/table_catalog.h"
#include "merganser/spark/functions/resolve.h"
#include "merganser/spark/plan/expression.h"
#include "merganser/spark/plan/relation.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

class Binder;

using StatementParameters = plan::ParameterValues;

/// Rows in the engine: its name for them, quoted as needed, and their Spark types. Their columns
/// are called c0, c1, ... there.
struct EngineRows {
  std::string engine_name;
  StructType schema;
};

/// What analysis asks of the engine and the session. A callback that is not set makes the
/// statements that need it fail with UNSUPPORTED_FEATURE or use what needs no engine.
struct AnalysisServices {
  /// The value of an expression without columns (LIMIT, IDENTIFIER, VERSION AS OF, arguments of
  /// range). Literals, casts of integers and the like are folded without it.
  std::function<Result<plan::Literal>(const BoundExpression&)> evaluate;
  /// Schema of files of another format (parquet, csv, json), partition columns included.
  std::function<Result<StructType>(const std::string& format, const std::vector<std::string>& paths,
                                   const plan::Options& options)>
      infer_schema;
  /// Schema of the texts in the only column of a relation, each a record of csv or json.
  std::function<Result<StructType>(const std::string& format, const BoundRelationPtr& records,
                                   const plan::Options& options)>
      infer_record_schema;
  /// The format of files that are read without one (spark.sql.sources.default).
  std::string default_source = "parquet";
  /// How the texts of stored views are read; time zone and ANSI mode are the statement's.
  ParserOptions parser = {};
  /// How literals print in the names of result columns.
  NameFormat name_format = {};
  /// The instant (microseconds since 1970-01-01 UTC) of a wall-clock time in a zone; nothing if
  /// there is no such zone.
  std::function<std::optional<int64_t>(const std::string& zone, int64_t local_micros)> instant_of;
  /// The engine's name, quoted as needed, of the rows that a front end keeps under an id.
  std::function<Result<std::string>(const plan::LocalRelation&)> local_table;
  /// Values of the only column of a relation, in its order, as literals: those that a pivot without
  /// values has.
  std::function<Result<std::vector<plan::Literal>>(const BoundRelationPtr&)> values;
  /// How many values a pivot may find, and how many rows transpose() may turn.
  int64_t pivot_limit = 10000;
  int64_t transpose_limit = 500;
  /// Runs a command, once however often it is asked, and gives the rows it answers with.
  std::function<Result<EngineRows>(const plan::CommandRows&)> command_rows;
};

/// A bound relation and the names that its columns go by.
struct AnalyzedRelation {
  BoundRelationPtr relation;
  Scope scope;
  bool reads_stored_view = false;  ///< Itself, or by way of other views.
};

/// One item of an expanded star.
struct StarColumn {
  std::string name;
  BoundExpressionPtr expression;
};

/// Binds the queries and expressions of one statement: finds tables and columns, types every
/// expression, inserts coercions, and checks what Spark checks before it runs anything.
///
/// Every table is read at one version for the whole statement, whichever reference comes first. Not
/// thread-safe; made for one statement and dropped with it. `text` of the typing context and the
/// catalogue must outlive it.
class Analyzer {
 public:
  /// `typing.next_id` is supplied if it is not set.
  Analyzer(const TableCatalog& catalog, TypingContext typing, AnalysisServices services = {},
           StatementParameters parameters = {});
  ~Analyzer();
  Analyzer(const Analyzer&) = delete;
  Analyzer& operator=(const Analyzer&) = delete;

  /// Bind a whole query.
  /// Fails with the analysis errors of Spark: TABLE_OR_VIEW_NOT_FOUND, UNRESOLVED_COLUMN.*,
  /// AMBIGUOUS_REFERENCE, DATATYPE_MISMATCH.*, MISSING_AGGREGATION, ... each with its query
  /// context.
  Result<BoundRelationPtr> BindQuery(const plan::RelationPtr& query);

  /// Bind a relation and keep the names by which its columns may be used from outside (`t.a` of a
  /// table or of an aliased subquery). Fails as BindQuery.
  Result<AnalyzedRelation> BindRelation(const plan::RelationPtr& relation);

  /// Bind an expression over the columns of `scope` (and its outer scopes). Aggregate, window and
  /// generator functions are refused, as nothing around the expression computes them:
  /// INVALID_WHERE_CONDITION-like classes are the caller's, here it is
  /// UNSUPPORTED_EXPR_FOR_OPERATOR.
  Result<BoundExpressionPtr> BindExpression(const plan::ExpressionPtr& expression,
                                            const Scope& scope);

  /// The same without that check, for callers that have a class of their own for it.
  Result<BoundExpressionPtr> BindExpressionUnchecked(const plan::ExpressionPtr& expression,
                                                     const Scope& scope);

  /// Find a column or field by name in `scope` alone; null if there is none. A field access is a
  /// BoundField over the column. Fails with AMBIGUOUS_REFERENCE, AMBIGUOUS_REFERENCE_TO_FIELDS,
  /// FIELD_NOT_FOUND and INVALID_EXTRACT_BASE_FIELD_TYPE.
  Result<BoundExpressionPtr> FindColumn(const std::vector<std::string>& parts, const Scope& scope,
                                        const plan::Origin& origin = {});

  /// The error for a name that nothing in `scope` answers to: UNRESOLVED_COLUMN with suggestions.
  Error UnresolvedColumn(const std::vector<std::string>& parts, const Scope& scope,
                         const plan::Origin& origin) const;

  /// The columns that `*`, `t.*`, `struct.*` or `* EXCEPT (...)` stands for.
  /// Fails with CANNOT_RESOLVE_STAR_EXPAND and EXCEPT_*.
  Result<std::vector<StarColumn>> ExpandStar(const plan::Star& star, const Scope& scope,
                                             const plan::Origin& origin);

  /// Make WITH tables visible to all later Bind calls.
  Status AddCommonTables(const std::vector<plan::CommonTable>& tables, bool recursive = false);

  /// UNRESOLVED_ROUTINE for the first function that there is not, REQUIRES_SINGLE_PART_NAMESPACE
  /// for a name of more than three parts. Spark looks up the functions of a query or a change of
  /// rows before it looks at tables, columns and types; those of other statements belong to
  /// expressions that are checked one by one.
  Status LookUpRoutines(const plan::Statement& statement) const;

  /// Names of the temporary views that were bound so far.
  const std::vector<std::string>& temporary_views() const;

  /// Where names without a qualifier are looked for, as messages show it.
  std::string SearchPath() const;

  /// The parts of a name; evaluates IDENTIFIER(...).
  /// Fails with NOT_A_CONSTANT_STRING.* and PARSE_SYNTAX_ERROR.
  Result<std::vector<std::string>> NameParts(const plan::MultipartName& name);

  /// What `name` stands for. Fails with TABLE_OR_VIEW_NOT_FOUND.
  Result<CatalogEntry> FindTable(const plan::MultipartName& name);

  /// The snapshot that this statement reads of a Delta table: the newest when first asked.
  /// Fails with DELTA_TABLE_NOT_FOUND or TABLE_OR_VIEW_NOT_FOUND if there is no Delta log.
  Result<SnapshotRef> SnapshotOf(const CatalogTable& table, const plan::MultipartName& name);

  /// The snapshot that VERSION AS OF / TIMESTAMP AS OF asks for; also for RESTORE and CLONE.
  /// Fails with DELTA_VERSION_NOT_FOUND, DELTA_TIMESTAMP_* and INVALID_TIME_TRAVEL_*.
  Result<SnapshotRef> SnapshotAsOf(const CatalogTable& table, const plan::TimeTravel& time_travel,
                                   const plan::MultipartName& name);

  /// Use `snapshot` for its table from now on (what a transaction has read).
  void PinSnapshot(const SnapshotRef& snapshot);

  /// The value of an expression without columns. Fails with the expression's own error,
  /// UNRESOLVED_COLUMN for a name.
  Result<plan::Literal> EvaluateConstant(const plan::ExpressionPtr& expression);

  ColumnId NextId() const;
  const TypingContext& typing() const;

 private:
  std::unique_ptr<Binder> binder_;
};

}  // namespace merganser
