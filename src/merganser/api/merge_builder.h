#pragma once

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/session/session.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// Builds a MERGE clause by clause, with the names of delta-spark's DeltaMergeBuilder. Immutable:
/// every call returns a new builder. Nothing is parsed or checked before Execute.
///
/// Conditions and values are SQL text over the aliases of target and source; an absent condition is
/// always true. Within a family the first clause whose condition is true acts; families may come in
/// any order.
class MergeBuilder {
 public:
  using Condition = std::optional<std::string>;
  /// Column (or `struct.field`) to expression.
  using Assignments = std::map<std::string, std::string>;

  /// Made by DeltaTable::Merge. `session` must outlive the builder.
  MergeBuilder(Session& session, plan::MultipartName target, std::string target_alias,
               std::string source, std::string source_alias, std::string condition);

  /// Without assignments and condition the clause is left out; with a condition alone it updates
  /// the rows to what they are.
  [[nodiscard]] MergeBuilder WhenMatchedUpdate(Assignments set,
                                               Condition condition = std::nullopt) const;
  /// UPDATE SET *.
  [[nodiscard]] MergeBuilder WhenMatchedUpdateAll(Condition condition = std::nullopt) const;
  [[nodiscard]] MergeBuilder WhenMatchedDelete(Condition condition = std::nullopt) const;
  [[nodiscard]] MergeBuilder WhenNotMatchedInsert(Assignments values,
                                                  Condition condition = std::nullopt) const;
  /// INSERT *.
  [[nodiscard]] MergeBuilder WhenNotMatchedInsertAll(Condition condition = std::nullopt) const;
  [[nodiscard]] MergeBuilder WhenNotMatchedBySourceUpdate(Assignments set,
                                                          Condition condition = std::nullopt) const;
  [[nodiscard]] MergeBuilder WhenNotMatchedBySourceDelete(Condition condition = std::nullopt) const;
  [[nodiscard]] MergeBuilder WithSchemaEvolution() const;

  /// Run the merge. Gives one row: num_affected_rows, num_updated_rows, num_deleted_rows,
  /// num_inserted_rows. Fails as MERGE does (docs/sql/merge.md), with the builder's own classes for
  /// misplaced clauses.
  Result<ResultSet> Execute() const;

 private:
  enum class Family : uint8_t { kMatched, kNotMatched, kNotMatchedBySource };
  struct Clause {
    Family family;
    plan::MergeActionKind action;
    Assignments assignments;
    Condition condition;
  };
  MergeBuilder With(Clause clause) const;

  Session* session_;  // Never null.
  plan::MultipartName target_;
  std::string target_alias_;
  std::string source_;
  std::string source_alias_;
  std::string condition_;
  std::vector<Clause> clauses_;
  bool schema_evolution_ = false;
};

}  // namespace merganser
