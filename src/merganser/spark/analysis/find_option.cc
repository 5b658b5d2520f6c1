#include "merganser/spark/analysis/find_option.h"

#include "merganser/base/letter_case.h"

namespace merganser {

const std::string* FindOption(const plan::Options& options, std::string_view key) {
  for (const auto& [name, value] : options) {
    if (EqualsIgnoringCase(name, key)) return &value;
  }
  return nullptr;
}

}  // namespace merganser
