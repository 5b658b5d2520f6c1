#include "merganser/spark/functions/type_pattern.h"

#include <algorithm>
#include <cctype>
#include <map>
#include <utility>

#include "merganser/spark/functions/cast_rules.h"
#include "merganser/spark/functions/coercion.h"
#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/signature_text.h"

namespace merganser {
namespace {

/// The type that VOID, or a string where the pattern is a class of types, becomes.
std::optional<DataType> DefaultType(const TypePattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::kExact:
      return pattern.type;
    case PatternKind::kNumeric:
      return DataType::Double();
    case PatternKind::kIntegral:
      return DataType::Integer();
    case PatternKind::kDecimal:
      return DataType::Decimal(38, 18);
    case PatternKind::kAnyTimestamp:
      return DataType::Timestamp();
    case PatternKind::kYearMonth:
      return DataType::YearMonthInterval();
    case PatternKind::kDayTime:
      return DataType::DayTimeInterval();
    case PatternKind::kArray: {
      const auto element = DefaultType(pattern.parts[0]);
      return DataType::Array(element.value_or(DataType::Null()));
    }
    case PatternKind::kMap: {
      const auto key = DefaultType(pattern.parts[0]);
      const auto value = DefaultType(pattern.parts[1]);
      return DataType::Map(key.value_or(DataType::Null()), value.value_or(DataType::Null()));
    }
    case PatternKind::kStruct:
      return DataType::Struct({});
    default:
      return std::nullopt;
  }
}

std::optional<DataType> StringTarget(const TypePattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::kExact:
      if (IsAtomic(pattern.type)) return pattern.type;
      return std::nullopt;
    case PatternKind::kNumeric:
    case PatternKind::kDecimal:
    case PatternKind::kAnyTimestamp:
      return DefaultType(pattern);
    default:
      return std::nullopt;
  }
}

bool LegacyImplicit(const DataType& from, const DataType& to) {
  const auto is_time = [](const DataType& type) {
    return type.is(TypeId::kDate) || type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
  };
  if (from.is_numeric() && to.is_numeric()) return true;
  if (is_time(from) && is_time(to)) return true;
  if (from.is_string()) return to.is_numeric() || is_time(to) || to.is(TypeId::kBinary);
  if (to.is_string()) return IsAtomic(from);
  return from.is(TypeId::kArray) && to.is(TypeId::kArray) &&
         LegacyImplicit(from.element(), to.element());
}

std::optional<DataType> NestedTarget(const DataType& from, const TypePattern& pattern,
                                     const TypingContext& context) {
  if (pattern.kind == PatternKind::kArray && from.is(TypeId::kArray)) {
    auto element = ImplicitTarget(from.element(), pattern.parts[0], context);
    if (element) return DataType::Array(*element, from.contains_null());
  }
  if (pattern.kind == PatternKind::kMap && from.is(TypeId::kMap)) {
    auto key = ImplicitTarget(from.key(), pattern.parts[0], context);
    auto value = ImplicitTarget(from.value(), pattern.parts[1], context);
    if (key && value) return DataType::Map(*key, *value, from.contains_null());
  }
  return std::nullopt;
}

/// Of the types that an argument may become, the one that itself converts to all others; without
/// ANSI the first.
std::optional<DataType> ClosestTarget(const DataType& from, const TypePattern& pattern,
                                      const TypingContext& context) {
  std::vector<DataType> candidates;
  for (const TypePattern& part : pattern.parts) {
    if (auto target = ImplicitTarget(from, part, context)) candidates.push_back(*target);
  }
  if (candidates.empty()) return std::nullopt;
  if (!context.ansi || from.is(TypeId::kNull)) return candidates.front();
  for (const DataType& candidate : candidates) {
    const bool reaches_all =
        std::all_of(candidates.begin(), candidates.end(), [&](const DataType& other) {
          return ImplicitTarget(candidate, {PatternKind::kExact, other}, context).has_value();
        });
    if (reaches_all) return candidate;
  }
  return std::nullopt;
}

const std::map<std::string, TypePattern, std::less<>>& NamedPatterns() {
  static const std::map<std::string, TypePattern, std::less<>> patterns = {
      {"any", {}},
      {"boolean", {PatternKind::kExact, DataType::Boolean()}},
      {"tinyint", {PatternKind::kExact, DataType::Byte()}},
      {"smallint", {PatternKind::kExact, DataType::Short()}},
      {"int", {PatternKind::kExact, DataType::Integer()}},
      {"bigint", {PatternKind::kExact, DataType::Long()}},
      {"float", {PatternKind::kExact, DataType::Float()}},
      {"double", {PatternKind::kExact, DataType::Double()}},
      {"decimal16_6", {PatternKind::kExact, DataType::Decimal(16, 6)}},
      {"decimal18_6", {PatternKind::kExact, DataType::Decimal(18, 6)}},
      {"string", {PatternKind::kExact, DataType::String()}},
      {"binary", {PatternKind::kExact, DataType::Binary()}},
      {"date", {PatternKind::kExact, DataType::Date()}},
      {"timestamp", {PatternKind::kExact, DataType::Timestamp()}},
      {"timestamp_ntz", {PatternKind::kExact, DataType::TimestampNtz()}},
      {"interval", {PatternKind::kExact, DataType::CalendarInterval()}},
      {"variant", {PatternKind::kExact, DataType::Variant()}},
      {"numeric", {PatternKind::kNumeric}},
      {"integral", {PatternKind::kIntegral}},
      {"decimal", {PatternKind::kDecimal}},
      {"anytimestamp", {PatternKind::kAnyTimestamp}},
      {"year_month", {PatternKind::kYearMonth}},
      {"day_time", {PatternKind::kDayTime}},
      {"struct", {PatternKind::kStruct}},
  };
  return patterns;
}

TypePattern ParseAlternative(std::string_view& text) {
  SkipSpaces(text);
  size_t length = 0;
  while (length < text.size() &&
         (std::isalnum(static_cast<unsigned char>(text[length])) || text[length] == '_')) {
    ++length;
  }
  const std::string_view word = text.substr(0, length);
  text.remove_prefix(length);
  if (word == "array") {
    TypePattern pattern{PatternKind::kArray};
    pattern.parts.push_back(Consume(text, "<") ? ParsePattern(text) : TypePattern{});
    Consume(text, ">");
    return pattern;
  }
  if (word == "map") {
    TypePattern pattern{PatternKind::kMap};
    const bool typed = Consume(text, "<");
    pattern.parts.push_back(typed ? ParsePattern(text) : TypePattern{});
    Consume(text, ",");
    pattern.parts.push_back(typed ? ParsePattern(text) : TypePattern{});
    Consume(text, ">");
    return pattern;
  }
  if (word.size() == 1 && std::isupper(static_cast<unsigned char>(word[0]))) {
    TypePattern pattern{PatternKind::kVariable};
    pattern.variable = word[0];
    return pattern;
  }
  return NamedPatterns().find(word)->second;
}

}  // namespace

bool Accepts(const TypePattern& pattern, const DataType& type) {
  switch (pattern.kind) {
    case PatternKind::kAny:
    case PatternKind::kVariable:
      return true;
    case PatternKind::kExact:
      return pattern.type.is_string() ? type.is_string() : pattern.type.SameType(type);
    case PatternKind::kNumeric:
      return type.is_numeric();
    case PatternKind::kIntegral:
      return type.is_integral();
    case PatternKind::kDecimal:
      return type.is(TypeId::kDecimal);
    case PatternKind::kAnyTimestamp:
      return type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
    case PatternKind::kYearMonth:
      return type.is(TypeId::kYearMonthInterval);
    case PatternKind::kDayTime:
      return type.is(TypeId::kDayTimeInterval);
    case PatternKind::kArray:
      return type.is(TypeId::kArray) && Accepts(pattern.parts[0], type.element());
    case PatternKind::kMap:
      return type.is(TypeId::kMap) && Accepts(pattern.parts[0], type.key()) &&
             Accepts(pattern.parts[1], type.value());
    case PatternKind::kStruct:
      return type.is(TypeId::kStruct);
    case PatternKind::kOneOf:
      return std::any_of(pattern.parts.begin(), pattern.parts.end(),
                         [&](const TypePattern& part) { return Accepts(part, type); });
  }
  return false;
}

std::optional<DataType> ImplicitTarget(const DataType& from, const TypePattern& pattern,
                                       const TypingContext& context) {
  if (Accepts(pattern, from)) return from;
  if (pattern.kind == PatternKind::kOneOf) return ClosestTarget(from, pattern, context);
  if (from.is(TypeId::kNull)) return DefaultType(pattern);
  if (from.is_numeric() && pattern.kind == PatternKind::kDecimal) return DecimalFor(from);
  if (from.is(TypeId::kDate) && pattern.kind == PatternKind::kAnyTimestamp)
    return DataType::Timestamp();
  if (from.is_string()) {
    if (auto target = StringTarget(pattern)) return target;
  }
  if (pattern.kind == PatternKind::kExact) {
    const bool allowed =
        context.ansi ? CanAnsiStoreAssign(from, pattern.type) : LegacyImplicit(from, pattern.type);
    if (allowed) return pattern.type;
    return std::nullopt;
  }
  return NestedTarget(from, pattern, context);
}

std::string PatternText(const TypePattern& pattern) {
  switch (pattern.kind) {
    case PatternKind::kAny:
    case PatternKind::kVariable:
      return "\"ANY\"";
    case PatternKind::kExact:
      return "\"" + pattern.type.SqlString() + "\"";
    case PatternKind::kNumeric:
      return "\"NUMERIC\"";
    case PatternKind::kIntegral:
      return "\"INTEGRAL\"";
    case PatternKind::kDecimal:
      return "\"DECIMAL\"";
    case PatternKind::kAnyTimestamp:
      return "\"(TIMESTAMP OR TIMESTAMP WITHOUT TIME ZONE)\"";
    case PatternKind::kYearMonth:
      return "\"INTERVAL YEAR TO MONTH\"";
    case PatternKind::kDayTime:
      return "\"INTERVAL DAY TO SECOND\"";
    case PatternKind::kArray: {
      if (pattern.parts[0].kind != PatternKind::kExact) return "\"ARRAY\"";
      return "\"ARRAY<" + pattern.parts[0].type.SqlString() + ">\"";
    }
    case PatternKind::kMap:
      return "\"MAP\"";
    case PatternKind::kStruct:
      return "\"STRUCT\"";
    case PatternKind::kOneOf: {
      std::string text = "(";
      for (const TypePattern& part : pattern.parts) {
        if (text.size() > 1) text += " or ";
        text += PatternText(part);
      }
      return text + ")";
    }
  }
  return {};
}

TypePattern ParsePattern(std::string_view& text) {
  TypePattern first = ParseAlternative(text);
  if (!Consume(text, "|")) return first;
  TypePattern pattern{PatternKind::kOneOf};
  pattern.parts.push_back(std::move(first));
  do {
    pattern.parts.push_back(ParseAlternative(text));
  } while (Consume(text, "|"));
  return pattern;
}

}  // namespace merganser
