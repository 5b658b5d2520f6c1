#include "merganser/commands/alter/alter_properties.h"

#include <array>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/commands/commit.h"
#include "merganser/commands/protocol_wish.h"
#include "merganser/commands/statistics_property.h"
#include "merganser/commands/table_definition.h"
#include "merganser/config/table_property.h"

namespace merganser {
namespace {

constexpr std::string_view kComment = "comment";

/// Properties that a statement of their own changes.
Status CheckReserved(const std::string& key) {
  if (AsciiLowerCase(key).starts_with("delta.constraints."))
    return Error(ErrorClass::DELTA_ADD_CONSTRAINTS);
  if (key == "location") return Error(ErrorClass::DELTA_CANNOT_CHANGE_LOCATION);
  if (key == "provider") return Error(ErrorClass::DELTA_CANNOT_CHANGE_PROVIDER);
  if (EqualsIgnoringCase(key, "delta.feature.clustering")) {
    return Error(ErrorClass::DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED,
                 {{"tableFeature", "clustering"}});
  }
  return Status::Ok();
}

/// Spark wraps a value that is out of its range into a class of its own.
Error AsTableChange(Error error) {
  if (error.error_class() != ErrorClass::INVALID_TABLE_PROPERTY) return error;
  const std::string text = error.message();
  return Error(ErrorClass::UNSUPPORTED_TABLE_CHANGE, {{"message", text}})
      .CausedBy(std::move(error));
}

/// Spark keeps up to four keys in the order they were written.
constexpr size_t kMostOrdered = 4;

Json ToJson(const PropertyMap& properties, const std::vector<std::string>& order) {
  Json json = Json::MakeObject();
  if (properties.size() <= kMostOrdered) {
    for (const std::string& written : order) {
      const auto found = properties.find(NormalizedPropertyKey(written));
      if (found != properties.end()) json[found->first] = found->second;
    }
  }
  for (const auto& [key, value] : properties) json[key] = value;
  return json;
}

}  // namespace

Status SetProperties(TableChange change, const plan::AlterSetProperties& action) {
  for (const auto& [key, value] : action.properties) MERGANSER_RETURN_IF_ERROR(CheckReserved(key));
  StringMap& configuration = change.metadata().configuration;
  auto checked = ValidateTableProperties(action.properties, change.context().conf,
                                         {configuration.begin(), configuration.end()});
  if (!checked.ok()) return AsTableChange(std::move(checked).error());
  Operation operation;
  operation.name = "SET TBLPROPERTIES";
  operation.Encoded("properties", ToJson(*checked, action.order).Dump());

  PropertyMap properties = std::move(checked).value();
  if (const auto comment = properties.find(kComment); comment != properties.end()) {
    change.metadata().description = comment->second;
    properties.erase(comment);
  }
  MERGANSER_ASSIGN_OR_RETURN(const ProtocolWish protocol, TakeProtocolWish(properties));
  change.features() = protocol.Features(change.snapshot().protocol());
  for (const auto& [key, value] : properties) configuration.insert_or_assign(key, value);
  MERGANSER_RETURN_IF_ERROR(CheckChangeFeedNames(change.schema(), configuration));
  MERGANSER_RETURN_IF_ERROR(
      CheckStatisticsProperty(change.schema(), change.metadata().partition_columns, configuration));
  return std::move(change).Commit(std::move(operation));
}

Status UnsetProperties(TableChange change, const plan::AlterUnsetProperties& action) {
  std::vector<std::string> keys;
  for (const std::string& key : action.keys) {
    keys.push_back(NormalizedPropertyKey(key));
    change.metadata().configuration.erase(keys.back());
    if (keys.back() == kComment) change.metadata().description.reset();
  }
  Operation operation;
  operation.name = "UNSET TBLPROPERTIES";
  // Delta records every UNSET as one that tolerates missing properties, as indeed it does.
  operation.Encoded("properties", JsonList(keys)).Boolean("ifExists", true);
  return std::move(change).Commit(std::move(operation));
}

Status SetComment(TableChange change, const std::optional<std::string>& comment) {
  change.metadata().description = comment;
  Json properties = Json::MakeObject();
  properties[kComment] = comment.value_or("");
  Operation operation;
  operation.name = "SET TBLPROPERTIES";
  operation.Encoded("properties", properties.Dump());
  return std::move(change).Commit(std::move(operation));
}

}  // namespace merganser
