#pragma once

#include <string>
#include <string_view>

namespace merganser {

/// MD5 of the bytes (RFC 1321) as 32 lower-case hexadecimal digits. For checksums only.
std::string Md5Hex(std::string_view bytes);

}  // namespace merganser
