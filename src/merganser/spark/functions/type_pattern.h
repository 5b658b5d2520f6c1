#pragma once

#include <optional>
#include <string>
#include <vector>

#include "merganser/spark/functions/resolve.h"

/// What a function accepts as an argument: a type, or a set of types.
namespace merganser {

enum class PatternKind : uint8_t {
  kAny,
  kExact,    ///< `type`.
  kNumeric,  ///< Any number.
  kIntegral,
  kDecimal,       ///< A decimal of any precision.
  kAnyTimestamp,  ///< TIMESTAMP or TIMESTAMP_NTZ.
  kYearMonth,     ///< Year-month interval of any fields.
  kDayTime,       ///< Day-time interval of any fields.
  kArray,         ///< parts[0]: element.
  kMap,           ///< parts: key, value.
  kStruct,        ///< Any struct.
  kVariable,      ///< `variable`: the same type at all its places.
  kOneOf,         ///< parts: alternatives.
};

struct TypePattern {
  PatternKind kind = PatternKind::kAny;
  DataType type = {};
  std::vector<TypePattern> parts = {};
  char variable = 0;
};

/// True if values of `type` can be taken as they are. Variables accept everything.
bool Accepts(const TypePattern& pattern, const DataType& type);

/// The type that an argument of type `from` is implicitly cast to: `from` itself where it is
/// accepted, nullopt where there is no implicit cast.
std::optional<DataType> ImplicitTarget(const DataType& from, const TypePattern& pattern,
                                       const TypingContext& context);

/// As error parameters name it: `"INT"`, `("STRING" or "BINARY")`.
std::string PatternText(const TypePattern& pattern);

/// Read a pattern such as `string|binary`, `array<T>`, `map<K,V>`, `numeric`. Advances `text`
/// behind it. Requires well-formed text.
TypePattern ParsePattern(std::string_view& text);

}  // namespace merganser
