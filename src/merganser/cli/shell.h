#pragma once

#include <iosfwd>

#include "merganser/cli/statement_runner.h"
#include "merganser/session/session.h"

namespace merganser {

/// An interactive shell on the terminal: statements over several lines, history kept in the user's
/// home, completion of keywords, tables and columns, Ctrl-C to cancel the statement, Ctrl-D to
/// leave. Returns the exit status.
int RunShell(Session& session, const RunOptions& options, std::ostream& out, std::ostream& err);

}  // namespace merganser
