#include "merganser/commands/statistics_property.h"

#include <algorithm>
#include <set>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/schema_path.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

/// `text` cut at commas outside of backticks.
std::vector<std::string> SplitColumnList(const std::string& text) {
  std::vector<std::string> names(1);
  bool quoted = false;
  for (const char c : text) {
    if (c == '`') quoted = !quoted;
    if (c == ',' && !quoted) {
      names.emplace_back();
    } else {
      names.back().push_back(c);
    }
  }
  return names;
}

bool MayHaveBounds(const DataType& type) {
  return type.is_numeric() || type.is_string() || type.is(TypeId::kDate) ||
         type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
}

void CollectLeaves(const std::string& name, const DataType& type,
                   std::vector<std::string>& leaves) {
  if (!type.is(TypeId::kStruct)) {
    leaves.push_back(name);
    return;
  }
  for (const StructField& field : type.fields())
    CollectLeaves(name + "." + QuotedIfNeeded(field.name), field.type, leaves);
}

}  // namespace

Status CheckStatisticsProperty(const StructType& schema,
                               const std::vector<std::string>& partition_columns,
                               const StringMap& configuration) {
  const auto property = configuration.find("delta.dataSkippingStatsColumns");
  if (property == configuration.end()) return Status::Ok();
  std::vector<std::string> leaves;
  for (const std::string& text : SplitColumnList(property->second)) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr expression, ParseExpression(text));
    const auto* attribute = expression->As<plan::Attribute>();
    const auto place = attribute == nullptr
                           ? std::nullopt
                           : FindInSchema(schema, attribute->parts, /*case_sensitive=*/false);
    if (!place) {
      return Error(
          ErrorClass::DELTA_COLUMN_NOT_FOUND_IN_SCHEMA,
          {{"columnName", text}, {"tableSchema", DataType::Struct(schema).CatalogString()}});
    }
    const std::string name = QuotedIfNeeded(place->path);
    const bool is_partition =
        place->path.size() == 1 &&
        std::ranges::any_of(partition_columns, [&](const std::string& partition) {
          return EqualsIgnoringCase(partition, place->path[0]);
        });
    if (is_partition) {
      return Error(ErrorClass::DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_PARTITIONED_COLUMN,
                   {{"column", name}});
    }
    const DataType& type = place->field.type;
    if (place->path.size() == 1 && !type.is(TypeId::kStruct) && !MayHaveBounds(type)) {
      return Error(ErrorClass::DELTA_COLUMN_DATA_SKIPPING_NOT_SUPPORTED_TYPE,
                   {{"column", name}, {"type", type.SqlString()}});
    }
    CollectLeaves(name, type, leaves);
  }
  std::set<std::string> seen;
  std::string repeated;
  for (const std::string& leaf : leaves) {
    if (!seen.insert(leaf).second) repeated += (repeated.empty() ? "" : ",") + leaf;
  }
  if (repeated.empty()) return Status::Ok();
  return Error(ErrorClass::DELTA_DUPLICATE_DATA_SKIPPING_COLUMNS, {{"columns", repeated}});
}

}  // namespace merganser
