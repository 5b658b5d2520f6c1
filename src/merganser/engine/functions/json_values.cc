#include "merganser/engine/functions/json_values.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>

#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/base/letter_case.h"
#include "merganser/engine/functions/cell_text.h"
#include "merganser/engine/functions/civil_time.h"
#include "merganser/engine/functions/datetime_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/encodings.h"
#include "merganser/engine/functions/interval_text.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/variant_values.h"

namespace merganser::engine {
namespace {

template <typename T>
JsonFit WriteWhole(const JsonNode& value, duckdb::Vector& out, duckdb::idx_t row) {
  if (value.kind != JsonKind::kNumber || !IsWholeNumber(value.text)) return JsonFit::kBad;
  const auto number = ParseInteger<T>(value.text, false);
  if (!number) return JsonFit::kBad;
  WriteCell<T>(out, row, *number);
  return JsonFit::kGood;
}

template <typename T>
JsonFit WriteFloating(const JsonNode& value, duckdb::Vector& out, duckdb::idx_t row) {
  const bool special = value.kind == JsonKind::kString &&
                       (value.text == "NaN" || value.text == "+INF" || value.text == "-INF" ||
                        value.text == "Infinity" || value.text == "+Infinity" ||
                        value.text == "-Infinity" || value.text == "INF");
  if (value.kind != JsonKind::kNumber && !special) return JsonFit::kBad;
  const auto number = ParseFloating<T>(value.text);
  if (!number) return JsonFit::kBad;
  WriteCell<T>(out, row, *number);
  return JsonFit::kGood;
}

/// A micros value of a timestamp column.
JsonFit WriteTimestamp(const DataType& type, const JsonNode& value,
                       const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  std::optional<int64_t> micros;
  const bool instant = type.is(TypeId::kTimestamp);
  if (value.kind == JsonKind::kString) {
    const auto& pattern = instant ? options.timestamp_parser : options.timestamp_ntz_parser;
    if (pattern != nullptr) {
      micros =
          instant ? pattern->Parse(value.text, *options.zone) : pattern->ParseLocal(value.text);
    } else {
      micros = instant ? engine::ParseTimestamp(value.text, *options.zone, 0)
                       : ParseTimestampNtz(value.text);
    }
  } else if (instant && value.kind == JsonKind::kNumber && IsWholeNumber(value.text)) {
    const auto seconds = ParseInteger<int64_t>(value.text, false);
    int64_t product = 0;
    if (seconds && !__builtin_mul_overflow(*seconds, kMicrosPerSecond, &product)) micros = product;
  }
  if (!micros) return JsonFit::kBad;
  WriteCell<int64_t>(out, row, *micros);
  return JsonFit::kGood;
}

JsonFit WriteScalar(const DataType& type, const JsonTape& tape, uint32_t node,
                    const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  const JsonNode& value = tape[node];
  switch (type.id()) {
    case TypeId::kBoolean:
      if (value.kind != JsonKind::kTrue && value.kind != JsonKind::kFalse) return JsonFit::kBad;
      WriteCell<bool>(out, row, value.kind == JsonKind::kTrue);
      return JsonFit::kGood;
    case TypeId::kByte: {
      // Jackson takes bytes without a sign, too.
      constexpr int16_t kMaxByte = 255;
      if (value.kind != JsonKind::kNumber || !IsWholeNumber(value.text)) return JsonFit::kBad;
      const auto number = ParseInteger<int16_t>(value.text, false);
      if (!number || *number < std::numeric_limits<int8_t>::min() || *number > kMaxByte)
        return JsonFit::kBad;
      WriteCell<int8_t>(out, row, static_cast<int8_t>(*number));
      return JsonFit::kGood;
    }
    case TypeId::kShort:
      return WriteWhole<int16_t>(value, out, row);
    case TypeId::kInteger:
      return WriteWhole<int32_t>(value, out, row);
    case TypeId::kLong:
      return WriteWhole<int64_t>(value, out, row);
    case TypeId::kFloat:
      return WriteFloating<float>(value, out, row);
    case TypeId::kDouble:
      return WriteFloating<double>(value, out, row);
    case TypeId::kDecimal: {
      if (value.kind != JsonKind::kNumber && value.kind != JsonKind::kString) return JsonFit::kBad;
      const auto number = ParseBigDecimal(value.text);
      const auto unscaled =
          number ? ToDecimal(*number, type.precision(), type.scale()) : std::nullopt;
      if (!unscaled) return JsonFit::kBad;
      WriteCell<DecimalCell>(out, row, {*unscaled});
      return JsonFit::kGood;
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar: {
      if (value.kind == JsonKind::kString) {
        WriteCell<std::string_view>(out, row, value.text);
        return JsonFit::kGood;
      }
      std::string text;
      AppendJson(tape, node, &text);
      WriteCell<std::string_view>(out, row, text);
      return JsonFit::kGood;
    }
    case TypeId::kBinary: {
      const auto bytes = value.kind == JsonKind::kString ? ParseBase64(value.text) : std::nullopt;
      if (!bytes) return JsonFit::kBad;
      WriteCell<std::string_view>(out, row, *bytes);
      return JsonFit::kGood;
    }
    case TypeId::kDate: {
      if (value.kind != JsonKind::kString) return JsonFit::kBad;
      std::optional<int32_t> days;
      if (options.date_parser != nullptr) {
        const auto local = options.date_parser->ParseLocal(value.text);
        if (local) days = static_cast<int32_t>(FloorDivide(*local, kMicrosPerDay));
      } else {
        days = engine::ParseDate(value.text);
      }
      if (!days) return JsonFit::kBad;
      WriteCell<int32_t>(out, row, *days);
      return JsonFit::kGood;
    }
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
      return WriteTimestamp(type, value, options, out, row);
    case TypeId::kYearMonthInterval: {
      if (value.kind != JsonKind::kString) return JsonFit::kBad;
      const auto months = ParseYearMonthInterval(value.text, type);
      if (!months.ok()) return JsonFit::kBad;
      WriteCell<int32_t>(out, row, *months);
      return JsonFit::kGood;
    }
    case TypeId::kDayTimeInterval: {
      if (value.kind != JsonKind::kString) return JsonFit::kBad;
      const auto micros = ParseDayTimeInterval(value.text, type);
      if (!micros.ok()) return JsonFit::kBad;
      WriteCell<int64_t>(out, row, *micros);
      return JsonFit::kGood;
    }
    case TypeId::kCalendarInterval: {
      const auto interval =
          value.kind == JsonKind::kString ? ParseCalendarInterval(value.text) : std::nullopt;
      if (!interval) return JsonFit::kBad;
      WriteCell<duckdb::interval_t>(out, row, {interval->months, interval->days, interval->micros});
      return JsonFit::kGood;
    }
    case TypeId::kVariant: {
      const auto variant = NormalizeVariant(tape, node);
      if (!variant) return JsonFit::kBad;
      WriteCell<std::string_view>(out, row, *variant);
      return JsonFit::kGood;
    }
    default:
      return JsonFit::kBad;
  }
}

JsonFit WriteArray(const DataType& type, const JsonTape& tape, uint32_t node,
                   const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  const JsonNode& value = tape[node];
  // from_json takes one object for an array of one.
  const bool wrap =
      value.kind == JsonKind::kObject && node == 0 && type.element().is(TypeId::kStruct);
  if (value.kind != JsonKind::kArray && !wrap) return JsonFit::kBad;
  const duckdb::idx_t count = wrap ? 1 : value.count;
  const duckdb::idx_t begin = GrowList(out, count);
  JsonFit fit = JsonFit::kGood;
  uint32_t at = wrap ? node : node + 1;
  for (duckdb::idx_t i = 0; i < count; ++i, at = tape[at].next) {
    const JsonFit element = WriteJsonValue(type.element(), tape, at, options,
                                           duckdb::ListVector::GetEntry(out), begin + i);
    fit = std::max(fit, element);
  }
  duckdb::FlatVector::GetData<duckdb::list_entry_t>(out)[row] = {begin, count};
  return fit;
}

JsonFit WriteMap(const DataType& type, const JsonTape& tape, uint32_t node,
                 const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  const JsonNode& value = tape[node];
  if (value.kind != JsonKind::kObject) return JsonFit::kBad;
  const duckdb::idx_t begin = GrowList(out, value.count);
  JsonFit fit = JsonFit::kGood;
  uint32_t at = node + 1;
  for (duckdb::idx_t i = 0; i < value.count; ++i, at = tape[at].next) {
    auto& parts = duckdb::StructVector::GetEntries(duckdb::ListVector::GetEntry(out));
    WriteCell<std::string_view>(*parts[0], begin + i, tape[at].text);
    ++at;
    fit = std::max(fit, WriteJsonValue(type.value(), tape, at, options, *parts[1], begin + i));
  }
  duckdb::FlatVector::GetData<duckdb::list_entry_t>(out)[row] = {begin, value.count};
  return fit;
}

JsonFit WriteStruct(const DataType& type, const JsonTape& tape, uint32_t node,
                    const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  if (tape[node].kind != JsonKind::kObject) return JsonFit::kBad;
  auto& fields = duckdb::StructVector::GetEntries(out);
  JsonFit fit = JsonFit::kGood;
  for (size_t i = 0; i < type.fields().size(); ++i) {
    const auto& field = type.fields()[i];
    const auto member = node == 0 && field.name == options.corrupt_column
                            ? std::nullopt
                            : tape.Member(node, field.name);
    if (!member) {
      WriteNull(*fields[i], row);
    } else if (WriteJsonValue(field.type, tape, *member, options, *fields[i], row) !=
               JsonFit::kGood) {
      fit = JsonFit::kPartial;
    }
  }
  return fit;
}

void AppendMapKey(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                  duckdb::idx_t row, std::string* out) {
  const auto at = column.unified.sel->get_index(row);
  switch (type.id()) {
    case TypeId::kDate:
    case TypeId::kYearMonthInterval:
      AppendInteger(Cell<int32_t>::Read(column.unified, at), out);
      return;
    case TypeId::kTimestamp:
    case TypeId::kTimestampNtz:
    case TypeId::kDayTimeInterval:
      AppendInteger(Cell<int64_t>::Read(column.unified, at), out);
      return;
    case TypeId::kStruct:
      *out += '[';
      for (size_t i = 0; i < type.fields().size(); ++i) {
        if (i > 0) *out += ',';
        AppendMapKey(type.fields()[i].type, column.children[i], row, out);
      }
      *out += ']';
      return;
    default:
      AppendCellText(type, column, row, TextStyle{TimeZone::Find("UTC"), true}, out);
  }
}

std::shared_ptr<const DatetimePattern> DefaultPattern(const char* text) {
  auto compiled = DatetimePattern::Compile(text, DatetimePattern::Use::kFormat);
  return compiled.ok() ? *compiled : nullptr;
}

std::string UnbrokenBase64(std::string_view bytes) {
  std::string text = Base64Text(bytes);
  text.erase(
      std::remove_if(text.begin(), text.end(), [](char c) { return c == '\r' || c == '\n'; }),
      text.end());
  return text;
}

/// A separator of fields with the escapes that Spark knows in it (`\t`, `\n`, ...).
std::string Unescaped(const std::string& separator) {
  std::string plain;
  for (size_t i = 0; i < separator.size(); ++i) {
    const char c = separator[i];
    const char next = i + 1 < separator.size() ? separator[i + 1] : '\0';
    constexpr std::string_view kNames = "trbfn\\\"'";
    constexpr std::string_view kMeant = "\t\r\b\f\n\\\"'";
    const size_t known = c == '\\' && next != '\0' ? kNames.find(next) : kNames.npos;
    if (known == kNames.npos) {
      plain += c;
    } else {
      plain += kMeant[known];
      ++i;
    }
  }
  return plain;
}

bool IsBareJson(const DataType& type) { return type.is_numeric() || type.is(TypeId::kBoolean); }

}  // namespace

Result<TextFormatOptions> TextFormatOptions::Parse(std::string_view json,
                                                   std::shared_ptr<const TimeZone> zone) {
  TextFormatOptions options;
  options.zone = std::move(zone);
  if (json.empty()) return options;
  MERGANSER_ASSIGN_OR_RETURN(const Json parsed, Json::Parse(json));
  std::map<std::string, std::string> given;
  if (parsed.is_object()) {
    for (const auto& [name, value] : parsed.members()) {
      std::string key = name;
      for (char& c : key) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      given[key] = value.is_string() ? value.as_string() : value.Dump();
    }
  }
  const auto text = [&](const char* name, const std::string& otherwise) {
    return given.contains(name) ? given[name] : otherwise;
  };
  const auto flag = [&](const char* name, bool otherwise) {
    return given.contains(name) ? ParseBoolean(given[name]).value_or(otherwise) : otherwise;
  };
  const std::string mode = AsciiLowerCase(text("mode", "PERMISSIVE"));
  options.fail_fast = mode == "failfast";
  options.drop_malformed = mode == "dropmalformed";
  options.prefers_decimal = flag("prefersdecimal", false);
  options.infer_timestamp = flag("infertimestamp", false);
  options.drop_null_fields = flag("dropfieldifallnull", false);
  options.ignore_null_fields = flag("ignorenullfields", true);
  options.sort_keys = flag("sortkeys", false);
  options.primitives_as_string = flag("primitivesasstring", false);
  options.corrupt_column = text("columnnameofcorruptrecord", "_corrupt_record");
  options.leniency.single_quotes = flag("allowsinglequotes", true);
  options.leniency.non_numeric_numbers = flag("allownonnumericnumbers", true);
  options.leniency.unquoted_names = flag("allowunquotedfieldnames", false);
  options.leniency.leading_zeros = flag("allownumericleadingzeros", false);
  options.leniency.comments = flag("allowcomments", false);
  options.leniency.control_characters = flag("allowunquotedcontrolchars", false);
  options.leniency.backslash_any = flag("allowbackslashescapinganycharacter", false);
  options.separator = Unescaped(text("sep", text("delimiter", ",")));
  if (options.separator.empty()) options.separator = ",";
  options.quote = text("quote", "\"").empty() ? '\0' : text("quote", "\"")[0];
  options.escape = text("escape", "\\").empty() ? '\0' : text("escape", "\\")[0];
  options.null_value = text("nullvalue", "");
  options.nan_value = text("nanvalue", "NaN");
  options.positive_infinity = text("positiveinf", "Inf");
  options.negative_infinity = text("negativeinf", "-Inf");
  options.multi_line = flag("multiline", false);
  options.quote_all = flag("quoteall", false);
  options.escape_quotes = flag("escapequotes", true);
  if (given.contains("ignoreleadingwhitespace"))
    options.given_trim_leading = ParseBoolean(given["ignoreleadingwhitespace"]);
  if (given.contains("ignoretrailingwhitespace"))
    options.given_trim_trailing = ParseBoolean(given["ignoretrailingwhitespace"]);
  if (given.contains("emptyvalue")) options.given_empty_value = given["emptyvalue"];
  options.trim_leading = options.given_trim_leading.value_or(false);
  options.trim_trailing = options.given_trim_trailing.value_or(false);
  options.empty_value = options.given_empty_value.value_or("");
  if (given.contains("timezone")) {
    if (auto own = TimeZone::Find(given["timezone"])) options.zone = std::move(own);
  }
  const auto patterns = [&](const char* name, std::shared_ptr<const DatetimePattern>* parser,
                            std::shared_ptr<const DatetimePattern>* writer) -> Status {
    if (!given.contains(name)) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(*parser,
                               DatetimePattern::Compile(given[name], DatetimePattern::Use::kParse));
    MERGANSER_ASSIGN_OR_RETURN(
        *writer, DatetimePattern::Compile(given[name], DatetimePattern::Use::kFormat));
    return Status::Ok();
  };
  MERGANSER_RETURN_IF_ERROR(patterns("dateformat", &options.date_parser, &options.date_writer));
  MERGANSER_RETURN_IF_ERROR(
      patterns("timestampformat", &options.timestamp_parser, &options.timestamp_writer));
  MERGANSER_RETURN_IF_ERROR(
      patterns("timestampntzformat", &options.timestamp_ntz_parser, &options.timestamp_ntz_writer));
  return options;
}

void TextFormatOptions::SetWriterDefaults() {
  trim_leading = given_trim_leading.value_or(true);
  trim_trailing = given_trim_trailing.value_or(true);
  empty_value = given_empty_value.value_or("\"\"");
}

TextFormatOptions ReadTextFormatOptions(ScalarCall& call, size_t index,
                                        std::shared_ptr<const TimeZone> zone,
                                        const CallSite& site) {
  auto options = TextFormatOptions::Parse(call.Text(index), std::move(zone));
  if (!options.ok()) site.Throw(options.error());
  return *std::move(options);
}

void ThrowMalformedRecord(const CallSite& site, std::string_view record) {
  site.Throw(Error(ErrorClass::MALFORMED_RECORD_IN_PARSING,
                   {{"badRecord", std::string(record)}, {"failFastMode", "FAILFAST"}},
                   "WITHOUT_SUGGESTION"));
}

void WriteNull(duckdb::Vector& out, duckdb::idx_t row) {
  if (out.GetType().InternalType() == duckdb::PhysicalType::LIST) {
    duckdb::FlatVector::GetData<duckdb::list_entry_t>(out)[row] = {
        duckdb::ListVector::GetListSize(out), 0};
  }
  if (out.GetType().InternalType() == duckdb::PhysicalType::STRUCT) {
    for (auto& field : duckdb::StructVector::GetEntries(out)) WriteNull(*field, row);
  }
  duckdb::FlatVector::Validity(out).SetInvalid(row);
}

JsonFit WriteJsonValue(const DataType& type, const JsonTape& tape, uint32_t node,
                       const TextFormatOptions& options, duckdb::Vector& out, duckdb::idx_t row) {
  if (tape[node].kind == JsonKind::kNull && !type.is(TypeId::kVariant)) {
    WriteNull(out, row);
    return JsonFit::kGood;
  }
  JsonFit fit = JsonFit::kBad;
  switch (type.id()) {
    case TypeId::kArray:
      fit = WriteArray(type, tape, node, options, out, row);
      break;
    case TypeId::kMap:
      fit = WriteMap(type, tape, node, options, out, row);
      break;
    case TypeId::kStruct:
      fit = WriteStruct(type, tape, node, options, out, row);
      break;
    default:
      fit = WriteScalar(type, tape, node, options, out, row);
  }
  if (fit == JsonFit::kBad) WriteNull(out, row);
  return fit;
}

bool AppendScalarText(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                      duckdb::idx_t row, const TextFormatOptions& options, std::string* out) {
  static const auto instant_pattern = DefaultPattern("yyyy-MM-dd'T'HH:mm:ss.SSSXXX");
  static const auto clock_pattern = DefaultPattern("yyyy-MM-dd'T'HH:mm:ss.SSS");
  const auto at = column.unified.sel->get_index(row);
  switch (type.id()) {
    case TypeId::kArray:
    case TypeId::kMap:
    case TypeId::kStruct:
      return false;
    case TypeId::kTimestamp: {
      const auto& pattern =
          options.timestamp_writer != nullptr ? options.timestamp_writer : instant_pattern;
      pattern->Format(Cell<int64_t>::Read(column.unified, at), *options.zone, out);
      return true;
    }
    case TypeId::kTimestampNtz: {
      const auto& pattern =
          options.timestamp_ntz_writer != nullptr ? options.timestamp_ntz_writer : clock_pattern;
      pattern->Format(Cell<int64_t>::Read(column.unified, at), TimeZone::Utc(), out);
      return true;
    }
    case TypeId::kDate:
      if (options.date_writer != nullptr) {
        options.date_writer->Format(Cell<int32_t>::Read(column.unified, at) * kMicrosPerDay,
                                    TimeZone::Utc(), out);
        return true;
      }
      break;
    case TypeId::kBinary:
      *out += UnbrokenBase64(Cell<std::string_view>::Read(column.unified, at));
      return true;
    default:
      break;
  }
  constexpr bool kPlainDecimals = false;
  AppendCellText(type, column, row, TextStyle{options.zone, kPlainDecimals}, out);
  return true;
}

void AppendCellJson(const DataType& type, const duckdb::RecursiveUnifiedVectorFormat& column,
                    duckdb::idx_t row, const TextFormatOptions& options, std::string* out) {
  const auto at = column.unified.sel->get_index(row);
  if (!column.unified.validity.RowIsValid(at)) {
    *out += "null";
    return;
  }
  switch (type.id()) {
    case TypeId::kArray: {
      const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
      *out += '[';
      for (duckdb::idx_t i = 0; i < list.length; ++i) {
        if (i > 0) *out += ',';
        AppendCellJson(type.element(), column.children[0], list.offset + i, options, out);
      }
      *out += ']';
      return;
    }
    case TypeId::kMap: {
      const auto list = Cell<duckdb::list_entry_t>::Read(column.unified, at);
      const auto& pairs = column.children[0];
      std::vector<std::pair<std::string, duckdb::idx_t>> entries;
      for (duckdb::idx_t i = list.offset; i < list.offset + list.length; ++i) {
        entries.emplace_back("", i);
        AppendMapKey(type.key(), pairs.children[0], i, &entries.back().first);
      }
      if (options.sort_keys) std::stable_sort(entries.begin(), entries.end());
      *out += '{';
      for (const auto& [key, place] : entries) {
        if (&key != &entries.front().first) *out += ',';
        AppendJsonString(key, out);
        *out += ':';
        AppendCellJson(type.value(), pairs.children[1], place, options, out);
      }
      *out += '}';
      return;
    }
    case TypeId::kStruct: {
      std::vector<size_t> order(type.fields().size());
      std::iota(order.begin(), order.end(), size_t{0});
      if (options.sort_keys) {
        std::stable_sort(order.begin(), order.end(), [&](size_t a, size_t b) {
          return type.fields()[a].name < type.fields()[b].name;
        });
      }
      *out += '{';
      bool first = true;
      for (const size_t i : order) {
        const auto& cells = column.children[i].unified;
        if (options.ignore_null_fields && !cells.validity.RowIsValid(cells.sel->get_index(row)))
          continue;
        if (!first) *out += ',';
        first = false;
        AppendJsonString(type.fields()[i].name, out);
        *out += ':';
        AppendCellJson(type.fields()[i].type, column.children[i], row, options, out);
      }
      *out += '}';
      return;
    }
    case TypeId::kVariant: {
      JsonTape tape;
      if (tape.Parse(Cell<std::string_view>::Read(column.unified, at))) {
        AppendJson(tape, 0, out);
      } else {
        *out += "null";
      }
      return;
    }
    default:
      break;
  }
  std::string text;
  AppendScalarText(type, column, row, options, &text);
  const bool finite = text != "NaN" && text != "Infinity" && text != "-Infinity";
  if (IsBareJson(type) && finite) {
    *out += text;
  } else {
    AppendJsonString(text, out);
  }
}

}  // namespace merganser::engine
