#include "merganser/spark/functions/registry.h"

#include <set>

#include <gtest/gtest.h>

#include "merganser/spark/functions/expression_for_test.h"
#include "merganser/spark/functions/signature.h"

namespace merganser {
namespace {

TEST(RegistryTest, EveryEntryTypesItsCalls) {
  for (const FunctionEntry* entry : AllEntries()) {
    EXPECT_NE(entry->signature.empty(), entry->resolve == nullptr) << entry->name;
    if (!entry->signature.empty()) {
      const Signature signature = ParseSignature(entry->signature);
      EXPECT_FALSE(signature.result.empty()) << entry->name;
      EXPECT_LE(signature.min_arguments(), signature.max_arguments()) << entry->name;
    }
  }
}

TEST(RegistryTest, HoldsTheBuiltInsOfSpark) {
  EXPECT_GE(FunctionNames().size(), 380u);
  EXPECT_EQ(FindFunction("SUM"), FunctionKind::kAggregate);
  EXPECT_EQ(FindFunction("row_number"), FunctionKind::kWindow);
  EXPECT_EQ(FindFunction("Explode"), FunctionKind::kGenerator);
  EXPECT_EQ(FindFunction("no_such_function"), std::nullopt);
}

TEST(RegistryTest, UnknownFunctionsSayWhereTheyWereLookedFor) {
  const auto call = CallOf("no_such_function", {IntegerOf(1)});
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.error().full_name(), "UNRESOLVED_ROUTINE");
  EXPECT_EQ(call.error().parameters().at("searchPath"),
            "[`system`.`builtin`, `system`.`session`, `spark_catalog`.`default`]");
}

TEST(RegistryTest, ArgumentsAreCounted) {
  const auto call = CallOf("substring", {TextOf("a")});
  ASSERT_FALSE(call.ok());
  EXPECT_EQ(call.error().full_name(), "WRONG_NUM_ARGS.WITHOUT_SUGGESTION");
  EXPECT_EQ(call.error().parameters().at("expectedNum"), "[2, 3]");
  EXPECT_EQ(call.error().parameters().at("actualNum"), "1");
  EXPECT_EQ(TypeOfCall("greatest", {IntegerOf(1)}), "WRONG_NUM_ARGS.WITHOUT_SUGGESTION");
}

TEST(RegistryTest, NamedArgumentsFindTheirPlaces) {
  CallRequest request;
  request.name = "mask";
  request.arguments = {TextOf("q"), TextOf("AbC")};
  request.lambdas.resize(2);
  request.argument_names = {"lowerChar", "str"};
  const auto call = ResolveCall(request, {}, {});
  ASSERT_TRUE(call.ok()) << call.error().message();
  EXPECT_EQ(GeneratedName(**call), "mask(AbC, X, q, n, NULL)");
  request.argument_names = {"lowerChar", "nope"};
  EXPECT_EQ(ResolveCall(request, {}, {}).error().full_name(), "UNRECOGNIZED_PARAMETER_NAME");
}

TEST(RegistryTest, SignaturesReadDefaultsVariablesAndNames) {
  const Signature signature =
      ParseSignature("str: string|binary, array<T>, T, int = -1, string... -> array<T>?");
  ASSERT_EQ(signature.parameters.size(), 5u);
  EXPECT_EQ(signature.parameters[0].name, "str");
  EXPECT_EQ(signature.parameters[0].pattern.kind, PatternKind::kOneOf);
  EXPECT_EQ(signature.parameters[1].pattern.parts[0].variable, 'T');
  EXPECT_EQ(std::get<int64_t>(signature.parameters[3].default_value->value), -1);
  EXPECT_TRUE(signature.variadic);
  EXPECT_EQ(signature.min_arguments(), 3u);
  EXPECT_EQ(signature.nullability, ResultNullability::kAlways);
  EXPECT_EQ(ResultType("map<element($0), T>", {DataType::Array(DataType::Date())},
                       {{'T', DataType::Long()}}),
            DataType::Map(DataType::Date(), DataType::Long()));
}

}  // namespace
}  // namespace merganser
