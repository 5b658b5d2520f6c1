#include <algorithm>
#include <string>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/expression_check.h"

namespace merganser {

namespace {

constexpr std::string_view kOuterSuffix = "_outer";

}  // namespace

Result<Binder::Generator> Binder::MakeGenerator(const BoundExpression& call) const {
  const auto* bound = call.As<BoundCall>();
  if (bound == nullptr || !call.type.is(TypeId::kStruct)) {
    return Error::Internal("a generator gives the struct of its columns");
  }
  Generator generator{
      .function = bound->function, .arguments = bound->arguments, .outer = false, .columns = {}};
  if (generator.function.ends_with(kOuterSuffix)) {
    generator.function.resize(generator.function.size() - kOuterSuffix.size());
    generator.outer = true;
  }
  for (const StructField& field : call.type.fields()) {
    generator.columns.push_back({.id = NextId(),
                                 .name = field.name,
                                 .type = field.type,
                                 .nullable = field.nullable || generator.outer});
  }
  return generator;
}

Result<Binder::Generator> Binder::BindGenerator(const plan::ExpressionPtr& call,
                                                ExpressionScope& scope) {
  MERGANSER_ASSIGN_OR_RETURN(BoundExpressionPtr bound, BindExpression(call, scope));
  return MakeGenerator(*bound);
}

Status Binder::NameGenerated(Generator& generator, const std::vector<std::string>& names,
                             const plan::Origin& origin) const {
  if (names.size() != generator.columns.size()) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ",") + name;
    return At(
        Error(ErrorClass::UDTF_ALIAS_NUMBER_MISMATCH,
              {{"aliasesSize", std::to_string(generator.columns.size())}, {"aliasesNames", list}}),
        origin);
  }
  for (size_t i = 0; i < names.size(); ++i) generator.columns[i].name = names[i];
  return Status::Ok();
}

Binding Binder::AddGenerator(Binding child, Generator generator,
                             const std::vector<std::string>& qualifier) const {
  std::vector<BoundColumn> columns = child.relation->columns;
  for (const BoundColumn& column : generator.columns) {
    columns.push_back(column);
    child.scope.Add({.column = column, .qualifier = qualifier, .identity = column.id});
  }
  child.relation = MakeBoundRelation(BoundGenerate{child.relation, std::move(generator.function),
                                                   std::move(generator.arguments), generator.outer},
                                     std::move(columns));
  child.select = nullptr;
  child.below = nullptr;
  return child;
}

Result<Binding> Binder::Bind(const plan::LateralView& view, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(view.child));
  ExpressionScope scope{.scopes = {&child.scope}};
  scope.operator_name = "Generate";
  scope.operator_origin = relation.origin;
  const auto* call = view.generator->As<plan::Call>();
  if (call == nullptr) return Error::Internal("LATERAL VIEW takes a call");
  MERGANSER_ASSIGN_OR_RETURN(const std::string name,
                             FunctionName(call->name, view.generator->origin));
  const std::optional<FunctionKind> kind = FindFunction(name);
  if (!kind) {
    return At(Error(ErrorClass::ROUTINE_NOT_FOUND,
                    {{"routineName",
                      QuotedIdentifier(typing_.current_schema) + "." + QuotedIdentifier(name)}}),
              relation.origin);
  }
  if (*kind != FunctionKind::kGenerator) {
    return At(Error(ErrorClass::UNSUPPORTED_GENERATOR,
                    {{"functionName", QuotedIdentifier(AsciiLowerCase(name))},
                     {"classCanonicalName", AsciiLowerCase(name)}},
                    "NOT_GENERATOR"),
              relation.origin);
  }
  MERGANSER_ASSIGN_OR_RETURN(Generator generator, BindGenerator(view.generator, scope));
  if (!view.columns.empty())
    MERGANSER_RETURN_IF_ERROR(NameGenerated(generator, view.columns, relation.origin));
  if (view.outer && !generator.outer) {
    generator.outer = true;
    for (BoundColumn& column : generator.columns) column.nullable = true;
  }
  std::vector<std::string> qualifier;
  if (!view.table.empty()) qualifier.push_back(view.table);
  return AddGenerator(std::move(child), std::move(generator), qualifier);
}

Result<std::optional<Binding>> Binder::BindLateralGenerator(const plan::Join& join,
                                                            const Binding& left) {
  // Beside each row of the left side: no join is needed.
  if (join.condition != nullptr || join.natural || !join.using_columns.empty() ||
      join.type == plan::JoinType::kLeft) {
    return std::optional<Binding>();
  }
  const plan::Relation* right = join.right.get();
  const auto* alias = right->As<plan::SubqueryAlias>();
  if (alias != nullptr) right = alias->child.get();
  const auto* function = right->As<plan::TableFunction>();
  if (function == nullptr || function->name.size() != 1 ||
      FindFunction(function->name[0]) != FunctionKind::kGenerator || join.right->plan_id >= 0) {
    return std::optional<Binding>();
  }
  plan::Call call_node;
  call_node.name = function->name;
  call_node.arguments = function->arguments;
  call_node.argument_names = function->argument_names;
  const plan::ExpressionPtr call = plan::MakeExpression(std::move(call_node), right->origin);
  ExpressionScope scope{.scopes = {&left.scope}};
  MERGANSER_ASSIGN_OR_RETURN(Generator generator, BindGenerator(call, scope));
  std::vector<std::string> qualifier;
  if (alias != nullptr) {
    if (!alias->name.empty()) qualifier.push_back(alias->name);
    if (!alias->columns.empty()) {
      MERGANSER_RETURN_IF_ERROR(NameGenerated(generator, alias->columns, join.right->origin));
    }
  }
  return std::optional<Binding>(AddGenerator(left, std::move(generator), qualifier));
}

}  // namespace merganser
