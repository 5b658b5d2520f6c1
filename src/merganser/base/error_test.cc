#include "merganser/base/error.h"

#include <algorithm>
#include <cctype>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "merganser/base/error_registry.h"
#include "merganser/base/result.h"

namespace merganser {
namespace {

using ::testing::Contains;
using ::testing::ElementsAre;
using ::testing::HasSubstr;

TEST(ErrorRegistryTest, NamesAreSortedAndUnique) {
  const auto all = AllErrorClasses();
  ASSERT_FALSE(all.empty());
  for (size_t i = 1; i < all.size(); ++i) EXPECT_LT(all[i - 1].name, all[i].name);
}

TEST(ErrorRegistryTest, EveryNameIsFoundAtItsEnumerator) {
  const auto all = AllErrorClasses();
  for (size_t i = 0; i < all.size(); ++i) {
    const auto found = FindErrorClass(all[i].name);
    ASSERT_TRUE(found.has_value()) << all[i].name;
    EXPECT_EQ(static_cast<size_t>(*found), i);
    EXPECT_EQ(&Describe(*found), &all[i]);
  }
  EXPECT_FALSE(FindErrorClass("NO_SUCH_CLASS").has_value());
  EXPECT_FALSE(FindErrorClass("").has_value());
}

TEST(ErrorRegistryTest, SubClassesAreSortedAndUnique) {
  for (const auto& description : AllErrorClasses()) {
    const auto names = SubClasses(*FindErrorClass(description.name));
    for (size_t i = 1; i < names.size(); ++i) {
      EXPECT_LT(names[i - 1], names[i]) << description.name;
    }
  }
}

/// Faults of the <parameters> of a template: unclosed, or not an identifier.
std::vector<std::string> BadParameters(std::string_view text) {
  std::vector<std::string> bad;
  for (size_t open = text.find('<'); open != text.npos; open = text.find('<', open + 1)) {
    const size_t close = text.find('>', open);
    std::string name(text.substr(open + 1, close == text.npos ? 20 : close - open - 1));
    const bool plausible =
        close != text.npos && !name.empty() && std::isalpha(name[0]) != 0 &&
        std::ranges::all_of(name, [](unsigned char c) { return std::isalnum(c) || c == '_'; });
    if (!plausible) bad.push_back(name);
  }
  return bad;
}

TEST(ErrorRegistryTest, EveryParameterIsAnIdentifier) {
  for (const auto& description : AllErrorClasses()) {
    const ErrorClass error_class = *FindErrorClass(description.name);
    EXPECT_THAT(BadParameters(MessageTemplate(error_class)), ElementsAre()) << description.name;
    EXPECT_FALSE(MessageTemplate(error_class).empty()) << description.name;
    for (const auto sub_class : SubClasses(error_class)) {
      const auto text = MessageTemplate(error_class, sub_class);
      EXPECT_THAT(BadParameters(text), ElementsAre()) << description.name << "." << sub_class;
      EXPECT_FALSE(text.empty()) << description.name << "." << sub_class;
    }
  }
}

TEST(ErrorRegistryTest, EveryChainEndsAtThrowable) {
  for (const auto& description : AllErrorClasses()) {
    ASSERT_GE(description.jvm_classes.size(), 2u) << description.name;
    EXPECT_EQ(description.jvm_classes.back(), "java.lang.Throwable") << description.name;
    EXPECT_EQ(description.sqlstate.size(), 5u) << description.name;
  }
}

TEST(ErrorRegistryTest, MultipleMatchesAreAnUnsupportedOperation) {
  const auto& description =
      Describe(ErrorClass::DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE);
  EXPECT_EQ(description.sqlstate, "21506");
  EXPECT_EQ(description.jvm_classes.front(),
            "org.apache.spark.sql.delta.DeltaUnsupportedOperationException");
  EXPECT_THAT(description.jvm_classes, Contains("java.lang.UnsupportedOperationException"));
  EXPECT_TRUE(description.from_delta);
}

TEST(ErrorRegistryTest, ConflictsDescendFromConcurrentModification) {
  for (const ErrorClass error_class :
       {ErrorClass::DELTA_CONCURRENT_APPEND, ErrorClass::DELTA_CONCURRENT_DELETE_DELETE,
        ErrorClass::DELTA_CONCURRENT_DELETE_READ, ErrorClass::DELTA_CONCURRENT_TRANSACTION,
        ErrorClass::DELTA_CONCURRENT_WRITE, ErrorClass::DELTA_METADATA_CHANGED,
        ErrorClass::DELTA_PROTOCOL_CHANGED}) {
    const auto& description = Describe(error_class);
    EXPECT_EQ(description.kind, ErrorKind::kConflict) << description.name;
    EXPECT_EQ(description.sqlstate, "2D521") << description.name;
    EXPECT_THAT(description.jvm_classes, Contains("java.util.ConcurrentModificationException"))
        << description.name;
  }
}

TEST(ErrorTest, SparksTextEndsInItsSqlState) {
  const Error error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", "`a`.`b`"}});
  EXPECT_TRUE(error.message().starts_with("[TABLE_OR_VIEW_NOT_FOUND] ")) << error.message();
  EXPECT_TRUE(error.message().ends_with(" SQLSTATE: 42P01")) << error.message();
  EXPECT_THAT(error.message(), HasSubstr("`a`.`b`"));
  EXPECT_EQ(error.full_name(), "TABLE_OR_VIEW_NOT_FOUND");
  EXPECT_EQ(error.kind(), ErrorKind::kUser);
}

TEST(ErrorTest, DeltasTextHasNoSqlState) {
  const Error error(ErrorClass::DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE,
                    {{"usageReference", "docs"}});
  EXPECT_TRUE(
      error.message().starts_with("[DELTA_MULTIPLE_SOURCE_ROW_MATCHING_TARGET_ROW_IN_MERGE] "));
  EXPECT_EQ(error.message().find("SQLSTATE"), std::string::npos);
}

TEST(ErrorTest, SubClassIsPartOfTheNameAndOfTheText) {
  const Error error(ErrorClass::UNRESOLVED_COLUMN,
                    {{"objectName", "`x`"}, {"proposal", "`y`, `z`"}}, "WITH_SUGGESTION");
  EXPECT_EQ(error.full_name(), "UNRESOLVED_COLUMN.WITH_SUGGESTION");
  EXPECT_TRUE(error.message().starts_with("[UNRESOLVED_COLUMN.WITH_SUGGESTION] "));
  EXPECT_THAT(error.message(), HasSubstr("`x`"));
  EXPECT_THAT(error.message(), HasSubstr("`y`, `z`"));
}

TEST(ErrorTest, MissingParameterIsEmptyAndValuesAreNotTemplates) {
  const Error missing(ErrorClass::TABLE_OR_VIEW_NOT_FOUND);
  EXPECT_EQ(missing.message().find('<'), std::string::npos) << missing.message();
  const Error angled(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", "<relationName>"}});
  EXPECT_THAT(angled.message(), HasSubstr("<relationName>"));
}

TEST(ErrorTest, JsonRoundTripKeepsEverything) {
  QueryContext context{.start = 7, .stop = 9, .line = 2, .column = 3, .fragment = "a\"b\n"};
  const Error error =
      Error(ErrorClass::UNRESOLVED_COLUMN, {{"objectName", "`\xC3\xA9`"}, {"proposal", "`z`"}},
            "WITH_SUGGESTION")
          .At(context)
          .CausedBy(Error(ErrorClass::DIVIDE_BY_ZERO).CausedBy(Error::Internal("deep\x01")));
  const auto back = Error::FromJson(error.ToJson());
  ASSERT_TRUE(back.has_value());
  EXPECT_EQ(back->full_name(), error.full_name());
  EXPECT_EQ(back->parameters(), error.parameters());
  EXPECT_EQ(back->message(), error.message());
  ASSERT_TRUE(back->context().has_value());
  EXPECT_EQ(back->context()->start, 7);
  EXPECT_EQ(back->context()->stop, 9);
  EXPECT_EQ(back->context()->line, 2);
  EXPECT_EQ(back->context()->column, 3);
  EXPECT_EQ(back->context()->fragment, "a\"b\n");
  ASSERT_NE(back->cause(), nullptr);
  EXPECT_EQ(back->cause()->error_class(), ErrorClass::DIVIDE_BY_ZERO);
  ASSERT_NE(back->cause()->cause(), nullptr);
  EXPECT_EQ(back->cause()->cause()->parameters().at("message"), "deep\x01");
}

TEST(ErrorTest, OtherJsonIsNoError) {
  EXPECT_FALSE(Error::FromJson("").has_value());
  EXPECT_FALSE(Error::FromJson("{}").has_value());
  EXPECT_FALSE(Error::FromJson(R"({"class":"NO_SUCH","parameters":{}})").has_value());
  EXPECT_FALSE(Error::FromJson(R"({"class":"DIVIDE_BY_ZERO","parameters":{"a":1}})").has_value());
}

TEST(ErrorTest, InternalErrorsSayWhat) {
  const Error error = Error::Internal("row count is off");
  EXPECT_EQ(error.kind(), ErrorKind::kInternal);
  EXPECT_EQ(error.sqlstate(), "XX000");
  EXPECT_THAT(error.message(), HasSubstr("row count is off"));
}

Result<int> Half(int number) {
  if (number % 2 != 0) return Error::Internal("odd");
  return number / 2;
}

Result<int> Quarter(int number) {
  MERGANSER_ASSIGN_OR_RETURN(const int half, Half(number));
  MERGANSER_RETURN_IF_ERROR(Half(half));
  return Half(half);
}

TEST(ResultTest, MacrosPassValuesAndErrors) {
  EXPECT_EQ(*Quarter(8), 2);
  EXPECT_FALSE(Quarter(7).ok());
  EXPECT_FALSE(Quarter(6).ok());
  EXPECT_EQ(Quarter(6).error().error_class(), ErrorClass::INTERNAL_ERROR);
}

}  // namespace
}  // namespace merganser
