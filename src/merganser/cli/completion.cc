#include "merganser/cli/completion.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <set>

namespace merganser {
namespace {

constexpr std::array<std::string_view, 72> kKeywords = {"ALTER TABLE",
                                                        "AND",
                                                        "AS",
                                                        "BETWEEN",
                                                        "BY",
                                                        "CASE",
                                                        "CAST",
                                                        "CREATE",
                                                        "CROSS JOIN",
                                                        "DELETE FROM",
                                                        "DESC",
                                                        "DESCRIBE DETAIL",
                                                        "DESCRIBE HISTORY",
                                                        "DESCRIBE TABLE",
                                                        "DISTINCT",
                                                        "DROP TABLE",
                                                        "ELSE",
                                                        "END",
                                                        "EXCEPT",
                                                        "EXISTS",
                                                        "EXPLAIN",
                                                        "FROM",
                                                        "FULL JOIN",
                                                        "GROUP BY",
                                                        "HAVING",
                                                        "IF EXISTS",
                                                        "IF NOT EXISTS",
                                                        "IN",
                                                        "INNER JOIN",
                                                        "INSERT INTO",
                                                        "INSERT OVERWRITE",
                                                        "INTERSECT",
                                                        "IS NULL",
                                                        "JOIN",
                                                        "LATERAL VIEW",
                                                        "LEFT JOIN",
                                                        "LIKE",
                                                        "LIMIT",
                                                        "LOCATION",
                                                        "MATCHED",
                                                        "MERGE INTO",
                                                        "NOT",
                                                        "NOT MATCHED",
                                                        "NOT MATCHED BY SOURCE",
                                                        "NULL",
                                                        "ON",
                                                        "OPTIMIZE",
                                                        "OR",
                                                        "ORDER BY",
                                                        "OVER",
                                                        "PARTITIONED BY",
                                                        "QUALIFY",
                                                        "RESTORE TABLE",
                                                        "RIGHT JOIN",
                                                        "SCHEMA",
                                                        "SELECT",
                                                        "SET",
                                                        "SHOW SCHEMAS",
                                                        "SHOW TABLES",
                                                        "TABLE",
                                                        "TBLPROPERTIES",
                                                        "THEN",
                                                        "TIMESTAMP AS OF",
                                                        "UNION ALL",
                                                        "UPDATE",
                                                        "USE",
                                                        "USING",
                                                        "VACUUM",
                                                        "VALUES",
                                                        "VERSION AS OF",
                                                        "WHEN",
                                                        "WHERE"};

bool IsWordCharacter(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_';
}

std::string Upper(std::string_view text) {
  std::string upper(text);
  std::ranges::transform(upper, upper.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return upper;
}

std::string LastWord(std::string_view text) {
  size_t start = text.size();
  while (start > 0 && IsWordCharacter(text[start - 1])) --start;
  return std::string(text.substr(start));
}

std::set<std::string> WordsOf(std::string_view text) {
  std::set<std::string> words;
  std::string word;
  for (const char c : text) {
    if (IsWordCharacter(c)) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    } else {
      words.insert(word);
      word.clear();
    }
  }
  return words;
}

void AddNames(Session& session, std::string_view before, std::set<std::string>& names) {
  const TableCatalog& catalog = session.catalog();
  for (const std::string& view : catalog.temporary_views()) names.insert(view);
  const auto tables = catalog.warehouse().ListTables(catalog.current_schema());
  if (!tables.ok()) return;
  const std::set<std::string> mentioned = WordsOf(before);
  for (const std::string& table : *tables) {
    names.insert(table);
    if (!mentioned.contains(table)) continue;
    const auto entry = catalog.Find({table});
    if (!entry.ok() || !entry->has_value()) continue;
    const auto* found = std::get_if<CatalogTable>(&**entry);
    if (found == nullptr || !found->is_delta()) continue;
    const auto snapshot = catalog.snapshots().Latest(found->location);
    if (!snapshot.ok() || *snapshot == nullptr) continue;
    for (const StructField& field : (*snapshot)->schema()) names.insert(field.name);
  }
}

std::string SharedPrefix(const std::vector<std::string>& words) {
  std::string shared = words.front();
  for (const std::string& word : words) {
    size_t length = 0;
    while (length < shared.size() && length < word.size() && shared[length] == word[length])
      ++length;
    shared.resize(length);
  }
  return shared;
}

}  // namespace

Completion CompleteWord(Session& session, std::string_view before) {
  Completion completion;
  const std::string word = LastWord(before);
  if (word.empty()) return completion;
  std::set<std::string> names;
  AddNames(session, before, names);
  const std::string upper = Upper(word);
  for (const std::string& name : names) {
    if (Upper(name).starts_with(upper)) completion.candidates.push_back(name);
  }
  for (const std::string_view keyword : kKeywords) {
    if (keyword.starts_with(upper)) completion.candidates.emplace_back(keyword);
  }
  if (completion.candidates.empty()) return completion;
  std::string shared = SharedPrefix(completion.candidates);
  if (shared.size() <= word.size()) return completion;
  completion.insert = shared.substr(word.size());
  if (completion.candidates.size() == 1) completion.insert += ' ';
  return completion;
}

}  // namespace merganser
