#include <atomic>
#include <filesystem>
#include <memory>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/uuid.h"
#include "merganser/io/faulty_file_system.h"
#include "merganser/io/file_systems.h"
#include "merganser/io/in_memory_file_system.h"
#include "merganser/io/local_file_system.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;

enum class Kind { kLocal, kInMemory, kFaulty };

/// What every FileSystem promises, checked on each of them.
class FileSystemTest : public ::testing::TestWithParam<Kind> {
 protected:
  void SetUp() override {
    switch (GetParam()) {
      case Kind::kLocal:
        file_system_ = std::make_shared<LocalFileSystem>();
        root_ = std::filesystem::temp_directory_path() / ("merganser-io-" + RandomUuid());
        break;
      case Kind::kInMemory:
        file_system_ = std::make_shared<InMemoryFileSystem>();
        break;
      case Kind::kFaulty:
        file_system_ = std::make_shared<FaultyFileSystem>(std::make_shared<InMemoryFileSystem>());
        break;
    }
    ASSERT_TRUE(file_system_->CreateDirectories(root_).ok());
  }
  void TearDown() override { EXPECT_TRUE(file_system_->DeleteDirectory(root_).ok()); }

  std::string Path(std::string_view name) const { return JoinPath(root_, name); }
  std::vector<std::string> Names(std::string_view start_after = {}) {
    std::vector<std::string> names;
    auto entries = file_system_->List(root_, start_after);
    EXPECT_TRUE(entries.ok());
    for (const FileEntry& entry : *entries) names.push_back(entry.name);
    return names;
  }

  std::shared_ptr<FileSystem> file_system_;
  std::string root_ = "/root";
};

INSTANTIATE_TEST_SUITE_P(All, FileSystemTest,
                         ::testing::Values(Kind::kLocal, Kind::kInMemory, Kind::kFaulty));

TEST_P(FileSystemTest, ReadsWhatWasWritten) {
  const std::string bytes("a\0b\n", 4);
  ASSERT_TRUE(file_system_->Write(Path("x"), bytes).ok());
  EXPECT_EQ(*file_system_->Read(Path("x")), bytes);
  EXPECT_EQ(*file_system_->ReadRange(Path("x"), 1, 2), bytes.substr(1, 2));
  ASSERT_TRUE(file_system_->Write(Path("x"), "new").ok());
  EXPECT_EQ(*file_system_->Read(Path("x")), "new");
  ASSERT_TRUE(file_system_->WriteUnsynced(Path("x"), "newer").ok());
  EXPECT_EQ(*file_system_->Read(Path("x")), "newer");
  EXPECT_THAT(Names(), ElementsAre("x"));
}

TEST_P(FileSystemTest, ReadingPastTheEndFails) {
  ASSERT_TRUE(file_system_->Write(Path("x"), "abc").ok());
  EXPECT_FALSE(file_system_->ReadRange(Path("x"), 1, 3).ok());
  EXPECT_FALSE(file_system_->ReadRange(Path("x"), -1, 1).ok());
  EXPECT_TRUE(file_system_->ReadRange(Path("x"), 3, 0).ok());
}

TEST_P(FileSystemTest, AMissingFileIsNamed) {
  const auto bytes = file_system_->Read(Path("none"));
  ASSERT_FALSE(bytes.ok());
  EXPECT_TRUE(IsFileNotFound(bytes.error()));
  EXPECT_EQ(bytes.error().full_name(), "FAILED_READ_FILE.FILE_NOT_EXIST");
  EXPECT_EQ(*file_system_->ReadIfExists(Path("none")), std::nullopt);
  EXPECT_EQ(*file_system_->Stat(Path("none")), std::nullopt);
  EXPECT_FALSE(*file_system_->Exists(Path("none")));
}

TEST_P(FileSystemTest, PutIfAbsentNeverReplaces) {
  EXPECT_EQ(*file_system_->PutIfAbsent(Path("v"), "first"), PutOutcome::kCreated);
  EXPECT_EQ(*file_system_->PutIfAbsent(Path("v"), "second"), PutOutcome::kAlreadyExists);
  EXPECT_EQ(*file_system_->Read(Path("v")), "first");
  EXPECT_THAT(Names(), ElementsAre("v"));
}

TEST_P(FileSystemTest, ListsNamesInOrderAfterAName) {
  for (const char* name : {"b", "a", "c"}) ASSERT_TRUE(file_system_->Write(Path(name), "1").ok());
  ASSERT_TRUE(file_system_->CreateDirectories(Path("d/e")).ok());
  EXPECT_THAT(Names(), ElementsAre("a", "b", "c", "d"));
  EXPECT_THAT(Names("a"), ElementsAre("b", "c", "d"));
  EXPECT_THAT(Names("bb"), ElementsAre("c", "d"));
  EXPECT_TRUE(file_system_->List(root_, "c")->front().is_directory);
  EXPECT_THAT(*file_system_->List(Path("nowhere")), IsEmpty());
}

TEST_P(FileSystemTest, DeletesAndRenames) {
  ASSERT_TRUE(file_system_->Write(Path("a"), "1").ok());
  ASSERT_TRUE(file_system_->Write(Path("b"), "2").ok());
  ASSERT_TRUE(file_system_->Rename(Path("a"), Path("b")).ok());
  EXPECT_EQ(*file_system_->Read(Path("b")), "1");
  EXPECT_TRUE(file_system_->Delete(Path("b")).ok());
  EXPECT_TRUE(file_system_->Delete(Path("b")).ok());
  EXPECT_THAT(Names(), IsEmpty());
}

TEST_P(FileSystemTest, SyncsFilesOfOthers) {
  ASSERT_TRUE(file_system_->CreateDirectories(Path("p=1/q=2")).ok());
  ASSERT_TRUE(file_system_->Write(Path("p=1/q=2/f"), "1").ok());
  EXPECT_TRUE(file_system_->SyncFiles({Path("p=1/q=2/f")}, root_).ok());
  EXPECT_FALSE(file_system_->SyncFiles({Path("none")}, root_).ok());
}

TEST_P(FileSystemTest, OneOfManyWritersWins) {
  std::atomic<int> winners = 0;
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) {
    threads.emplace_back([&, i] {
      const auto outcome = file_system_->PutIfAbsent(Path("race"), std::to_string(i));
      if (outcome.ok() && *outcome == PutOutcome::kCreated) winners.fetch_add(1);
    });
  }
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(winners.load(), 1);
  EXPECT_THAT(Names(), ElementsAre("race"));
}

TEST(FaultyFileSystemTest, FailsTheChosenOperation) {
  auto memory = std::make_shared<InMemoryFileSystem>();
  FaultyFileSystem faulty(memory);
  faulty.FailAt(1);
  EXPECT_TRUE(faulty.Write("/a", "1").ok());
  const Status failed = faulty.Write("/b", "1");
  ASSERT_FALSE(failed.ok());
  EXPECT_EQ(failed.error().kind(), ErrorKind::kIo);
  EXPECT_TRUE(faulty.Write("/c", "1").ok());
  EXPECT_FALSE(*memory->Exists("/b"));
  EXPECT_EQ(faulty.operation_count(), 3);
}

TEST(FaultyFileSystemTest, LosesTheAnswerOfAPut) {
  auto memory = std::make_shared<InMemoryFileSystem>();
  FaultyFileSystem faulty(memory);
  faulty.LoseNextPutAnswer();
  EXPECT_FALSE(faulty.PutIfAbsent("/a", "1").ok());
  EXPECT_EQ(*memory->Read("/a"), "1");
  EXPECT_EQ(*faulty.PutIfAbsent("/a", "2"), PutOutcome::kAlreadyExists);
}

TEST(FaultyFileSystemTest, HidesNewNamesFromList) {
  FaultyFileSystem faulty(std::make_shared<InMemoryFileSystem>());
  ASSERT_TRUE(faulty.Write("/d/old", "1").ok());
  faulty.HideNewNames();
  ASSERT_TRUE(faulty.PutIfAbsent("/d/new", "1").ok());
  EXPECT_EQ(faulty.List("/d", "")->size(), 1u);
  EXPECT_EQ(*faulty.Read("/d/new"), "1");
  faulty.ShowNewNames();
  EXPECT_EQ(faulty.List("/d", "")->size(), 2u);
}

TEST(FaultyFileSystemTest, ACrashLosesUnsyncedBytes) {
  FaultyFileSystem faulty(std::make_shared<InMemoryFileSystem>());
  ASSERT_TRUE(faulty.WriteUnsynced("/t/kept", "1").ok());
  ASSERT_TRUE(faulty.WriteUnsynced("/t/lost", "1").ok());
  ASSERT_TRUE(faulty.SyncFiles({"/t/kept"}, "/t").ok());
  ASSERT_TRUE(faulty.Crash().ok());
  EXPECT_EQ(*faulty.Read("/t/kept"), "1");
  EXPECT_EQ(*faulty.Read("/t/lost"), "");
}

TEST(FileSystemsTest, ResolvesPathsAndFileUris) {
  const FileSystems systems;
  EXPECT_EQ(systems.Resolve("/a/b/")->path, "/a/b");
  EXPECT_EQ(systems.Resolve("/a/./b//c/../d")->path, "/a/b/d");
  EXPECT_EQ(systems.Resolve("file:/a/b")->path, "/a/b");
  EXPECT_EQ(systems.Resolve("file:///a/b%20c")->path, "/a/b%20c");
  EXPECT_EQ(systems.Resolve("/a/b")->uri, "file:/a/b");
  EXPECT_EQ(systems.Resolve("x/y")->path, (std::filesystem::current_path() / "x/y").string());
}

TEST(FileSystemsTest, NamesTheSchemeNothingServes) {
  FileSystems systems;
  const auto location = systems.Resolve("s3a://bucket/table");
  ASSERT_FALSE(location.ok());
  EXPECT_EQ(location.error().error_class(), ErrorClass::UNSUPPORTED_FILE_SYSTEM);
  EXPECT_EQ(location.error().parameters().at("scheme"), "s3a");
  systems.Register("memory", std::make_shared<InMemoryFileSystem>());
  EXPECT_EQ(systems.Resolve("memory:///t")->path, "/t");
  EXPECT_EQ(systems.Resolve("memory://bucket/t/")->path, "/bucket/t");
}

TEST(PathTest, JoinsAndSplits) {
  EXPECT_EQ(JoinPath("/a", "b"), "/a/b");
  EXPECT_EQ(JoinPath("/a/", "b"), "/a/b");
  EXPECT_EQ(ParentPath("/a/b"), "/a");
  EXPECT_EQ(ParentPath("/a"), "/");
  EXPECT_EQ(ParentPath("a"), "");
  EXPECT_EQ(BaseName("/a/b"), "b");
}

}  // namespace
}  // namespace merganser
