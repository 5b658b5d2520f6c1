#include "merganser/engine/spill_folder.h"

#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>

#include "merganser/base/uuid.h"

namespace merganser::engine {
namespace {

namespace fs = std::filesystem;

class SpillFolderTest : public testing::Test {
 protected:
  ~SpillFolderTest() override { fs::remove_all(parent_); }

  std::unique_ptr<SpillFolder> Open() {
    auto folder = SpillFolder::Open(parent_.string());
    EXPECT_TRUE(folder.ok()) << folder.error().message();
    return *std::move(folder);
  }

  static void Fill(const std::string& folder) {
    fs::create_directories(folder);
    std::ofstream(folder + "/block") << "spilled";
  }

  const fs::path parent_ = fs::temp_directory_path() / ("merganser-test-" + RandomUuid()) / "spill";
};

TEST_F(SpillFolderTest, RemovesWhatItHolds) {
  auto folder = Open();
  Fill(folder->path());
  folder.reset();
  EXPECT_TRUE(fs::is_empty(parent_));
}

TEST_F(SpillFolderTest, LeavesThoseInUseAlone) {
  const auto first = Open();
  Fill(first->path());
  const auto second = Open();
  EXPECT_NE(second->path(), first->path());
  EXPECT_TRUE(fs::exists(first->path() + "/block"));
}

TEST_F(SpillFolderTest, RemovesWhatACrashLeft) {
  // A lock file that nobody holds is what is left of a process that was killed.
  const std::string left = (parent_ / "merganser-spill-dead").string();
  Fill(left);
  std::ofstream(left + ".lock") << "";
  Fill((parent_ / "other").string());
  const auto folder = Open();
  EXPECT_FALSE(fs::exists(left));
  EXPECT_FALSE(fs::exists(left + ".lock"));
  EXPECT_TRUE(fs::exists(parent_ / "other/block"));
}

TEST_F(SpillFolderTest, SaysThatItsParentCannotBe) {
  fs::create_directories(parent_.parent_path());
  std::ofstream(parent_) << "a file";
  const auto folder = SpillFolder::Open(parent_.string());
  ASSERT_FALSE(folder.ok());
  EXPECT_EQ(folder.error().error_class(), ErrorClass::FILE_SYSTEM_ERROR);
}

}  // namespace
}  // namespace merganser::engine
