#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/session/session.h"

namespace merganser {

/// What the Tab key offers.
struct Completion {
  std::string insert;                   ///< To insert at the cursor: what all candidates share.
  std::vector<std::string> candidates;  ///< Whole words.
};

/// Complete the last word of `before` (the line up to the cursor): keywords, schemas, tables and
/// views of the session, and the columns of tables that the line names.
Completion CompleteWord(Session& session, std::string_view before);

}  // namespace merganser
