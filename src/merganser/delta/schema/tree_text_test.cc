#include "merganser/delta/schema/tree_text.h"

#include <gtest/gtest.h>

namespace merganser {
namespace {

TEST(TreeTextTest, DrawsAsPrintSchemaDoes) {
  const DataType inner = DataType::Struct(StructType({{"x", DataType::Decimal(5, 2), false, {}}}));
  const StructType schema({{"id", DataType::Integer()},
                           {"l", DataType::Array(inner, false)},
                           {"m", DataType::Map(DataType::String(), DataType::Long())}});
  EXPECT_EQ(TreeText(schema),
            "root\n"
            " |-- id: integer (nullable = true)\n"
            " |-- l: array (nullable = true)\n"
            " |    |-- element: struct (containsNull = false)\n"
            " |    |    |-- x: decimal(5,2) (nullable = false)\n"
            " |-- m: map (nullable = true)\n"
            " |    |-- key: string\n"
            " |    |-- value: long (valueContainsNull = true)\n");
}

}  // namespace
}  // namespace merganser
