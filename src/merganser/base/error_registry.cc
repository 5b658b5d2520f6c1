#include "merganser/base/error_registry.h"

#include <algorithm>
#include <utility>

namespace merganser {
namespace {

struct SubClassEntry {
  ErrorClass error_class;
  std::string_view name;
  std::string_view message;
  /// As in ErrorClassDescription; empty where they are those of the class.
  std::vector<std::string_view> jvm_classes;
};

std::vector<ErrorClassDescription> MakeDescriptions() {
  using enum ErrorKind;
  return {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, has_context, message, ...) \
  {#name, sqlstate, kind, from_delta, has_context, {__VA_ARGS__}},
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message, ...)
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
  };
}

constexpr std::string_view kMessages[] = {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, has_context, message, ...) message,
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message, ...)
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
};

std::vector<SubClassEntry> MakeSubClasses() {
  return {
#define MERGANSER_ERROR_ENTRY(name, sqlstate, kind, from_delta, has_context, message, ...)
#define MERGANSER_ERROR_SUBCLASS(name, sub_class, message, ...) \
  {ErrorClass::name, sub_class, message, {__VA_ARGS__}},
#include "merganser/base/error_registry.inc"
#undef MERGANSER_ERROR_ENTRY
#undef MERGANSER_ERROR_SUBCLASS
  };
}

const std::vector<ErrorClassDescription>& Descriptions() {
  static const auto& descriptions = *new std::vector<ErrorClassDescription>(MakeDescriptions());
  return descriptions;
}

/// Sorted by class, then by name, as the registry is.
const std::vector<SubClassEntry>& AllSubClasses() {
  static const auto& entries = *new std::vector<SubClassEntry>(MakeSubClasses());
  return entries;
}

const SubClassEntry* FindSubClass(ErrorClass error_class, std::string_view name) {
  for (const SubClassEntry& entry : AllSubClasses()) {
    if (entry.error_class == error_class && entry.name == name) return &entry;
  }
  return nullptr;
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
  const SubClassEntry* entry = FindSubClass(error_class, sub_class);
  return entry == nullptr ? std::string_view() : entry->message;
}

const std::vector<std::string_view>& JvmClasses(ErrorClass error_class,
                                                std::string_view sub_class) {
  const SubClassEntry* entry = FindSubClass(error_class, sub_class);
  const bool own = entry != nullptr && !entry->jvm_classes.empty();
  return own ? entry->jvm_classes : Describe(error_class).jvm_classes;
}

std::vector<std::string_view> SubClasses(ErrorClass error_class) {
  std::vector<std::string_view> names;
  for (const SubClassEntry& entry : AllSubClasses()) {
    if (entry.error_class == error_class) names.push_back(entry.name);
  }
  return names;
}

}  // namespace merganser
