#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/spark/plan/expression.h"

/// Unresolved relations: the shape of a query before names and types are known.
namespace merganser::plan {

using Options = std::map<std::string, std::string, std::less<>>;

/// VERSION AS OF / TIMESTAMP AS OF (at most one is set).
struct TimeTravel {
  ExpressionPtr version;
  ExpressionPtr timestamp;
};

/// A table, view, CTE or format.`path`.
struct TableReference {
  MultipartName name;
  std::optional<TimeTravel> time_travel;
  Options options;
};

/// spark.read.format(...).load(paths): a file source without a catalogue name.
struct FileSource {
  std::string format;  ///< Empty: the session's default.
  std::vector<std::string> paths;
  Options options;
  std::optional<StructType> schema;
  /// In place of files: a relation with one column of texts, each a record of `format`.
  RelationPtr records = nullptr;
};

/// range(...), explode(...), table_changes(...), inline(...) in FROM.
struct TableFunction {
  std::vector<std::string> name;
  std::vector<ExpressionPtr> arguments;
  std::vector<std::string> argument_names;  ///< As in Call.
};

/// VALUES (...), (...): columns col1, col2, ... unless aliased around it.
struct InlineTable {
  std::vector<std::vector<ExpressionPtr>> rows;
};

/// A front end's own rows (Spark Connect's local relation).
struct LocalRelation {
  std::string id;  ///< Of the rows: equal ids mean the same rows.
  StructType schema;
  /// The rows; the session knows what they are. The node keeps them alive.
  std::shared_ptr<const void> rows;
  int64_t num_rows = 0;
};

/// SELECT without FROM: one row without columns.
struct OneRow {};

struct Project {
  RelationPtr child;
  std::vector<ExpressionPtr> expressions;
};

struct Filter {
  RelationPtr child;
  ExpressionPtr condition;
};

enum class GroupingKind : uint8_t { kGroupBy, kRollup, kCube, kGroupingSets };

/// GROUP BY, or aggregate functions without it. `expressions` is the SELECT list.
struct Aggregate {
  RelationPtr child;
  std::vector<ExpressionPtr> group_by;  ///< For kGroupingSets: all grouping expressions.
  std::vector<ExpressionPtr> expressions;
  GroupingKind kind = GroupingKind::kGroupBy;
  std::vector<std::vector<ExpressionPtr>> grouping_sets;  ///< kGroupingSets only.
  bool group_by_all = false;                              ///< GROUP BY ALL.
};

/// HAVING over an Aggregate (or a Project without aggregates: a global aggregate).
struct Having {
  RelationPtr child;
  ExpressionPtr condition;
};

/// QUALIFY: a filter over window functions of the child's SELECT list.
struct Qualify {
  RelationPtr child;
  ExpressionPtr condition;
};

struct Sort {
  RelationPtr child;
  std::vector<ExpressionPtr> order_by;  ///< SortOrder expressions.
  bool order_by_all = false;            ///< ORDER BY ALL; then one SortOrder with a null child.
  bool global = true;                   ///< False: SORT BY.
};

/// LIMIT and OFFSET; a null expression means none.
struct Limit {
  RelationPtr child;
  ExpressionPtr limit;
  ExpressionPtr offset;
};

struct Distinct {
  RelationPtr child;
};

enum class JoinType : uint8_t { kInner, kCross, kLeft, kRight, kFull, kLeftSemi, kLeftAnti };

struct Join {
  RelationPtr left;
  RelationPtr right;
  JoinType type = JoinType::kInner;
  ExpressionPtr condition;  ///< May be null.
  std::vector<std::string> using_columns;
  bool natural = false;
  bool lateral = false;  ///< LATERAL subquery or table function on the right.
};

enum class SetOperator : uint8_t { kUnion, kIntersect, kExcept };

struct SetOperation {
  RelationPtr left;
  RelationPtr right;
  SetOperator op = SetOperator::kUnion;
  bool all = false;
  bool by_name = false;
  bool allow_missing_columns = false;
};

/// `child AS name(columns)`; an empty name only renames columns.
struct SubqueryAlias {
  RelationPtr child;
  std::string name;
  std::vector<std::string> columns;
};

struct CommonTable {
  std::string name;
  std::vector<std::string> columns;
  RelationPtr query;
  Origin origin;
  std::optional<int64_t> recursion_limit;  ///< MAX RECURSION LEVEL.
};

/// WITH ... query.
struct With {
  std::vector<CommonTable> tables;
  RelationPtr child;
  bool recursive = false;
};

/// WINDOW w AS (...), visible in the child's SELECT list.
struct NamedWindows {
  RelationPtr child;
  std::vector<std::pair<std::string, WindowSpec>> windows;
};

/// LATERAL VIEW [OUTER] generator(...) table AS columns.
struct LateralView {
  RelationPtr child;
  ExpressionPtr generator;  ///< A Call.
  bool outer = false;
  std::string table;
  std::vector<std::string> columns;
};

struct Pivot {
  RelationPtr child;
  std::vector<ExpressionPtr> aggregates;  ///< Possibly aliased.
  std::vector<ExpressionPtr> columns;     ///< Pivot column(s).
  std::vector<ExpressionPtr> values;      ///< Possibly aliased; a row value is a Call of "struct".
  /// groupBy().pivot(): explicit grouping; SQL PIVOT groups by the remaining columns.
  std::optional<std::vector<ExpressionPtr>> group_by;
};

struct Unpivot {
  RelationPtr child;
  /// Ids kept as they are; nullopt in SQL: all columns that are not unpivoted.
  std::optional<std::vector<ExpressionPtr>> ids;
  /// Each entry: the columns that give one row (one per value column).
  std::vector<std::vector<ExpressionPtr>> values;
  std::vector<std::string> value_aliases;  ///< Per entry of `values`, empty for none.
  std::string variable_column;
  std::vector<std::string> value_columns;
  bool include_nulls = false;
};

/// TABLESAMPLE. Each row has a number from 0 up to 1, and those between `lower` and `upper` are
/// taken; with replacement a row comes as often as Poisson's distribution of mean `upper - lower`
/// says.
struct Sample {
  RelationPtr child;
  double lower = 0;
  double upper = 1;
  bool with_replacement = false;
  std::optional<int64_t> seed;
  /// A row has the same number in every sample of the same rows with the same seed, so that samples
  /// of adjoining ranges share no row and leave none out.
  bool repeatable = false;
};

/// dropDuplicates: `columns` empty means all.
struct Deduplicate {
  RelationPtr child;
  std::vector<std::string> columns;
};

/// A hint such as /*+ BROADCAST(t) */: no effect on results.
struct Hint {
  RelationPtr child;
  std::string name;
  int64_t num_partitions = 0;  ///< repartition(n) and coalesce(n); 0 if none is given.
};

struct Statement;

/// The rows that a command answers with. The command runs once a statement, before the query
/// around it; where only types are wanted it does not run.
struct CommandRows {
  std::shared_ptr<const Statement> command;
};

/// A query read from a text of its own, with values for the parameters and with the functions that
/// the text calls.
struct Parameterized {
  RelationPtr child;
  ParameterValues values;
  std::vector<CalledRoutine> routines = {};
};

/// withColumns: each name takes the place of the columns so called, or becomes a new last column.
struct WithColumns {
  RelationPtr child;
  std::vector<Alias> columns;  ///< Of one name each.
};

/// withColumnsRenamed: old and new name, in the order they take effect; unknown names are ignored.
struct WithColumnsRenamed {
  RelationPtr child;
  std::vector<std::pair<std::string, std::string>> names;
};

/// drop: columns by name or as expressions; what is not there is ignored.
struct DropColumns {
  RelationPtr child;
  std::vector<std::string> names;
  std::vector<ExpressionPtr> columns;
};

/// toDF: new names for all columns, in order.
struct ToDataFrame {
  RelationPtr child;
  std::vector<std::string> names;
};

/// DataFrame.to: columns found by name and cast to those of `schema`, in its order.
struct ToSchema {
  RelationPtr child;
  StructType schema;
};

/// na.fill. One value for all `columns` (empty: every column of the value's kind), or as many as
/// there are columns.
struct FillNulls {
  RelationPtr child;
  std::vector<std::string> columns;
  std::vector<Literal> values;
};

/// na.drop: rows with fewer than `least` non-null values among `columns` (empty: all columns) go;
/// without `least` all of them must be there.
struct DropNulls {
  RelationPtr child;
  std::vector<std::string> columns;
  std::optional<int64_t> least;
};

/// na.replace: values of the replaced values' kind in `columns` (empty: all columns).
struct ReplaceValues {
  RelationPtr child;
  std::vector<std::string> columns;
  std::vector<std::pair<Literal, Literal>> replacements;  ///< Old and new value.
};

/// describe and summary: a row a statistic, a text column a numeric or string column.
struct Summary {
  RelationPtr child;
  std::vector<std::string> columns;     ///< Empty: all.
  std::vector<std::string> statistics;  ///< `count`, `mean`, `25%`, ...
};

/// The last `limit` rows.
struct Tail {
  RelationPtr child;
  int64_t limit = 0;
};

/// transpose: rows become columns, called as the values of `index` (null: the first column) are.
struct Transpose {
  RelationPtr child;
  ExpressionPtr index;
};

/// Rows of some data files of a Delta table: what a stream reads next.
struct DeltaFiles {
  std::string table;    ///< URI of the table's folder.
  int64_t version = 0;  ///< Whose columns the rows have.
  /// std::vector<AddFile>, files of this version or of older ones.
  std::shared_ptr<const void> files;
};

struct Relation {
  std::variant<TableReference, FileSource, TableFunction, InlineTable, LocalRelation, OneRow,
               Project, Filter, Aggregate, Having, Qualify, Sort, Limit, Distinct, Join,
               SetOperation, SubqueryAlias, With, NamedWindows, LateralView, Pivot, Unpivot, Sample,
               Deduplicate, Hint, CommandRows, Parameterized, WithColumns, WithColumnsRenamed,
               DropColumns, ToDataFrame, ToSchema, FillNulls, DropNulls, ReplaceValues, Summary,
               Tail, Transpose, DeltaFiles>
      node;
  Origin origin;
  int64_t plan_id = -1;  ///< Spark Connect's plan id, -1 if none.

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

/// A shared relation of `node`.
template <typename T>
RelationPtr MakeRelation(T node, const Origin& origin = {}) {
  return std::make_shared<const Relation>(Relation{std::move(node), origin, -1});
}

}  // namespace merganser::plan
