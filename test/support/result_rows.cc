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

/// One spelling for values that count as equal: doubles at the precision of their type, map entries
/// sorted.
std::string Canonical(const Json& value, std::string_view type) {
  if (value.is_null()) return "null";
  if (value.is_number()) {
    const bool is_float = type == "float";
    const bool is_floating = is_float || type == "double" || !value.is_int() ||
                             type.find("double") != type.npos || type.find("float") != type.npos;
    if (!is_floating) return value.number_text();
    char text[64];
    double number = value.as_double();
    if (number == 0) number = 0;
    std::snprintf(text, sizeof text, is_float ? "%.6g" : "%.14e", number);
    return text;
  }
  if (value.is_array()) {
    std::vector<std::string> items;
    for (const Json& item : value.items()) {
      items.push_back(Canonical(
          item, type.starts_with("array<") || type.starts_with("map<") ? type.substr(4) : type));
    }
    if (type.starts_with("map<")) std::ranges::sort(items);
    std::string joined = "[";
    for (const std::string& item : items) joined += item + ",";
    return joined + "]";
  }
  if (value.is_object()) {
    std::string joined = "{";
    for (const auto& [key, member] : value.members())
      joined += key + ":" + Canonical(member, type) + ",";
    return joined + "}";
  }
  return value.is_string() ? CanonicalText(value, type) : value.Dump();
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
