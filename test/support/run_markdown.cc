#include "test/support/run_markdown.h"

#include <fstream>
#include <regex>
#include <utility>

#include "merganser/arrow/display_text.h"
#include "test/support/conformance.h"
#include "test/support/result_rows.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {
namespace {

struct Example {
  int line = 0;  ///< Of the fence, 1-based.
  std::vector<std::string> statements = {};
  std::vector<std::string> table = {};  ///< Lines of the table, its header first.
  std::string text = {};
  std::string error = {};
};

std::string Trimmed(const std::string& text) {
  const size_t first = text.find_first_not_of(" \t\n");
  if (first == std::string::npos) return {};
  return text.substr(first, text.find_last_not_of(" \t\n") - first + 1);
}

/// Reads the lines of a page.
class Page {
 public:
  explicit Page(std::istream& in) {
    for (std::string line; std::getline(in, line);) lines_.push_back(line);
  }

  std::vector<Example> Examples() {
    std::vector<Example> examples;
    for (at_ = 0; at_ < lines_.size(); ++at_) {
      if (lines_[at_] != "```sql") continue;
      Example example{.line = static_cast<int>(at_) + 1};
      example.statements = Statements();
      ReadExpectation(example);
      examples.push_back(std::move(example));
    }
    return examples;
  }

 private:
  /// The block whose opening fence is the present line; ends on its closing fence.
  std::string Block() {
    std::string text;
    for (++at_; at_ < lines_.size() && lines_[at_] != "```"; ++at_) text += lines_[at_] + "\n";
    return text;
  }

  std::vector<std::string> Statements() {
    std::vector<std::string> statements = {""};
    std::string block = Block();
    for (size_t from = 0; from < block.size();) {
      const size_t end = block.find('\n', from);
      const std::string line = block.substr(from, end - from);
      from = end + 1;
      statements.back() += line + "\n";
      if (line.ends_with(";")) {
        statements.back().resize(statements.back().size() - 2);
        statements.emplace_back();
      }
    }
    if (Trimmed(statements.back()).empty()) statements.pop_back();
    return statements;
  }

  void ReadExpectation(Example& example) {
    size_t next = at_ + 1;
    while (next < lines_.size() && lines_[next].empty()) ++next;
    if (next == lines_.size()) return;
    if (lines_[next] == "```text") {
      at_ = next;
      example.text = Block();
    } else if (lines_[next].starts_with("Error: `")) {
      example.error = lines_[next].substr(8, lines_[next].find('`', 8) - 8);
      at_ = next;
    }
    for (; next < lines_.size() && lines_[next].starts_with("|"); ++next) {
      if (!lines_[next].starts_with("|-")) example.table.push_back(lines_[next]);
      at_ = next;
    }
  }

  std::vector<std::string> lines_;
  size_t at_ = 0;
};

std::string TableLine(const std::vector<std::string>& cells) {
  std::string line = "|";
  for (const std::string& cell : cells) line += " " + cell + " |";
  return line;
}

/// Names and rows as lines of a table.
Result<std::vector<std::string>> TableOf(ResultSet& result) {
  std::vector<std::string> names;
  for (const StructField& field : result.schema()) names.push_back(field.name);
  std::vector<std::string> lines = {TableLine(names)};
  if (names.empty()) return lines;
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, result.ExportSchema());
  for (;;) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, result.Next());
    if (!batch) return lines;
    for (int64_t row = 0; row < batch->num_rows(); ++row) {
      std::vector<std::string> cells;
      for (size_t i = 0; i < names.size(); ++i) {
        MERGANSER_ASSIGN_OR_RETURN(
            const ArrowColumn column,
            ArrowColumn::Make(*schema.get().children[i], batch->column(static_cast<int64_t>(i)),
                              result.schema()[i].type));
        cells.emplace_back();
        AppendDisplayText(column, row, {}, &cells.back());
      }
      lines.push_back(TableLine(cells));
    }
  }
}

/// A text without what differs from run to run.
std::string Stable(const std::string& text) {
  static const std::regex numbers("[0-9]+ (ms|bytes)");
  return std::regex_replace(Trimmed(text), numbers, "N $1");
}

std::string Difference(const std::vector<std::string>& expected,
                       const std::vector<std::string>& got) {
  std::string text = "expected:\n";
  for (const std::string& line : expected) text += "      " + line + "\n";
  text += "    got:\n";
  for (const std::string& line : got) text += "      " + line + "\n";
  return text;
}

/// What is wrong with the last statement's outcome; empty if nothing is.
std::string CheckLast(Session& session, const Example& example) {
  auto result = session.Sql(example.statements.back());
  Result<std::vector<std::string>> lines =
      result.ok() ? TableOf(*result) : Result<std::vector<std::string>>(result.error());
  if (!lines.ok()) {
    const Error& error = lines.error();
    if (error.full_name() == example.error) return {};
    return "expected " + (example.error.empty() ? "success" : example.error) + ", got " +
           error.message();
  }
  if (!example.error.empty()) return "expected " + example.error + ", got success";
  if (!example.table.empty() && example.table != *lines) return Difference(example.table, *lines);
  if (!example.text.empty()) {
    std::string got = lines->size() < 2 ? std::string() : (*lines)[1];
    got = got.substr(2, got.size() - 4);
    if (Stable(got) != Stable(example.text)) return Difference({example.text}, {got});
  }
  return {};
}

}  // namespace

std::vector<std::string> RunMarkdown(const std::shared_ptr<engine::Database>& database,
                                     const std::string& path) {
  std::ifstream file(path);
  if (!file) return {path + ": cannot be read"};
  const ScratchFolder folder;
  const auto session = OpenSession(database, folder / "warehouse");
  std::vector<std::string> failures;
  for (const Example& example : Page(file).Examples()) {
    std::string wrong;
    for (size_t i = 0; i + 1 < example.statements.size() && wrong.empty(); ++i) {
      const auto done = RunSql(*session, example.statements[i]);
      if (!done.ok()) wrong = done.error().message();
    }
    if (wrong.empty() && !example.statements.empty()) wrong = CheckLast(*session, example);
    if (!wrong.empty())
      failures.push_back(path + ":" + std::to_string(example.line) + ": " + wrong);
  }
  return failures;
}

}  // namespace merganser::test
