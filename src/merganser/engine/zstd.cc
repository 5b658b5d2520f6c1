#include "merganser/engine/zstd.h"

// The library has Zstandard for Parquet and exports it, and has no header of it among its own.
namespace duckdb_zstd {
// NOLINTBEGIN(readability-identifier-naming): names of the library.
size_t ZSTD_decompress(void* content, size_t capacity, const void* frame, size_t frame_size);
unsigned long long ZSTD_getFrameContentSize(const void* frame, size_t frame_size);
// NOLINTEND(readability-identifier-naming)
}  // namespace duckdb_zstd

namespace merganser::engine {

Result<std::string> DecompressZstd(std::string_view frame, size_t most_bytes) {
  // The two highest numbers stand for a size that is not told and for bytes that are no frame.
  const unsigned long long size = duckdb_zstd::ZSTD_getFrameContentSize(frame.data(), frame.size());
  if (size > most_bytes) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"errorMsg", "they are no Zstandard frame, or hold more than " +
                                   std::to_string(most_bytes) + " bytes"}},
                 "CANNOT_PARSE");
  }
  std::string content(size, '\0');
  const size_t written =
      duckdb_zstd::ZSTD_decompress(content.data(), content.size(), frame.data(), frame.size());
  // Errors are numbers beyond any size.
  if (written != content.size()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"errorMsg", "the Zstandard frame is damaged"}},
                 "CANNOT_PARSE");
  }
  return content;
}

}  // namespace merganser::engine
