// merganser_conformance cases|expressions|scripts FILE... [--out FILE] [--only ID]
// [--expected-failures FILE] [--variation FILE.json] [--door builder]
// merganser_conformance golden FOLDER [--out FILE] [--only TABLE] [--instead FILE]
//
// Runs every line of the files and prints the lines that differ, then the count. Lines named in the
// file of expected failures (`id reason`) may differ; one of them that agrees fails the run.
//
// --variation and --door are about cases: other settings of the session (test/configs), the C++
// builder instead of SQL. Cases to which they do not apply are counted apart.
//
// Golden tables: every line of FOLDER/expected/*.jsonl is a table in FOLDER, and each prints one
// line. Lines of the file after --instead replace the ones of the same table.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iostream>
#include <iterator>
#include <map>
#include <string>
#include <vector>

#include "merganser/engine/database.h"
#include "test/support/conformance.h"
#include "test/support/golden_tables.h"

namespace merganser::test {
namespace {

using Runner =
    std::function<LineOutcome(const std::shared_ptr<engine::Database>&, const Json& line)>;

struct Arguments {
  Runner runner;
  bool golden = false;
  std::vector<std::string> files;
  std::string out;
  std::string only;
  std::string expected_failures;
  std::string instead;
  CaseOptions case_options;
};

/// The files of expected answers in a folder of golden tables, and a runner of their lines.
void UseGoldenFolder(const std::string& folder, Arguments& arguments) {
  std::error_code error;
  for (const auto& entry : std::filesystem::directory_iterator(folder + "/expected", error)) {
    if (entry.path().extension() == ".jsonl") arguments.files.push_back(entry.path().string());
  }
  std::ranges::sort(arguments.files);
  arguments.runner = [tables = std::make_shared<GoldenTables>(folder)](
                         const std::shared_ptr<engine::Database>& database, const Json& line) {
    return RunGolden(database, *tables, line);
  };
}

std::string ReadFile(const std::string& path) {
  std::ifstream file(path);
  return {std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
}

bool Parse(int argc, char** argv, Arguments& arguments) {
  if (argc < 3) return false;
  const std::string kind = argv[1];
  if (kind == "cases") {
    arguments.runner = [&arguments](const auto& database, const Json& line) {
      return RunCase(database, line, arguments.case_options);
    };
  }
  if (kind == "expressions") arguments.runner = RunExpression;
  if (kind == "scripts") arguments.runner = RunScript;
  arguments.golden = kind == "golden";
  for (int i = 2; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--out" && i + 1 < argc) {
      arguments.out = argv[++i];
    } else if (word == "--only" && i + 1 < argc) {
      arguments.only = argv[++i];
    } else if (word == "--expected-failures" && i + 1 < argc) {
      arguments.expected_failures = argv[++i];
    } else if (word == "--variation" && i + 1 < argc) {
      auto variation = ReadVariation(ReadFile(argv[++i]));
      if (!variation.ok()) return false;
      arguments.case_options.variation = *std::move(variation);
    } else if (word == "--door" && i + 1 < argc) {
      arguments.case_options.through_builder = std::string(argv[++i]) == "builder";
    } else if (word == "--instead" && i + 1 < argc) {
      arguments.instead = argv[++i];
    } else if (arguments.golden && !arguments.runner) {
      UseGoldenFolder(word, arguments);
    } else {
      arguments.files.push_back(word);
    }
  }
  return arguments.runner && !arguments.files.empty();
}

std::map<std::string, std::string> ReadExpectedFailures(const std::string& path) {
  std::map<std::string, std::string> failures;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (line.empty() || line[0] == '#') continue;
    const size_t space = line.find(' ');
    failures[line.substr(0, space)] = space == std::string::npos ? "" : line.substr(space + 1);
  }
  return failures;
}

/// Lines by their table.
std::map<std::string, Json> ReadReplacements(const std::string& path) {
  std::map<std::string, Json> lines;
  std::ifstream file(path);
  for (std::string text; std::getline(file, text);) {
    auto line = Json::Parse(text);
    if (!line.ok()) continue;
    std::string table = line->string_or("table");
    lines.emplace(std::move(table), *std::move(line));
  }
  return lines;
}

int Run(const Arguments& arguments) {
  const auto database = engine::Database::Open();
  if (!database.ok()) {
    std::cerr << database.error().message() << "\n";
    return 2;
  }
  const auto replacements = ReadReplacements(arguments.instead);
  const auto expected = ReadExpectedFailures(arguments.expected_failures);
  std::ofstream out;
  if (!arguments.out.empty()) out.open(arguments.out);
  int passed = 0;
  int failed = 0;
  int unsupported = 0;
  int known = 0;
  int skipped = 0;
  for (const std::string& path : arguments.files) {
    std::ifstream file(path);
    if (!file) {
      std::cerr << "cannot read " << path << "\n";
      return 2;
    }
    for (std::string text; std::getline(file, text);) {
      if (text.empty()) continue;
      auto line = Json::Parse(text);
      if (!line.ok()) {
        std::cerr << path << ": " << line.error().message() << "\n";
        return 2;
      }
      const std::string id = line->string_or(arguments.golden ? "table" : "id");
      if (!arguments.only.empty() && id != arguments.only) continue;
      if (const auto other = replacements.find(id); other != replacements.end())
        line = other->second;
      const LineOutcome outcome = arguments.runner(*database, *line);
      if (out.is_open()) out << outcome.ToJson().Dump() << "\n" << std::flush;
      if (arguments.golden) std::cout << outcome.ToJson().Dump() << "\n" << std::flush;
      if (outcome.skipped) {
        ++skipped;
        continue;
      }
      const bool listed = expected.contains(outcome.id);
      if (outcome.unsupported) {
        ++unsupported;
      } else if (outcome.ok && !listed) {
        ++passed;
      } else if (!outcome.ok && listed) {
        ++known;
      } else {
        ++failed;
        if (arguments.golden) continue;
        std::cout << "FAILED " << outcome.id
                  << (listed ? ": agrees, but is listed as an expected failure" : "") << "\n";
        for (const std::string& difference : outcome.differences)
          std::cout << "    " << difference << "\n";
      }
    }
  }
  if (skipped > 0) std::cout << skipped << " skipped\n";
  if (unsupported > 0) std::cout << unsupported << " unsupported\n";
  if (known > 0) std::cout << known << " expected failures\n";
  std::cout << passed << " passed, " << failed << " failed\n";
  return failed == 0 ? 0 : 1;
}

}  // namespace
}  // namespace merganser::test

int main(int argc, char** argv) {
  merganser::test::Arguments arguments;
  if (!merganser::test::Parse(argc, argv, arguments)) {
    std::cerr << "usage: merganser_conformance cases|expressions|scripts FILE... [--out FILE] "
                 "[--only ID] "
                 "[--expected-failures FILE] [--variation FILE.json] [--door builder]\n"
                 "       merganser_conformance golden FOLDER [--out FILE] [--only TABLE] "
                 "[--instead FILE]\n";
    return 2;
  }
  return merganser::test::Run(arguments);
}
