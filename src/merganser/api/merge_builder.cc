#include "merganser/api/merge_builder.h"

#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

Result<std::vector<plan::Assignment>> ParseAssignments(
    const MergeBuilder::Assignments& assignments) {
  std::vector<plan::Assignment> parsed;
  for (const auto& [column, value] : assignments) {
    plan::Assignment assignment;
    MERGANSER_ASSIGN_OR_RETURN(assignment.key.parts, ParseColumnPath(column));
    MERGANSER_ASSIGN_OR_RETURN(assignment.value, ParseExpression(value));
    parsed.push_back(std::move(assignment));
  }
  return parsed;
}

/// `name` or `(query)` under an alias.
Result<plan::RelationPtr> ParseSource(const std::string& source, const std::string& alias) {
  MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement,
                             ParseStatement("SELECT * FROM " + source));
  plan::RelationPtr relation = *statement.query();
  if (alias.empty()) return relation;
  return plan::MakeRelation(plan::SubqueryAlias{std::move(relation), alias, {}});
}

}  // namespace

MergeBuilder::MergeBuilder(Session& session, plan::MultipartName target, std::string target_alias,
                           std::string source, std::string source_alias, std::string condition)
    : session_(&session),
      target_(std::move(target)),
      target_alias_(std::move(target_alias)),
      source_(std::move(source)),
      source_alias_(std::move(source_alias)),
      condition_(std::move(condition)) {}

MergeBuilder MergeBuilder::With(Clause clause) const {
  MergeBuilder next = *this;
  next.clauses_.push_back(std::move(clause));
  return next;
}

MergeBuilder MergeBuilder::WhenMatchedUpdate(Assignments set, Condition condition) const {
  return With(
      {Family::kMatched, plan::MergeActionKind::kUpdate, std::move(set), std::move(condition)});
}
MergeBuilder MergeBuilder::WhenMatchedUpdateAll(Condition condition) const {
  return With({Family::kMatched, plan::MergeActionKind::kUpdateStar, {}, std::move(condition)});
}
MergeBuilder MergeBuilder::WhenMatchedDelete(Condition condition) const {
  return With({Family::kMatched, plan::MergeActionKind::kDelete, {}, std::move(condition)});
}
MergeBuilder MergeBuilder::WhenNotMatchedInsert(Assignments values, Condition condition) const {
  return With({Family::kNotMatched, plan::MergeActionKind::kInsert, std::move(values),
               std::move(condition)});
}
MergeBuilder MergeBuilder::WhenNotMatchedInsertAll(Condition condition) const {
  return With({Family::kNotMatched, plan::MergeActionKind::kInsertStar, {}, std::move(condition)});
}
MergeBuilder MergeBuilder::WhenNotMatchedBySourceUpdate(Assignments set,
                                                        Condition condition) const {
  return With({Family::kNotMatchedBySource, plan::MergeActionKind::kUpdate, std::move(set),
               std::move(condition)});
}
MergeBuilder MergeBuilder::WhenNotMatchedBySourceDelete(Condition condition) const {
  return With(
      {Family::kNotMatchedBySource, plan::MergeActionKind::kDelete, {}, std::move(condition)});
}
MergeBuilder MergeBuilder::WithSchemaEvolution() const {
  MergeBuilder next = *this;
  next.schema_evolution_ = true;
  return next;
}

Result<ResultSet> MergeBuilder::Execute() const {
  plan::MergeInto merge;
  merge.from_builder = true;
  merge.with_schema_evolution = schema_evolution_;
  merge.target = plan::MakeRelation(plan::TableReference{target_, std::nullopt, {}});
  if (!target_alias_.empty())
    merge.target = plan::MakeRelation(plan::SubqueryAlias{merge.target, target_alias_, {}});
  MERGANSER_ASSIGN_OR_RETURN(merge.source, ParseSource(source_, source_alias_));
  MERGANSER_ASSIGN_OR_RETURN(merge.condition, ParseExpression(condition_));
  for (const Clause& clause : clauses_) {
    const bool updates_nothing =
        clause.action == plan::MergeActionKind::kUpdate && clause.assignments.empty();
    // With a condition the clause still keeps its rows from the clauses behind it.
    if (updates_nothing && !clause.condition) continue;
    plan::MergeClause parsed;
    parsed.action = clause.action;
    MERGANSER_ASSIGN_OR_RETURN(parsed.condition, ParseOptionalExpression(clause.condition));
    MERGANSER_ASSIGN_OR_RETURN(parsed.assignments, ParseAssignments(clause.assignments));
    auto& family = clause.family == Family::kMatched      ? merge.matched
                   : clause.family == Family::kNotMatched ? merge.not_matched
                                                          : merge.not_matched_by_source;
    family.push_back(std::move(parsed));
  }
  return session_->Execute({plan::Command(std::move(merge)), {}});
}

}  // namespace merganser
