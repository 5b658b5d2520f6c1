#include "merganser/spark/functions/signature.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <utility>

#include "merganser/spark/functions/numeric_types.h"
#include "merganser/spark/functions/signature_text.h"

namespace merganser {
namespace {

plan::Literal ParseDefault(std::string_view& text) {
  SkipSpaces(text);
  if (Consume(text, "null")) return {};
  if (Consume(text, "true")) return {DataType::Boolean(), true};
  if (Consume(text, "false")) return {DataType::Boolean(), false};
  if (Consume(text, "'")) {
    const size_t end = text.find('\'');
    plan::Literal literal{DataType::String(), std::string(text.substr(0, end))};
    text.remove_prefix(end + 1);
    return literal;
  }
  int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  text.remove_prefix(static_cast<size_t>(end - text.data()));
  return {DataType::Integer(), value};
}

/// A parameter's name, if `text` starts with `name:`.
std::string ParseName(std::string_view& text) {
  SkipSpaces(text);
  const size_t end =
      text.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789");
  if (end == std::string_view::npos || text[end] != ':') return {};
  std::string name(text.substr(0, end));
  text.remove_prefix(end + 1);
  return name;
}

const DataType& Variable(char name, const TypeVariables& variables) {
  static const DataType unknown;
  for (const auto& [variable, type] : variables) {
    if (variable == name) return type;
  }
  return unknown;
}

DataType ParseResult(std::string_view& text, const std::vector<DataType>& types,
                     const TypeVariables& variables);

/// The type in parentheses after `element`, `key` or `value`.
DataType ParseOperand(std::string_view& text, const std::vector<DataType>& types,
                      const TypeVariables& variables) {
  DataType type = ParseResult(text, types, variables);
  Consume(text, ")");
  return type;
}

DataType ParseResult(std::string_view& text, const std::vector<DataType>& types,
                     const TypeVariables& variables) {
  SkipSpaces(text);
  if (Consume(text, "$")) {
    const size_t index = static_cast<size_t>(text.front() - '0');
    text.remove_prefix(1);
    return index < types.size() ? types[index] : DataType::Null();
  }
  if (Consume(text, "element(")) {
    const DataType type = ParseOperand(text, types, variables);
    return type.is(TypeId::kArray) ? type.element() : DataType::Null();
  }
  if (Consume(text, "key(")) {
    const DataType type = ParseOperand(text, types, variables);
    return type.is(TypeId::kMap) ? type.key() : DataType::Null();
  }
  if (Consume(text, "value(")) {
    const DataType type = ParseOperand(text, types, variables);
    return type.is(TypeId::kMap) ? type.value() : DataType::Null();
  }
  if (Consume(text, "array<")) {
    DataType element = ParseResult(text, types, variables);
    Consume(text, ">");
    return DataType::Array(std::move(element));
  }
  if (Consume(text, "map<")) {
    DataType key = ParseResult(text, types, variables);
    Consume(text, ",");
    DataType value = ParseResult(text, types, variables);
    Consume(text, ">");
    return DataType::Map(std::move(key), std::move(value));
  }
  if (!text.empty() && std::isupper(static_cast<unsigned char>(text.front()))) {
    const char name = text.front();
    text.remove_prefix(1);
    return Variable(name, variables);
  }
  if (Consume(text, "void")) return DataType::Null();
  if (Consume(text, "year_month")) return DataType::YearMonthInterval();
  if (Consume(text, "day_time")) return DataType::DayTimeInterval();
  return ParsePattern(text).type;
}

}  // namespace

size_t Signature::min_arguments() const {
  const size_t required =
      static_cast<size_t>(std::count_if(parameters.begin(), parameters.end(),
                                        [](const auto& parameter) { return !parameter.optional; }));
  return required;
}

size_t Signature::max_arguments() const { return variadic ? SIZE_MAX : parameters.size(); }

Signature ParseSignature(std::string_view text) {
  Signature signature;
  const size_t arrow = text.find("->");
  std::string_view parameters = text.substr(0, arrow);
  SkipSpaces(parameters);
  while (!parameters.empty()) {
    SignatureParameter parameter;
    parameter.name = ParseName(parameters);
    parameter.pattern = ParsePattern(parameters);
    if (Consume(parameters, "...")) {
      signature.variadic = true;
      parameter.optional = true;
    }
    if (Consume(parameters, "?")) parameter.optional = true;
    if (Consume(parameters, "=")) {
      parameter.default_value = ParseDefault(parameters);
      parameter.optional = true;
    }
    signature.parameters.push_back(std::move(parameter));
    Consume(parameters, ",");
    SkipSpaces(parameters);
  }
  std::string_view result = text.substr(arrow + 2);
  SkipSpaces(result);
  if (result.ends_with('?')) signature.nullability = ResultNullability::kAlways;
  if (result.ends_with('!')) signature.nullability = ResultNullability::kNever;
  if (signature.nullability != ResultNullability::kAnyArgument) result.remove_suffix(1);
  signature.result = result;
  return signature;
}

DataType ResultType(std::string_view result, const std::vector<DataType>& types,
                    const TypeVariables& variables) {
  return ParseResult(result, types, variables);
}

}  // namespace merganser
