#include "merganser/connect/result_writer.h"

#include <utility>

#include "merganser/engine/variant/variant_binary.h"

namespace merganser::connect {

IpcWriter MakeIpcWriter(const StructType& schema, const std::string& time_zone) {
  return IpcWriter::Make(schema, time_zone, [](std::string_view json) {
    // The engine's variants are JSON always.
    auto variant = engine::JsonToVariant(json).value_or(engine::VariantBinary());
    return std::pair(std::move(variant.value), std::move(variant.metadata));
  });
}

}  // namespace merganser::connect
