#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace merganser {

/// The name of the one catalogue, as Spark calls it. `main` is accepted as another name for it.
inline constexpr std::string_view kSparkCatalog = "spark_catalog";
inline constexpr std::string_view kDefaultSchema = "default";

/// A table or view of the catalogue. Schema and table are lower case, as Spark's session catalogue
/// keeps them.
struct TableIdentifier {
  std::string schema;
  std::string table;

  /// {"spark_catalog", schema, table}: the qualifier of the table's columns.
  std::vector<std::string> parts() const { return {std::string(kSparkCatalog), schema, table}; }
  /// "spark_catalog.default.t", as DESCRIBE DETAIL and CREATE TABLE errors show it.
  std::string ToString() const { return std::string(kSparkCatalog) + "." + schema + "." + table; }
  /// "`spark_catalog`.`default`.`t`".
  std::string Quoted() const;

  bool operator==(const TableIdentifier& other) const = default;
};

}  // namespace merganser
