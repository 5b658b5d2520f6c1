#pragma once

#include <cstdint>
#include <string_view>

namespace merganser::connect {

/// The CRC-32 of zlib and java.util.zip, by which clients check what they upload.
uint32_t Crc32(std::string_view bytes);

}  // namespace merganser::connect
