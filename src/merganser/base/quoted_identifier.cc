#include "merganser/base/quoted_identifier.h"

#include <algorithm>

#include "merganser/base/ascii_text.h"

namespace merganser {
namespace {

bool IsPlain(std::string_view name) {
  return std::ranges::all_of(name,
                             [](char c) {
                               return IsDigit(c) || (c >= 'a' && c <= 'z') ||
                                      (c >= 'A' && c <= 'Z') || c == '_';
                             }) &&
         !std::ranges::all_of(name, IsDigit);
}

template <typename Quote>
std::string Join(std::span<const std::string> parts, Quote quote) {
  std::string out;
  for (const std::string& part : parts) {
    if (!out.empty()) out.push_back('.');
    out.append(quote(std::string_view(part)));
  }
  return out;
}

}  // namespace

std::string QuotedIdentifier(std::string_view name) {
  std::string out = "`";
  for (const char c : name) {
    if (c == '`') out.push_back('`');
    out.push_back(c);
  }
  out.push_back('`');
  return out;
}

std::string QuotedIdentifier(std::span<const std::string> parts) {
  return Join(parts, [](std::string_view part) { return QuotedIdentifier(part); });
}

std::string QuotedIfNeeded(std::string_view name) {
  return IsPlain(name) ? std::string(name) : QuotedIdentifier(name);
}

std::string QuotedIfNeeded(std::span<const std::string> parts) {
  return Join(parts, [](std::string_view part) { return QuotedIfNeeded(part); });
}

}  // namespace merganser
