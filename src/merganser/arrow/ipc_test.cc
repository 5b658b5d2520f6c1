#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/arrow/column.h"
#include "merganser/arrow/ipc_reader.h"
#include "merganser/arrow/ipc_writer.h"
#include "merganser/arrow/test_array.h"

namespace merganser {
namespace {

/// A struct array: INT (second row NULL), STRING and ARRAY<INT>, of three rows.
class IpcTest : public testing::Test {
 protected:
  IpcTest() : rows_("+s") {
    rows_.Rows(3)
        .Child(std::move(TestArray("i").Rows(3).Null(1).Buffer<int32_t>({7, 0, 9})))
        .Child(std::move(TestArray("u").Rows(3).Buffer<int32_t>({0, 1, 3, 3}).Text("abb")))
        .Child(std::move(TestArray("+l")
                             .Rows(3)
                             .Buffer<int32_t>({0, 2, 2, 3})
                             .Child(std::move(TestArray("i").Rows(3).Buffer<int32_t>({1, 2, 3})))));
  }

  StructType schema_ =
      StructType({{"n", DataType::Integer(), true, {}},
                  {"text", DataType::String(), false, {}},
                  {"list", DataType::Array(DataType::Integer(), false), true, {}}});
  TestArray rows_;
};

std::string TextAt(const ArrowTable& table, int column, int64_t row) {
  const auto values = ArrowColumn::Make(*table.schema.get().children[column],
                                        table.batches[0].column(column), DataType::String());
  return std::string(values->Bytes(row));
}

IpcWriter WriterOf(const StructType& schema) {
  return IpcWriter::Make(schema, "UTC", [](std::string_view json) {
    return std::pair("value of " + std::string(json), std::string("metadata"));
  });
}

TEST_F(IpcTest, ReadsWhatItWrote) {
  const IpcWriter writer = WriterOf(schema_);
  const std::string stream = writer.Write(rows_.array(), 0, 3);
  const auto table = ReadIpc({stream});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ((*table)->num_rows(), 3);
  EXPECT_EQ(*SparkSchemaOf((*table)->schema.get()), schema_);
  const auto numbers = ArrowColumn::Make(*(*table)->schema.get().children[0],
                                         (*table)->batches[0].column(0), DataType::Integer());
  EXPECT_EQ(numbers->Int64(0), 7);
  EXPECT_TRUE(numbers->IsNull(1));
  EXPECT_EQ(TextAt(**table, 1, 1), "bb");
  const auto lists = ArrowColumn::Make(*(*table)->schema.get().children[2],
                                       (*table)->batches[0].column(2), schema_[2].type);
  EXPECT_EQ(lists->Elements(2).end - lists->Elements(2).begin, 1);
}

TEST_F(IpcTest, WritesSomeOfTheRows) {
  const IpcWriter writer = WriterOf(schema_);
  const std::string stream = writer.Write(rows_.array(), 1, 2);
  const auto table = ReadIpc({stream});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ((*table)->num_rows(), 2);
  EXPECT_EQ(TextAt(**table, 1, 0), "bb");
  EXPECT_EQ(TextAt(**table, 1, 1), "");
}

TEST_F(IpcTest, AnEmptyStreamHasTheSchema) {
  const IpcWriter writer = WriterOf(schema_);
  const std::string stream = writer.WriteEmpty();
  const auto table = ReadIpc({stream});
  ASSERT_TRUE(table.ok()) << table.error().message();
  EXPECT_EQ((*table)->num_rows(), 0);
  EXPECT_EQ(*SparkSchemaOf((*table)->schema.get()), schema_);
}

TEST_F(IpcTest, StreamsOfOneSchemaAreOneTable) {
  const IpcWriter writer = WriterOf(schema_);
  const std::string stream = writer.Write(rows_.array(), 0, 3);
  const auto table = ReadIpc({stream, stream});
  ASSERT_TRUE(table.ok());
  EXPECT_EQ((*table)->num_rows(), 6);
  const IpcWriter other = WriterOf(StructType({{"n", DataType::Long(), true, {}}}));
  const std::string other_stream = other.WriteEmpty();
  const auto mixed = ReadIpc({stream, other_stream});
  ASSERT_FALSE(mixed.ok());
  EXPECT_EQ(mixed.error().error_class(), ErrorClass::CONNECT_INVALID_PLAN);
}

TEST_F(IpcTest, DamagedBytesAreErrorsAndNeverRead) {
  const IpcWriter writer = WriterOf(schema_);
  const std::string stream = writer.Write(rows_.array(), 0, 3);
  for (size_t length = 0; length + 8 < stream.size(); ++length) {
    // Cut where no message ends, the rest must be missed; cut between two, rows may be fewer.
    const auto table = ReadIpc({std::string_view(stream).substr(0, length)});
    if (table.ok()) {
      EXPECT_LE((*table)->num_rows(), 3);
    }
  }
  for (size_t place = 0; place < stream.size(); ++place) {
    std::string damaged = stream;
    damaged[place] = static_cast<char>(damaged[place] ^ 0x5A);
    // Whatever it says must hold: every value that a table has is there to be read.
    const auto table = ReadIpc({damaged});
    if (!table.ok() || (*table)->batches.empty()) continue;
    const auto schema = SparkSchemaOf((*table)->schema.get());
    if (!schema.ok()) continue;
    for (size_t i = 0; i < schema->size(); ++i) {
      const auto column = ArrowColumn::Make(*(*table)->schema.get().children[i],
                                            (*table)->batches[0].column(static_cast<int64_t>(i)),
                                            (*schema)[i].type);
      if (!column.ok() || !column->type().is_string()) continue;
      for (int64_t row = 0; row < column->size(); ++row) {
        if (column->IsNull(row)) continue;
        EXPECT_LE(column->Bytes(row).size(), stream.size());
      }
    }
  }
}

}  // namespace
}  // namespace merganser
