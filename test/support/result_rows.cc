#include "test/support/result_rows.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

#include "merganser/arrow/json_value.h"

namespace merganser::test {
namespace {

/// Microseconds of a day-time interval in the spelling of Python's repr:
/// `datetime.timedelta(days=1, seconds=2, microseconds=3)`.
std::string MicrosecondsOf(const std::string& timedelta) {
  int64_t micros = 0;
  const auto add = [&](std::string_view name, int64_t unit) {
    const size_t at = timedelta.find(std::string(name) + "=");
    if (at != timedelta.npos)
      micros += std::strtoll(timedelta.c_str() + at + name.size() + 1, nullptr, 10) * unit;
  };
  add("days", 86'400'000'000);
  add("(seconds", 1'000'000);
  add(" seconds", 1'000'000);
  add("microseconds", 1);
  return std::to_string(micros);
}

/// Texts that mean the same in one spelling: intervals, and years before 1000 without their zeros.
std::string CanonicalText(const Json& value, std::string_view type) {
  const std::string& text = value.as_string();
  if (type.find("interval") != type.npos && text.starts_with("datetime.timedelta("))
    return MicrosecondsOf(text);
  if (type.find("timestamp") != type.npos && text.starts_with('0'))
    return Json(text.substr(std::min(text.find_first_not_of('0'), text.size() - 1))).Dump();
  return value.Dump();
}

/// `type` of a field that is written `name:type`.
std::string_view WithoutName(std::string_view field) {
  const size_t end_of_name = field.starts_with('`') ? field.find("`:") + 1 : field.find(':');
  return field.substr(end_of_name + 1);
}

/// The types that a nested type's text is made of: of `array<int>` "int"; of `map<int,string>`
/// both; of a struct those of its fields, in order.
std::vector<std::string_view> ChildTypes(std::string_view type) {
  std::vector<std::string_view> children;
  const size_t open = type.find('<');
  if (open == type.npos || !type.ends_with('>')) return children;
  int depth = 0;
  bool quoted = false;
  size_t begin = open + 1;
  for (size_t at = begin; at < type.size(); ++at) {
    const char c = type[at];
    if (c == '`') quoted = !quoted;
    if (quoted) continue;
    if (depth == 0 && (c == ',' || c == '>')) {
      const std::string_view child = type.substr(begin, at - begin);
      children.push_back(type.starts_with("struct<") ? WithoutName(child) : child);
      begin = at + 1;
    }
    depth += c == '<' || c == '(' ? 1 : c == '>' || c == ')' ? -1 : 0;
  }
  return children;
}

std::string CanonicalNumber(const Json& value, std::string_view type) {
  const bool is_floating = type == "float" || type == "double" || !value.is_int();
  if (!is_floating) return value.number_text();
  char text[64];
  double number = value.as_double();
  if (number == 0) number = 0;
  std::snprintf(text, sizeof text, type == "float" ? "%.6g" : "%.14e", number);
  return text;
}

/// One spelling for values that count as equal: doubles at the precision of their type, map entries
/// sorted.
std::string Canonical(const Json& value, std::string_view type) {
  if (value.is_null()) return "null";
  if (value.is_number()) return CanonicalNumber(value, type);
  if (!value.is_array() && !value.is_object())
    return value.is_string() ? CanonicalText(value, type) : value.Dump();
  const std::vector<std::string_view> children = ChildTypes(type);
  const auto child = [&](size_t at) { return at < children.size() ? children[at] : ""; };
  std::string joined;
  if (value.is_object()) {
    size_t at = 0;
    for (const auto& [key, member] : value.members())
      joined += key + ":" + Canonical(member, child(at++)) + ",";
    return "{" + joined + "}";
  }
  const bool is_map = type.starts_with("map<");
  std::vector<std::string> items;
  for (const Json& item : value.items()) {
    const bool is_entry = is_map && item.is_array() && item.size() == 2;
    items.push_back(is_entry ? "[" + Canonical(item.items()[0], child(0)) + "," +
                                   Canonical(item.items()[1], child(1)) + ",]"
                             : Canonical(item, child(0)));
  }
  if (is_map) std::ranges::sort(items);
  for (const std::string& item : items) joined += item + ",";
  return "[" + joined + "]";
}

std::string CanonicalRow(const Json& row, const std::vector<std::string>& types) {
  std::string line;
  size_t column = 0;
  for (const Json& value : row.items()) {
    line += Canonical(value, column < types.size() ? types[column] : "") + " | ";
    ++column;
  }
  return line;
}

}  // namespace

Result<ResultRows> Fetch(ResultSet result) {
  ResultRows fetched;
  for (const StructField& field : result.schema()) {
    fetched.columns.push_back(field.name);
    fetched.types.push_back(field.type.CatalogString());
  }
  if (result.schema().empty()) return fetched;
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, result.ExportSchema());
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, result.Next());
    if (!batch) return fetched;
    std::vector<ArrowColumn> columns;
    for (int64_t i = 0; i < batch->num_columns(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(ArrowColumn column,
                                 ArrowColumn::Make(*schema.get().children[i], batch->column(i),
                                                   result.schema()[static_cast<size_t>(i)].type));
      columns.push_back(std::move(column));
    }
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      std::string line = "[";
      for (size_t i = 0; i < columns.size(); ++i) {
        if (i > 0) line += ",";
        AppendJsonValue(columns[i], row, &line);
      }
      MERGANSER_ASSIGN_OR_RETURN(Json json, Json::Parse(line + "]"));
      fetched.rows.push_back(std::move(json));
    }
  }
}

Result<ResultRows> RunSql(Session& session, std::string_view sql) {
  MERGANSER_ASSIGN_OR_RETURN(ResultSet result, session.Sql(sql));
  return Fetch(std::move(result));
}

std::vector<std::string> CompareRows(const std::vector<Json>& expected, const ResultRows& actual,
                                     bool ordered) {
  std::vector<std::string> wanted;
  std::vector<std::string> got;
  for (const Json& row : expected) wanted.push_back(CanonicalRow(row, actual.types));
  for (const Json& row : actual.rows) got.push_back(CanonicalRow(row, actual.types));
  if (!ordered) {
    std::ranges::sort(wanted);
    std::ranges::sort(got);
  }
  std::vector<std::string> differences;
  if (wanted.size() != got.size()) {
    differences.push_back("rows: expected " + std::to_string(wanted.size()) + ", got " +
                          std::to_string(got.size()));
  }
  for (size_t i = 0; i < std::min(wanted.size(), got.size()) && differences.size() < 3; ++i) {
    if (wanted[i] != got[i]) differences.push_back("row: expected " + wanted[i] + " got " + got[i]);
  }
  return differences;
}

Json RowsAsJson(const std::vector<Json>& rows) {
  Json array = Json::MakeArray();
  for (const Json& row : rows) array.Append(row);
  return array;
}

}  // namespace merganser::test
