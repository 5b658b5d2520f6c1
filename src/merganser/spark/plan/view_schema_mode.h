#pragma once

#include <array>
#include <cstddef>
#include <optional>
#include <string_view>

namespace merganser::plan {

/// What a stored view does when the columns of its query change (WITH SCHEMA).
enum class ViewSchemaMode {
  kBinding,        ///< Its own columns, where no value is lost as the types they had.
  kCompensation,   ///< Its own columns, cast to the types they had. The default.
  kTypeEvolution,  ///< Its own columns, of whatever type they are now.
  kEvolution,      ///< The columns of the query as they are now.
};

inline constexpr std::array<std::string_view, 4> kViewSchemaModeTexts = {
    "BINDING", "COMPENSATION", "TYPE EVOLUTION", "EVOLUTION"};

/// The words behind WITH SCHEMA.
constexpr std::string_view ToText(ViewSchemaMode mode) {
  return kViewSchemaModeTexts[static_cast<size_t>(mode)];
}

/// The mode that `text`, in capitals, stands for.
constexpr std::optional<ViewSchemaMode> ParseViewSchemaMode(std::string_view text) {
  for (size_t i = 0; i < kViewSchemaModeTexts.size(); ++i) {
    if (kViewSchemaModeTexts[i] == text) return static_cast<ViewSchemaMode>(i);
  }
  return std::nullopt;
}

}  // namespace merganser::plan
