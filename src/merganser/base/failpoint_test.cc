#include "merganser/base/failpoint.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

namespace merganser::failpoint {
namespace {

Status Step() {
  MERGANSER_FAILPOINT("step");
  return Status::Ok();
}

/// Outcomes of `passes` passes, as a row of 'x' (failed) and '.'.
std::string Outcomes(int passes) {
  std::string outcomes;
  for (int i = 0; i < passes; ++i) outcomes += Step().ok() ? '.' : 'x';
  return outcomes;
}

class FailpointTest : public ::testing::Test {
 protected:
  void TearDown() override { DisarmAll(); }
};

TEST_F(FailpointTest, UnarmedDoesNothing) {
  EXPECT_EQ(Outcomes(3), "...");
  const Armed other("other");
  EXPECT_EQ(Outcomes(3), "...");
}

TEST_F(FailpointTest, ModesChooseThePasses) {
  const std::vector<std::pair<std::string, std::string>> modes = {
      {"once", "x..."}, {"always", "xxxx"}, {"nth:1", "x..."}, {"nth:3", "..x."}};
  for (const auto& [mode, expected] : modes) {
    Arm("step", *ParseMode(mode));
    EXPECT_EQ(Outcomes(4), expected) << mode;
    EXPECT_EQ(Passes("step"), 4);
  }
  Disarm("step");
  EXPECT_EQ(Outcomes(2), "..");
  EXPECT_EQ(Passes("step"), 0);
}

TEST_F(FailpointTest, ErrorNamesTheFailpoint) {
  const Armed armed("step");
  const Status status = Step();
  ASSERT_FALSE(status.ok());
  EXPECT_EQ(status.error().error_class(), ErrorClass::FAILPOINT_REACHED);
  EXPECT_EQ(status.error().parameters().at("failpoint"), "step");
}

TEST_F(FailpointTest, ScopeDisarms) {
  {
    const Armed armed("step");
    EXPECT_FALSE(Check("step").ok());
  }
  EXPECT_TRUE(Check("step").ok());
  EXPECT_FALSE(any_armed.load());
}

TEST_F(FailpointTest, ListArmsAndDisarms) {
  ASSERT_TRUE(ArmList("step=nth:2;other=always;").ok());
  EXPECT_EQ(Outcomes(3), ".x.");
  ASSERT_TRUE(ArmList("step=always;other=off").ok());
  EXPECT_EQ(Outcomes(2), "xx");
  EXPECT_TRUE(Check("other").ok());
}

TEST_F(FailpointTest, BadListChangesNothing) {
  for (const char* list : {"step", "=once", "step=", "step=nth", "step=nth:0", "step=once:2",
                           "step=kill:x", "step=always;other=maybe"}) {
    const Status status = ArmList(list);
    ASSERT_FALSE(status.ok()) << list;
    EXPECT_EQ(status.error().error_class(), ErrorClass::INVALID_FAILPOINT);
    EXPECT_FALSE(any_armed.load()) << list;
  }
}

using FailpointDeathTest = FailpointTest;

TEST_F(FailpointDeathTest, KillEndsTheProcessAtThatPass) {
  EXPECT_EXIT(
      {
        Arm("step", Mode::KillAtNth(2));
        if (Outcomes(1) == ".") Outcomes(1);
      },
      ::testing::ExitedWithCode(137), "");
}

}  // namespace
}  // namespace merganser::failpoint
