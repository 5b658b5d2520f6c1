#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace merganser::engine {

/// The words of each sentence of a text. A sentence ends after "!" and "?", and after "." with
/// white space unless a small letter or a digit follows. Words begin with a letter or digit; marks
/// within them belong to them ("can't", "3.5").
std::vector<std::vector<std::string>> SplitSentences(std::string_view text);

}  // namespace merganser::engine
