#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "merganser/base/result.h"

namespace merganser::engine {

/// The content of a Zstandard frame that says how long its content is, as those do that are made in
/// one go. Fails with CONNECT_INVALID_PLAN for damaged bytes, and for content of more than
/// `most_bytes` before memory is taken for it.
Result<std::string> DecompressZstd(std::string_view frame, size_t most_bytes);

}  // namespace merganser::engine
