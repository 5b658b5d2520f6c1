#pragma once

#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/spark/plan/relation.h"
#include "merganser/spark/plan/view_schema_mode.h"

/// Unresolved statements other than queries, one struct each.
namespace merganser::plan {

/// Text of an expression kept as written (defaults, generated columns, constraints), with its tree.
struct ExpressionText {
  std::string text;
  ExpressionPtr expression;
};

struct IdentitySpec {
  bool always = true;  ///< GENERATED ALWAYS; false: BY DEFAULT.
  std::optional<int64_t> start;
  std::optional<int64_t> step;
};

/// A column of CREATE TABLE or ADD COLUMNS.
struct ColumnDefinition {
  std::vector<std::string> name;  ///< One part, or a path for nested ADD COLUMNS.
  DataType type;
  bool nullable = true;
  std::optional<std::string> comment;
  std::optional<ExpressionText> default_value;
  std::optional<ExpressionText> generated;
  std::optional<IdentitySpec> identity;
  /// ADD COLUMNS: FIRST (empty string) or AFTER name.
  std::optional<std::string> position_after;
};

struct TableConstraint {
  std::string name;
  ExpressionText check;
};

// ---- tables -----------------------------------------------------------------------------------

struct CreateTable {
  MultipartName name;
  std::vector<ColumnDefinition> columns;
  bool has_constraints = false;         ///< Of any kind, which no table takes when it is made.
  std::optional<std::string> provider;  ///< USING delta.
  /// Column names; a typed column (`PARTITIONED BY (p INT)`) is also in `columns`.
  std::vector<std::vector<std::string>> partition_by;
  std::vector<std::vector<std::string>> cluster_by;
  std::optional<std::string> location;
  std::optional<std::string> comment;
  Options properties;
  Options options;
  bool if_not_exists = false;
  bool replace = false;  ///< [CREATE OR] REPLACE.
  bool create = true;    ///< False: REPLACE TABLE without CREATE OR.
  RelationPtr query;     ///< AS SELECT, may be null.
  /// DataFrameWriter.save: the history says WRITE in this mode (`Append`).
  std::optional<std::string> write_mode;
  bool saves_as_table = false;  ///< DataFrameWriter.saveAsTable.
};

/// CREATE TABLE target LIKE source.
struct CreateTableLike {
  MultipartName name;
  MultipartName source;
  std::optional<std::string> provider;
  std::optional<std::string> location;
  Options properties;
  bool if_not_exists = false;
};

/// CREATE [OR REPLACE] TABLE target SHALLOW CLONE source.
struct CloneTable {
  MultipartName name;
  TableReference source;
  std::optional<std::string> location;
  Options properties;
  bool shallow = true;
  bool if_not_exists = false;
  bool replace = false;
  bool create = true;
};

struct DropTable {
  MultipartName name;
  bool if_exists = false;
  bool purge = false;
};

struct TruncateTable {
  MultipartName name;
  bool has_partition = false;  ///< PARTITION (...), which no table takes.
};

// ---- rows -------------------------------------------------------------------------------------

struct InsertInto {
  MultipartName target;
  /// PARTITION (p = value | p): static values have an expression, dynamic ones null.
  std::vector<std::pair<std::string, ExpressionPtr>> partition;
  std::vector<MultipartName> columns;  ///< Explicit column list, empty if none.
  bool by_name = false;
  bool overwrite = false;
  bool if_not_exists = false;
  ExpressionPtr replace_where;             ///< INSERT INTO ... REPLACE WHERE condition.
  std::vector<std::string> replace_using;  ///< INSERT INTO ... REPLACE USING (columns).
  bool with_schema_evolution = false;
  /// Types that Delta would not merge are refused, not cast: DataFrameWriter.save.
  bool merges_types = false;
  /// DataFrameWriter.saveAsTable in overwrite mode, which the history calls a replaced table.
  bool saves_as_table = false;
  /// Partition columns that the table must have, if any are named.
  std::vector<std::string> partition_by;
  Options options;  ///< WITH ('key' = 'value').
  RelationPtr query;
};

struct Assignment {
  MultipartName key;  ///< Column or field path, possibly qualified.
  ExpressionPtr value;
  Origin origin;
};

struct Update {
  MultipartName target;
  std::string alias;
  std::vector<Assignment> assignments;
  ExpressionPtr condition;  ///< May be null.
  std::vector<CommonTable> with;
};

struct Delete {
  MultipartName target;
  std::string alias;
  ExpressionPtr condition;  ///< May be null.
  std::vector<CommonTable> with;
};

enum class MergeActionKind : uint8_t { kUpdate, kUpdateStar, kDelete, kInsert, kInsertStar };

/// One WHEN clause. Insert: `assignments` pairs column and value.
struct MergeClause {
  ExpressionPtr condition;  ///< May be null.
  MergeActionKind action = MergeActionKind::kUpdate;
  std::vector<Assignment> assignments;
  /// `* EXCEPT (...)`: columns left out of the star.
  std::vector<std::vector<std::string>> except;
  Origin origin;
};

/// MERGE INTO, from SQL text, the DeltaTable builder or DataFrame.mergeInto alike.
struct MergeInto {
  RelationPtr target;  ///< TableReference, possibly inside a SubqueryAlias.
  RelationPtr source;
  ExpressionPtr condition;
  std::vector<MergeClause> matched;
  std::vector<MergeClause> not_matched;
  std::vector<MergeClause> not_matched_by_source;
  bool with_schema_evolution = false;
  bool dry_run = false;
  /// True for DeltaTable builder calls: some error classes are named differently
  /// (spec/merge.md 2.1).
  bool from_builder = false;
  std::vector<CommonTable> with;
};

// ---- views, schemas, settings -----------------------------------------------------------------

struct ViewColumn {
  std::string name;
  std::optional<std::string> comment;
};

struct CreateView {
  MultipartName name;
  std::vector<ViewColumn> columns;  ///< Empty: those of the query.
  RelationPtr query;
  std::string query_text;
  std::optional<std::string> comment;
  Options properties;
  ViewSchemaMode schema_mode = ViewSchemaMode::kCompensation;
  bool temporary = true;
  bool global = false;
  bool replace = false;
  bool if_not_exists = false;
  bool must_exist = false;  ///< ALTER VIEW: the view keeps its kind and gets another query.
};

struct DropView {
  MultipartName name;
  bool if_exists = false;
};

struct CreateSchema {
  MultipartName name;
  bool if_not_exists = false;
  std::optional<std::string> comment;
  std::optional<std::string> location;
  Options properties;
};

struct DropSchema {
  MultipartName name;
  bool if_exists = false;
  bool cascade = false;
};

struct UseSchema {
  MultipartName name;
  bool catalog = false;  ///< USE CATALOG / SET CATALOG.
};

/// SET; SET key; SET key = value; SET TIME ZONE value (key spark.sql.session.timeZone).
struct SetConf {
  std::optional<std::string> key;
  std::optional<std::string> value;
  bool verbose = false;  ///< SET -v.
};

struct ResetConf {
  std::optional<std::string> key;
};

// ---- questions --------------------------------------------------------------------------------

struct DescribeTable {
  MultipartName name;
  bool extended = false;
  std::vector<std::string> column;  ///< DESCRIBE table column.
};

struct DescribeQuery {
  RelationPtr query;
};

struct DescribeHistory {
  MultipartName name;
  std::optional<int64_t> limit;
};

struct DescribeDetail {
  MultipartName name;
};

/// ALTER SCHEMA ... SET or UNSET DBPROPERTIES.
struct AlterSchema {
  MultipartName name;
  Options set;
  std::vector<std::string> unset;
};

struct DescribeSchema {
  MultipartName name;
  bool extended = false;
};

struct DescribeFunction {
  MultipartName name;
  bool extended = false;
};

enum class ShowKind : uint8_t {
  kTables,
  kSchemas,
  kCatalogs,
  kViews,
  kColumns,
  kPartitions,
  kTableProperties,
  kCreateTable,
  kFunctions,
  kCurrentSchema,
};

struct Show {
  ShowKind kind;
  MultipartName name;  ///< Table or schema, empty parts if none.
  std::optional<std::string> pattern;
  std::optional<std::string> property;  ///< SHOW TBLPROPERTIES t ('key').
  bool user_functions = false;          ///< SHOW USER FUNCTIONS.
  bool system_functions = false;        ///< SHOW SYSTEM FUNCTIONS.
  /// SHOW PARTITIONS t PARTITION (p = value).
  std::vector<std::pair<std::string, ExpressionPtr>> partition = {};
};

enum class ExplainMode : uint8_t { kSimple, kExtended, kCodegen, kCost, kFormatted, kAnalyze };

struct Statement;
struct Explain {
  ExplainMode mode = ExplainMode::kSimple;
  std::shared_ptr<const Statement> statement;
};

// ---- ALTER TABLE ------------------------------------------------------------------------------

struct AlterAddColumns {
  std::vector<ColumnDefinition> columns;
};
struct AlterDropColumns {
  std::vector<std::vector<std::string>> columns;
  bool if_exists = false;
};
struct AlterRenameColumn {
  std::vector<std::string> column;
  std::string new_name;
};
struct AlterChangeColumn {
  std::vector<std::string> column;
  std::optional<std::string> new_name;  ///< CHANGE old new type.
  std::optional<DataType> type;
  std::optional<bool> nullable;  ///< SET NOT NULL (false) / DROP NOT NULL (true).
  std::optional<std::string> comment;
  std::optional<std::string> position_after;  ///< FIRST (empty) or AFTER name.
  std::optional<ExpressionText> default_value;
  bool drop_default = false;
  bool sync_identity = false;
};
/// ALTER COLUMN a ..., b ...: two or more at once.
struct AlterChangeColumns {
  std::vector<AlterChangeColumn> columns;
};
struct AlterReplaceColumns {
  std::vector<ColumnDefinition> columns;
};
struct AlterSetProperties {
  Options properties;
  std::vector<std::string> order = {};  ///< The keys as they were written, if that is known.
};
/// ADD, DROP or RENAME PARTITION.
struct AlterPartition {};
/// ADD a constraint of a kind that no Delta table takes: a key, or a CHECK without a name.
struct AlterAddOtherConstraint {
  std::string operation;  ///< What the error says is not supported.
};
struct AlterUnsetProperties {
  std::vector<std::string> keys;
  bool if_exists = false;
};
struct AlterRenameTable {
  MultipartName new_name;
};
struct AlterAddConstraint {
  TableConstraint constraint;
};
struct AlterDropConstraint {
  std::string name;
  bool if_exists = false;
};
struct AlterDropFeature {
  std::string feature;
  bool truncate_history = false;
};
struct AlterClusterBy {
  std::vector<std::vector<std::string>> columns;
};  ///< Empty: CLUSTER BY NONE.
struct AlterSetLocation {
  std::string location;
};

struct AlterTable {
  MultipartName name;
  bool is_view = false;
  std::variant<AlterAddColumns, AlterDropColumns, AlterRenameColumn, AlterChangeColumn,
               AlterChangeColumns, AlterReplaceColumns, AlterSetProperties, AlterUnsetProperties,
               AlterPartition, AlterAddOtherConstraint, AlterRenameTable, AlterAddConstraint,
               AlterDropConstraint, AlterDropFeature, AlterClusterBy, AlterSetLocation>
      action;
};

/// COMMENT ON TABLE|SCHEMA name IS text; nullopt for NULL.
struct CommentOn {
  MultipartName name;
  bool schema = false;
  std::optional<std::string> comment;
};

// ---- maintenance ------------------------------------------------------------------------------

struct Optimize {
  MultipartName name;
  ExpressionPtr condition;  ///< WHERE over partition columns, may be null.
  std::vector<std::vector<std::string>> zorder_by;
  bool full = false;
};

struct Vacuum {
  MultipartName name;
  std::optional<double> retain_hours;
  bool dry_run = false;
  bool lite = false;
};

struct Restore {
  MultipartName name;
  TimeTravel to;
};

struct ReorgPurge {
  MultipartName name;
  ExpressionPtr condition;
  std::optional<int> upgrade_uniform;
};

struct ConvertToDelta {
  MultipartName name;
  std::vector<ColumnDefinition> partition_by;
  bool no_statistics = false;
  bool from_builder = false;  ///< DeltaTable.convertToDelta: answers with the table's name.
};

/// GENERATE symlink_format_manifest FOR TABLE name.
struct Generate {
  std::string mode;
  MultipartName name;
};

// ---- of other front ends than SQL ---------------------------------------------------------------

/// DataFrame.show and the table that notebooks draw: one row, one text column.
struct ShowRows {
  RelationPtr query;
  int32_t num_rows = 20;  ///< Rows at most.
  int32_t truncate = 20;  ///< Characters of a cell at most; 0 for all.
  bool vertical = false;
  bool html = false;
};

enum class SaveMode : uint8_t { kErrorIfExists, kAppend, kOverwrite, kIgnore };

/// DataFrameWriter.save, saveAsTable and insertInto.
struct Write {
  RelationPtr query;
  std::optional<std::string> format;  ///< The default one if not set.
  std::optional<MultipartName> table;
  std::optional<std::string> path;  ///< Where there is no table.
  bool insert_into = false;         ///< insertInto: columns go by position.
  SaveMode mode = SaveMode::kErrorIfExists;
  std::vector<std::string> partition_by;
  std::vector<std::string> cluster_by;
  Options options;
  bool with_schema_evolution = false;
};

enum class WriteToMode : uint8_t {
  kCreate,
  kReplace,
  kCreateOrReplace,
  kAppend,
  kOverwrite,
  kOverwritePartitions
};

/// DataFrameWriterV2.
struct WriteTo {
  RelationPtr query;
  MultipartName table;
  WriteToMode mode = WriteToMode::kCreate;
  std::optional<std::string> provider;
  std::vector<std::vector<std::string>> partition_by;
  std::vector<std::vector<std::string>> cluster_by;
  Options options;
  Options properties;
  ExpressionPtr condition;  ///< kOverwrite: rows that are replaced.
  bool with_schema_evolution = false;
};

/// DeltaTable.isDeltaTable: one row, one boolean.
struct IsDeltaTable {
  std::string path;
};

enum class CatalogCallKind : uint8_t {
  kCurrentSchema,
  kCurrentCatalog,
  kListCatalogs,
  kListSchemas,
  kListTables,
  kListViews,
  kListColumns,
  kListFunctions,
  kGetSchema,
  kGetTable,
  kGetFunction,
  kSchemaExists,
  kTableExists,
  kFunctionExists,
  kIsCached,
  kDropTemporaryView,
};

/// A call of spark.catalog that asks something.
struct CatalogCall {
  CatalogCallKind kind;
  std::string name;                    ///< Schema, table, function or view; empty if none.
  std::optional<std::string> schema;   ///< Where `name` is looked for, if it has no schema itself.
  std::optional<std::string> pattern;  ///< Of names, as SHOW ... LIKE takes it.
};

/// REFRESH, CACHE, UNCACHE, ANALYZE, CLEAR CACHE: accepted, without effect on results.
struct NoOperation {
  std::string name;
  std::optional<MultipartName> table;
};

using Command =
    std::variant<CreateTable, CreateTableLike, CloneTable, DropTable, TruncateTable, InsertInto,
                 Update, Delete, MergeInto, CreateView, DropView, CreateSchema, DropSchema,
                 UseSchema, SetConf, ResetConf, DescribeTable, DescribeQuery, DescribeHistory,
                 DescribeDetail, DescribeSchema, DescribeFunction, Show, Explain, AlterTable,
                 AlterSchema, CommentOn, Optimize, Vacuum, Restore, ReorgPurge, ConvertToDelta,
                 Generate, ShowRows, Write, WriteTo, IsDeltaTable, CatalogCall, NoOperation>;

/// One statement: a query (RelationPtr) or a command.
struct Statement {
  std::variant<RelationPtr, Command> body;
  ParameterValues parameters = {};
  /// Of the text that the statement is read from, in its order.
  std::vector<CalledRoutine> routines = {};

  const RelationPtr* query() const { return std::get_if<RelationPtr>(&body); }
  template <typename T>
  const T* As() const {
    const auto* command = std::get_if<Command>(&body);
    return command == nullptr ? nullptr : std::get_if<T>(command);
  }
};

}  // namespace merganser::plan
