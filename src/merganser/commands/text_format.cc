#include "merganser/commands/text_format.h"

#include <algorithm>
#include <array>
#include <charconv>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/engine/sql_text.h"
#include "merganser/engine/text_files/text_encoding.h"
#include "merganser/spark/analysis/find_option.h"

namespace merganser {
namespace {

std::string Option(const plan::Options& options, std::string_view key,
                   std::string_view otherwise = {}) {
  const std::string* value = FindOption(options, key);
  return value == nullptr ? std::string(otherwise) : *value;
}

/// The option of the name that Spark looks at first.
std::string EncodingOf(const plan::Options& options) {
  return Option(options, "encoding", Option(options, "charset", "UTF-8"));
}

Error InvalidOption(const std::string& format, std::string option, std::string value,
                    std::string reason) {
  return Error(ErrorClass::INVALID_FILE_OPTION, {{"format", format},
                                                 {"option", std::move(option)},
                                                 {"value", std::move(value)},
                                                 {"reason", std::move(reason)}});
}

/// Characters of UTF-8.
size_t CountCharacters(std::string_view text) {
  return static_cast<size_t>(
      std::ranges::count_if(text, [](char c) { return (static_cast<uint8_t>(c) & 0xC0) != 0x80; }));
}

Status CheckCsvOptions(const plan::Options& options) {
  for (const char* name : {"quote", "escape", "comment", "charToEscapeQuoteEscaping"}) {
    const std::string value = Option(options, name);
    if (CountCharacters(value) > 1) {
      return Error(ErrorClass::OPTION_VALUE_EXCEEDS_ONE_CHARACTER,
                   {{"paramName", name}, {"actualValue", value}});
    }
  }
  for (const char* name : {"sep", "delimiter"}) {
    const std::string* value = FindOption(options, name);
    if (value != nullptr && value->empty())
      return InvalidOption("csv", name, "", "fields need something between them.");
  }
  for (const char* name : {"header", "inferSchema", "multiLine", "enforceSchema", "quoteAll",
                           "escapeQuotes", "ignoreLeadingWhiteSpace", "ignoreTrailingWhiteSpace"}) {
    const std::string* value = FindOption(options, name);
    if (value == nullptr) continue;
    const std::string lower = AsciiLowerCase(*value);
    if (lower != "true" && lower != "false")
      return InvalidOption("csv", name, *value, "it is true or false.");
  }
  const std::string* separator = FindOption(options, "lineSep");
  if (separator != nullptr && CountCharacters(*separator) > 2)
    return InvalidOption("csv", "lineSep", *separator, "it is one or two characters.");
  return Status::Ok();
}

Status CheckSamplingRatio(const std::string& format, const plan::Options& options) {
  const std::string* ratio = FindOption(options, "samplingRatio");
  if (ratio == nullptr) return Status::Ok();
  double number = 0;
  const auto [end, code] = std::from_chars(ratio->data(), ratio->data() + ratio->size(), number);
  if (code == std::errc() && end == ratio->data() + ratio->size() && number > 0)
    return Status::Ok();
  return InvalidOption(format, "samplingRatio", *ratio, "it is greater than 0.");
}

bool CanHold(const std::string& format, const DataType& type) {
  if (format == "text") return type.is_string();
  if (format != "csv") return true;
  switch (type.id()) {
    case TypeId::kArray:
    case TypeId::kMap:
    case TypeId::kStruct:
    case TypeId::kNull:
    case TypeId::kVariant:
      return false;
    default:
      return true;
  }
}

bool IsGzip(const plan::Options& options) {
  return AsciiLowerCase(Option(options, "compression", Option(options, "codec"))) == "gzip";
}

}  // namespace

bool IsFileFormat(std::string_view format) { return format == "parquet" || IsTextFormat(format); }

bool IsTextFormat(std::string_view format) {
  return format == "csv" || format == "json" || format == "text";
}

bool IsOptionOn(const plan::Options& options, std::string_view key) {
  return EqualsIgnoringCase(Option(options, key, "false"), "true");
}

std::string OptionsJson(const plan::Options& options) {
  Json json = Json::MakeObject();
  for (const auto& [key, value] : options) json.Set(key, value);
  return json.Dump();
}

Status CheckTextOptions(const std::string& format, const plan::Options& options, bool writes) {
  if (!IsTextFormat(format)) return Status::Ok();
  const std::string* separator = FindOption(options, "lineSep");
  if (separator != nullptr && separator->empty())
    return InvalidOption(format, "lineSep", "", "lines need something between them.");
  if (writes) {
    const std::string codec =
        AsciiLowerCase(Option(options, "compression", Option(options, "codec", "none")));
    if (codec != "none" && codec != "uncompressed" && codec != "gzip")
      return InvalidOption(format, "compression", codec, "the codecs are none and gzip.");
  }
  if (format == "text") return Status::Ok();
  const std::string charset = EncodingOf(options);
  const auto encoding = engine::FindTextEncoding(charset);
  if (!encoding) {
    const char* reader = writes ? "JSONOptions" : "JSONOptionsInRead";
    return Error(
        ErrorClass::INVALID_PARAMETER_VALUE,
        {{"functionName", format == "csv" ? "`CSVOptions`" : "`" + std::string(reader) + "`"},
         {"parameter", "`charset`"},
         {"charset", charset},
         {"charsets", "iso-8859-1, us-ascii, utf-16, utf-16be, utf-16le, utf-32, utf-8"}},
        "CHARSET");
  }
  if (format == "csv") MERGANSER_RETURN_IF_ERROR(CheckCsvOptions(options));
  const bool lines = format == "json" && !writes && !IsOptionOn(options, "multiLine");
  if (lines && *encoding != engine::TextEncoding::kUtf8 && separator == nullptr) {
    return InvalidOption(format, "encoding", charset,
                         "the lineSep option must be specified for it.");
  }
  return writes ? Status::Ok() : CheckSamplingRatio(format, options);
}

Status CheckColumnTypes(const std::string& format, const StructType& columns,
                        const std::vector<std::string>& folder_columns) {
  static constexpr std::array<std::pair<std::string_view, std::string_view>, 4> kTitles = {
      {{"csv", "CSV"}, {"json", "JSON"}, {"parquet", "Parquet"}, {"text", "Text"}}};
  size_t own = 0;
  for (const StructField& column : columns) {
    const bool folder = std::ranges::any_of(folder_columns, [&](const std::string& name) {
      return EqualsIgnoringCase(name, column.name);
    });
    if (folder) continue;
    ++own;
    if (CanHold(format, column.type)) continue;
    const auto* title =
        std::ranges::find(kTitles, format, &std::pair<std::string_view, std::string_view>::first);
    return Error(ErrorClass::UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE,
                 {{"format", std::string(title->second)},
                  {"columnName", QuotedIdentifier(column.name)},
                  {"columnType", "\"" + column.type.SqlString() + "\""}});
  }
  if (format == "text" && own > 1)
    return InvalidOption(format, "schema", std::to_string(own) + " columns", "a line is one.");
  return Status::Ok();
}

std::string CorruptColumn(const plan::Options& options) {
  return Option(options, "columnNameOfCorruptRecord", "_corrupt_record");
}

engine::TextRecordsSpec RecordsOf(const std::string& format, const std::vector<DataFile>& files,
                                  const plan::Options& options) {
  engine::TextRecordsSpec spec;
  for (const StructField& column : InferPartitionColumns(files))
    spec.folder_columns.push_back(column.name);
  for (const DataFile& file : files) {
    engine::TextRecordsSpec::File each{file.path, static_cast<uint64_t>(file.size), {}};
    for (const std::string& column : spec.folder_columns) {
      const auto value =
          std::ranges::find(file.partition_values, column,
                            &std::pair<std::string, std::optional<std::string>>::first);
      each.values.push_back(value == file.partition_values.end() ? std::nullopt : value->second);
    }
    spec.files.push_back(std::move(each));
  }
  const bool multi_line = IsOptionOn(options, "multiLine");
  spec.whole = format == "text" ? IsOptionOn(options, "wholetext") : format == "json" && multi_line;
  spec.csv = format == "csv" && multi_line;
  spec.line_separator = Option(options, "lineSep");
  if (spec.csv && spec.line_separator == "\n") spec.line_separator.clear();
  if (format != "text") {
    spec.encoding = EncodingOf(options);
    spec.skip_blank = true;
  }
  if (format == "csv") {
    spec.skip_header = IsOptionOn(options, "header");
    spec.comment = Option(options, "comment");
    spec.options = OptionsJson(options);
  }
  return spec;
}

std::string RecordsSql(const engine::TextRecordsSpec& spec) {
  return "mg_text_records(" + engine::QuoteString(spec.ToJson()) + ")";
}

std::string LineWriterSpec(const std::string& format, const plan::Options& options,
                           const std::string& header) {
  Json spec = Json::MakeObject();
  spec.Set("header", header);
  spec.Set("lineSeparator", Option(options, "lineSep", "\n"));
  if (format != "text") spec.Set("encoding", EncodingOf(options));
  spec.Set("gzip", IsGzip(options));
  return spec.Dump();
}

std::string TextFileSuffix(const std::string& format, const plan::Options& options) {
  return (format == "text" ? ".txt" : "." + format) + (IsGzip(options) ? ".gz" : "");
}

}  // namespace merganser
