#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// Identity of a logical file: its path in one spelling and the id of its deletion vector ("Action
/// Reconciliation" in PROTOCOL.md).
std::string FileKey(std::string_view path,
                    const std::optional<DeletionVectorDescriptor>& deletion_vector);

}  // namespace merganser
