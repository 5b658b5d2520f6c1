#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// A random (version 4) UUID as 36 lower-case characters, from the operating system's generator.
/// Safe to call from any thread and after fork().
std::string RandomUuid();

/// Whether `text` is a UUID in the 8-4-4-4-12 form, in either case.
bool IsUuid(std::string_view text);

}  // namespace merganser
