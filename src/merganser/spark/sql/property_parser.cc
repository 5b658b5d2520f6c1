#include "merganser/spark/sql/property_parser.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/sql/name_parser.h"
#include "merganser/spark/sql/string_literal.h"

namespace merganser {
namespace {

bool PeekValue(const TokenStream& in) {
  const size_t sign = in.PeekSymbol("-") ? 1 : 0;
  return in.PeekString() || in.Peek(sign).is_number() || in.PeekAnyWord({"TRUE", "FALSE"});
}

Result<std::string> ParseValue(TokenStream& in) {
  if (in.PeekString()) return ParseString(in);
  if (in.PeekAnyWord({"TRUE", "FALSE"})) return AsciiLowerCase(in.Next().text);
  if (!PeekValue(in)) return in.SyntaxError();
  const size_t first = in.position();
  in.AcceptSymbol("-");
  in.Next();
  return std::string(in.TextFrom(first));
}

struct Property {
  std::string key;
  std::optional<std::string> value;
};

Result<Property> ParseProperty(TokenStream& in) {
  Property property;
  MERGANSER_ASSIGN_OR_RETURN(property.key, ParsePropertyKey(in));
  if (in.AcceptSymbol("=") || PeekValue(in)) {
    MERGANSER_ASSIGN_OR_RETURN(std::string value, ParseValue(in));
    property.value = std::move(value);
  }
  return property;
}

Result<std::vector<Property>> ParsePropertyList(TokenStream& in) {
  const size_t first = in.position();
  std::vector<Property> properties;
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol("("));
  do {
    MERGANSER_ASSIGN_OR_RETURN(Property property, ParseProperty(in));
    const bool repeated =
        std::any_of(properties.begin(), properties.end(),
                    [&](const Property& other) { return other.key == property.key; });
    if (repeated)
      return in.ErrorFrom(
          first, Error(ErrorClass::DUPLICATE_KEY, {{"keyColumn", QuotedIdentifier(property.key)}}));
    properties.push_back(std::move(property));
  } while (in.AcceptSymbol(","));
  MERGANSER_RETURN_IF_ERROR(in.ExpectSymbol(")"));
  return properties;
}

/// What to write instead of a property; empty for properties that may be set.
std::string_view ClauseOf(std::string_view key) {
  if (key == "provider") return "use the USING clause";
  if (key == "location") return "use the LOCATION clause";
  if (key == "owner") return "it is set to the current user";
  if (key == "external") return "use CREATE EXTERNAL TABLE";
  if (key == "is_managed_location") return "it is set by the engine";
  return {};
}

}  // namespace

Result<std::string> ParsePropertyKey(TokenStream& in) {
  // One string: strings behind it are its value, not more of the key.
  if (in.PeekString()) return StringValue(in.Next().text);
  std::string key;
  do {
    if (!key.empty()) key += ".";
    MERGANSER_ASSIGN_OR_RETURN(const std::string part, ParseHyphenCheckedIdentifier(in));
    key += part;
  } while (in.AcceptSymbol("."));
  return key;
}

Result<plan::Options> ParseProperties(TokenStream& in) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<Property> list, ParsePropertyList(in));
  plan::Options properties;
  for (Property& property : list)
    properties.emplace(std::move(property.key), std::move(property.value).value_or(""));
  return properties;
}

Result<plan::Options> ParseTableProperties(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::vector<Property> list, ParsePropertyList(in));
  plan::Options properties;
  for (Property& property : list) {
    if (!property.value) {
      return in.ErrorFrom(
          first,
          Error(ErrorClass::_LEGACY_ERROR_TEMP_0035,
                {{"message", "Values must be specified for key(s): [" + property.key + "]"}}));
    }
    if (const std::string_view clause = ClauseOf(property.key); !clause.empty()) {
      return in.ErrorFrom(first, Error(ErrorClass::UNSUPPORTED_FEATURE,
                                       {{"property", property.key}, {"msg", std::string(clause)}},
                                       "SET_TABLE_PROPERTY"));
    }
    properties.emplace(std::move(property.key), *std::move(property.value));
  }
  return properties;
}

Result<std::vector<std::string>> ParseWrittenKeys(TokenStream& in) {
  MERGANSER_ASSIGN_OR_RETURN(std::vector<Property> list, ParsePropertyList(in));
  std::vector<std::string> keys;
  for (Property& property : list) keys.push_back(std::move(property.key));
  return keys;
}

Result<std::vector<std::string>> ParsePropertyKeys(TokenStream& in) {
  const size_t first = in.position();
  MERGANSER_ASSIGN_OR_RETURN(std::vector<Property> list, ParsePropertyList(in));
  std::vector<std::string> keys;
  for (Property& property : list) {
    if (property.value) {
      return in.ErrorFrom(first, Error(ErrorClass::_LEGACY_ERROR_TEMP_0035,
                                       {{"message", "Values should not be specified for key(s): [" +
                                                        property.key + "]"}}));
    }
    keys.push_back(std::move(property.key));
  }
  return keys;
}

}  // namespace merganser
