#pragma once

namespace merganser {

/// The `merganser` command: parses the arguments and runs statements given with -e and -f, from
/// standard input, or in the shell. Returns the exit status: 0, 1 if a statement failed, 2 for
/// wrong usage.
int RunProgram(int argc, char** argv);

}  // namespace merganser
