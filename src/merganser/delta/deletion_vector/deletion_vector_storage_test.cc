#include "merganser/delta/deletion_vector/deletion_vector_storage.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/io/in_memory_file_system.h"

namespace merganser {
namespace {

using ::testing::ElementsAre;
using Storage = DeletionVectorDescriptor::Storage;

constexpr const char* kUuid = "d2c639aa-8816-431a-aaf6-d3fe2512ff61";

DeletionVector Of(std::vector<uint64_t> rows) { return DeletionVector::Of(rows); }

TEST(DeletionVectorStorageTest, InlineBothWays) {
  InMemoryFileSystem memory;
  const DeletionVectorDescriptor descriptor = MakeInlineDescriptor(Of({3, 4, 7}));
  EXPECT_EQ(descriptor.storage, Storage::kInline);
  EXPECT_EQ(descriptor.cardinality, 3);
  EXPECT_EQ(descriptor.offset, std::nullopt);
  EXPECT_THAT(ReadDeletionVector(memory, "/t", descriptor)->Rows(), ElementsAre(3, 4, 7));
}

TEST(DeletionVectorStorageTest, ManyVectorsInOneFile) {
  InMemoryFileSystem memory;
  DeletionVectorFile file(kUuid, "ab");
  EXPECT_TRUE(file.empty());
  const auto first = file.Add(Of({1}));
  const auto second = file.Add(Of({2, 3}));
  EXPECT_FALSE(file.empty());
  EXPECT_EQ(first.offset, 1);
  EXPECT_EQ(first.path_or_inline_dv, "ab^-aqEH.-t@S}K{vb[*k^");
  EXPECT_EQ(file.relative_path(), "ab/deletion_vector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin");
  ASSERT_TRUE(file.Write(memory, "/t").ok());
  EXPECT_EQ(*DeletionVectorPath("/t", second), "/t/" + file.relative_path());
  EXPECT_THAT(ReadDeletionVector(memory, "/t", first)->Rows(), ElementsAre(1));
  EXPECT_THAT(ReadDeletionVector(memory, "/t", second)->Rows(), ElementsAre(2, 3));

  DeletionVectorDescriptor absolute = second;
  absolute.storage = Storage::kAbsoluteFile;
  absolute.path_or_inline_dv =
      "file:///t/ab/deletion%5Fvector_d2c639aa-8816-431a-aaf6-d3fe2512ff61.bin";
  EXPECT_THAT(ReadDeletionVector(memory, "/elsewhere", absolute)->Rows(), ElementsAre(2, 3));
}

TEST(DeletionVectorStorageTest, WhatDoesNotFitTheDescriptorIsCorruption) {
  InMemoryFileSystem memory;
  DeletionVectorFile file(kUuid);
  const auto good = file.Add(Of({1, 2}));
  ASSERT_TRUE(file.Write(memory, "/t").ok());
  const std::string path = "/t/" + file.relative_path();

  auto wrong = good;
  wrong.cardinality = 3;
  EXPECT_EQ(ReadDeletionVector(memory, "/t", wrong).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_CARDINALITY_MISMATCH);
  wrong = good;
  wrong.size_in_bytes -= 1;
  EXPECT_EQ(ReadDeletionVector(memory, "/t", wrong).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  wrong.size_in_bytes = -1;
  EXPECT_EQ(ReadDeletionVector(memory, "/t", wrong).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  wrong = good;
  wrong.path_or_inline_dv = "../../etc^-aqEH.-t@S}K{vb[*k^";
  EXPECT_EQ(ReadDeletionVector(memory, "/t", wrong).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_CORRUPTED);

  std::string bytes = *memory.Read(path);
  bytes[10] ^= 1;
  ASSERT_TRUE(memory.Write(path, bytes).ok());
  EXPECT_EQ(ReadDeletionVector(memory, "/t", good).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_CHECKSUM_MISMATCH);
  ASSERT_TRUE(memory.Delete(path).ok());
  EXPECT_EQ(ReadDeletionVector(memory, "/t", good).error().full_name(),
            "FAILED_READ_FILE.FILE_NOT_EXIST");

  auto inline_vector = MakeInlineDescriptor(Of({1}));
  inline_vector.size_in_bytes += 40;
  EXPECT_EQ(ReadDeletionVector(memory, "/t", inline_vector).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_SIZE_MISMATCH);
  inline_vector.path_or_inline_dv = "~~~~~";
  EXPECT_EQ(ReadDeletionVector(memory, "/t", inline_vector).error().error_class(),
            ErrorClass::DELTA_DELETION_VECTOR_CORRUPTED);
}

}  // namespace
}  // namespace merganser
