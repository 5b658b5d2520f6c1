#include <sstream>

#include "merganser/base/json.h"
#include "test/support/sql_test.h"

namespace merganser::test {
namespace {

std::vector<std::string> Words(const std::string& line) {
  std::istringstream stream(line);
  std::vector<std::string> words;
  for (std::string word; stream >> word;) words.push_back(word);
  return words;
}

bool IsHeader(const std::string& word) {
  return word == "statement" || word == "query" || word == "log" || word == "files" ||
         word == "session" || word == "restart" || word == "failpoint";
}

}  // namespace

Result<std::vector<SqlTestStep>> ParseSqlTest(const std::string& text) {
  std::vector<SqlTestStep> steps;
  std::istringstream stream(text);
  SqlTestStep* current = nullptr;
  bool in_expected = false;
  int number = 0;
  for (std::string line; std::getline(stream, line);) {
    ++number;
    if (current == nullptr && (line.empty() || line[0] == '#')) continue;
    if (line.empty()) {
      current = nullptr;
      continue;
    }
    if (current == nullptr) {
      SqlTestStep step;
      step.line = number;
      step.header = Words(line);
      if (!IsHeader(step.header[0])) {
        return Error::Internal("line " + std::to_string(number) + ": unknown step " +
                               step.header[0]);
      }
      in_expected = step.header[0] == "log" || step.header[0] == "files";
      steps.push_back(std::move(step));
      current = &steps.back();
    } else if (in_expected) {
      current->expected.push_back(line);
    } else if (line == "----") {
      in_expected = true;
    } else {
      current->text += (current->text.empty() ? "" : "\n") + line;
    }
  }
  return steps;
}

Result<SqlTestVariation> ReadVariation(const std::string& json_text) {
  MERGANSER_ASSIGN_OR_RETURN(const Json json, Json::Parse(json_text));
  SqlTestVariation variation;
  variation.name = json.string_or("name");
  for (const char* key : {"conf", "skips"}) {
    const Json* member = json.find(key);
    if (member == nullptr || !member->is_object()) continue;
    auto& into = std::string_view(key) == "conf" ? variation.conf : variation.skips;
    for (const auto& [name, value] : member->members()) into[name] = value.as_string();
  }
  if (const Json* metrics = json.find("ignored_metrics")) {
    for (const Json& metric : metrics->items())
      variation.ignored_metrics.push_back(metric.as_string());
  }
  return variation;
}

}  // namespace merganser::test
