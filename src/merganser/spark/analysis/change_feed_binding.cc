#include <charconv>
#include <string>

#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/table/time_travel.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/find_option.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

namespace {

Result<Version> ParseVersionOption(const std::string& text, const char* key) {
  int64_t version = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), version);
  if (error == std::errc() && end == text.data() + text.size()) return Version(version);
  return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
               {{"input", text}, {"name", key}, {"explain", "it must be the number of a version"}});
}

}  // namespace

Result<Binder::ChangeBound> Binder::ChangeBoundOf(const plan::ExpressionPtr& expression,
                                                  const char* side) {
  ExpressionScope nothing;
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound, BindExpression(expression, nothing));
  ChangeBound result;
  const DataType& type = bound->type;
  if (type.is(TypeId::kNull)) return Error(ErrorClass::DELTA_CDC_READ_NULL_RANGE_BOUNDARY);
  if (type.is(TypeId::kInteger) || type.is(TypeId::kLong)) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::Literal value, EvaluateConstant(*bound));
    if (value.is_null()) return Error(ErrorClass::DELTA_CDC_READ_NULL_RANGE_BOUNDARY);
    result.version = Version(std::get<int64_t>(value.value));
    return result;
  }
  if (!type.is_string() && !type.is(TypeId::kTimestamp)) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_EXPRESSION,
                 {{"expType", type.SqlString()},
                  {"causedBy", std::string(side) + " option"},
                  {"supportedTypes", "IntegerType,LongType,StringType,TimestampType"}});
  }
  auto instant = TimestampMillis(expression);
  if (!instant.ok()) {
    if (instant.error().error_class() != ErrorClass::INVALID_TIME_TRAVEL_TIMESTAMP_EXPR)
      return instant.error();
    return Error(ErrorClass::DELTA_TIMESTAMP_INVALID, {{"expr", PrintSql(*bound)}});
  }
  result.milliseconds = *instant;
  return result;
}

Result<std::pair<Version, Version>> Binder::ChangeRange(
    const Snapshot& latest, const ChangeBound& start, const std::optional<ChangeBound>& end) const {
  const auto format = [this](int64_t instant) { return FormatInstant(instant); };
  Version first = start.version;
  if (start.milliseconds) {
    MERGANSER_ASSIGN_OR_RETURN(const CommitTimestamp commit,
                               VersionAtTimestamp(latest, *start.milliseconds,
                                                  {.can_return_last_commit = true,
                                                   .can_return_earliest_commit = true,
                                                   .must_be_recreatable = false},
                                                  format));
    // The feed starts with the first commit that is not before the given time.
    first = commit.timestamp >= *start.milliseconds ? commit.version : commit.version.next();
    if (first > latest.version()) {
      const std::string last = FormatInstant(commit.timestamp);
      return Error(ErrorClass::DELTA_TIMESTAMP_GREATER_THAN_COMMIT,
                   {{"providedTimestamp", FormatInstant(*start.milliseconds)},
                    {"lastCommitTimestamp", last},
                    {"maximumTimestamp", last}});
    }
  }
  Version last = latest.version();
  if (end && end->milliseconds) {
    MERGANSER_ASSIGN_OR_RETURN(
        const CommitTimestamp commit,
        VersionAtTimestamp(latest, *end->milliseconds, {.must_be_recreatable = false}, format));
    last = commit.version;
  } else if (end) {
    last = end->version;
  }
  if (first > latest.version()) {
    return Error(ErrorClass::DELTA_CDC_START_VERSION_AFTER_LATEST,
                 {{"start", first.ToString()}, {"latest", latest.version().ToString()}});
  }
  // Two times between the same two commits enclose nothing.
  const bool empty = end && end->milliseconds && start.milliseconds &&
                     *start.milliseconds <= *end->milliseconds && last == first.previous();
  if (last < first && !empty) {
    return Error(ErrorClass::DELTA_INVALID_CDC_RANGE,
                 {{"start", first.ToString()}, {"end", last.ToString()}});
  }
  return std::pair(first, std::min(last, latest.version()));
}

Binding Binder::BindChanges(const Snapshot& latest, Version start, Version end,
                            const std::vector<std::string>& qualifier) const {
  BoundTableChanges changes{.table_path = latest.table().uri,
                            .start_version = start.value(),
                            .end_version = end.value(),
                            .columns = {}};
  std::vector<BoundColumn> columns;
  const auto add = [&](const std::string& name, const DataType& type, bool nullable) {
    columns.push_back({.id = NextId(), .name = name, .type = type, .nullable = nullable});
  };
  for (const StructField& field : latest.schema()) {
    changes.columns.push_back(field.name);
    add(field.name, field.type, field.nullable);
  }
  add("_change_type", DataType::String(), true);
  add("_commit_version", DataType::Long(), true);
  add("_commit_timestamp", DataType::Timestamp(), true);
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(changes), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, qualifier);
  return binding;
}

Result<Binding> Binder::BindTableChanges(const plan::TableFunction& function,
                                         const std::string& function_name,
                                         const plan::Origin& origin) {
  const std::vector<plan::ExpressionPtr>& arguments = function.arguments;
  if (arguments.size() < 2 || arguments.size() > 3) {
    return Error(ErrorClass::INCORRECT_NUMBER_OF_ARGUMENTS,
                 {{"failure", arguments.size() < 2 ? "not enough args" : "too many args"},
                  {"functionName", function_name},
                  {"minArgs", "2"},
                  {"maxArgs", "3"}});
  }
  ExpressionScope nothing;
  MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr name, BindExpression(arguments[0], nothing));
  if (!name->type.is_string()) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_EXPRESSION,
                 {{"expType", name->type.SqlString()},
                  {"causedBy", "table name"},
                  {"supportedTypes", "StringType literal"}});
  }
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal value, EvaluateConstant(*name));
  const std::string text = value.is_null() ? std::string() : std::get<std::string>(value.value);
  std::vector<std::string> parts = {"delta", text};
  CatalogTable table;
  if (function_name == "table_changes") {
    MERGANSER_ASSIGN_OR_RETURN(const plan::MultipartName parsed, ParseMultipartName(text));
    parts = parsed.parts;
    MERGANSER_ASSIGN_OR_RETURN(CatalogEntry entry, FindTable({parts, nullptr, origin}, parts));
    auto* found = std::get_if<CatalogTable>(&entry);
    if (found == nullptr || !found->is_delta()) {
      return Error(ErrorClass::DELTA_TABLE_ONLY_OPERATION,
                   {{"tableName", text}, {"operation", function_name}});
    }
    table = std::move(*found);
  } else {
    MERGANSER_ASSIGN_OR_RETURN(table.location, catalog_.file_systems().Resolve(text));
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               catalog_.snapshots().Latest(table.location));
    if (snapshot == nullptr) {
      return Error(ErrorClass::DELTA_MISSING_DELTA_TABLE, {{"tableName", QuotedIdentifier(text)}});
    }
  }
  MERGANSER_ASSIGN_OR_RETURN(const ChangeBound start, ChangeBoundOf(arguments[1], "starting"));
  std::optional<ChangeBound> end;
  if (arguments.size() == 3) {
    MERGANSER_ASSIGN_OR_RETURN(end, ChangeBoundOf(arguments[2], "ending"));
  }
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest,
                             SnapshotOf(table, {parts, nullptr, origin}, parts));
  MERGANSER_ASSIGN_OR_RETURN(const auto range, ChangeRange(*latest, start, end));
  return BindChanges(*latest, range.first, range.second,
                     table.identifier ? table.identifier->parts() : std::vector<std::string>());
}

Result<Binding> Binder::BindChangeFeed(const CatalogTable& table, const plan::Options& options,
                                       const plan::MultipartName& name,
                                       const std::vector<std::string>& parts,
                                       const std::vector<std::string>& qualifier) {
  const auto bound = [&](const char* version_key,
                         const char* timestamp_key) -> Result<std::optional<ChangeBound>> {
    const std::string* version = FindOption(options, version_key);
    const std::string* timestamp = FindOption(options, timestamp_key);
    if (version != nullptr && timestamp != nullptr) {
      return Error(ErrorClass::DELTA_MULTIPLE_CDC_BOUNDARY,
                   {{"startingOrEnding",
                     std::string(version_key).substr(0, std::string_view(version_key).find('V'))}});
    }
    ChangeBound result;
    if (version != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(result.version, ParseVersionOption(*version, version_key));
      return std::optional(result);
    }
    if (timestamp == nullptr) return std::optional<ChangeBound>();
    MERGANSER_ASSIGN_OR_RETURN(
        result, ChangeBoundOf(plan::MakeExpression(plan::Literal{DataType::String(), *timestamp}),
                              timestamp_key));
    return std::optional(result);
  };
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<ChangeBound> start,
                             bound("startingVersion", "startingTimestamp"));
  MERGANSER_ASSIGN_OR_RETURN(const std::optional<ChangeBound> end,
                             bound("endingVersion", "endingTimestamp"));
  if (!start) return Error(ErrorClass::DELTA_NO_START_FOR_CDC_READ);
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, SnapshotOf(table, name, parts));
  MERGANSER_ASSIGN_OR_RETURN(const auto range, ChangeRange(*latest, *start, end));
  return BindChanges(*latest, range.first, range.second, qualifier);
}

}  // namespace merganser
