#include "merganser/base/error_registry.h"

#include <algorithm>
#include <utility>

namespace merganser {
namespace {

struct SubClassEntry {
  ErrorClass error_class;
  std::string_view name;
  std::string_view message;
};

std::vector<ErrorClassDescription> MakeDescriptions() {
  using enum ErrorKind;
  return {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, message, ...) \
  {#name, sqlstate, kind, from_delta, {__VA_ARGS__}},
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message)
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
  };
}

constexpr std::string_view kMessages[] = {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, message, ...) message,
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message)
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
};

// Sorted by class, then by name, as the registry is.
constexpr SubClassEntry kSubClasses[] = {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, message, ...)
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message) {ErrorClass::name, sub_class, message},
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
};

const std::vector<ErrorClassDescription>& Descriptions() {
  static const auto& descriptions = *new std::vector<ErrorClassDescription>(MakeDescriptions());
  return descriptions;
}

}  // namespace

const ErrorClassDescription& Describe(ErrorClass error_class) {
  return Descriptions()[static_cast<size_t>(error_class)];
}

std::span<const ErrorClassDescription> AllErrorClasses() { return Descriptions(); }

std::optional<ErrorClass> FindErrorClass(std::string_view name) {
  const auto& all = Descriptions();
  const auto found = std::ranges::lower_bound(all, name, {}, &ErrorClassDescription::name);
  if (found == all.end() || found->name != name) return std::nullopt;
  return static_cast<ErrorClass>(found - all.begin());
}

std::string_view MessageTemplate(ErrorClass error_class) {
  return kMessages[static_cast<size_t>(error_class)];
}

std::string_view MessageTemplate(ErrorClass error_class, std::string_view sub_class) {
  for (const SubClassEntry& entry : kSubClasses) {
    if (entry.error_class == error_class && entry.name == sub_class) return entry.message;
  }
  return {};
}

std::vector<std::string_view> SubClasses(ErrorClass error_class) {
  std::vector<std::string_view> names;
  for (const SubClassEntry& entry : kSubClasses) {
    if (entry.error_class == error_class) names.push_back(entry.name);
  }
  return names;
}

}  // namespace merganser
