#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

#include <gtest/gtest.h>

#include "test/fuzz/targets.h"

namespace merganser::test {
namespace {

class ReplayTest : public ::testing::TestWithParam<FuzzTarget> {};

/// Every input that is kept, and every beginning of the short ones.
TEST_P(ReplayTest, NoInputBreaksAPromise) {
  const std::filesystem::path corpus =
      std::filesystem::path("test/fuzz") / GetParam().name / "corpus";
  size_t inputs = 0;
  for (const auto& entry : std::filesystem::directory_iterator(corpus)) {
    SCOPED_TRACE(entry.path().string());
    std::ifstream file(entry.path(), std::ios::binary);
    const std::string input{std::istreambuf_iterator<char>(file), std::istreambuf_iterator<char>()};
    GetParam().run(input);
    const bool is_slow = GetParam().name == "checkpoint_file";
    const size_t step = is_slow ? input.size() / 16 + 1 : input.size() / 400 + 1;
    for (size_t size = 0; size < input.size(); size += step) {
      GetParam().run(std::string_view(input).substr(0, size));
    }
    ++inputs;
  }
  EXPECT_GT(inputs, 0u);
}

INSTANTIATE_TEST_SUITE_P(Targets, ReplayTest, ::testing::ValuesIn(FuzzTargets()),
                         [](const auto& target) { return target.param.name; });

}  // namespace
}  // namespace merganser::test
