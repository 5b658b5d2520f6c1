#include "merganser/spark/analysis/name_equality.h"

#include "merganser/base/letter_case.h"

namespace merganser {

bool SameName(std::string_view left, std::string_view right, bool case_sensitive) {
  return case_sensitive ? left == right : EqualsIgnoringCase(left, right);
}

const std::string* FindOption(const plan::Options& options, std::string_view key) {
  for (const auto& [name, value] : options) {
    if (SameName(name, key, false)) return &value;
  }
  return nullptr;
}

}  // namespace merganser
