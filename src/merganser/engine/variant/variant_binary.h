#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser::engine {

/// A variant as data files store it ("Variant Binary Encoding" of Apache Parquet).
struct VariantBinary {
  std::string metadata;  ///< Version 1, names sorted.
  std::string value;
};

/// The variant of a JSON text. Whole numbers take the smallest integer that holds them, other plain
/// numbers of up to 38 digits are decimals, the rest doubles. Nothing if the text is not JSON.
std::optional<VariantBinary> JsonToVariant(std::string_view json);

}  // namespace merganser::engine
