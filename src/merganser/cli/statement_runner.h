#pragma once

#include <iosfwd>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/cli/output_format.h"
#include "merganser/session/session.h"

namespace merganser {

/// How statements are run from the command line.
struct RunOptions {
  OutputOptions output;
  bool keep_going = false;  ///< A failed statement does not end the script.
  bool timing = false;      ///< Print how long each statement took.
  bool progress = false;    ///< Draw a bar on the error stream for work longer than two seconds.
};

/// Run the statements of a script in order and print their results; errors go to `err`. True if all
/// succeeded.
bool RunScript(Session& session, std::string_view script, const RunOptions& options,
               std::ostream& out, std::ostream& err);

/// Run one statement. True if it succeeded.
bool RunOne(Session& session, const std::string& statement, const RunOptions& options,
            std::ostream& out, std::ostream& err);

/// An error as the command line shows it: message with class, SQLSTATE, and the lines of the text
/// with marks below the place, where that is known.
std::string DescribeError(const Error& error);

}  // namespace merganser
