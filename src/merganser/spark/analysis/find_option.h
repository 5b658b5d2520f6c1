#pragma once

#include <string>
#include <string_view>

#include "merganser/spark/plan/relation.h"

namespace merganser {

/// The value of the option `key`, in letters of any case; null where it is not given.
const std::string* FindOption(const plan::Options& options, std::string_view key);

}  // namespace merganser
