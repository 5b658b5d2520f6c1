#include "test/support/function_page.h"

#include <algorithm>
#include <cctype>
#include <set>
#include <vector>

#include <fmt/format.h>

#include "merganser/spark/functions/registry.h"

namespace merganser::test {
namespace {

bool IsWord(std::string_view name) {
  return !name.empty() && std::isalpha(static_cast<unsigned char>(name.front())) != 0;
}

/// Functions of Spark that are syntax here, or that the analyser takes apart itself.
constexpr std::string_view kForms[] = {"cast", "range", "session_window", "window"};

/// Names in code quotes, wrapped into lines.
std::string NameList(const std::vector<std::string_view>& names) {
  std::string text;
  size_t width = 0;
  for (const std::string_view name : names) {
    const std::string item = fmt::format("`{}`", name);
    if (width > 0 && width + item.size() + 2 > 98) {
      text += ",\n";
      width = 0;
    } else if (width > 0) {
      text += ", ";
      width += 2;
    }
    text += item;
    width += item.size();
  }
  return text + "\n";
}

}  // namespace

std::string FunctionPage(std::string_view spark_names) {
  struct Section {
    std::string_view title;
    FunctionKind kind;
    std::vector<std::string_view> names = {};
  };
  std::vector<Section> sections = {{"Scalar functions", FunctionKind::kScalar},
                                   {"Aggregate functions", FunctionKind::kAggregate},
                                   {"Window functions", FunctionKind::kWindow},
                                   {"Functions that make rows", FunctionKind::kGenerator}};
  std::vector<std::string_view> operators;
  std::vector<std::string_view> refused;
  std::set<std::string_view> known;
  size_t count = 0;
  for (const FunctionEntry* entry : AllEntries()) {
    known.insert(entry->name);
    if (entry->internal) continue;
    if (entry->refused) {
      refused.push_back(entry->name);
      continue;
    }
    if (!IsWord(entry->name)) {
      operators.push_back(entry->name);
      continue;
    }
    ++count;
    for (Section& section : sections) {
      if (section.kind == entry->kind) section.names.push_back(entry->name);
    }
  }
  std::vector<std::string_view> missing;
  for (size_t at = 0; at < spark_names.size();) {
    const size_t end = std::min(spark_names.find('\n', at), spark_names.size());
    const std::string_view name = spark_names.substr(at, end - at);
    const bool form = std::ranges::find(kForms, name) != std::end(kForms);
    if (IsWord(name) && !form && !known.contains(name)) missing.push_back(name);
    at = end + 1;
  }

  std::string page = fmt::format(
      "# Functions\n\n"
      "Written by `make generate` from the registry of functions; do not edit.\n\n"
      "{} built-in functions have Spark's names, signatures and results. What each does is what\n"
      "Spark's documentation says of the function of that name, in ANSI mode unless\n"
      "`spark.sql.ansi.enabled` says otherwise.\n",
      count + std::size(kForms));
  for (const Section& section : sections) {
    page += fmt::format("\n## {} ({})\n\n{}", section.title, section.names.size(),
                        NameList(section.names));
  }
  page += "\n## Forms of their own\n\n" + NameList({std::begin(kForms), std::end(kForms)});
  page += "\n## Operators\n\n" + NameList(operators);
  page += fmt::format(
      "\n## Missing ({})\n\n"
      "These functions of Spark 4.2 are unknown here; a call fails with "
      "`UNRESOLVED_ROUTINE`.\n\n{}",
      missing.size(), NameList(missing));
  page += fmt::format(
      "\n## Refused ({})\n\n"
      "A call fails with a class that names what is not supported: the TIME type\n"
      "(`UNSUPPORTED_TIME_TYPE`) or Avro (`AVRO_NOT_LOADED_SQL_FUNCTIONS_UNUSABLE`).\n\n{}",
      refused.size(), NameList(refused));
  return page;
}

}  // namespace merganser::test
