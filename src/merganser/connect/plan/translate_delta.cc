#include <string>
#include <utility>

#include <google/protobuf/io/coded_stream.h>

#include "merganser/connect/deep_request.h"
#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/translate.h"

namespace merganser::connect {
namespace {

namespace extension_proto = delta::connect;

/// The message inside of an extension, read as deep as the plan around it may nest.
template <typename Message>
Result<Message> Unpack(const google::protobuf::Any& extension) {
  if (!extension.Is<Message>()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"extensionTypeUrl", extension.type_url()}},
                 "NO_HANDLER_FOR_EXTENSION");
  }
  Message message;
  google::protobuf::io::CodedInputStream stream(
      reinterpret_cast<const uint8_t*>(extension.value().data()),
      static_cast<int>(extension.value().size()));
  stream.SetRecursionLimit(kDeepestRequest);
  if (!message.ParseFromCodedStream(&stream) || !stream.ConsumedEntireMessage()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"errorMsg", "the extension is malformed or nests too deep"}}, "CANNOT_PARSE");
  }
  return message;
}

Result<plan::MultipartName> TableName(const extension_proto::DeltaTable& table,
                                      const TranslationContext& context) {
  switch (table.access_type_case()) {
    case extension_proto::DeltaTable::kPath:
      return PathName(table.path().path());
    case extension_proto::DeltaTable::kTableOrViewName:
      return ParseMultipartName(table.table_or_view_name(), context.parser);
    default:
      return RefuseOneof(table, "access_type");
  }
}

plan::TimeTravel AtVersion(int64_t version) { return {MakeLong(version), nullptr}; }
plan::TimeTravel AtTimestamp(std::string timestamp) {
  return {nullptr, MakeText(std::move(timestamp))};
}

/// The target of UPDATE and DELETE: a Scan, possibly under an alias.
struct Target {
  plan::MultipartName name;
  std::string alias;
};

Result<Target> TargetOf(const plan::RelationPtr& relation) {
  Target target;
  const plan::Relation* node = relation.get();
  while (const auto* alias = node->As<plan::SubqueryAlias>()) {
    if (target.alias.empty()) target.alias = alias->name;
    node = alias->child.get();
  }
  const auto* table = node->As<plan::TableReference>();
  if (table == nullptr) return Error(ErrorClass::DELTA_ONLY_OPERATION, {{"operation", "UPDATE"}});
  target.name = table->name;
  return target;
}

Result<std::vector<plan::MergeClause>> TranslateActions(
    const google::protobuf::RepeatedPtrField<extension_proto::MergeIntoTable::Action>& actions,
    TranslationContext& context) {
  using Action = extension_proto::MergeIntoTable::Action;
  std::vector<plan::MergeClause> clauses;
  for (const Action& action : actions) {
    plan::MergeClause clause;
    MERGANSER_ASSIGN_OR_RETURN(
        clause.condition, TranslateOptional(action.has_condition(), action.condition(), context));
    const google::protobuf::RepeatedPtrField<extension_proto::Assignment>* assignments = nullptr;
    switch (action.action_type_case()) {
      case Action::kDeleteAction:
        clause.action = plan::MergeActionKind::kDelete;
        break;
      case Action::kUpdateAction:
        clause.action = plan::MergeActionKind::kUpdate;
        assignments = &action.update_action().assignments();
        break;
      case Action::kUpdateStarAction:
        clause.action = plan::MergeActionKind::kUpdateStar;
        break;
      case Action::kInsertAction:
        clause.action = plan::MergeActionKind::kInsert;
        assignments = &action.insert_action().assignments();
        break;
      case Action::kInsertStarAction:
        clause.action = plan::MergeActionKind::kInsertStar;
        break;
      default:
        return RefuseOneof(action, "action_type");
    }
    if (assignments != nullptr) {
      for (const extension_proto::Assignment& assignment : *assignments) {
        MERGANSER_ASSIGN_OR_RETURN(
            plan::Assignment one,
            TranslateAssignment(assignment.field(), assignment.value(), context));
        clause.assignments.push_back(std::move(one));
      }
    }
    clauses.push_back(std::move(clause));
  }
  return clauses;
}

Result<plan::Command> TranslateMergeInto(const extension_proto::MergeIntoTable& merge,
                                         TranslationContext& context) {
  plan::MergeInto translated;
  translated.from_builder = true;
  MERGANSER_ASSIGN_OR_RETURN(translated.target, TranslateRelation(merge.target(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.source, TranslateRelation(merge.source(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.condition, TranslateExpression(merge.condition(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.matched,
                             TranslateActions(merge.matched_actions(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.not_matched,
                             TranslateActions(merge.not_matched_actions(), context));
  MERGANSER_ASSIGN_OR_RETURN(translated.not_matched_by_source,
                             TranslateActions(merge.not_matched_by_source_actions(), context));
  translated.with_schema_evolution = merge.with_schema_evolution();
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateUpdate(const extension_proto::UpdateTable& update,
                                      TranslationContext& context) {
  plan::Update translated;
  MERGANSER_ASSIGN_OR_RETURN(const plan::RelationPtr relation,
                             TranslateRelation(update.target(), context));
  MERGANSER_ASSIGN_OR_RETURN(Target target, TargetOf(relation));
  translated.target = std::move(target.name);
  translated.alias = std::move(target.alias);
  MERGANSER_ASSIGN_OR_RETURN(
      translated.condition, TranslateOptional(update.has_condition(), update.condition(), context));
  for (const extension_proto::Assignment& assignment : update.assignments()) {
    MERGANSER_ASSIGN_OR_RETURN(
        plan::Assignment one, TranslateAssignment(assignment.field(), assignment.value(), context));
    translated.assignments.push_back(std::move(one));
  }
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateDelete(const extension_proto::DeleteFromTable& remove,
                                      TranslationContext& context) {
  plan::Delete translated;
  MERGANSER_ASSIGN_OR_RETURN(const plan::RelationPtr relation,
                             TranslateRelation(remove.target(), context));
  MERGANSER_ASSIGN_OR_RETURN(Target target, TargetOf(relation));
  translated.target = std::move(target.name);
  translated.alias = std::move(target.alias);
  MERGANSER_ASSIGN_OR_RETURN(
      translated.condition, TranslateOptional(remove.has_condition(), remove.condition(), context));
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateOptimize(const extension_proto::OptimizeTable& optimize,
                                        TranslationContext& context) {
  plan::Optimize translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.name, TableName(optimize.table(), context));
  for (const std::string& filter : optimize.partition_filters()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr condition, TranslateText(filter, context));
    translated.condition =
        translated.condition == nullptr
            ? std::move(condition)
            : MakeCall("and", {translated.condition, std::move(condition)}, true);
  }
  for (const std::string& column : optimize.zorder_columns()) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseColumnPath(column));
    translated.zorder_by.push_back(std::move(parts));
  }
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateConvert(const extension_proto::ConvertToDelta& convert,
                                       TranslationContext& context) {
  plan::ConvertToDelta translated;
  translated.from_builder = true;
  MERGANSER_ASSIGN_OR_RETURN(translated.name,
                             ParseMultipartName(convert.identifier(), context.parser));
  StructType partitions;
  if (convert.partition_schema_case() == extension_proto::ConvertToDelta::kPartitionSchemaString) {
    MERGANSER_ASSIGN_OR_RETURN(partitions,
                               ParseTableSchema(convert.partition_schema_string(), context.parser));
  } else if (convert.has_partition_schema_struct()) {
    MERGANSER_ASSIGN_OR_RETURN(const DataType type,
                               TranslateType(convert.partition_schema_struct(), context.parser));
    if (!type.is(TypeId::kStruct)) return InvalidPlan("a partition schema is no struct");
    partitions = type.fields();
  }
  for (const StructField& field : partitions) {
    plan::ColumnDefinition column;
    column.name = {field.name};
    column.type = field.type;
    column.nullable = field.nullable;
    translated.partition_by.push_back(std::move(column));
  }
  return plan::Command(std::move(translated));
}

Result<plan::Command> TranslateClone(const extension_proto::CloneTable& clone,
                                     const TranslationContext& context) {
  plan::CloneTable translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.source.name, TableName(clone.table(), context));
  if (clone.version_or_timestamp_case() == extension_proto::CloneTable::kVersion)
    translated.source.time_travel = AtVersion(clone.version());
  if (clone.version_or_timestamp_case() == extension_proto::CloneTable::kTimestamp)
    translated.source.time_travel = AtTimestamp(clone.timestamp());
  const std::string& target = clone.target();
  const bool is_path = target.starts_with("/") || target.find(":/") != std::string::npos;
  if (is_path) {
    translated.name = PathName(target);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(translated.name, ParseMultipartName(target, context.parser));
  }
  translated.shallow = clone.is_shallow();
  translated.replace = clone.replace();
  translated.properties = ToOptions(clone.properties());
  return plan::Command(std::move(translated));
}

Result<plan::ColumnDefinition> TranslateColumn(
    const extension_proto::CreateDeltaTable::Column& column, TranslationContext& context) {
  plan::ColumnDefinition translated;
  translated.name = {column.name()};
  MERGANSER_ASSIGN_OR_RETURN(translated.type, TranslateType(column.data_type(), context.parser));
  translated.nullable = column.nullable();
  if (column.has_comment()) translated.comment = column.comment();
  if (column.has_generated_always_as()) {
    plan::ExpressionText generated;
    generated.text = column.generated_always_as();
    MERGANSER_ASSIGN_OR_RETURN(generated.expression,
                               ParseExpression(generated.text, context.parser));
    translated.generated = std::move(generated);
  }
  if (column.has_identity_info()) {
    const auto& identity = column.identity_info();
    translated.identity = plan::IdentitySpec{.always = !identity.allow_explicit_insert(),
                                             .start = identity.start(),
                                             .step = identity.step()};
  }
  return translated;
}

Result<plan::Command> TranslateCreate(const extension_proto::CreateDeltaTable& create,
                                      TranslationContext& context) {
  plan::CreateTable translated;
  switch (create.mode()) {
    case extension_proto::CreateDeltaTable::MODE_CREATE:
      break;
    case extension_proto::CreateDeltaTable::MODE_CREATE_IF_NOT_EXISTS:
      translated.if_not_exists = true;
      break;
    case extension_proto::CreateDeltaTable::MODE_REPLACE:
      translated.replace = true;
      translated.create = false;
      break;
    case extension_proto::CreateDeltaTable::MODE_CREATE_OR_REPLACE:
      translated.replace = true;
      break;
    default:
      return RefuseEnum(create, "mode");
  }
  if (create.has_table_name()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.name,
                               ParseMultipartName(create.table_name(), context.parser));
    if (create.has_location()) translated.location = create.location();
  } else if (create.has_location()) {
    translated.name = PathName(create.location());
  } else {
    return Error(ErrorClass::DELTA_CREATE_TABLE_MISSING_TABLE_NAME_OR_LOCATION);
  }
  translated.provider = "delta";
  if (create.has_comment()) translated.comment = create.comment();
  for (const auto& column : create.columns()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ColumnDefinition one, TranslateColumn(column, context));
    translated.columns.push_back(std::move(one));
  }
  for (const std::string& column : create.partitioning_columns())
    translated.partition_by.push_back({column});
  for (const std::string& column : create.clustering_columns()) {
    MERGANSER_ASSIGN_OR_RETURN(std::vector<std::string> parts, ParseColumnPath(column));
    translated.cluster_by.push_back(std::move(parts));
  }
  translated.properties = ToOptions(create.properties());
  return plan::Command(std::move(translated));
}

Result<plan::Command> SetProperties(const extension_proto::DeltaTable& table,
                                    plan::Options properties, const TranslationContext& context) {
  plan::AlterTable alter;
  MERGANSER_ASSIGN_OR_RETURN(alter.name, TableName(table, context));
  alter.action = plan::AlterSetProperties{std::move(properties)};
  return plan::Command(std::move(alter));
}

Result<plan::Command> TranslateQueryCommand(const extension_proto::DeltaRelation& relation,
                                            TranslationContext& context) {
  switch (relation.relation_type_case()) {
    case extension_proto::DeltaRelation::kDescribeHistory: {
      plan::DescribeHistory history;
      MERGANSER_ASSIGN_OR_RETURN(history.name,
                                 TableName(relation.describe_history().table(), context));
      return plan::Command(std::move(history));
    }
    case extension_proto::DeltaRelation::kDescribeDetail: {
      plan::DescribeDetail detail;
      MERGANSER_ASSIGN_OR_RETURN(detail.name,
                                 TableName(relation.describe_detail().table(), context));
      return plan::Command(std::move(detail));
    }
    case extension_proto::DeltaRelation::kConvertToDelta:
      return TranslateConvert(relation.convert_to_delta(), context);
    case extension_proto::DeltaRelation::kRestoreTable: {
      const extension_proto::RestoreTable& restore = relation.restore_table();
      plan::Restore translated;
      MERGANSER_ASSIGN_OR_RETURN(translated.name, TableName(restore.table(), context));
      switch (restore.version_or_timestamp_case()) {
        case extension_proto::RestoreTable::kVersion:
          translated.to = AtVersion(restore.version());
          break;
        case extension_proto::RestoreTable::kTimestamp:
          translated.to = AtTimestamp(restore.timestamp());
          break;
        default:
          return RefuseOneof(restore, "version_or_timestamp");
      }
      return plan::Command(std::move(translated));
    }
    case extension_proto::DeltaRelation::kIsDeltaTable:
      return plan::Command(plan::IsDeltaTable{relation.is_delta_table().path()});
    case extension_proto::DeltaRelation::kDeleteFromTable:
      return TranslateDelete(relation.delete_from_table(), context);
    case extension_proto::DeltaRelation::kUpdateTable:
      return TranslateUpdate(relation.update_table(), context);
    case extension_proto::DeltaRelation::kMergeIntoTable:
      return TranslateMergeInto(relation.merge_into_table(), context);
    case extension_proto::DeltaRelation::kOptimizeTable:
      return TranslateOptimize(relation.optimize_table(), context);
    default:
      return RefuseOneof(relation, "relation_type");
  }
}

}  // namespace

plan::MultipartName PathName(const std::string& path) { return {{"delta", path}, nullptr, {}}; }

Result<plan::Statement> TranslateDeltaRelation(const google::protobuf::Any& extension,
                                               TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const auto relation,
                             Unpack<extension_proto::DeltaRelation>(extension));
  if (relation.has_scan()) {
    plan::TableReference table;
    MERGANSER_ASSIGN_OR_RETURN(table.name, TableName(relation.scan().table(), context));
    return plan::Statement{plan::MakeRelation(std::move(table))};
  }
  MERGANSER_ASSIGN_OR_RETURN(plan::Command command, TranslateQueryCommand(relation, context));
  return plan::Statement{std::move(command)};
}

Result<plan::Command> TranslateDeltaCommand(const google::protobuf::Any& extension,
                                            TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const auto command, Unpack<extension_proto::DeltaCommand>(extension));
  switch (command.command_type_case()) {
    case extension_proto::DeltaCommand::kCloneTable:
      return TranslateClone(command.clone_table(), context);
    case extension_proto::DeltaCommand::kVacuumTable: {
      plan::Vacuum vacuum;
      MERGANSER_ASSIGN_OR_RETURN(vacuum.name, TableName(command.vacuum_table().table(), context));
      if (command.vacuum_table().has_retention_hours())
        vacuum.retain_hours = command.vacuum_table().retention_hours();
      return plan::Command(std::move(vacuum));
    }
    case extension_proto::DeltaCommand::kUpgradeTableProtocol: {
      const extension_proto::UpgradeTableProtocol& upgrade = command.upgrade_table_protocol();
      return SetProperties(upgrade.table(),
                           {{"delta.minReaderVersion", std::to_string(upgrade.reader_version())},
                            {"delta.minWriterVersion", std::to_string(upgrade.writer_version())}},
                           context);
    }
    case extension_proto::DeltaCommand::kGenerate: {
      plan::Generate generate;
      generate.mode = command.generate().mode();
      MERGANSER_ASSIGN_OR_RETURN(generate.name, TableName(command.generate().table(), context));
      return plan::Command(std::move(generate));
    }
    case extension_proto::DeltaCommand::kCreateDeltaTable:
      return TranslateCreate(command.create_delta_table(), context);
    case extension_proto::DeltaCommand::kAddFeatureSupport: {
      const extension_proto::AddFeatureSupport& feature = command.add_feature_support();
      return SetProperties(feature.table(),
                           {{"delta.feature." + feature.feature_name(), "supported"}}, context);
    }
    case extension_proto::DeltaCommand::kDropFeatureSupport: {
      const extension_proto::DropFeatureSupport& feature = command.drop_feature_support();
      plan::AlterTable alter;
      MERGANSER_ASSIGN_OR_RETURN(alter.name, TableName(feature.table(), context));
      alter.action = plan::AlterDropFeature{feature.feature_name(), feature.truncate_history()};
      return plan::Command(std::move(alter));
    }
    default:
      return RefuseOneof(command, "command_type");
  }
}

}  // namespace merganser::connect
