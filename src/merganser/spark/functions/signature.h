#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/spark/functions/type_pattern.h"
#include "merganser/spark/plan/literal.h"

/// Signatures of functions, written as text.
///
///   "string|binary, int, int = 2147483647 -> $0"     a default makes a parameter optional
///   "array<T>, T -> bigint"                           T is one type at all its places; W too,
///   which
///                                                     decimals of several precisions have as well
///   "string, string|array<string>... -> string"       any number of the last one
///   "input: string, zone: string? -> date?"           named, optional without default; a result
///   always nullable
namespace merganser {

struct SignatureParameter {
  std::string name;  ///< For `name => value`; empty if it cannot be named.
  TypePattern pattern;
  std::optional<plan::Literal> default_value;
  bool optional = false;
};

enum class ResultNullability : uint8_t { kAnyArgument, kAlways, kNever };

struct Signature {
  std::vector<SignatureParameter> parameters;
  bool variadic = false;  ///< The last parameter may be given any number of times, also none.
  std::string result;     ///< A type, `$i` (type of argument i), `T`, `element($i)`, `array<...>`.
  ResultNullability nullability = ResultNullability::kAnyArgument;

  size_t min_arguments() const;
  size_t max_arguments() const;  ///< SIZE_MAX when variadic.
};

/// Requires well-formed text: it comes from our own tables.
Signature ParseSignature(std::string_view text);

/// Types that variables got from the arguments.
using TypeVariables = std::vector<std::pair<char, DataType>>;

/// The result type that `result` (see Signature) means for arguments of `types`.
DataType ResultType(std::string_view result, const std::vector<DataType>& types,
                    const TypeVariables& variables);

}  // namespace merganser
