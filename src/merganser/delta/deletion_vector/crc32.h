#pragma once

#include <cstdint>
#include <string_view>

namespace merganser {

/// CRC-32 as zlib and java.util.zip compute it (reflected polynomial 0xEDB88320).
uint32_t Crc32(std::string_view bytes);

}  // namespace merganser
