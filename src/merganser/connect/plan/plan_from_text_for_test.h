#pragma once

#include <string>

#include <google/protobuf/text_format.h>
#include <gtest/gtest.h>

#include "merganser/connect/plan/translate.h"
#include "merganser/spark/sql/plan_text_for_tests.h"

namespace merganser::connect {

/// A message written as protobuf text.
template <typename Message>
Message FromText(const std::string& text) {
  Message message;
  EXPECT_TRUE(google::protobuf::TextFormat::ParseFromString(text, &message)) << text;
  return message;
}

/// A context in which local rows are the table `local` and nothing is uploaded.
inline TranslationContext TestContext() {
  TranslationContext context;
  const auto table = [](const std::string& name) -> Result<plan::RelationPtr> {
    return plan::MakeRelation(plan::TableReference{{{name}, nullptr, {}}, std::nullopt, {}});
  };
  context.local_rows = [table](const auto&, const auto&) { return table("local"); };
  context.artifact = [](const std::string& name) -> Result<std::string_view> {
    return Error::Internal("no artifact " + name);
  };
  context.remote_relation = [table](const std::string& id) { return table("remote_" + id); };
  return context;
}

/// The expression as the plan tests write it, or the full name of its error.
inline std::string ExpressionOf(const std::string& text) {
  TranslationContext context = TestContext();
  const auto translated = TranslateExpression(FromText<spark::connect::Expression>(text), context);
  return translated.ok() ? PlanText(*translated) : translated.error().full_name();
}

/// The same for a relation.
inline std::string RelationOf(const std::string& text) {
  TranslationContext context = TestContext();
  const auto translated = TranslateRelation(FromText<spark::connect::Relation>(text), context);
  return translated.ok() ? PlanText(*translated) : translated.error().full_name();
}

/// `root` as a statement.
inline Result<plan::Statement> StatementOf(const std::string& text) {
  TranslationContext context = TestContext();
  return TranslateStatement(FromText<spark::connect::Relation>(text), context);
}

inline Result<plan::Statement> CommandOf(const std::string& text) {
  TranslationContext context = TestContext();
  return TranslateCommand(FromText<spark::connect::Command>(text), context);
}

/// A relation that reads the table `name`, as protobuf text.
inline std::string ReadText(const std::string& name) {
  return "read { named_table { unparsed_identifier: '" + name + "' } }";
}

}  // namespace merganser::connect
