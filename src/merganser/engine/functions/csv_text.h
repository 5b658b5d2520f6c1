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
  std::string_view text;
  bool quoted = false;
};

/// Takes CSV text apart as Spark does, record after record. What it gives is valid until it is
/// asked again, and as long as the text is.
///
/// Quotes count at the front of a field only. A quote that neither ends its field nor is escaped
/// makes the field one without quotes.
class CsvTokenizer {
 public:
  /// With `multi_line`, line ends outside of quotes end the record.
  CsvTokenizer(const TextFormatOptions& options, bool multi_line)
      : options_(options), multi_line_(multi_line) {}

  /// The fields of a record; at least one.
  const std::vector<CsvField>& Split(std::string_view record);

  /// Length of the first record of `text`, without its line end: the end of the text, or a line
  /// end outside of quotes.
  size_t RecordLength(std::string_view text) const;

 private:
  bool IsEnd(std::string_view text, size_t at) const;
  bool IsSeparator(std::string_view text, size_t at) const;
  /// Place after a field that starts at `at`; sets `field` if it is not null.
  size_t Scan(std::string_view text, size_t at, CsvField* field);
  size_t ScanQuoted(std::string_view text, size_t at, CsvField* field);
  size_t ScanPlain(std::string_view text, size_t from, size_t at, CsvField* field) const;

  const TextFormatOptions& options_;
  bool multi_line_;
  std::vector<CsvField> fields_;
  std::string unescaped_;  ///< As long as the record, so that fields can point into it.
};

/// Append a field, quoted where it has to be.
void AppendCsvField(std::string_view text, const TextFormatOptions& options, std::string* out);
/// Append the field that stands for NULL.
void AppendCsvNull(const TextFormatOptions& options, std::string* out);

/// Is a field NULL under these options?
inline bool IsCsvNull(const CsvField& field, const TextFormatOptions& options) {
  if (!field.text.empty()) return field.text == options.null_value;
  return !field.quoted || options.empty_value == options.null_value;
}

/// The type that a field has, as inferSchema sees it, given the type of the fields above it: VOID,
/// INT, BIGINT, DECIMAL, DOUBLE, DATE, TIMESTAMP, BOOLEAN or STRING.
DataType InferCsvType(const DataType& so_far, std::string_view text,
                      const TextFormatOptions& options);
/// The type that holds both.
DataType MergeCsvTypes(const DataType& a, const DataType& b);

}  // namespace merganser::engine
