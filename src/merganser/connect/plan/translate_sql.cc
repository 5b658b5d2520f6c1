#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/translate.h"

namespace merganser::connect {
namespace {

/// SQL arguments stand in four fields: names and positions, as literals (older clients) and as
/// expressions.
template <typename Message>
Result<plan::ParameterValues> TranslateArguments(const Message& message,
                                                 TranslationContext& context) {
  plan::ParameterValues values;
  for (const auto& [name, value] : message.args()) {
    MERGANSER_ASSIGN_OR_RETURN(values.named[name], TranslateLiteral(value, context.parser));
  }
  for (const auto& [name, value] : message.named_arguments()) {
    MERGANSER_ASSIGN_OR_RETURN(values.named[name], TranslateExpression(value, context));
  }
  for (const auto& value : message.pos_args()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateLiteral(value, context.parser));
    values.positional.push_back(std::move(one));
  }
  for (const auto& value : message.pos_arguments()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateExpression(value, context));
    values.positional.push_back(std::move(one));
  }
  return values;
}

/// Let the statement know the tables by name.
class WithTables {
 public:
  explicit WithTables(std::vector<plan::CommonTable> tables) : tables_(std::move(tables)) {}

  plan::RelationPtr Wrap(const plan::RelationPtr& query) const {
    if (query == nullptr) return query;
    return plan::MakeRelation(plan::With{tables_, query});
  }

  void operator()(plan::MergeInto& command) const { Prepend(command.with); }
  void operator()(plan::Update& command) const { Prepend(command.with); }
  void operator()(plan::Delete& command) const { Prepend(command.with); }
  void operator()(plan::InsertInto& command) const { command.query = Wrap(command.query); }
  void operator()(plan::CreateTable& command) const { command.query = Wrap(command.query); }
  void operator()(plan::CreateView& command) const { command.query = Wrap(command.query); }
  void operator()(plan::DescribeQuery& command) const { command.query = Wrap(command.query); }
  template <typename Other>
  void operator()(Other&) const {}

 private:
  void Prepend(std::vector<plan::CommonTable>& own) const {
    own.insert(own.begin(), tables_.begin(), tables_.end());
  }

  std::vector<plan::CommonTable> tables_;
};

}  // namespace

Result<plan::Statement> TranslateSqlText(const spark::connect::SQL& sql,
                                         std::vector<plan::CommonTable> references,
                                         TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement,
                             ParseStatement(sql.query(), context.parser));
  MERGANSER_ASSIGN_OR_RETURN(statement.parameters, TranslateArguments(sql, context));
  if (!references.empty()) {
    const WithTables with(std::move(references));
    if (const plan::RelationPtr* query = statement.query()) {
      statement.body = with.Wrap(*query);
    } else {
      std::visit([&](auto& command) { with(command); }, std::get<plan::Command>(statement.body));
    }
  }
  return statement;
}

Result<plan::Statement> TranslateSqlWithRelations(const spark::connect::WithRelations& with,
                                                  TranslationContext& context) {
  std::vector<plan::CommonTable> tables;
  for (const spark::connect::Relation& reference : with.references()) {
    if (reference.has_subquery_alias()) {
      plan::CommonTable table;
      table.name = reference.subquery_alias().alias();
      MERGANSER_ASSIGN_OR_RETURN(table.query,
                                 TranslateRelation(reference.subquery_alias().input(), context));
      tables.push_back(std::move(table));
    } else if (reference.common().has_plan_id()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr query, TranslateRelation(reference, context));
      context.subqueries[reference.common().plan_id()] = std::move(query);
    } else {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "INVALID_WITH_RELATION_REFERENCE");
    }
  }
  if (with.root().has_sql()) return TranslateSqlText(with.root().sql(), std::move(tables), context);
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr root, TranslateRelation(with.root(), context));
  if (!tables.empty()) root = WithTables(std::move(tables)).Wrap(root);
  return plan::Statement{std::move(root)};
}

Result<plan::Statement> TranslateSql(const spark::connect::SqlCommand& command,
                                     TranslationContext& context) {
  if (command.has_input()) {
    if (!command.input().has_sql() && !command.input().has_with_relations()) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"other", "input"}},
                   "SQL_COMMAND_EXPECTS_SQL_OR_WITH_RELATIONS");
    }
    return TranslateStatement(command.input(), context);
  }
  MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement,
                             ParseStatement(command.sql(), context.parser));
  MERGANSER_ASSIGN_OR_RETURN(statement.parameters, TranslateArguments(command, context));
  return statement;
}

}  // namespace merganser::connect
