#include "merganser/delta/table/file_list.h"

#include <map>
#include <random>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser {
namespace {

AddFile File(const std::string& path, int64_t size = 1) {
  AddFile file;
  file.path = path;
  file.size = size;
  return file;
}

RemoveFile Removed(const std::string& path) {
  RemoveFile file;
  file.path = path;
  return file;
}

AddFile FullFile() {
  AddFile file = File("p=1/a%20b", 77);
  file.partition_values = {{"p", "1"}, {"q", std::nullopt}, {"r", ""}};
  file.modification_time = 123;
  file.data_change = false;
  file.stats = R"({"numRecords":3})";
  file.tags = StringMap{{"k", "v"}, {"l", ""}};
  file.deletion_vector =
      DeletionVectorDescriptor{.storage = DeletionVectorDescriptor::Storage::kRelativeFile,
                               .path_or_inline_dv = "ab^-aqEH.-t@S}K{vb[*k^",
                               .offset = 4,
                               .size_in_bytes = 40,
                               .cardinality = 6,
                               .max_row_index = 9};
  file.base_row_id = 4071;
  file.default_row_commit_version = 41;
  file.clustering_provider = "liquid";
  return file;
}

FileList ListOf(const std::vector<AddFile>& files) {
  FileList::Builder builder;
  for (const AddFile& file : files) builder.Add(file);
  return std::move(builder).Build();
}

TEST(FileListTest, FilesComeBackWhole) {
  const AddFile full = FullFile();
  const AddFile plain = File("x");
  const FileList list = ListOf({full, plain});
  ASSERT_EQ(list.size(), 2u);
  EXPECT_EQ(list.total_bytes(), 78);
  const FileView view = list.Files()[0];
  EXPECT_EQ(view.ToAddFile(), full);
  EXPECT_EQ(view.path(), "p=1/a%20b");
  EXPECT_EQ(view.stats(), R"({"numRecords":3})");
  EXPECT_EQ(view.partition_value("p"), "1");
  EXPECT_EQ(view.partition_value("q"), std::nullopt);
  EXPECT_EQ(view.partition_value("r"), "");
  EXPECT_EQ(view.partition_value("s"), std::nullopt);
  EXPECT_EQ(view.deletion_vector(), full.deletion_vector);
  EXPECT_EQ(view.base_row_id(), 4071);
  EXPECT_EQ(list.Files()[1].ToAddFile(), plain);
}

TEST(FileListTest, BuildersAreJoined) {
  FileList::Builder builder;
  FileList::Builder second;
  FileList::Builder third;
  second.Add(FullFile());
  third.Add(File("y", 2));
  third.Add(File("z", 3));
  builder.Append(std::move(second));
  builder.Append(FileList::Builder());
  builder.Append(std::move(third));
  builder.Add(File("last", 4));
  const FileList list = std::move(builder).Build();
  std::vector<std::string> paths;
  list.ForEach([&](FileView file) { paths.emplace_back(file.path()); });
  EXPECT_THAT(paths, testing::ElementsAre("p=1/a%20b", "y", "z", "last"));
  EXPECT_EQ(list.total_bytes(), 86);
  EXPECT_EQ(list.Files()[0].ToAddFile(), FullFile());
  EXPECT_TRUE(list.Find("z", std::nullopt).has_value());
}

TEST(FileListTest, FindsByIdentity) {
  const AddFile full = FullFile();
  const FileList list = ListOf({full, File("x")});
  EXPECT_TRUE(list.Find("p=1/a%20b", full.deletion_vector).has_value());
  EXPECT_FALSE(list.Find("p=1/a%20b", std::nullopt).has_value());
  EXPECT_TRUE(list.Find("x", std::nullopt).has_value());
  EXPECT_FALSE(FileList().Find("x", std::nullopt).has_value());
}

TEST(FileListTest, AppliesCommitsAsAMapWould) {
  std::mt19937 random(11);
  std::map<std::string, int64_t> model;
  FileList list;
  for (int commit = 0; commit < 400; ++commit) {
    std::map<std::string, int64_t> added;
    std::map<std::string, int64_t> removed;
    for (int i = static_cast<int>(random() % 5); i > 0; --i)
      added["f" + std::to_string(random() % 200)] = static_cast<int64_t>(random() % 100);
    for (int i = static_cast<int>(random() % 5); i > 0; --i)
      removed["f" + std::to_string(random() % 200)] = 0;
    std::vector<AddFile> add;
    std::vector<RemoveFile> remove;
    for (const auto& [path, unused] : removed) {
      if (added.contains(path)) continue;
      remove.push_back(Removed(path));
      model.erase(path);
    }
    for (const auto& [path, size] : added) {
      add.push_back(File(path, size));
      model[path] = size;
    }
    const FileList before = list;
    const size_t size_before = before.Files().size();
    list = list.Apply(add, remove);
    EXPECT_EQ(before.Files().size(), size_before);
  }
  std::map<std::string, int64_t> live;
  int64_t bytes = 0;
  list.ForEach([&](FileView file) {
    EXPECT_TRUE(live.emplace(file.path(), file.size()).second) << file.path();
    bytes += file.size();
  });
  EXPECT_EQ(live, model);
  EXPECT_EQ(list.size(), model.size());
  EXPECT_EQ(list.total_bytes(), bytes);
}

TEST(FileListTest, MemoryAFileStaysSmall) {
  FileList::Builder builder;
  constexpr size_t kFiles = 20'000;
  for (size_t i = 0; i < kFiles; ++i) {
    AddFile file = File("date=2024-01-31/part-00000-9fc8cd57-7f1c-4c4b-9b3e-" +
                        std::to_string(100'000'000'000 + i) + ".c000.snappy.parquet");
    file.partition_values = {{"date", "2024-01-31"}};
    file.stats = std::string(150, 's');
    builder.Add(file);
  }
  EXPECT_LT(std::move(builder).Build().memory_bytes() / kFiles, 400u);
}

}  // namespace
}  // namespace merganser
