#pragma once

#include <span>
#include <string_view>

#include "merganser/base/error.h"

namespace merganser {

/// Every class, in the order of the enumeration, which is the order of the names.
std::span<const ErrorClassDescription> AllErrorClasses();

/// The template of a class, parameters as <name>.
std::string_view MessageTemplate(ErrorClass error_class);

/// The template of one of its subclasses; empty if it has none of that name.
std::string_view MessageTemplate(ErrorClass error_class, std::string_view sub_class);

/// The JVM exception class of a subclass (any name), then its superclasses up to
/// java.lang.Throwable.
const std::vector<std::string_view>& JvmClasses(ErrorClass error_class, std::string_view sub_class);

/// Names of a class's subclasses, sorted.
std::vector<std::string_view> SubClasses(ErrorClass error_class);

}  // namespace merganser
