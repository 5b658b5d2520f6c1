#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include <duckdb.hpp>

#include "merganser/delta/schema/data_type.h"
#include "merganser/engine/functions/datetime_pattern.h"
#include "merganser/engine/functions/json_tape.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// Options of from_json, to_json, from_csv and to_csv, by Spark's names.
struct TextFormatOptions {
  std::shared_ptr<const TimeZone> zone;
  JsonLeniency leniency;
  bool fail_fast = false;          ///< mode = FAILFAST
  bool drop_malformed = false;     ///< mode = DROPMALFORMED
  bool ignore_null_fields = true;  ///< ignoreNullFields
  bool sort_keys = false;          ///< sortKeys: fields and keys in the order of their names.
  bool primitives_as_string = false;
  std::string corrupt_column = "_corrupt_record";
  std::string separator = ",";
  char quote = '"';
  char escape = '\\';
  std::string null_value;
  std::string empty_value;  ///< Of a quoted empty field.
  std::string nan_value = "NaN";
  std::string positive_infinity = "Inf";
  std::string negative_infinity = "-Inf";
  bool trim_leading = false;
  bool trim_trailing = false;
  bool multi_line = false;
  bool quote_all = false;
  bool escape_quotes = true;
  // What inference of a schema does.
  bool prefers_date = true;
  bool prefers_decimal = false;
  bool infer_timestamp = false;
  bool drop_null_fields = false;  ///< dropFieldIfAllNull
  int64_t now_micros = 0;         ///< The day of times without one.
  // Null where the option is not given.
  std::shared_ptr<const DatetimePattern> date_parser, date_writer;
  std::shared_ptr<const DatetimePattern> timestamp_parser, timestamp_writer;
  std::shared_ptr<const DatetimePattern> timestamp_ntz_parser, timestamp_ntz_writer;

  /// Read a JSON object of option names and values; an empty text is no options. Fails with
  /// MALFORMED_JSON and the classes of DatetimePattern::Compile.
  static Result<TextFormatOptions> Parse(std::string_view json,
                                         std::shared_ptr<const TimeZone> zone);

  /// Options of CSV that are not given mean other things to a writer: blanks around values are cut
  /// off, and an empty text is a pair of quotes.
  void SetWriterDefaults();

  std::optional<bool> given_trim_leading, given_trim_trailing;
  std::optional<std::string> given_empty_value;
};

/// The options in argument `index` of a call; fails at `site`.
TextFormatOptions ReadTextFormatOptions(ScalarCall& call, size_t index,
                                        std::shared_ptr<const TimeZone> zone, const CallSite& site);

/// Fail with MALFORMED_RECORD_IN_PARSING.
[[noreturn]] void ThrowMalformedRecord(const CallSite& site, std::string_view record);

/// How well a value fitted its type.
enum class JsonFit : uint8_t {
  kGood,
  kPartial,  ///< A field of a struct was NULL for not fitting.
  kBad,      ///< The value itself is NULL for not fitting.
};

/// Set row `row` of `out`, whose type carries `type`, to a value of the document. Lists grow
/// `out`'s children, so rows have to be written in order.
JsonFit WriteJsonValue(const DataType& type, const JsonTape& tape, uint32_t node,
                       const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row);

/// Set row `row` of a vector of any type to NULL, with an empty range if it is a list.
void WriteNull(duckdb::Vector& out, duckdb::idx_t row);

/// Append a cell as to_json writes it.
void AppendCellJson(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                    duckdb::idx_t row, const TextFormatOptions& options, std::string* out);

/// Append a scalar cell's text as JSON and CSV show it, without quotes; false for nested types.
bool AppendScalarText(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                      duckdb::idx_t row, const TextFormatOptions& options, std::string* out);

}  // namespace merganser::engine
