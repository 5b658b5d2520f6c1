#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

TEST(ArrayFunctionsTest, Access) {
  ExpectAll({
      {"mg_get_array_item([1, 2, 3], 2, 'ansi'), mg_get_array_item([1, 2, 3], NULL, 'ansi'), "
       "mg_get_array_item([1], 5, 'legacy')",
       "3 | NULL | NULL"},
      {"mg_get_array_item([1, 2, 3], 3, 'ansi')", "!INVALID_ARRAY_INDEX"},
      {"mg_get_array_item([1, 2, 3], -1, 'ansi')", "!INVALID_ARRAY_INDEX"},
      {"mg_element_at(['a', 'b'], 1, 'ansi'), mg_element_at(['a', 'b'], -1, 'ansi'), "
       "mg_element_at(['a', NULL], 2, 'ansi')",
       "a | b | NULL"},
      {"mg_element_at([1, 2], 3, 'ansi')", "!INVALID_ARRAY_INDEX_IN_ELEMENT_AT"},
      {"mg_element_at([1, 2], -3, 'try')", "NULL"},
      {"mg_element_at([1, 2], 0, 'try')", "!INVALID_INDEX_OF_ZERO"},
      {"mg_elt(1, ['a', 'b'], 'ansi'), mg_elt(5, ['a', 'b'], 'legacy')", "a | NULL"},
      {"mg_elt(5, ['a', 'b'], 'ansi')", "!INVALID_ARRAY_INDEX"},
      {"mg_element_at([{'x': r}, {'x': r + 1}], 2, 'ansi') FROM range(2) t(r)",
       "{'x': 1} | {'x': 2}"},
      {"mg_element_at(CASE WHEN r = 1 THEN NULL ELSE [r] END, 1, 'ansi') FROM range(3) t(r)",
       "0 | NULL | 2"},
  });
  Evaluation evaluate;
  EXPECT_EQ(
      evaluate.ErrorOf("mg_get_array_item([1, 2, 3], 3, 'ansi')").parameters().at("arraySize"),
      "3");
}

TEST(ArrayFunctionsTest, Quantifiers) {
  ExpectAll({
      {"mg_exists([false, NULL, true]), mg_exists([false, NULL]), mg_exists([false]), "
       "mg_exists([]::BOOLEAN[])",
       "true | NULL | false | false"},
      {"mg_forall([true, NULL, false]), mg_forall([true, NULL]), mg_forall([true]), "
       "mg_forall([]::BOOLEAN[])",
       "false | NULL | true | true"},
      {"mg_exists(NULL::BOOLEAN[]), mg_forall(NULL::BOOLEAN[])", "NULL | NULL"},
  });
}

TEST(ArrayFunctionsTest, Search) {
  ExpectAll({
      {"mg_array_contains([1, NULL], 1), mg_array_contains([1, NULL], 2), "
       "mg_array_contains(NULL::INTEGER[], 1), mg_array_contains([1], NULL)",
       "true | NULL | NULL | NULL"},
      {"mg_array_contains(['NaN'::DOUBLE], 'NaN'::DOUBLE), mg_array_contains([0.0::DOUBLE], "
       "-0.0::DOUBLE)",
       "true | true"},
      {"mg_array_position([1, NULL, 2], 2), mg_array_position([1], 5), mg_array_position([1], "
       "NULL)",
       "3 | 0 | NULL"},
      {"mg_array_position([[1], [1, NULL]], [1, NULL])", "2"},
  });
}

TEST(ArrayFunctionsTest, Sets) {
  ExpectAll({
      {"mg_array_distinct([1, NULL, 1, NULL, 2]), mg_array_distinct(['a', 'b', 'a'])",
       "[1, NULL, 2] | [a, b]"},
      {"mg_array_union([1, NULL, 2], [2, NULL, 3]), mg_array_intersect([1, NULL, 2], [NULL, 2, "
       "2]), mg_array_except([1, NULL, 1, 2], [2])",
       "[1, NULL, 2, 3] | [NULL, 2] | [1, NULL]"},
      {"mg_array_union([1], NULL)", "NULL"},
      {"mg_arrays_overlap([1, NULL], [NULL]::INTEGER[]), mg_arrays_overlap([1, 2], [2, NULL]), "
       "mg_arrays_overlap([]::INTEGER[], [NULL]::INTEGER[])",
       "NULL | true | false"},
      {"mg_array_remove([1, NULL, 2, 1], 1), mg_array_remove([1], NULL)", "[NULL, 2] | NULL"},
      {"mg_array_distinct([[1, 2], [1, 2], [NULL]]), mg_array_distinct([{'a': 1}, {'a': 1}, {'a': "
       "NULL}])",
       "[[1, 2], [NULL]] | [{'a': 1}, {'a': NULL}]"},
      {"mg_array_union([r, 1], [r * 2]) FROM range(3) t(r)", "[0, 1] | [1, 2] | [2, 1, 4]"},
  });
}

TEST(ArrayFunctionsTest, Rebuild) {
  ExpectAll({
      {"mg_slice([1, 2, 3, 4], -3, 2), mg_slice([1, 2], 5, 2), mg_slice([1, 2], 1, 0), "
       "mg_slice([1, 2], -5, 2)",
       "[2, 3] | [] | [] | []"},
      {"mg_slice([1, 2], 0, 1)", "!INVALID_PARAMETER_VALUE.START"},
      {"mg_slice([1, 2], 1, -1)", "!INVALID_PARAMETER_VALUE.LENGTH"},
      {"mg_flatten([[1], NULL]), mg_flatten([[1], [], [2, NULL]])", "NULL | [1, 2, NULL]"},
      {"mg_array_join(['a', NULL, 'b'], ','), mg_array_join(['a', NULL, 'b'], ',', 'x'), "
       "mg_array_join(['a'], NULL)",
       "a,b | a,x,b | NULL"},
      {"mg_array_repeat(1, -1), mg_array_repeat('x', 2), mg_array_repeat(NULL::INTEGER, 2), "
       "mg_array_repeat(1, NULL)",
       "[] | [x, x] | [NULL, NULL] | NULL"},
      {"mg_array_insert([1, 2], 5, 9), mg_array_insert([1, 2], -5, 9), mg_array_insert([1, 2], -1, "
       "9), mg_array_insert([1, 2], 2, NULL)",
       "[1, 2, NULL, NULL, 9] | [9, NULL, NULL, 1, 2] | [1, 2, 9] | [1, NULL, 2]"},
      {"mg_array_insert([1, 2], 0, 9)", "!INVALID_INDEX_OF_ZERO"},
  });
}

TEST(MapFunctionsTest, Build) {
  ExpectAll({
      {"mg_map_from_arrays(['a', 'b'], [1, NULL]), mg_map_from_arrays(NULL::VARCHAR[], [1])",
       "{a=1, b=NULL} | NULL"},
      {"mg_map_from_arrays(['a', 'a'], [1, 2])", "!DUPLICATED_MAP_KEY"},
      {"mg_map_from_arrays([1, NULL], [1, 2])", "!NULL_MAP_KEY"},
      {"mg_map_from_arrays([1, 2], [1])", "!_LEGACY_ERROR_TEMP_2128"},
      {"mg_map_from_arrays([r], [[r, r]]) FROM range(2) t(r)", "{0=[0, 0]} | {1=[1, 1]}"},
      {"mg_map_from_entries([{'k': 1, 'v': 'a'}, NULL]), mg_map_from_entries([{'k': 1, 'v': "
       "NULL::VARCHAR}])",
       "NULL | {1=NULL}"},
      {"mg_map_from_entries([{'k': NULL::INTEGER, 'v': 'a'}])", "!NULL_MAP_KEY"},
      {"mg_str_to_map('a=1;b', '[;]', '='), mg_str_to_map('a:1,b:2', ',', ':'), "
       "mg_str_to_map(NULL, ',', ':')",
       "{a=1, b=NULL} | {a=1, b=2} | NULL"},
      {"mg_str_to_map('a:1,a:2', ',', ':')", "!DUPLICATED_MAP_KEY"},
  });
  Evaluation evaluate;
  EXPECT_EQ(evaluate.ErrorOf("mg_map_from_arrays([1, 1], [1, 2])").parameters().at("key"), "1");
}

TEST(SequenceTest, Numbers) {
  ExpectAll({
      {"mg_sequence(1, 3), mg_sequence(3, 1), mg_sequence(1, 1), mg_sequence(1::BIGINT, "
       "10::BIGINT, 3::BIGINT)",
       "[1, 2, 3] | [3, 2, 1] | [1] | [1, 4, 7, 10]"},
      {"mg_sequence(1::TINYINT, 3::TINYINT), mg_sequence(NULL::INTEGER, 3)", "[1, 2, 3] | NULL"},
      {"mg_sequence(1, 5, 0)", "!INVALID_PARAMETER_VALUE.LONG"},
      {"mg_sequence(0::BIGINT, 9223372036854775807::BIGINT)",
       "!COLLECTION_SIZE_LIMIT_EXCEEDED.PARAMETER"},
  });
}

TEST(SequenceTest, Moments) {
  ExpectAll({
      {"mg_sequence_moments(DATE '2024-01-31', DATE '2024-04-30', INTERVAL 1 MONTH, 'UTC')",
       "[2024-01-31, 2024-02-29, 2024-03-31, 2024-04-30]"},
      {"mg_sequence_moments(DATE '2024-03-01', DATE '2024-01-01', INTERVAL (-1) MONTH, 'UTC')",
       "[2024-03-01, 2024-02-01, 2024-01-01]"},
      {"mg_sequence_moments(TIMESTAMP '2024-01-01 00:00:00', TIMESTAMP '2024-01-01 02:00:00', "
       "INTERVAL 1 HOUR, 'UTC')",
       "['2024-01-01 00:00:00', '2024-01-01 01:00:00', '2024-01-01 02:00:00']"},
      // A day of 25 hours.
      {"len(mg_sequence_moments(TIMESTAMPTZ '2024-11-02 04:00:00+00', TIMESTAMPTZ '2024-11-04 "
       "05:00:00+00', INTERVAL 1 DAY, 'America/New_York'))",
       "3"},
  });
}

TEST(VectorFunctionsTest, Measures) {
  ExpectAll({
      {"mg_vector_inner_product([1, 2]::FLOAT[], [3, 4]::FLOAT[]), mg_vector_l2_distance([0, "
       "0]::FLOAT[], [3, 4]::FLOAT[])",
       "11.0 | 5.0"},
      {"mg_vector_cosine_similarity([1, 0]::FLOAT[], [1, 0]::FLOAT[]), "
       "mg_vector_cosine_similarity([0, 0]::FLOAT[], [1, 0]::FLOAT[])",
       "1.0 | NULL"},
      {"mg_vector_norm([3, 4]::FLOAT[], 2::FLOAT), mg_vector_norm([3, -4]::FLOAT[], 1::FLOAT), "
       "mg_vector_norm([3, -4]::FLOAT[], 'Infinity'::FLOAT)",
       "5.0 | 7.0 | 4.0"},
      {"mg_vector_normalize([3, 4]::FLOAT[], 2::FLOAT), mg_vector_normalize([0]::FLOAT[], "
       "2::FLOAT)",
       "[0.6, 0.8] | NULL"},
      {"mg_vector_inner_product([1]::FLOAT[], [1, 2]::FLOAT[])", "!VECTOR_DIMENSION_MISMATCH"},
      {"mg_vector_norm([1]::FLOAT[], 3::FLOAT)", "!INVALID_VECTOR_NORM_DEGREE"},
      {"mg_vector_sum(v), mg_vector_avg(v) FROM (VALUES ([1, 2]::FLOAT[]), ([3, 4]::FLOAT[]), "
       "(NULL)) t(v)",
       "[4.0, 6.0] | [2.0, 3.0]"},
      {"mg_vector_sum(v) FROM (VALUES ([1, 2]::FLOAT[]), ([3]::FLOAT[])) t(v)",
       "!VECTOR_DIMENSION_MISMATCH"},
  });
}

TEST(AggregateFunctionsTest, Histogram) {
  ExpectAll({
      {"mg_histogram_numeric(x, 3) FROM (VALUES (1), (5), (7), (20)) t(x)",
       "[{'x': 1, 'y': 1.0}, {'x': 6, 'y': 2.0}, {'x': 20, 'y': 1.0}]"},
      {"mg_histogram_numeric(x, 2) FROM (VALUES (1), (2), (3), (4), (5)) t(x)",
       "[{'x': 2, 'y': 3.0}, {'x': 4, 'y': 2.0}]"},
      {"mg_histogram_numeric(x, 2) FROM (VALUES (DATE '2024-01-01'), (NULL)) t(x)",
       "[{'x': 2024-01-01, 'y': 1.0}]"},
      {"mg_percentile([1, 5, 7, 20], [1, 1, 1, 1], 0.3), mg_percentile([1, 5, 7, 20], [1, 1, 2, "
       "0], [0, 0.5, 1.0])",
       "4.6 | [1.0, 6.0, 7.0]"},
      {"mg_percentile([1], [-1], 0.3)", "!NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION"},
  });
}

TEST(AggregateFunctionsTest, Bitmaps) {
  ExpectAll({
      {"mg_bitmap_count(mg_bitmap_construct_agg(mg_bitmap_bit_position(x))) FROM (VALUES (1), (1), "
       "(2), (NULL)) t(x)",
       "2"},
      {"octet_length(mg_bitmap_construct_agg(x::BIGINT)) FROM (VALUES (1)) t(x) WHERE false",
       "4096"},
      {"mg_bitmap_bucket_number(1), mg_bitmap_bucket_number(32769), mg_bitmap_bit_position(32769), "
       "mg_bitmap_bit_position(-5)",
       "1 | 2 | 0 | 5"},
      {"mg_bitmap_count(mg_bitmap_or_agg(x)), mg_bitmap_count(mg_bitmap_and_agg(x)) FROM (VALUES "
       "('\\x03'::BLOB), ('\\x06'::BLOB)) t(x)",
       "3 | 1"},
  });
}

TEST(ErrorFunctionsTest, Raise) {
  ExpectAll({
      {"mg_raise_error('no')", "!USER_RAISED_EXCEPTION"},
      {"CASE WHEN x > 5 THEN mg_raise_error('no') ELSE x END FROM (VALUES (1), (2)) t(x)", "1 | 2"},
  });
  Evaluation evaluate;
  const Error error(ErrorClass::DELTA_VIOLATE_CONSTRAINT_WITH_VALUES,
                    {{"constraintName", "c"}, {"expression", "x > 1"}, {"values", ""}});
  const Error raised = evaluate.ErrorOf("mg_raise('" + error.ToJson() + "', 'x', '1', 'y', NULL)");
  EXPECT_EQ(raised.full_name(), "DELTA_VIOLATE_CONSTRAINT_WITH_VALUES");
  EXPECT_EQ(raised.parameters().at("values"), "\n - x : 1\n - y : null");
}

}  // namespace
}  // namespace merganser::engine
