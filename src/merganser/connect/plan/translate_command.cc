#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/translate.h"

namespace merganser::connect {
namespace {

namespace proto = spark::connect;

Result<plan::SaveMode> TranslateMode(const proto::WriteOperation& write, bool inserts) {
  switch (write.mode()) {
    case proto::WriteOperation::SAVE_MODE_UNSPECIFIED:
      return inserts ? plan::SaveMode::kAppend : plan::SaveMode::kErrorIfExists;
    case proto::WriteOperation::SAVE_MODE_APPEND:
      return plan::SaveMode::kAppend;
    case proto::WriteOperation::SAVE_MODE_OVERWRITE:
      return plan::SaveMode::kOverwrite;
    case proto::WriteOperation::SAVE_MODE_ERROR_IF_EXISTS:
      return plan::SaveMode::kErrorIfExists;
    case proto::WriteOperation::SAVE_MODE_IGNORE:
      return plan::SaveMode::kIgnore;
    default:
      return RefuseEnum(write, "mode");
  }
}

Result<plan::Command> TranslateWrite(const proto::WriteOperation& write,
                                     TranslationContext& context) {
  plan::Write translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.query, TranslateRelation(write.input(), context));
  if (write.has_source() && !write.source().empty()) translated.format = write.source();
  if (write.has_table()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.table,
                               ParseMultipartName(write.table().table_name(), context.parser));
    translated.insert_into = write.table().save_method() ==
                             proto::WriteOperation::SaveTable::TABLE_SAVE_METHOD_INSERT_INTO;
  } else if (write.save_type_case() == proto::WriteOperation::kPath) {
    translated.path = write.path();
  }
  MERGANSER_ASSIGN_OR_RETURN(translated.mode, TranslateMode(write, translated.insert_into));
  translated.partition_by.assign(write.partitioning_columns().begin(),
                                 write.partitioning_columns().end());
  translated.cluster_by.assign(write.clustering_columns().begin(),
                               write.clustering_columns().end());
  translated.options = ToOptions(write.options());
  translated.with_schema_evolution = write.with_schema_evolution();
  if (!translated.table && !translated.path) {
    if (const auto path = translated.options.find("path"); path != translated.options.end())
      translated.path = path->second;
  }
  if (write.has_bucket_by()) {
    return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED, {{"operation", "Bucketing"}});
  }
  return plan::Command(std::move(translated));
}

Result<plan::WriteToMode> TranslateWriteToMode(const proto::WriteOperationV2& write) {
  switch (write.mode()) {
    case proto::WriteOperationV2::MODE_CREATE:
      return plan::WriteToMode::kCreate;
    case proto::WriteOperationV2::MODE_OVERWRITE:
      return plan::WriteToMode::kOverwrite;
    case proto::WriteOperationV2::MODE_OVERWRITE_PARTITIONS:
      return plan::WriteToMode::kOverwritePartitions;
    case proto::WriteOperationV2::MODE_APPEND:
      return plan::WriteToMode::kAppend;
    case proto::WriteOperationV2::MODE_REPLACE:
      return plan::WriteToMode::kReplace;
    case proto::WriteOperationV2::MODE_CREATE_OR_REPLACE:
      return plan::WriteToMode::kCreateOrReplace;
    default:
      return RefuseEnum(write, "mode");
  }
}

Result<plan::Command> TranslateWriteTo(const proto::WriteOperationV2& write,
                                       TranslationContext& context) {
  plan::WriteTo translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.query, TranslateRelation(write.input(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.table,
                             ParseMultipartName(write.table_name(), context.parser));
  MERGANSER_ASSIGN_OR_RETURN(translated.mode, TranslateWriteToMode(write));
  if (write.has_provider()) translated.provider = write.provider();
  for (const proto::Expression& expression : write.partitioning_columns()) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr column,
                               TranslateExpression(expression, context));
    const auto* attribute = column->As<plan::Attribute>();
    if (attribute == nullptr) {
      return Error(ErrorClass::DELTA_OPERATION_NOT_ALLOWED,
                   {{"operation", "Partitioning by expressions"}});
    }
    translated.partition_by.push_back(attribute->parts);
  }
  for (const std::string& name : write.clustering_columns()) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseColumnPath(name));
    translated.cluster_by.push_back(std::move(parts));
  }
  translated.options = ToOptions(write.options());
  translated.properties = ToOptions(write.table_properties());
  translated.with_schema_evolution = write.with_schema_evolution();
  MERGANSER_ASSIGN_OR_RETURN(
      translated.condition,
      TranslateOptional(write.has_overwrite_condition(), write.overwrite_condition(), context));
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateView(const proto::CreateDataFrameViewCommand& view,
                                    TranslationContext& context) {
  plan::CreateView translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.query, TranslateRelation(view.input(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.name, ParseMultipartName(view.name(), context.parser));
  translated.temporary = true;
  translated.global = view.is_global();
  translated.replace = view.replace();
  return plan::Command(std::move(translated));
}

Result<plan::MergeClause> TranslateClause(const proto::Expression& expression,
                                          TranslationContext& context) {
  if (!expression.has_merge_action()) return RefuseOneof(expression, "expr_type");
  const proto::MergeAction& action = expression.merge_action();
  plan::MergeClause clause;
  switch (action.action_type()) {
    case proto::MergeAction::ACTION_TYPE_DELETE:
      clause.action = plan::MergeActionKind::kDelete;
      break;
    case proto::MergeAction::ACTION_TYPE_INSERT:
      clause.action = plan::MergeActionKind::kInsert;
      break;
    case proto::MergeAction::ACTION_TYPE_INSERT_STAR:
      clause.action = plan::MergeActionKind::kInsertStar;
      break;
    case proto::MergeAction::ACTION_TYPE_UPDATE:
      clause.action = plan::MergeActionKind::kUpdate;
      break;
    case proto::MergeAction::ACTION_TYPE_UPDATE_STAR:
      clause.action = plan::MergeActionKind::kUpdateStar;
      break;
    default:
      return RefuseEnum(action, "action_type");
  }
  MERGANSER_ASSIGN_OR_RETURN(
      clause.condition, TranslateOptional(action.has_condition(), action.condition(), context));
  for (const proto::MergeAction::Assignment& assignment : action.assignments()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Assignment one,
                               TranslateAssignment(assignment.key(), assignment.value(), context));
    clause.assignments.push_back(std::move(one));
  }
  return clause;
}

Result<std::vector<plan::MergeClause>> TranslateClauses(
    const google::protobuf::RepeatedPtrField<proto::Expression>& actions,
    TranslationContext& context) {
  std::vector<plan::MergeClause> clauses;
  for (const proto::Expression& action : actions) {
    MERGANSER_ASSIGN_OR_RETURN(plan::MergeClause clause, TranslateClause(action, context));
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

Result<plan::Command> TranslateMerge(const proto::MergeIntoTableCommand& merge,
                                     TranslationContext& context) {
  plan::MergeInto translated;
  plan::TableReference target;
  MERGANSER_ASSIGN_OR_RETURN(target.name,
                             ParseMultipartName(merge.target_table_name(), context.parser));
  // The table's own name stays usable as a qualifier.
  translated.target = plan::MakeRelation(std::move(target));
  MERGANSER_ASSIGN_OR_RETURN(translated.source,
                             TranslateRelation(merge.source_table_plan(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.condition,
                             TranslateExpression(merge.merge_condition(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.matched, TranslateClauses(merge.match_actions(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.not_matched,
                             TranslateClauses(merge.not_matched_actions(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.not_matched_by_source,
                             TranslateClauses(merge.not_matched_by_source_actions(), context));
  translated.with_schema_evolution = merge.with_schema_evolution();
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateCommandNode(const proto::Command& command,
                                           TranslationContext& context) {
  switch (command.command_type_case()) {
    case proto::Command::kWriteOperation:
      return TranslateWrite(command.write_operation(), context);
    case proto::Command::kWriteOperationV2:
      return TranslateWriteTo(command.write_operation_v2(), context);
    case proto::Command::kCreateDataframeView:
      return TranslateView(command.create_dataframe_view(), context);
    case proto::Command::kMergeIntoTableCommand:
      return TranslateMerge(command.merge_into_table_command(), context);
    case proto::Command::kExtension:
      return TranslateDeltaCommand(command.extension(), context);
    default:
      return RefuseOneof(command, "command_type");
  }
}

}  // namespace

Result<plan::ExpressionPtr> TranslateOptional(bool is_set, const proto::Expression& expression,
                                              TranslationContext& context) {
  if (!is_set || expression.expr_type_case() == proto::Expression::EXPR_TYPE_NOT_SET)
    return plan::ExpressionPtr();
  return TranslateExpression(expression, context);
}

Result<plan::Assignment> TranslateAssignment(const proto::Expression& key,
                                             const proto::Expression& value,
                                             TranslationContext& context) {
  plan::Assignment assignment;
  MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr name, TranslateExpression(key, context));
  const auto* attribute = name->As<plan::Attribute>();
  if (attribute == nullptr) return InvalidPlan("an assignment has no column to assign to");
  assignment.key.parts = attribute->parts;
  MERGANSER_ASSIGN_OR_RETURN(assignment.value, TranslateExpression(value, context));
  return assignment;
}

Result<plan::Statement> TranslateCommand(const proto::Command& command,
                                         TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(plan::Command translated, TranslateCommandNode(command, context));
  return plan::Statement{std::move(translated)};
}

}  // namespace merganser::connect
