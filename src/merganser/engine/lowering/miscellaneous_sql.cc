#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// Hashes, ciphers, vectors, the session, and what no other table holds.
namespace merganser {
namespace {

Result<std::string> LowerTypeOf(const LoweredCall& call) {
  return CastSql(QuoteText(call.type(0).CatalogString()), "VARCHAR");
}

Result<std::string> LowerVectorNorm(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 2 ? "mg_vector_norm({0}, {1})"
                                                    : "mg_vector_norm({0}, CAST(2 AS FLOAT))",
                         call);
}

Result<std::string> LowerVectorNormalize(const LoweredCall& call) {
  return FillCallPattern(call.arguments.size() == 2 ? "mg_vector_normalize({0}, {1})"
                                                    : "mg_vector_normalize({0}, CAST(2 AS FLOAT))",
                         call);
}

/// grouping(x) and grouping_id(...): the arguments are grouping keys.
Result<std::string> LowerGrouping(const LoweredCall& call) {
  if (call.arguments.empty()) return Error::Internal("grouping_id() without its grouping columns");
  return FillCallPattern("CAST(GROUPING({*}) AS {type})", call);
}

constexpr CallLowering kMiscellaneousLowerings[] = {
    {.name = "aes_decrypt", .sql = "mg_aes_decrypt({*}, 'ansi', {context})"},
    {.name = "aes_encrypt", .sql = "mg_aes_encrypt({*}, {context})"},
    {.name = "bitmap_bit_position", .sql = "mg_bitmap_bit_position({0})"},
    {.name = "bitmap_bucket_number", .sql = "mg_bitmap_bucket_number({0})"},
    {.name = "bitmap_count", .sql = "mg_bitmap_count({0})"},
    {.name = "crc32", .sql = "mg_crc32({0})"},
    {.name = "hash", .sql = "mg_hash({*})"},
    {.name = "md5", .sql = "md5({0})"},
    {.name = "sha", .sql = "sha1({0})"},
    {.name = "sha1", .sql = "sha1({0})"},
    {.name = "sha2", .sql = "mg_sha2({0}, {1})"},
    {.name = "try_aes_decrypt", .sql = "mg_aes_decrypt({*}, 'try', '')"},
    {.name = "vector_cosine_similarity", .sql = "mg_vector_cosine_similarity({0}, {1}, {context})"},
    {.name = "vector_inner_product", .sql = "mg_vector_inner_product({0}, {1}, {context})"},
    {.name = "vector_l2_distance", .sql = "mg_vector_l2_distance({0}, {1}, {context})"},
    {.name = "vector_norm", .lower = &LowerVectorNorm},
    {.name = "vector_normalize", .lower = &LowerVectorNormalize},
    {.name = "xxhash64", .sql = "mg_xxhash64({*})"},

    {.name = "alias", .sql = "={0}"},
    {.name = "typeof", .lower = &LowerTypeOf},
    {.name = "grouping", .lower = &LowerGrouping},
    {.name = "grouping_id", .lower = &LowerGrouping},

    {.name = "assert_true", .sql = "CASE WHEN {0} THEN NULL ELSE mg_raise_error({1}) END"},
    {.name = "raise_error", .sql = "mg_raise_error({0})"},
    {.name = "input_file_block_length", .sql = "-1"},
    {.name = "input_file_block_start", .sql = "-1"},
    {.name = "input_file_name", .sql = "''"},
    {.name = "monotonically_increasing_id", .sql = "(row_number() OVER () - 1)"},
    {.name = "spark_partition_id", .sql = "0"},
    {.name = "uuid", .sql = "uuid()"},
};

}  // namespace

std::span<const CallLowering> MiscellaneousLowerings() { return kMiscellaneousLowerings; }

}  // namespace merganser
