#include <algorithm>
#include <optional>
#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/bound_forms.h"
#include "merganser/spark/analysis/clause_values.h"
#include "merganser/spark/analysis/dml_binding.h"
#include "merganser/spark/analysis/dml_target.h"
#include "merganser/spark/analysis/merge_scopes.h"
#include "merganser/spark/analysis/schema_evolution.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {
namespace {

enum class Family : uint8_t { kMatched, kNotMatched, kNotMatchedBySource };

/// A clause whose names are found and whose values are not yet of their columns' types.
struct ResolvedClause {
  const plan::MergeClause* clause = nullptr;
  BoundExpressionPtr condition;
  std::vector<FieldAssignment> assignments;
};

/// Follow `parts` from the columns of a schema down: names as the schema spells them.
std::optional<std::vector<std::string>> SpelledPath(const StructType& schema,
                                                    const std::vector<std::string>& parts,
                                                    size_t first, bool case_sensitive) {
  std::vector<std::string> path;
  const StructType* level = &schema;
  for (size_t i = first; i < parts.size(); ++i) {
    const StructField* field = level == nullptr ? nullptr : level->Find(parts[i], case_sensitive);
    if (field == nullptr) return std::nullopt;
    path.push_back(field->name);
    level = field->type.is(TypeId::kStruct) ? &field->type.fields() : nullptr;
  }
  return path.empty() ? std::nullopt : std::optional(path);
}

class MergeBinding {
 public:
  MergeBinding(Analyzer& analyzer, const plan::MergeInto& merge, const SessionConf& conf)
      : analyzer_(analyzer), merge_(merge), conf_(conf) {}

  Result<BoundMerge> Bind() {
    MERGANSER_RETURN_IF_ERROR(CheckClauseRules());
    MERGANSER_RETURN_IF_ERROR(analyzer_.AddCommonTables(merge_.with));
    MERGANSER_ASSIGN_OR_RETURN(DmlTarget target,
                               BindTarget(analyzer_, merge_.target, "MERGE INTO TABLE"));
    MERGANSER_ASSIGN_OR_RETURN(AnalyzedRelation source, analyzer_.BindRelation(merge_.source));
    bound_.snapshot = target.snapshot;
    bound_.target_columns = std::move(target.columns);
    bound_.source = source.relation;
    const bool has_all_columns = target.has_all_columns;
    scopes_.emplace(analyzer_, std::move(target.scope), std::move(source.scope));
    evolution_ = merge_.with_schema_evolution || conf_.schema_auto_merge();
    if (bound_.snapshot->schema().empty() && !evolution_ &&
        conf_.GetBoolean("spark.databricks.delta.merge.emptySchemaTargetCheck.enabled")) {
      return Error(ErrorClass::DELTA_MERGE_INTO_EMPTY_SCHEMA_TARGET);
    }
    MERGANSER_ASSIGN_OR_RETURN(
        bound_.condition, scopes_->Bind(merge_.condition, scopes_->both(), "search condition"));
    if (bound_.condition->type.is(TypeId::kNull))
      bound_.condition = ImplicitCast(bound_.condition, DataType::Boolean(), analyzer_.typing());
    if (!bound_.condition->type.is(TypeId::kBoolean)) {
      return Error(ErrorClass::JOIN_CONDITION_IS_NOT_BOOLEAN_TYPE,
                   {{"joinCondition", QuotedExpression(*bound_.condition)},
                    {"conditionType", "\"" + bound_.condition->type.SqlString() + "\""}});
    }
    std::vector<ResolvedClause> matched;
    std::vector<ResolvedClause> not_matched;
    std::vector<ResolvedClause> by_source;
    MERGANSER_RETURN_IF_ERROR(Resolve(merge_.matched, Family::kMatched, matched));
    MERGANSER_RETURN_IF_ERROR(Resolve(merge_.not_matched, Family::kNotMatched, not_matched));
    MERGANSER_RETURN_IF_ERROR(
        Resolve(merge_.not_matched_by_source, Family::kNotMatchedBySource, by_source));
    if (!has_all_columns) {
      return Error(ErrorClass::DELTA_SCHEMA_CHANGE_SINCE_ANALYSIS,
                   {{"schemaDiff", "the view has other columns than its table."}});
    }
    MERGANSER_RETURN_IF_ERROR(Evolve(matched, not_matched));
    // Conditions are judged when every name is known: first ON, then the clauses'.
    MERGANSER_RETURN_IF_ERROR(CheckMergeCondition(bound_.condition, "search"));
    for (const auto* family : {&matched, &not_matched, &by_source})
      MERGANSER_RETURN_IF_ERROR(CheckConditions(*family));
    for (const auto* family : {&matched, &not_matched, &by_source})
      MERGANSER_RETURN_IF_ERROR(CheckValues(*family));
    MERGANSER_RETURN_IF_ERROR(Complete(matched, bound_.matched));
    MERGANSER_RETURN_IF_ERROR(Complete(not_matched, bound_.not_matched));
    MERGANSER_RETURN_IF_ERROR(Complete(by_source, bound_.not_matched_by_source));
    NoteIgnoredColumns();
    return std::move(bound_);
  }

 private:
  bool case_sensitive() const { return analyzer_.typing().case_sensitive; }

  static std::string_view ActionWord(const plan::MergeClause& clause) {
    switch (clause.action) {
      case plan::MergeActionKind::kDelete:
        return "DELETE";
      case plan::MergeActionKind::kInsert:
      case plan::MergeActionKind::kInsertStar:
        return "INSERT";
      default:
        return "UPDATE";
    }
  }

  /// The text parser checks statements; builders arrive here unchecked, and have classes of their
  /// own.
  Status CheckClauseRules() const {
    if (merge_.matched.empty() && merge_.not_matched.empty() &&
        merge_.not_matched_by_source.empty()) {
      return Error(merge_.from_builder ? ErrorClass::DELTA_MERGE_MISSING_WHEN
                                       : ErrorClass::MERGE_WITHOUT_WHEN);
    }
    const auto misplaced = [](const std::vector<plan::MergeClause>& clauses) {
      return std::any_of(
          clauses.begin(), clauses.empty() ? clauses.end() : clauses.end() - 1,
          [](const plan::MergeClause& clause) { return clause.condition == nullptr; });
    };
    const bool builder = merge_.from_builder;
    if (misplaced(merge_.matched)) {
      return Error(builder ? ErrorClass::DELTA_NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION
                           : ErrorClass::NON_LAST_MATCHED_CLAUSE_OMIT_CONDITION);
    }
    if (misplaced(merge_.not_matched)) {
      return Error(builder ? ErrorClass::DELTA_NON_LAST_NOT_MATCHED_CLAUSE_OMIT_CONDITION
                           : ErrorClass::NON_LAST_NOT_MATCHED_BY_TARGET_CLAUSE_OMIT_CONDITION);
    }
    if (misplaced(merge_.not_matched_by_source)) {
      return Error(builder ? ErrorClass::DELTA_NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION
                           : ErrorClass::NON_LAST_NOT_MATCHED_BY_SOURCE_CLAUSE_OMIT_CONDITION);
    }
    return Status::Ok();
  }

  const Scope& ScopeFor(Family family) const {
    switch (family) {
      case Family::kMatched:
        return scopes_->both();
      case Family::kNotMatched:
        return scopes_->source();
      case Family::kNotMatchedBySource:
        return scopes_->target();
    }
    return scopes_->both();
  }

  AssignmentRules Rules(bool star_update) const {
    AssignmentRules rules;
    rules.policy = conf_.store_assignment_policy();
    rules.follows_ansi_flag = conf_.update_and_merge_casting_follows_ansi();
    rules.evolution = evolution_;
    rules.preserve_target_fields = evolution_ && star_update;
    rules.null_structs_stay =
        conf_.merge_preserve_null_source_structs() &&
        (!star_update || conf_.merge_preserve_null_source_structs_update_star());
    rules.by_name = conf_.merge_resolve_update_structs_by_name();
    return rules;
  }

  Status Resolve(const std::vector<plan::MergeClause>& clauses, Family family,
                 std::vector<ResolvedClause>& resolved) {
    for (const plan::MergeClause& clause : clauses) {
      ResolvedClause result;
      result.clause = &clause;
      const std::string word(ActionWord(clause));
      MERGANSER_ASSIGN_OR_RETURN(
          result.condition,
          scopes_->BindCondition(clause.condition, ScopeFor(family), word + " condition"));
      if (clause.action == plan::MergeActionKind::kUpdateStar ||
          clause.action == plan::MergeActionKind::kInsertStar) {
        MERGANSER_RETURN_IF_ERROR(ExpandStar(clause, result));
      } else {
        MERGANSER_RETURN_IF_ERROR(ResolveAssignments(clause, family, result));
      }
      resolved.push_back(std::move(result));
    }
    return Status::Ok();
  }

  static Status CheckConditions(const std::vector<ResolvedClause>& clauses) {
    for (const ResolvedClause& clause : clauses)
      MERGANSER_RETURN_IF_ERROR(CheckMergeCondition(clause.condition, ActionWord(*clause.clause)));
    return Status::Ok();
  }

  /// No aggregates and windows among the assigned values: there is nothing to go over.
  static Status CheckValues(const std::vector<ResolvedClause>& clauses) {
    for (const ResolvedClause& clause : clauses) {
      for (const FieldAssignment& assignment : clause.assignments) {
        const BoundExpressionPtr& value = assignment.value;
        if (value == nullptr || (!ContainsAggregate(*value) && !ContainsWindow(*value))) continue;
        return Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR,
                     {{"invalidExprSqls", "\"" + PrintSql(*value) + "\""}});
      }
    }
    return Status::Ok();
  }

  static bool IsExcepted(const plan::MergeClause& clause, const std::string& column) {
    return std::ranges::any_of(clause.except, [&](const auto& parts) {
      const StructType one({{column, DataType::Null(), true, {}}});
      return one.Find(parts.back()) != nullptr;
    });
  }

  /// Without evolution a star stands for the target's columns, with evolution for the source's
  /// (spec/merge.md 3.4).
  Status ExpandStar(const plan::MergeClause& clause, ResolvedClause& result) {
    const bool update = clause.action == plan::MergeActionKind::kUpdateStar;
    const std::string place = std::string(ActionWord(clause)) + " clause";
    has_star_ = true;
    if (evolution_) {
      for (const ScopeColumn& column : scopes_->source().columns()) {
        if (column.hidden || IsExcepted(clause, column.column.name)) continue;
        const BoundExpressionPtr value =
            MakeBound(BoundColumnRef{column.column.id, column.column.name, column.qualifier},
                      column.column.type, column.column.nullable);
        result.assignments.push_back({{column.column.name}, value, Rules(update)});
      }
      return Status::Ok();
    }
    for (const StructField& field : bound_.snapshot->schema()) {
      if (IsExcepted(clause, field.name)) continue;
      MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr value,
                                 analyzer_.FindColumn({field.name}, scopes_->source()));
      if (value == nullptr)
        return scopes_->Unresolved(QuotedIfNeeded(field.name), scopes_->source(), place);
      result.assignments.push_back({{field.name}, value, Rules(update)});
    }
    return Status::Ok();
  }

  /// The path that an assignment's key names in the target; nothing if there is none.
  Result<std::optional<std::vector<std::string>>> TargetPath(
      const std::vector<std::string>& parts) {
    const NameMatch match = MatchName(scopes_->target(), parts, case_sensitive());
    if (match.columns.empty()) return std::optional<std::vector<std::string>>();
    const ColumnId id = match.columns[0]->column.id;
    const auto column =
        std::ranges::find_if(bound_.target_columns, [id](const auto& c) { return c.id == id; });
    if (column == bound_.target_columns.end()) return std::optional<std::vector<std::string>>();
    // A view may call one column by the name of another: values go to the table's column of that
    // name, though conditions read the view's.
    const StructField* named =
        bound_.snapshot->schema().Find(match.columns[0]->column.name, case_sensitive());
    std::vector<std::string> path = {named == nullptr ? column->name : named->name};
    const DataType* type = named == nullptr ? &column->type : &named->type;
    for (const std::string& field_name : match.fields) {
      if (!type->is(TypeId::kStruct)) return NoFieldToSet(analyzer_, parts, scopes_->target(), {});
      const StructField* field = type->fields().Find(field_name, case_sensitive());
      if (field == nullptr) return std::optional<std::vector<std::string>>();
      path.push_back(field->name);
      type = &field->type;
    }
    return std::optional(std::move(path));
  }

  /// The path that a key names in the source, for a column that evolution adds.
  std::optional<std::vector<std::string>> SourcePath(const std::vector<std::string>& parts) const {
    const NameMatch match = MatchName(scopes_->source(), parts, case_sensitive());
    if (match.columns.empty()) return std::nullopt;
    std::vector<std::string> path = {match.columns[0]->column.name};
    const DataType& type = match.columns[0]->column.type;
    if (match.fields.empty()) return path;
    if (!type.is(TypeId::kStruct)) return std::nullopt;
    const auto inner = SpelledPath(type.fields(), match.fields, 0, case_sensitive());
    if (!inner) return std::nullopt;
    path.insert(path.end(), inner->begin(), inner->end());
    return path;
  }

  /// `t.newcol = s.newcol` names the new column by the target's qualifier (DESIGN 2); the value is
  /// the source's column of that name, as it is.
  std::optional<std::vector<std::string>> QualifiedNewColumn(const std::vector<std::string>& parts,
                                                             const plan::Expression& value) const {
    if (parts.size() < 2) return std::nullopt;
    const std::vector<std::string> qualifier(parts.begin(), parts.begin() + 1);
    if (!scopes_->target().HasQualifier(qualifier, case_sensitive())) return std::nullopt;
    auto path = SourcePath({parts.begin() + 1, parts.end()});
    const auto* column = value.As<plan::Attribute>();
    if (!path || column == nullptr || SourcePath(column->parts) != path) return std::nullopt;
    return path;
  }

  /// A key that nothing answers to: a name that is no column, or a field that its struct does not
  /// have.
  Error UnknownKey(const std::vector<std::string>& parts, bool may_evolve,
                   const std::string& place) const {
    const NameMatch match = MatchName(scopes_->target(), parts, case_sensitive());
    const Scope& searched = may_evolve ? scopes_->source() : scopes_->target();
    if (match.columns.empty()) return scopes_->Unresolved(QuotedIfNeeded(parts), searched, place);
    const DataType* type = &match.columns[0]->column.type;
    for (const std::string& name : match.fields) {
      const StructField* field = type->fields().Find(name, case_sensitive());
      if (field != nullptr) {
        type = &field->type;
        continue;
      }
      std::string fields;
      for (const StructField& known : type->fields())
        fields += (fields.empty() ? "`" : ", `") + known.name + "`";
      return Error(ErrorClass::FIELD_NOT_FOUND,
                   {{"fieldName", "`" + name + "`"}, {"fields", fields}});
    }
    return scopes_->Unresolved(QuotedIfNeeded(parts), scopes_->target(), place);
  }

  /// Names that differ in case only are the same column; the first one counts, unless values are
  /// generated.
  bool IsRespelled(const std::vector<std::string>& parts, const plan::MergeClause& clause) const {
    const auto same_spelling =
        std::ranges::count_if(clause.assignments, [&](const plan::Assignment& other) {
          return !other.key.parts.empty() && other.key.parts.back() == parts.back();
        });
    if (same_spelling > 1) return false;
    return std::ranges::none_of(bound_.snapshot->schema(), [](const StructField& field) {
      return IsGenerated(field) || IsIdentity(field);
    });
  }

  Status ResolveAssignments(const plan::MergeClause& clause, Family family,
                            ResolvedClause& result) {
    const std::string place = std::string(ActionWord(clause)) + " clause";
    const bool insert = clause.action == plan::MergeActionKind::kInsert;
    for (const plan::Assignment& assignment : clause.assignments) {
      MERGANSER_ASSIGN_OR_RETURN(const auto parts, analyzer_.NameParts(assignment.key));
      MERGANSER_ASSIGN_OR_RETURN(auto path, TargetPath(parts));
      const bool may_evolve = evolution_ && family != Family::kNotMatchedBySource;
      if (!path && may_evolve) {
        path = SourcePath(parts);
        if (!path) path = QualifiedNewColumn(parts, *assignment.value);
      }
      if (!path) return UnknownKey(parts, may_evolve, place);
      if (insert && path->size() > 1) {
        return Error(ErrorClass::DELTA_UNSUPPORTED_NESTED_FIELD_IN_OPERATION,
                     {{"operation", "INSERT clause of MERGE operation"},
                      {"fieldName", QuotedIfNeeded(*path)}});
      }
      if (insert && Has(result.assignments, *path)) {
        if (IsRespelled(parts, clause)) continue;
        return Error(ErrorClass::DELTA_DUPLICATE_COLUMNS_ON_INSERT);
      }
      BoundExpressionPtr value;
      if (assignment.value->As<plan::DefaultValue>() == nullptr) {
        MERGANSER_ASSIGN_OR_RETURN(value, scopes_->Bind(assignment.value, ScopeFor(family), place));
      }
      result.assignments.push_back(
          {*std::move(path), std::move(value), Rules(/*star_update=*/false)});
    }
    return Status::Ok();
  }

  static bool Has(const std::vector<FieldAssignment>& assignments,
                  const std::vector<std::string>& path) {
    return std::ranges::any_of(assignments,
                               [&](const FieldAssignment& own) { return own.path == path; });
  }

  WideningMode Widening() const {
    if (!bound_.snapshot->properties().enable_type_widening() ||
        !bound_.snapshot->Supports("typeWidening")) {
      return WideningMode::kNever;
    }
    const std::string mode = conf_.automatic_type_widening();
    if (mode == "never") return WideningMode::kNever;
    return mode == "same_family_type" ? WideningMode::kSameFamily : WideningMode::kAlways;
  }

  /// Work out the schema after the statement, and what an unchanged row looks like in it.
  Status Evolve(const std::vector<ResolvedClause>& matched,
                const std::vector<ResolvedClause>& not_matched) {
    bound_.schema = bound_.snapshot->schema();
    if (evolution_) {
      std::vector<std::vector<std::string>> assigned;
      for (const auto* family : {&matched, &not_matched}) {
        for (const ResolvedClause& clause : *family) {
          const bool star = clause.clause->action == plan::MergeActionKind::kUpdateStar ||
                            clause.clause->action == plan::MergeActionKind::kInsertStar;
          for (const FieldAssignment& assignment : clause.assignments) {
            if (!star || !clause.clause->except.empty()) assigned.push_back(assignment.path);
          }
        }
      }
      const bool star_of_all = std::ranges::any_of(merge_.matched, IsWholeStar) ||
                               std::ranges::any_of(merge_.not_matched, IsWholeStar);
      const StructType evolving = EvolvingFields(SchemaOf(*bound_.source), assigned,
                                                 has_star_ && star_of_all, case_sensitive());
      MERGANSER_ASSIGN_OR_RETURN(
          bound_.schema, MergeSchemas(bound_.schema, evolving, {Widening(), case_sensitive()}));
      bound_.schema_changed = !(bound_.schema == bound_.snapshot->schema());
    }
    AssignmentRules keep;
    keep.evolution = true;
    for (size_t i = 0; i < bound_.schema.size(); ++i) {
      const StructField& field = bound_.schema[i];
      if (i >= bound_.target_columns.size()) {
        bound_.unchanged.push_back(NullOf(field.type));
        continue;
      }
      const BoundColumn& column = bound_.target_columns[i];
      const BoundExpressionPtr old =
          MakeBound(BoundColumnRef{column.id, column.name, {}}, column.type, column.nullable);
      MERGANSER_ASSIGN_OR_RETURN(
          BoundExpressionPtr value,
          AssignValue(old, field.type, field.name, nullptr, keep, analyzer_.typing()));
      bound_.unchanged.push_back(std::move(value));
    }
    return Status::Ok();
  }

  static bool IsWholeStar(const plan::MergeClause& clause) {
    return clause.except.empty() && (clause.action == plan::MergeActionKind::kUpdateStar ||
                                     clause.action == plan::MergeActionKind::kInsertStar);
  }

  Status Complete(std::vector<ResolvedClause>& resolved, std::vector<BoundClause>& clauses) {
    RowBuilder rows(analyzer_, bound_);
    for (ResolvedClause& from : resolved) {
      BoundClause clause;
      clause.action = from.clause->action;
      clause.condition = from.condition;
      const bool insert = clause.action == plan::MergeActionKind::kInsert;
      std::erase_if(from.assignments, [&](const FieldAssignment& assignment) {
        return assignment.value == nullptr && IsComputed(assignment.path[0], insert);
      });
      for (FieldAssignment& assignment : from.assignments) {
        // Evolution may have found the column under another spelling.
        const auto spelled =
            SpelledPath(bound_.schema, assignment.path, 0, /*case_sensitive=*/false);
        if (spelled) assignment.path = *spelled;
        if (assignment.value != nullptr) continue;
        MERGANSER_ASSIGN_OR_RETURN(assignment.value,
                                   rows.DefaultOf(*bound_.schema.Find(assignment.path[0])));
      }
      switch (clause.action) {
        case plan::MergeActionKind::kDelete:
          break;
        case plan::MergeActionKind::kInsert:
        case plan::MergeActionKind::kInsertStar: {
          MERGANSER_ASSIGN_OR_RETURN(clause.values, rows.InsertedRow(from.assignments));
          clause.numbered = rows.NumberedColumns(from.assignments);
          break;
        }
        default: {
          MERGANSER_ASSIGN_OR_RETURN(clause.values, rows.UpdatedRow(from.assignments));
          break;
        }
      }
      clauses.push_back(std::move(clause));
    }
    return Status::Ok();
  }

  /// DEFAULT for such a column means that it gets its value as if it were not assigned.
  bool IsComputed(const std::string& column, bool insert) const {
    const StructField* field = bound_.schema.Find(column);
    return field != nullptr && (IsGenerated(*field) || (insert && IsIdentity(*field)));
  }

  void NoteIgnoredColumns() {
    if (evolution_ || !has_star_) return;
    for (const BoundColumn& column : bound_.source->columns) {
      if (bound_.schema.Find(column.name) == nullptr)
        bound_.ignored_source_columns.push_back(column.name);
    }
  }

  Analyzer& analyzer_;
  const plan::MergeInto& merge_;
  const SessionConf& conf_;
  BoundMerge bound_;
  std::optional<MergeScopes> scopes_;
  bool evolution_ = false;
  bool has_star_ = false;
};

}  // namespace

Result<BoundMerge> BindMerge(Analyzer& analyzer, const plan::MergeInto& merge,
                             const SessionConf& conf) {
  return MergeBinding(analyzer, merge, conf).Bind();
}

}  // namespace merganser
