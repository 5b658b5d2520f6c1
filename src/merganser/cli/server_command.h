#pragma once

namespace merganser {

/// `merganser server`: serve Spark Connect until SIGTERM or SIGINT. `argv[0]` is the program,
/// `argv[1]` the word `server`. Returns the exit status: 0, 2 for wrong usage or if it cannot
/// listen.
int RunServerCommand(int argc, char** argv);

}  // namespace merganser
