#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// Hashes, ciphers, bitmaps and vectors.
namespace merganser {
namespace {

bool HoldsMap(const DataType& type) {
  switch (type.id()) {
    case TypeId::kMap:
      return true;
    case TypeId::kArray:
      return HoldsMap(type.element());
    case TypeId::kStruct:
      for (const StructField& field : type.fields()) {
        if (HoldsMap(field.type)) return true;
      }
      return false;
    default:
      return false;
  }
}

/// hash and xxhash64: of everything but maps.
Result<BoundExpressionPtr> ResolveHash(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, SIZE_MAX));
  const std::string name(call.entry().name);
  for (const auto& argument : call.arguments()) {
    if (HoldsMap(argument->type))
      return call.Mismatch("HASH_MAP_TYPE", {{"functionName", "`" + name + "`"}});
    if (argument->type.is(TypeId::kVariant)) {
      return call.Mismatch("HASH_VARIANT_TYPE", {{"functionName", "`" + name + "`"}});
    }
  }
  return call.Finish(name == "hash" ? DataType::Integer() : DataType::Long(), false);
}

constexpr std::string_view kDigest = "binary -> string";
constexpr std::string_view kDecrypt =
    "binary, binary, string = 'GCM', string = 'DEFAULT', binary = '' -> binary?";
constexpr std::string_view kDistance = "array<float>, array<float> -> float?";

constexpr FunctionEntry kHashesFunctions[] = {
    {.name = "aes_decrypt", .signature = kDecrypt},
    {.name = "aes_encrypt",
     .signature =
         "binary, binary, string = 'GCM', string = 'DEFAULT', binary = '', binary = '' -> binary",
     .deterministic = false},
    {.name = "bitmap_bit_position", .signature = "bigint -> bigint"},
    {.name = "bitmap_bucket_number", .signature = "bigint -> bigint"},
    {.name = "bitmap_count", .signature = "binary -> bigint"},
    {.name = "crc32", .signature = "binary -> bigint"},
    {.name = "hash", .resolve = &ResolveHash},
    {.name = "md5", .signature = kDigest},
    {.name = "sha", .signature = kDigest},
    {.name = "sha1", .signature = kDigest},
    {.name = "sha2", .signature = "binary, int -> string?"},
    {.name = "try_aes_decrypt", .signature = kDecrypt},
    {.name = "vector_cosine_similarity", .signature = kDistance},
    {.name = "vector_inner_product", .signature = kDistance},
    {.name = "vector_l2_distance", .signature = kDistance},
    {.name = "vector_norm", .signature = "array<float>, float? -> float?"},
    {.name = "vector_normalize", .signature = "array<float>, float? -> array<float>?"},
    {.name = "xxhash64", .resolve = &ResolveHash},
};

}  // namespace

std::span<const FunctionEntry> HashFunctions() { return kHashesFunctions; }

}  // namespace merganser
