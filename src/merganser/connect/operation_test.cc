#include "merganser/connect/operation.h"

#include <string>
#include <thread>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser::connect {
namespace {

using testing::ElementsAre;
using Response = Operation::Response;

Response Rows(int64_t count) {
  Response response;
  response.mutable_arrow_batch()->set_row_count(count);
  return response;
}

class OperationTest : public testing::Test {
 protected:
  static Response Header() {
    Response header;
    header.set_session_id("s");
    header.set_operation_id("o");
    return header;
  }

  /// Everything after `last`, by row count; response ids go to `ids_`.
  std::vector<int64_t> Read(const std::optional<std::string>& last = std::nullopt) {
    std::vector<int64_t> counts;
    ids_.clear();
    outcome_ = operation_.Carry(
        last,
        [&](const Response& response) {
          counts.push_back(response.arrow_batch().row_count());
          ids_.push_back(response.response_id());
          EXPECT_EQ(response.session_id(), "s");
          EXPECT_EQ(response.operation_id(), "o");
          return true;
        },
        [] { return false; });
    return counts;
  }

  Operation operation_{Header(), "plan", true, {}};
  std::vector<std::string> ids_;
  Operation::Outcome outcome_ = Operation::Outcome::kDone;
};

TEST_F(OperationTest, CarriesAnswersInOrderAndAgain) {
  for (const int64_t count : {1, 2, 3}) EXPECT_TRUE(operation_.Push(Rows(count)));
  operation_.Finish(Status::Ok());
  EXPECT_THAT(Read(), ElementsAre(1, 2, 3));
  EXPECT_EQ(outcome_, Operation::Outcome::kDone);
  const std::string first = ids_[0];
  EXPECT_THAT(Read(first), ElementsAre(2, 3));
  EXPECT_THAT(Read(), ElementsAre(1, 2, 3));
}

TEST_F(OperationTest, ReleasedAnswersAreGone) {
  for (const int64_t count : {1, 2, 3}) operation_.Push(Rows(count));
  operation_.Finish(Status::Ok());
  Read();
  const std::vector<std::string> ids = ids_;
  operation_.ReleaseUntil(ids[1]);
  Read();
  EXPECT_EQ(outcome_, Operation::Outcome::kNotThere);
  Read(ids[0]);
  EXPECT_EQ(outcome_, Operation::Outcome::kNotThere);
}

TEST_F(OperationTest, FailsWithItsError) {
  operation_.Push(Rows(1));
  operation_.Finish(Error::Internal("broken"));
  EXPECT_THAT(Read(), ElementsAre(1));
  EXPECT_EQ(outcome_, Operation::Outcome::kFailed);
  EXPECT_EQ(operation_.failure()->error_class(), ErrorClass::INTERNAL_ERROR);
}

TEST_F(OperationTest, CancellingStopsWhatRunsAndWhatComes) {
  int stopped = 0;
  operation_.OnCancel([&] { ++stopped; });
  EXPECT_TRUE(operation_.Cancel());
  EXPECT_EQ(stopped, 1);
  EXPECT_FALSE(operation_.Push(Rows(1)));
  operation_.OnCancel([&] { ++stopped; });
  EXPECT_EQ(stopped, 2);
  operation_.Finish(Error(ErrorClass::OPERATION_CANCELED));
  EXPECT_FALSE(operation_.Cancel());
}

TEST_F(OperationTest, TheProducerWaitsForTheClient) {
  Response large;
  large.mutable_arrow_batch()->set_data(std::string(6 << 20, 'x'));
  std::thread producer([&] {
    for (int i = 0; i < 8; ++i) operation_.Push(large);
    operation_.Finish(Status::Ok());
  });
  EXPECT_EQ(Read().size(), 8u);
  EXPECT_EQ(outcome_, Operation::Outcome::kDone);
  producer.join();
}

TEST_F(OperationTest, TheNewestCallTakesOver) {
  operation_.Push(Rows(1));
  Operation::Outcome first = Operation::Outcome::kDone;
  std::atomic<bool> reading = false;
  std::thread older([&] {
    first = operation_.Carry(
        std::nullopt,
        [&](const Response&) {
          reading = true;
          reading.notify_all();
          return true;
        },
        [] { return false; });
  });
  reading.wait(false);
  std::thread newer([&] { Read(); });
  older.join();
  EXPECT_EQ(first, Operation::Outcome::kTakenOver);
  operation_.Finish(Status::Ok());
  newer.join();
  EXPECT_EQ(outcome_, Operation::Outcome::kDone);
}

TEST_F(OperationTest, SaysWhenNobodyListens) {
  EXPECT_TRUE(operation_.detached_since());
  operation_.Push(Rows(1));
  EXPECT_EQ(operation_.Carry(
                std::nullopt,
                [&](const Response&) {
                  EXPECT_FALSE(operation_.detached_since());
                  return false;
                },
                [] { return false; }),
            Operation::Outcome::kClientGone);
  EXPECT_TRUE(operation_.detached_since());
}

}  // namespace
}  // namespace merganser::connect
