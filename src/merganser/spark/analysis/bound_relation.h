#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "merganser/delta/table/snapshot.h"
#include "merganser/spark/plan/bound_expression.h"
#include "merganser/spark/plan/relation.h"

/// Bound relations: every column has an id, a name and a type. Printed as engine SQL by
/// engine/lowering.
namespace merganser {

/// An output column of a relation.
struct BoundColumn {
  ColumnId id = 0;
  std::string name;
  DataType type;
  bool nullable = true;
  FieldMetadata metadata = {};
};

/// An expression with the id under which its value is known.
struct BoundOutput {
  BoundExpressionPtr expression;
  ColumnId id = 0;
};

/// Rows of a Delta snapshot. Column i of the relation is column `columns[i]` of the table's schema,
/// by logical name; `_metadata`-like extras are columns named file_index, file_row_number when
/// `row_positions` is set (then the last two columns, both BIGINT).
struct BoundScan {
  std::shared_ptr<const Snapshot> snapshot;
  std::vector<std::string> columns;
  bool row_positions = false;
  /// The relation has one more column, the last: `_metadata`, of the type that FileMetadataType
  /// gives.
  bool file_metadata = false;
  /// Only the rows of these files, which need not be the snapshot's; null: of all of its files.
  std::shared_ptr<const std::vector<AddFile>> files = nullptr;
};

/// Rows of change data between two versions (table_changes): table columns, then _change_type,
/// _commit_version, _commit_timestamp.
struct BoundTableChanges {
  std::string table_path;
  int64_t start_version = 0;
  int64_t end_version = 0;
  std::vector<std::string> columns;
};

/// Files of another format (parquet, csv, json, text), or texts that are records of one.
struct BoundFileScan {
  std::string format;
  std::vector<std::string> paths;
  plan::Options options;
  std::vector<std::string> columns;
  bool declared = false;  ///< The columns were told, not read off the files, which may lack some.
  /// In place of files: a relation with one column of texts, each a record. Null otherwise.
  std::shared_ptr<const BoundRelation> records = nullptr;
};

/// Rows already in the engine under this name (a temp table, a registered Arrow table): `columns`
/// are its names.
struct BoundEngineTable {
  std::string engine_name;  ///< Quoted as needed.
  std::vector<std::string> columns;
  /// The rows' own types need not be those of the relation's columns.
  bool casts = false;
  /// Rows that came with the statement, by number: those from `begin` until before `end`.
  struct Range {
    int64_t begin = 0;
    int64_t end = 0;
  };
  std::optional<Range> range = {};
};

struct BoundValues {
  std::vector<std::vector<BoundExpressionPtr>> rows;  ///< May have zero columns (OneRow).
};

/// range(start, end, step).
struct BoundRange {
  int64_t start = 0;
  int64_t end = 0;
  int64_t step = 1;
};

struct BoundProject {
  BoundRelationPtr child;
  std::vector<BoundOutput> outputs;
};

struct BoundFilter {
  BoundRelationPtr child;
  BoundExpressionPtr condition;
};

/// Outputs are grouping expressions and expressions over BoundAggregate nodes. With grouping sets,
/// `sets` lists positions of `group_by` per set, and a call of "grouping" / "grouping_id" refers to
/// them.
struct BoundAggregation {
  BoundRelationPtr child;
  std::vector<BoundExpressionPtr> group_by;
  std::vector<std::vector<int>> sets;
  std::vector<BoundOutput> outputs;
};

struct BoundSort {
  BoundRelationPtr child;
  std::vector<BoundSortOrder> order_by;
};

struct BoundLimit {
  BoundRelationPtr child;
  std::optional<int64_t> limit;
  int64_t offset = 0;
};

/// The last `limit` rows, in order.
struct BoundTail {
  BoundRelationPtr child;
  int64_t limit = 0;
};

struct BoundDistinct {
  BoundRelationPtr child;
  /// dropDuplicates(columns): keep one row for each; empty for all columns.
  std::vector<ColumnId> columns;
};

/// Output columns: those of left then right (left only for semi and anti). USING columns are a
/// projection above.
struct BoundJoin {
  BoundRelationPtr left;
  BoundRelationPtr right;
  plan::JoinType type = plan::JoinType::kInner;
  BoundExpressionPtr condition;  ///< May be null.
  bool lateral = false;
};

/// Both sides have the same types; output ids are new, in the order of the left side's columns.
struct BoundSetOperation {
  BoundRelationPtr left;
  BoundRelationPtr right;
  plan::SetOperator op = plan::SetOperator::kUnion;
  bool all = false;
};

/// explode and its kin beside the child's columns: child columns first, then the generator's.
struct BoundGenerate {
  BoundRelationPtr child;
  std::string function;  ///< explode, posexplode, inline, stack, json_tuple.
  std::vector<BoundExpressionPtr> arguments;
  bool outer = false;
};

struct BoundSample {
  BoundRelationPtr child;
  double lower = 0;
  double upper = 1;
  std::optional<int64_t> seed;
  bool with_replacement = false;
  bool repeatable = false;
};

/// The child's rows in a number of parts, which a write makes files of.
struct BoundRepartition {
  BoundRelationPtr child;
  int64_t num_partitions = 0;  ///< 0 leaves it to the write.
  bool shuffles = true;        ///< False: coalesce, which only makes parts fewer.
};

/// A WITH table that must be computed once, because it is not deterministic or because it refers to
/// itself; `child` and `step` read it through BoundWithReference. Other WITH tables are bound anew
/// at each reference.
struct BoundWith {
  int64_t table = 0;            ///< Unique in the statement.
  BoundRelationPtr definition;  ///< Of a recursive table: the rows it starts with.
  BoundRelationPtr
      step;  ///< The recursive part (UNION ALL), with the same types; null if there is none.
  /// A recursion that has more steps fails with RECURSION_LEVEL_LIMIT_EXCEEDED.
  int64_t level_limit = 0;
  BoundRelationPtr child;  ///< Output columns are the child's.
};

/// The rows of the enclosing BoundWith `table`: column i is column i of its definition, under a new
/// id. Inside `step`: the rows that the previous step gave.
struct BoundWithReference {
  int64_t table = 0;
};

struct BoundRelation {
  std::variant<BoundScan, BoundTableChanges, BoundFileScan, BoundEngineTable, BoundValues,
               BoundRange, BoundProject, BoundFilter, BoundAggregation, BoundSort, BoundLimit,
               BoundTail, BoundDistinct, BoundJoin, BoundSetOperation, BoundGenerate, BoundSample,
               BoundRepartition, BoundWith, BoundWithReference>
      node;
  std::vector<BoundColumn> columns;

  template <typename T>
  const T* As() const {
    return std::get_if<T>(&node);
  }
};

template <typename T>
BoundRelationPtr MakeBoundRelation(T node, std::vector<BoundColumn> columns) {
  return std::make_shared<const BoundRelation>(BoundRelation{std::move(node), std::move(columns)});
}

/// The columns as a table schema.
StructType SchemaOf(const BoundRelation& relation);

}  // namespace merganser
