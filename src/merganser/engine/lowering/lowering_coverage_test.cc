#include <algorithm>

#include <gtest/gtest.h>

#include "merganser/engine/lowering/aggregate_lowering.h"
#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/window_lowering.h"
#include "merganser/spark/functions/registry.h"

namespace merganser {
namespace {

/// Functions that analysis never leaves in a plan: they become other calls, constants, or errors.
/// And logic, which is lowered with all of its operands at once (evaluation_order.h).
constexpr std::string_view kRewritten[] = {"and",
                                           "between",
                                           "bigint",
                                           "binary",
                                           "boolean",
                                           "collation",
                                           "curdate",
                                           "current_catalog",
                                           "current_database",
                                           "current_date",
                                           "current_path",
                                           "current_schema",
                                           "current_time",
                                           "current_timestamp",
                                           "current_timezone",
                                           "current_user",
                                           "date",
                                           "date_part",
                                           "datepart",
                                           "decimal",
                                           "double",
                                           "equal_null",
                                           "extract",
                                           "float",
                                           "from_avro",
                                           "ifnull",
                                           "ilike_all",
                                           "ilike_any",
                                           "int",
                                           "isfalse",
                                           "istrue",
                                           "isunknown",
                                           "left",
                                           "like_all",
                                           "like_any",
                                           "localtimestamp",
                                           "make_time",
                                           "not_ilike_all",
                                           "not_ilike_any",
                                           "not_like_all",
                                           "not_like_any",
                                           "now",
                                           "nullif",
                                           "nullifzero",
                                           "nvl",
                                           "nvl2",
                                           "or",
                                           "schema_of_avro",
                                           "session_user",
                                           "smallint",
                                           "string",
                                           "time",
                                           "time literal",
                                           "time_diff",
                                           "time_from_micros",
                                           "time_from_millis",
                                           "time_from_seconds",
                                           "time_to_micros",
                                           "time_to_millis",
                                           "time_to_seconds",
                                           "time_trunc",
                                           "timestamp",
                                           "tinyint",
                                           "to_avro",
                                           "to_time",
                                           "to_varchar",
                                           "try_to_time",
                                           "user",
                                           "version",
                                           "zeroifnull"};

bool IsRewritten(std::string_view name) {
  return std::find(std::begin(kRewritten), std::end(kRewritten), name) != std::end(kRewritten);
}

TEST(LoweringCoverageTest, EveryBuiltInFunctionHasALowering) {
  for (const FunctionEntry* entry : AllEntries()) {
    switch (entry->kind) {
      case FunctionKind::kScalar:
        EXPECT_NE(FindCallLowering(entry->name) != nullptr, IsRewritten(entry->name))
            << entry->name;
        break;
      case FunctionKind::kAggregate:
        EXPECT_TRUE(HasAggregateLowering(entry->name)) << entry->name;
        break;
      case FunctionKind::kWindow:
        EXPECT_TRUE(HasWindowLowering(entry->name)) << entry->name;
        break;
      case FunctionKind::kGenerator:
      case FunctionKind::kTable:
        break;
    }
  }
}

TEST(LoweringCoverageTest, NoLoweringIsWithoutAFunction) {
  for (const auto family :
       {ArithmeticLowerings(), PredicateLowerings(), MathLowerings(), StringLowerings(),
        TimeLowerings(), CollectionLowerings(), HigherOrderLowerings(), DocumentLowerings(),
        MiscellaneousLowerings()}) {
    for (const CallLowering& lowering : family) {
      EXPECT_NE(FindEntry(lowering.name), nullptr) << lowering.name;
      EXPECT_NE(lowering.sql.empty(), lowering.lower == nullptr) << lowering.name;
    }
  }
}

}  // namespace
}  // namespace merganser
