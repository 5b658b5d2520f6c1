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

std::string FirstClass(const Error& error) {
  spark::connect::FetchErrorDetailsResponse details;
  WriteErrorDetails(error, &details);
  return details.errors(0).error_type_hierarchy(0);
}

TEST(ErrorStatusTest, ExceptionsDependOnSubclassesAndOnTheTargetOfACast) {
  EXPECT_EQ(FirstClass(Error(ErrorClass::INVALID_PARAMETER_VALUE, {}, "CHARSET")),
            "org.apache.spark.SparkIllegalArgumentException");
  EXPECT_EQ(FirstClass(Error(ErrorClass::INVALID_PARAMETER_VALUE, {}, "PATTERN")),
            "org.apache.spark.SparkRuntimeException");
  const auto cast = [](const char* type) {
    return FirstClass(Error(ErrorClass::CAST_INVALID_INPUT, {{"targetType", type}}));
  };
  EXPECT_EQ(cast("\"INT\""), "org.apache.spark.SparkNumberFormatException");
  EXPECT_EQ(cast("\"BOOLEAN\""), "org.apache.spark.SparkRuntimeException");
  EXPECT_EQ(cast("\"TIMESTAMP\""), "org.apache.spark.SparkDateTimeException");
}

TEST(ErrorStatusTest, PlacesAreTextsOrCalls) {
  spark::connect::FetchErrorDetailsResponse details;
  WriteErrorDetails(Error(ErrorClass::DIVIDE_BY_ZERO).At(ContextOfCall("__truediv__", "a.py:1")),
                    &details);
  const auto& call = details.errors(0).spark_throwable().query_contexts(0);
  EXPECT_EQ(call.context_type(),
            spark::connect::FetchErrorDetailsResponse::QueryContext::DATAFRAME);
  EXPECT_EQ(call.call_site(), "a.py:1");
  EXPECT_THAT(details.errors(0).message(), HasSubstr("\"__truediv__\" was called from\na.py:1"));

  const QueryContext place = ContextInText(CountedText("SELECT nope"), 7, 11, 1, 7);
  details.Clear();
  WriteErrorDetails(Error(ErrorClass::UNRESOLVED_COLUMN, {}, "WITHOUT_SUGGESTION").At(place),
                    &details);
  EXPECT_THAT(details.errors(0).message(), testing::EndsWith("; line 1 pos 7"));
  EXPECT_EQ(details.errors(0).spark_throwable().query_contexts(0).start_index(), 7);

  // Spark raises this class without a place.
  details.Clear();
  WriteErrorDetails(Error(ErrorClass::PARSE_SYNTAX_ERROR).At(place), &details);
  EXPECT_EQ(details.errors(0).spark_throwable().query_contexts_size(), 0);
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
