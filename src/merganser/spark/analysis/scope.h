#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// A column that expressions may name.
struct ScopeColumn {
  BoundColumn column;
  /// Names it may be qualified with, outermost first: {"spark_catalog", "default", "t"}, {"alias"},
  /// or none.
  std::vector<std::string> qualifier = {};
  /// Reachable by a qualified name only, and left out of `*`: the second key column of JOIN ...
  /// USING.
  bool hidden = false;
  /// Hidden, but reachable by its bare name where no visible column has that name: `_metadata` of a
  /// table.
  bool metadata = false;
  /// Columns of the same identity hold the same value: a name that finds both is not ambiguous.
  /// Differs from `column.id` where one column was selected twice.
  ColumnId identity = 0;
};

/// The columns of a data frame that a client names by its plan's id.
struct PlanColumns {
  std::vector<ScopeColumn> columns;
  int depth = 0;  ///< Relations between it and the one whose scope this is.
};

/// The columns that expressions of one operator may name, and those of the enclosing queries.
///
/// A value; outer scopes are shared. Names match by Spark's rules: case-insensitive unless asked
/// otherwise, the longest qualifier first, then column and field (spec: `x.y` is qualifier x,
/// column y before column x, field y).
class Scope {
 public:
  Scope() = default;
  explicit Scope(std::vector<ScopeColumn> columns) : columns_(std::move(columns)) {}

  const std::vector<ScopeColumn>& columns() const { return columns_; }
  std::vector<ScopeColumn>& columns() { return columns_; }
  void Add(ScopeColumn column) { columns_.push_back(std::move(column)); }

  /// The enclosing query's scope, null at the top.
  const std::shared_ptr<const Scope>& outer() const { return outer_; }
  void set_outer(std::shared_ptr<const Scope> outer) { outer_ = std::move(outer); }
  /// True for the outer scope of a scope of the same query: the columns below a SELECT list, beside
  /// its output.
  bool same_query() const { return same_query_; }
  void set_same_query(bool same_query) { same_query_ = same_query; }

  /// What the relations below with the Spark Connect plan id `plan_id` give, one entry a place
  /// where it stands: a data frame may be joined with what was made from it.
  std::span<const PlanColumns> FindPlans(int64_t plan_id) const;
  /// Remember that the relation with `plan_id` gives these columns.
  void AddPlan(int64_t plan_id);
  /// Take over the plan columns of `other`; those in `renamed` under their new ids.
  void InheritPlans(const Scope& other, const std::map<ColumnId, ColumnId>& renamed = {});
  /// Another relation now stands above all plans.
  void Deepen();

  /// Both scopes' columns, left first: what a join condition sees. Keeps the left one's outer
  /// scope.
  static Scope Join(const Scope& left, const Scope& right);

  /// The same columns known as `qualifier.name` only; hidden columns are dropped, those of tables'
  /// metadata kept.
  Scope Requalified(const std::vector<std::string>& qualifier) const;

  /// True if `id` is one of the columns (outer ones not counted).
  bool Contains(ColumnId id) const;
  /// True if a column, hidden or not, goes by the qualifier `qualifier`.
  bool HasQualifier(const std::vector<std::string>& qualifier, bool case_sensitive) const;

 private:
  std::vector<ScopeColumn> columns_;
  std::shared_ptr<const Scope> outer_;
  bool same_query_ = false;
  std::map<int64_t, std::vector<PlanColumns>> plan_columns_;
};

/// The columns of `relation`, all known by `qualifier` ({} for none).
Scope ScopeOf(const BoundRelation& relation, const std::vector<std::string>& qualifier);

/// Columns that a name may stand for, with the parts of the name that are field names.
struct NameMatch {
  std::vector<const ScopeColumn*>
      columns;  ///< Of different identities; more than one is ambiguous.
  std::vector<std::string> fields;
  std::string column_name;  ///< The part that named the column, as written.
};

/// Find `parts` among the columns of `scope` itself (not of outer ones).
NameMatch MatchName(const Scope& scope, const std::vector<std::string>& parts, bool case_sensitive);

/// True if `qualifier` as written names columns that carry `own`: equal to its last parts.
bool QualifierMatches(const std::vector<std::string>& own,
                      const std::vector<std::string>& qualifier, bool case_sensitive);

}  // namespace merganser
