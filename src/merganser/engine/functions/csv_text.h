#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/json_values.h"

namespace merganser::engine {

/// A field of a CSV line, and whether it stood in quotes.
struct CsvField {
  std::string text;
  bool quoted = false;
};

/// The fields of a line.
std::vector<CsvField> SplitCsv(std::string_view line, const TextFormatOptions& options);

/// Append a field, quoted where it has to be.
void AppendCsvField(std::string_view text, const TextFormatOptions& options, std::string* out);

/// The type that schema_of_csv gives a field: INT, BIGINT, DOUBLE, DATE, TIMESTAMP, BOOLEAN or
/// STRING.
DataType InferCsvType(const CsvField& field);

}  // namespace merganser::engine
