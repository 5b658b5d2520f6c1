#include "merganser/spark/catalog/data_source_name.h"

#include <array>
#include <utility>

#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

// In the small letters of `DataSourceName`. Only the formats that are older than their packages go
// by the packages' names.
constexpr std::array<std::pair<std::string_view, std::string_view>, 15> kClasses = {{
    {"com.databricks.spark.csv", "csv"},
    {"org.apache.spark.sql.delta.sources.deltadatasource", "delta"},
    {"org.apache.spark.sql.execution.datasources.csv.csvfileformat", "csv"},
    {"org.apache.spark.sql.execution.datasources.json", "json"},
    {"org.apache.spark.sql.execution.datasources.json.jsonfileformat", "json"},
    {"org.apache.spark.sql.execution.datasources.noop.noopdatasource", "noop"},
    {"org.apache.spark.sql.execution.datasources.parquet", "parquet"},
    {"org.apache.spark.sql.execution.datasources.parquet.parquetfileformat", "parquet"},
    {"org.apache.spark.sql.execution.datasources.text.textfileformat", "text"},
    {"org.apache.spark.sql.execution.datasources.v2.csv.csvdatasourcev2", "csv"},
    {"org.apache.spark.sql.execution.datasources.v2.json.jsondatasourcev2", "json"},
    {"org.apache.spark.sql.execution.datasources.v2.parquet.parquetdatasourcev2", "parquet"},
    {"org.apache.spark.sql.execution.datasources.v2.text.textdatasourcev2", "text"},
    {"org.apache.spark.sql.json", "json"},
    {"org.apache.spark.sql.parquet", "parquet"},
}};

constexpr std::string_view kDefaultSource = ".defaultsource";

}  // namespace

std::string DataSourceName(std::string_view name) {
  std::string lower = AsciiLowerCase(name);
  std::string_view known = lower;
  if (known.ends_with(kDefaultSource)) known.remove_suffix(kDefaultSource.size());
  for (const auto& [class_name, format] : kClasses) {
    if (known == class_name) return std::string(format);
  }
  return lower;
}

}  // namespace merganser
