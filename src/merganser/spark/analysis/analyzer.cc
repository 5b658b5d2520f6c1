#include "merganser/spark/analysis/analyzer.h"

#include <utility>

#include "merganser/delta/schema/schema_json.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

/// A schema in text: a type (`ARRAY<INT>`), the columns of a struct (`a INT, b STRING`), or a type
/// as JSON, which is how clients send a StructType. The error is that of the first.
Result<DataType> ReadSchemaText(std::string_view text) {
  auto type = ParseDataType(text);
  if (type.ok()) return type;
  if (auto columns = ParseTableSchema(text); columns.ok())
    return DataType::Struct(*std::move(columns));
  auto json = ParseTypeJson(text);
  return json.ok() ? json : type;
}

}  // namespace

Analyzer::Analyzer(const TableCatalog& catalog, TypingContext typing, AnalysisServices services,
                   StatementParameters parameters) {
  if (!typing.next_id) {
    typing.next_id = [next = std::make_shared<ColumnId>(0)] { return ++*next; };
  }
  if (!typing.parse_type) typing.parse_type = &ReadSchemaText;
  if (!typing.evaluate) typing.evaluate = services.evaluate;
  binder_ = std::make_unique<Binder>(catalog, std::move(typing), std::move(services),
                                     std::move(parameters), std::make_shared<StatementState>());
}

Analyzer::~Analyzer() = default;

Result<AnalyzedRelation> Analyzer::BindRelation(const plan::RelationPtr& relation) {
  StatementState& state = binder_->state();
  state.reads_stored_view = false;
  MERGANSER_ASSIGN_OR_RETURN(Binding binding, binder_->BindTopLevel(relation));
  return AnalyzedRelation{.relation = std::move(binding.relation),
                          .scope = std::move(binding.scope),
                          .reads_stored_view = state.reads_stored_view};
}

Result<BoundRelationPtr> Analyzer::BindQuery(const plan::RelationPtr& query) {
  MERGANSER_ASSIGN_OR_RETURN(AnalyzedRelation analyzed, BindRelation(query));
  return std::move(analyzed.relation);
}

Result<BoundExpressionPtr> Analyzer::BindExpressionUnchecked(const plan::ExpressionPtr& expression,
                                                             const Scope& scope) {
  return binder_->BindOver(expression, scope);
}

Result<BoundExpressionPtr> Analyzer::BindExpression(const plan::ExpressionPtr& expression,
                                                    const Scope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, binder_->BindOver(expression, scope));
  const BoundExpression* misplaced = FindAggregate(*bound);
  if (misplaced == nullptr) misplaced = FindWindow(*bound);
  if (misplaced == nullptr) {
    MERGANSER_RETURN_IF_ERROR(CheckNoGenerator(*bound, "Project"));
    return bound;
  }
  return binder_->At(Error(ErrorClass::UNSUPPORTED_EXPR_FOR_OPERATOR,
                           {{"invalidExprSqls", QuotedExpression(*misplaced)}}),
                     expression->origin);
}

Result<BoundExpressionPtr> Analyzer::FindColumn(const std::vector<std::string>& parts,
                                                const Scope& scope, const plan::Origin& origin) {
  return binder_->FindColumn(parts, scope, origin);
}

Error Analyzer::UnresolvedColumn(const std::vector<std::string>& parts, const Scope& scope,
                                 const plan::Origin& origin) const {
  return binder_->UnresolvedColumn(parts, scope.columns(), origin);
}

Result<std::vector<StarColumn>> Analyzer::ExpandStar(const plan::Star& star, const Scope& scope,
                                                     const plan::Origin& origin) {
  return binder_->ExpandStar(star, scope, origin);
}

Status Analyzer::AddCommonTables(const std::vector<plan::CommonTable>& tables, bool recursive) {
  return binder_->AddCommonTables(tables, recursive);
}

Result<std::vector<std::string>> Analyzer::NameParts(const plan::MultipartName& name) {
  return binder_->NameParts(name);
}

const std::vector<std::string>& Analyzer::temporary_views() const {
  return binder_->temporary_views();
}

Status Analyzer::LookUpRoutines(const plan::Statement& statement) const {
  const auto* create = statement.As<plan::CreateTable>();
  const bool in_one_plan = statement.query() != nullptr || statement.As<plan::MergeInto>() ||
                           statement.As<plan::Update>() || statement.As<plan::Delete>() ||
                           statement.As<plan::InsertInto>() || statement.As<plan::CreateView>() ||
                           (create != nullptr && create->query != nullptr);
  return in_one_plan ? binder_->LookUpRoutines(statement.routines) : Status::Ok();
}

std::string Analyzer::SearchPath() const { return binder_->SearchPath(); }

Result<CatalogEntry> Analyzer::FindTable(const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> parts, binder_->NameParts(name));
  return binder_->FindTable(name, parts);
}

Result<SnapshotRef> Analyzer::SnapshotOf(const CatalogTable& table,
                                         const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> parts, binder_->NameParts(name));
  return binder_->SnapshotOf(table, name, parts);
}

Result<SnapshotRef> Analyzer::SnapshotAsOf(const CatalogTable& table,
                                           const plan::TimeTravel& time_travel,
                                           const plan::MultipartName& name) {
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> parts, binder_->NameParts(name));
  return binder_->SnapshotAsOf(table, time_travel, name, parts);
}

void Analyzer::PinSnapshot(const SnapshotRef& snapshot) { binder_->PinSnapshot(snapshot); }

Result<plan::Literal> Analyzer::EvaluateConstant(const plan::ExpressionPtr& expression) {
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                             binder_->BindOver(expression, Scope()));
  return binder_->EvaluateConstant(*bound);
}

ColumnId Analyzer::NextId() const { return binder_->NextId(); }

const TypingContext& Analyzer::typing() const { return binder_->typing(); }

}  // namespace merganser
