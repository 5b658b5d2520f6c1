#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace merganser {

/// `name` in backticks, inner backticks doubled: how Spark's messages show a name.
std::string QuotedIdentifier(std::string_view name);

/// The parts quoted and joined by dots: `a`.`b.c`.
std::string QuotedIdentifier(std::span<const std::string> parts);

/// `name` as it stands if it needs no quotes in SQL (letters, digits and underscores, not digits
/// alone), else quoted.
std::string QuotedIfNeeded(std::string_view name);

/// The parts joined by dots, each quoted if it needs to be.
std::string QuotedIfNeeded(std::span<const std::string> parts);

}  // namespace merganser
