#include <fmt/format.h>

#include "merganser/engine/lowering/call_lowering.h"
#include "merganser/engine/lowering/sql_quoting.h"

/// JSON, CSV and VARIANT.
namespace merganser {
namespace {
constexpr CallLowering kDocumentLowerings[] = {
    {.name = "from_csv", .sql = "mg_from_csv({0}, {spark}, {1}, {zone})"},
    {.name = "from_json", .sql = "mg_from_json({0}, {spark}, {1}, {zone})"},
    {.name = "get_json_object", .sql = "mg_get_json_object({0}, {1})"},
    {.name = "json_array_length", .sql = "mg_json_array_length({0})"},
    {.name = "json_object_keys", .sql = "mg_json_object_keys({0})"},
    {.name = "schema_of_csv", .sql = "mg_schema_of_csv({0}, {1})"},
    {.name = "schema_of_json", .sql = "mg_schema_of_json({0}, {1})"},
    {.name = "to_csv", .sql = "mg_to_csv({0}, {spark0}, {1}, {zone})"},
    {.name = "to_json", .sql = "mg_to_json({0}, {spark0}, {1}, {zone})"},

    {.name = "is_valid_variant", .sql = "=({0} IS NOT NULL)"},
    {.name = "is_variant_null", .sql = "=coalesce({0} = 'null', false)"},
    {.name = "parse_json", .sql = "mg_parse_json({0}, 'ansi', {context})"},
    {.name = "schema_of_variant", .sql = "mg_schema_of_variant({0})"},
    {.name = "to_variant_object", .sql = "mg_to_variant_object({0}, {spark0}, {zone})"},
    {.name = "try_parse_json", .sql = "mg_parse_json({0}, 'try', '')"},
    {.name = "try_variant_get",
     .sql = "mg_variant_get({0}, {1}, {spark}, {mode}, {zone}, {context})"},
    {.name = "variant_get", .sql = "mg_variant_get({0}, {1}, {spark}, {mode}, {zone}, {context})"},
};

}  // namespace

std::span<const CallLowering> DocumentLowerings() { return kDocumentLowerings; }

}  // namespace merganser
