// merganser_sqltest [--variation FILE.json]... TEST...
//
// Runs SQL-file tests and the examples of Markdown pages, plain and under each variation given;
// prints what failed, then the count.
#include <fstream>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "test/support/run_markdown.h"
#include "test/support/sql_test.h"

int main(int argc, char** argv) {
  using namespace merganser::test;
  std::vector<std::string> tests;
  std::vector<SqlTestVariation> variations = {SqlTestVariation()};
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word != "--variation") {
      tests.push_back(word);
      continue;
    }
    std::ifstream file(i + 1 < argc ? argv[++i] : "");
    const std::string text((std::istreambuf_iterator<char>(file)),
                           std::istreambuf_iterator<char>());
    auto variation = ReadVariation(text);
    if (!variation.ok()) {
      std::cerr << variation.error().message() << "\n";
      return 2;
    }
    variations.push_back(*std::move(variation));
  }
  const auto database = merganser::engine::Database::Open();
  if (!database.ok()) {
    std::cerr << database.error().message() << "\n";
    return 2;
  }
  int passed = 0;
  int failed = 0;
  int skipped = 0;
  for (const SqlTestVariation& variation : variations) {
    for (const std::string& test : tests) {
      if (variation.skips.contains(test)) {
        ++skipped;
        continue;
      }
      const bool is_page = test.ends_with(".md");
      // Pages show what a plain session does.
      if (is_page && variation.name != variations[0].name) continue;
      const auto failures =
          is_page ? RunMarkdown(*database, test) : RunSqlTest(*database, test, variation);
      for (const std::string& failure : failures)
        std::cout << "[" << variation.name << "] " << failure << "\n";
      ++(failures.empty() ? passed : failed);
    }
  }
  if (skipped > 0) std::cout << skipped << " skipped\n";
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}
