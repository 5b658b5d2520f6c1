#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/spark/functions/resolve.h"

/// The table of built-in functions and operators, filled from one list a family.
namespace merganser {

class CallBinder;
using CallResolver = Result<BoundExpressionPtr> (*)(CallBinder& call);
/// Text of a call, given the texts of its arguments.
using CallPrinter = std::string (*)(const BoundCall& call,
                                    const std::vector<std::string>& arguments);

struct FunctionEntry {
  /// Canonical name: lower case, operators by their symbol. What BoundCall::function says and
  /// lowering looks up.
  std::string_view name;
  /// See signature.h; empty if `resolve` types the call by itself.
  std::string_view signature = {};
  /// Types the call instead of, or after, the signature; null if the signature says everything.
  CallResolver resolve = nullptr;
  /// Name in generated names where it is not `name` ("ACOS"), or a pattern: "({0} + {1})", "{*}"
  /// for all arguments.
  std::string_view printed = {};
  FunctionKind kind = FunctionKind::kScalar;
  CallPrinter print = nullptr;
  bool deterministic = true;
  /// Takes arguments of the types it names, and NULL: nothing is implicitly cast to them but
  /// elements of arrays.
  bool exact = false;
  /// Syntax forms that no name in SQL calls (`[]`, `alias`).
  bool internal = false;
  /// Every call fails, with a class that says what is not supported.
  bool refused = false;
};

/// The entry of a canonical name or, if `any_case`, of a name as written; null if there is none.
const FunctionEntry* FindEntry(std::string_view name, bool any_case = false);

/// All entries, sorted by name.
std::vector<const FunctionEntry*> AllEntries();

// One list a family, in the file of that name.
std::span<const FunctionEntry> ArithmeticFunctions();
std::span<const FunctionEntry> PredicateFunctions();
std::span<const FunctionEntry> ConditionalFunctions();
std::span<const FunctionEntry> ConversionFunctions();
std::span<const FunctionEntry> MathFunctions();
std::span<const FunctionEntry> StringFunctions();
std::span<const FunctionEntry> PatternFunctions();
std::span<const FunctionEntry> FormatFunctions();
std::span<const FunctionEntry> DateFunctions();
std::span<const FunctionEntry> TimestampFunctions();
std::span<const FunctionEntry> CollectionFunctions();
std::span<const FunctionEntry> HigherOrderFunctions();
std::span<const FunctionEntry> StructFunctions();
std::span<const FunctionEntry> JsonFunctions();
std::span<const FunctionEntry> VariantFunctions();
std::span<const FunctionEntry> HashFunctions();
std::span<const FunctionEntry> SessionFunctions();
std::span<const FunctionEntry> AggregateFunctions();
std::span<const FunctionEntry> StatisticsFunctions();
std::span<const FunctionEntry> WindowFunctions();
std::span<const FunctionEntry> GeneratorFunctions();

}  // namespace merganser
