#include "merganser/connect/error_status.h"

#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace merganser::connect {
namespace {

using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

TEST(ErrorStatusTest, NamesClassesStateAndParameters) {
  const Error error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", "`t`"}});
  const grpc::Status status = ToGrpcStatus(error, "some-id");
  EXPECT_EQ(status.error_code(), grpc::StatusCode::INTERNAL);
  EXPECT_THAT(status.error_message(), StartsWith("[TABLE_OR_VIEW_NOT_FOUND"));
  EXPECT_THAT(status.error_details(), HasSubstr("type.googleapis.com/google.rpc.ErrorInfo"));
  EXPECT_THAT(status.error_details(), HasSubstr("org.apache.spark.sql.AnalysisException"));
  EXPECT_THAT(status.error_details(), HasSubstr("\"java.lang.Object\"]"));
  EXPECT_THAT(status.error_details(), HasSubstr("42P01"));
  EXPECT_THAT(status.error_details(), HasSubstr("some-id"));
}

TEST(ErrorStatusTest, CutsWhatTrailersCannotCarry) {
  const std::string long_text(5000, 'x');
  const Error error = Error::Internal(long_text);
  const grpc::Status status = ToGrpcStatus(error, "");
  EXPECT_EQ(status.error_message().size(), 2048u);
  EXPECT_THAT(status.error_details(), Not(HasSubstr("messageParameters")));
  spark::connect::FetchErrorDetailsResponse details;
  WriteErrorDetails(error, &details);
  EXPECT_EQ(details.errors(0).message(), error.message());
}

TEST(ErrorStatusTest, ErrorsAreGivenOnce) {
  ErrorStore store;
  const std::string id = store.Put(Error::Internal("a"));
  for (int i = 0; i < 19; ++i) (void)store.Put(Error::Internal("b"));
  EXPECT_TRUE(store.Take(id));
  EXPECT_FALSE(store.Take(id));
  const std::string second = store.Put(Error::Internal("c"));
  for (int i = 0; i < 20; ++i) (void)store.Put(Error::Internal("d"));
  EXPECT_FALSE(store.Take(second));
}

}  // namespace
}  // namespace merganser::connect
