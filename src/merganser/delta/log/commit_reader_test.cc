#include "merganser/delta/log/commit_reader.h"

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string>

#include <gtest/gtest.h>

#include "merganser/io/local_file_system.h"

namespace merganser {
namespace {

/// A file that takes no room on the disk where it holds nothing.
class BigLogFileTest : public ::testing::Test {
 protected:
  BigLogFileTest() {
    std::string pattern = (std::filesystem::temp_directory_path() / "big-log-XXXXXX").string();
    folder_ = ::mkdtemp(pattern.data());
    path_ = folder_ / "00000000000000000001.json";
  }
  ~BigLogFileTest() override { std::filesystem::remove_all(folder_); }

  void Write(int64_t offset, const std::string& text) {
    if (!std::filesystem::exists(path_)) std::ofstream{path_};
    std::fstream file(path_, std::ios::binary | std::ios::in | std::ios::out);
    file.seekp(offset);
    file << text;
  }
  Status Read(ActionCollector& actions) {
    return ReadActionsFile(file_system_, path_.string(),
                           static_cast<int64_t>(std::filesystem::file_size(path_)),
                           ActionSet::All(), actions);
  }

  std::filesystem::path folder_;
  std::filesystem::path path_;
  LocalFileSystem file_system_;
};

TEST_F(BigLogFileTest, IsReadInPartsWhoseFaultsNameTheLineOfTheFile) {
  const std::string txn = R"({"txn":{"appId":"a","version":1}})";
  std::string lines;
  for (int64_t i = 0; i < 10; ++i) lines += std::string(7'000'000, ' ') + "\n" + txn + "\n";
  Write(0, lines + txn);
  ActionCollector actions;
  Status status = Read(actions);
  ASSERT_TRUE(status.ok()) << status.error().message();
  EXPECT_EQ(actions.actions().size(), 11u);
  Write(static_cast<int64_t>(lines.size()), "{broken");
  status = Read(actions);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().parameters().at("line"), "21");
}

TEST_F(BigLogFileTest, ALineWithoutEndIsRefused) {
  Write(0, R"({"txn":{"appId":"a","version":1}})"
           "\n");
  Write(int64_t{2} << 30, "{}\n");
  ActionCollector actions;
  const Status status = Read(actions);
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::DELTA_LOG_CORRUPTED);
  EXPECT_EQ(status.error().parameters().at("line"), "2");
  EXPECT_EQ(actions.actions().size(), 1u);
}

}  // namespace
}  // namespace merganser
