#include "merganser/spark/functions/registry.h"

#include <algorithm>
#include <map>

#include "merganser/base/letter_case.h"

namespace merganser {
namespace {

using Registry = std::map<std::string_view, const FunctionEntry*>;

const Registry& BuiltIns() {
  static const Registry registry = [] {
    Registry entries;
    for (const auto family : {ArithmeticFunctions(), PredicateFunctions(),  ConditionalFunctions(),
                              ConversionFunctions(), MathFunctions(),       StringFunctions(),
                              PatternFunctions(),    FormatFunctions(),     DateFunctions(),
                              TimestampFunctions(),  CollectionFunctions(), HigherOrderFunctions(),
                              StructFunctions(),     JsonFunctions(),       VariantFunctions(),
                              HashFunctions(),       SessionFunctions(),    AggregateFunctions(),
                              StatisticsFunctions(), WindowFunctions(),     GeneratorFunctions()}) {
      for (const FunctionEntry& entry : family) entries.emplace(entry.name, &entry);
    }
    return entries;
  }();
  return registry;
}

}  // namespace

const FunctionEntry* FindEntry(std::string_view name, bool any_case) {
  const auto found = BuiltIns().find(any_case ? AsciiLowerCase(name) : std::string(name));
  return found == BuiltIns().end() ? nullptr : found->second;
}

std::vector<const FunctionEntry*> AllEntries() {
  std::vector<const FunctionEntry*> entries;
  for (const auto& [name, entry] : BuiltIns()) entries.push_back(entry);
  return entries;
}

std::vector<std::string> FunctionNames() {
  std::vector<std::string> names;
  for (const FunctionEntry* entry : AllEntries()) {
    if (!entry->internal) names.emplace_back(entry->name);
  }
  return names;
}

}  // namespace merganser
