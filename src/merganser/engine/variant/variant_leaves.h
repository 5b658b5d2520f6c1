#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace merganser::engine {

/// Leaves of a variant as JSON, in the form of VariantToJson; each appends to `out`.
void AppendVariantFloating(double value, std::string* out);
void AppendVariantFloating(float value, std::string* out);
/// Microseconds since the epoch; `zone` is "+00:00", or empty for a local time.
void AppendVariantTimestamp(int64_t micros, std::string_view zone, std::string* out);
void AppendVariantDate(int64_t days, std::string* out);
/// Base 64 in quotes.
void AppendVariantBinary(std::string_view bytes, std::string* out);

}  // namespace merganser::engine
