#include "merganser/engine/zstd.h"

#include <gtest/gtest.h>

namespace duckdb_zstd {
// NOLINTNEXTLINE(readability-identifier-naming): a name of the library.
size_t ZSTD_compress(void* frame, size_t capacity, const void* content, size_t size, int level);
}  // namespace duckdb_zstd

namespace merganser::engine {
namespace {

std::string Compressed(const std::string& content) {
  std::string frame(content.size() + 100, '\0');
  frame.resize(
      duckdb_zstd::ZSTD_compress(frame.data(), frame.size(), content.data(), content.size(), 3));
  return frame;
}

TEST(ZstdTest, ContentComesBack) {
  for (const std::string& content : {std::string(), std::string("abc"), std::string(100000, 'x')}) {
    const auto back = DecompressZstd(Compressed(content), 100000);
    ASSERT_TRUE(back.ok());
    EXPECT_EQ(*back, content);
  }
}

TEST(ZstdTest, DamagedAndHugeFramesAreRefused) {
  const std::string frame = Compressed(std::string(100000, 'x'));
  EXPECT_FALSE(DecompressZstd(frame, 99999).ok());
  for (size_t size = 0; size < frame.size(); ++size)
    EXPECT_FALSE(DecompressZstd(frame.substr(0, size), 100000).ok()) << size;
  EXPECT_FALSE(DecompressZstd("no frame at all", 100000).ok());
}

}  // namespace
}  // namespace merganser::engine
