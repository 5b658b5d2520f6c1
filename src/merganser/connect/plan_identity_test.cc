#include "merganser/connect/plan_identity.h"

#include <gtest/gtest.h>

namespace merganser::connect {
namespace {

spark::connect::Plan Range(int64_t end, int64_t plan_id) {
  spark::connect::Plan plan;
  plan.mutable_root()->mutable_range()->set_end(end);
  plan.mutable_root()->mutable_common()->set_plan_id(plan_id);
  return plan;
}

TEST(PlanIdentityTest, EqualPlansAreEqualInAnyOrderOfTheirOptions) {
  spark::connect::Plan left;
  spark::connect::Plan right;
  auto& first = *left.mutable_command()->mutable_write_operation()->mutable_options();
  auto& second = *right.mutable_command()->mutable_write_operation()->mutable_options();
  for (int i = 0; i < 100; ++i) {
    first["key" + std::to_string(i)] = "x";
    second["key" + std::to_string(99 - i)] = "x";
  }
  EXPECT_EQ(PlanBytes(left), PlanBytes(right));
  EXPECT_EQ(PlanFingerprint(left), PlanFingerprint(right));
  second["key7"] = "y";
  EXPECT_NE(PlanFingerprint(left), PlanFingerprint(right));
}

TEST(PlanIdentityTest, MeaningLeavesIdsOut) {
  EXPECT_EQ(PlanMeaning(Range(3, 1)), PlanMeaning(Range(3, 2)));
  EXPECT_NE(PlanMeaning(Range(3, 1)), PlanMeaning(Range(4, 1)));
  EXPECT_NE(PlanFingerprint(Range(3, 1)), PlanFingerprint(Range(3, 2)));
}

}  // namespace
}  // namespace merganser::connect
