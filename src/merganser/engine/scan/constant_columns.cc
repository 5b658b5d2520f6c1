#include "merganser/engine/scan/constant_columns.h"

#include <algorithm>

#include "merganser/delta/schema/partition_value.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/engine_value.h"

namespace merganser::engine {

std::optional<duckdb::Value> ConstantOf(const ScanSource& source, const ScanFile& file,
                                        const StructField& field) {
  if (file.constants.empty()) return std::nullopt;
  const std::string name = PhysicalName(field, source.column_mapping);
  // Names compare exactly first; a table without column mapping may spell a name in another case.
  auto found = std::find_if(file.constants.begin(), file.constants.end(),
                            [&](const auto& constant) { return constant.first == name; });
  if (found == file.constants.end() && source.column_mapping == ColumnMappingMode::kNone) {
    found = std::find_if(file.constants.begin(), file.constants.end(), [&](const auto& constant) {
      return duckdb::StringUtil::CIEquals(constant.first, name);
    });
  }
  if (found == file.constants.end()) return std::nullopt;
  auto value = ParsePartitionValue(field.type, found->second);
  if (!value.ok()) ThrowError(value.error());
  return ToEngineValue(*value, field.type);
}

}  // namespace merganser::engine
