#include "merganser/commands/alter/table_change.h"

#include <utility>

#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/dependent_expressions.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser {

TableChange::TableChange(StatementContext& context, Analyzer& analyzer, const TargetTable& target,
                         Transaction transaction)
    : context_(&context),
      analyzer_(&analyzer),
      target_(&target),
      transaction_(std::move(transaction)) {
  change_.metadata = target.snapshot->metadata();
  change_.schema = target.snapshot->schema();
}

Result<TableChange> TableChange::Start(StatementContext& context, Analyzer& analyzer,
                                       const TargetTable& target) {
  MERGANSER_ASSIGN_OR_RETURN(Transaction transaction,
                             Transaction::Start(target.snapshot, context.transaction_options()));
  return TableChange(context, analyzer, target, std::move(transaction));
}

Error InvalidFieldName(std::span<const std::string> path, size_t parent) {
  const std::vector<std::string> whole(path.begin(), path.end());
  const std::vector<std::string> above(whole.begin(), whole.begin() + static_cast<int64_t>(parent));
  return Error(ErrorClass::INVALID_FIELD_NAME,
               {{"fieldName", QuotedIdentifier(whole)}, {"path", QuotedIdentifier(above)}});
}

Result<SchemaPlace> TableChange::Find(const std::vector<std::string>& path,
                                      const plan::Origin& origin) const {
  auto place = FindInSchema(change_.schema, path, case_sensitive());
  if (place) return *std::move(place);
  for (size_t length = 1; length < path.size(); ++length) {
    const auto above =
        FindInSchema(change_.schema, std::span(path).first(length), case_sensitive());
    if (above && !above->field.type.is_nested()) return InvalidFieldName(path, length);
  }
  Scope scope;
  for (const StructField& field : change_.schema)
    scope.Add({.column = {0, field.name, field.type, true, {}}});
  return analyzer_->UnresolvedColumn(path, scope, origin);
}

Status TableChange::Commit(Operation operation) && {
  auto target = ChangeMetadata(*target_->snapshot, std::move(change_), transaction_);
  if (!target.ok()) return std::move(target).error();
  auto committed = CommitStatement(*context_, std::move(transaction_), std::move(operation));
  return committed.ok() ? Status::Ok() : Status(std::move(committed).error());
}

std::string AttributeName(const std::vector<std::string>& path) {
  std::string name;
  for (const std::string& part : path) {
    if (!name.empty()) name += '.';
    name += part.find('.') == part.npos ? part : "`" + part + "`";
  }
  return name;
}

Json FieldForHistory(const std::vector<std::string>& parent, const StructField& field) {
  std::vector<std::string> path = parent;
  path.push_back(field.name);
  Json json = Json::MakeObject();
  json["name"] = AttributeName(path);
  Json type;
  if (auto parsed = Json::Parse(ToTypeJson(field.type)); parsed.ok()) type = *std::move(parsed);
  // Of nested types only the kind is told.
  json["type"] = type.is_object() ? Json(type.string_or("type")) : std::move(type);
  json["nullable"] = field.nullable;
  Json metadata = Json::MakeObject();
  for (const auto& [key, value] : field.metadata) {
    if (auto parsed = Json::Parse(value); parsed.ok()) metadata[key] = *std::move(parsed);
  }
  json["metadata"] = std::move(metadata);
  return json;
}

Status CheckNothingDependsOn(const TableChange& change, const std::vector<std::string>& path) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string constraints,
                             ConstraintsUsing(change.snapshot(), path));
  if (!constraints.empty()) {
    return Error(ErrorClass::DELTA_CONSTRAINT_DEPENDENT_COLUMN_CHANGE,
                 {{"columnName", QuotedIfNeeded(path)}, {"constraints", constraints}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const std::string generated,
                             GeneratedColumnsUsing(change.snapshot(), path));
  if (!generated.empty()) {
    return Error(ErrorClass::DELTA_GENERATED_COLUMNS_DEPENDENT_COLUMN_CHANGE,
                 {{"columnName", QuotedIfNeeded(path)}, {"generatedColumns", generated}});
  }
  return Status::Ok();
}

}  // namespace merganser
