#include "merganser/cli/shell.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <ostream>
#include <string>

#include <histedit.h>

#include "merganser/cli/completion.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

Session* interrupted_session = nullptr;
bool continued = false;

void Cancel(int) {
  // Only sets a flag inside the engine, which its threads poll.
  if (interrupted_session != nullptr) interrupted_session->Interrupt();
}

char* Prompt(EditLine*) {
  static char first[] = "merganser> ";
  static char more[] = "        -> ";
  return continued ? more : first;
}

std::string HistoryPath() {
  const char* home = std::getenv("HOME");
  return home == nullptr ? std::string() : std::string(home) + "/.merganser_history";
}

unsigned char Complete(EditLine* editor, int) {
  void* data = nullptr;
  el_get(editor, EL_CLIENTDATA, &data);
  const LineInfo* line = el_line(editor);
  const std::string before(line->buffer, line->cursor);
  const Completion completion = CompleteWord(*static_cast<Session*>(data), before);
  if (completion.insert.empty()) return CC_REFRESH_BEEP;
  return el_insertstr(editor, completion.insert.c_str()) == -1 ? CC_ERROR : CC_REFRESH;
}

/// Terminal editing with history, released in order.
class Terminal {
 public:
  explicit Terminal(Session& session)
      : history_(history_init()), editor_(el_init("merganser", stdin, stdout, stderr)) {
    HistEvent event;
    history(history_, &event, H_SETSIZE, 10000);
    history(history_, &event, H_SETUNIQUE, 1);
    if (const std::string path = HistoryPath(); !path.empty())
      history(history_, &event, H_LOAD, path.c_str());
    el_set(editor_, EL_PROMPT, Prompt);
    el_set(editor_, EL_EDITOR, "emacs");
    el_set(editor_, EL_HIST, history, history_);
    el_set(editor_, EL_CLIENTDATA, &session);
    el_set(editor_, EL_ADDFN, "complete", "Complete the word", Complete);
    el_set(editor_, EL_BIND, "^I", "complete", nullptr);
    el_set(editor_, EL_SIGNAL, 0);
  }
  ~Terminal() {
    el_end(editor_);
    history_end(history_);
  }
  Terminal(const Terminal&) = delete;
  Terminal& operator=(const Terminal&) = delete;

  /// The next line with its line break; null at the end of input.
  const char* Read() {
    int count = 0;
    return el_gets(editor_, &count);
  }
  void Remember(const std::string& statement) {
    HistEvent event;
    history(history_, &event, H_ENTER, statement.c_str());
    if (const std::string path = HistoryPath(); !path.empty())
      history(history_, &event, H_SAVE, path.c_str());
  }

 private:
  History* history_;
  EditLine* editor_;
};

}  // namespace

int RunShell(Session& session, const RunOptions& options, std::ostream& out, std::ostream& err) {
  interrupted_session = &session;
  struct sigaction action = {};
  action.sa_handler = Cancel;
  sigaction(SIGINT, &action, nullptr);

  Terminal terminal(session);
  out << "Merganser. Statements end with a semicolon; quit; or Ctrl-D leaves.\n";
  std::string statement;
  for (;;) {
    continued = !statement.empty();
    const char* line = terminal.Read();
    if (line == nullptr) break;
    const std::string text = line;
    if (statement.empty() &&
        (text == "quit;\n" || text == "exit;\n" || text == "quit\n" || text == "exit\n"))
      break;
    if (statement.empty() && text == "\n") continue;
    statement += text;
    if (!IsComplete(statement)) continue;
    terminal.Remember(statement);
    RunScript(session, statement, options, out, err);
    statement.clear();
  }
  out << "\n";
  interrupted_session = nullptr;
  return 0;
}

}  // namespace merganser
