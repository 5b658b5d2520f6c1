#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

std::string FromJson(const std::string& text, const std::string& schema,
                     const std::string& options = "") {
  return "mg_from_json('" + text + "', '" + schema + "', '" + options + "', 'UTC')";
}

TEST(JsonTest, Paths) {
  ExpectAll({
      {R"(mg_get_json_object('{"a":{"b":[1,{"c":2}]}}', '$.a.b[1].c'), mg_get_json_object('{"a":[1,2]}', '$.a[*]'))",
       "2 | [1,2]"},
      {R"(mg_get_json_object('{"a":[{"b":1},{"b":2}]}', '$.a[*].b'), mg_get_json_object('{"a":[{"b":1}]}', '$.a[*].b'))",
       "[1,2] | 1"},
      {R"(mg_get_json_object('{"d":"x\u0041"}', '$.d'), mg_get_json_object('{"e":null}', '$.e'), mg_get_json_object('{"f":1.50}', '$.f'))",
       "xA | NULL | 1.5"},
      {R"(mg_get_json_object('{"f":{"x": 1 , "y":[ 1, 2 ]}}', '$.f'), mg_get_json_object('bad', '$.a'), mg_get_json_object('{"a":1}', 'a'))",
       R"({"x":1,"y":[1,2]} | NULL | NULL)"},
      {R"(mg_get_json_object('{"a":1}', '$'), mg_get_json_object('{"a b":1}', '$[''a b'']'), mg_get_json_object('[1,2,3]', '$[1]'))",
       R"({"a":1} | 1 | 2)"},
      {R"(mg_get_json_object('{"a":1}', '$.*'), mg_get_json_object('{"a":1,"a":2}', '$.a'), mg_get_json_object('{''a'':1}', '$.a'))",
       "NULL | 1 | 1"},
      {R"(mg_get_json_object('{"a":[[1,2],[3]]}', '$.a[*][0]'), mg_get_json_object('{"a":12345678901234567890}', '$.a'), mg_get_json_object('{"a":1e2}', '$.a'))",
       "[1,3] | 12345678901234567890 | 100.0"},
      {R"(mg_get_json_object('{"a":"b\"c"}', '$.a'), mg_get_json_object('{"a":[]}', '$.a[*]'))",
       "b\"c | NULL"},
      {R"(mg_json_tuple('{"a":1,"b":"x","c":{"d":1},"e":[1,2],"f":null,"h.i":3}', 'a', 'b', 'c', 'e', 'f', 'g', 'h.i'))",
       R"([1, x, '{"d":1}', '[1,2]', NULL, NULL, 3])"},
  });
}

TEST(JsonTest, Shape) {
  ExpectAll({
      {R"(mg_json_array_length('{"a":1}'), mg_json_array_length('bad'), mg_json_array_length('[]'), mg_json_array_length('[1,[2]]'))",
       "NULL | NULL | 0 | 2"},
      {R"(mg_json_object_keys('[1]'), mg_json_object_keys('bad'), mg_json_object_keys('{"a":{"b":1},"a":2}'))",
       "NULL | NULL | [a, a]"},
      {R"(mg_schema_of_json('{"a":1,"b":"x","c":1.5,"d":true,"e":null,"f":[1,2.5],"g":{"h":1},"i":[],"j":12345678901234567890,"l":1e400}', ''))",
       "STRUCT<a: BIGINT, b: STRING, c: DOUBLE, d: BOOLEAN, e: STRING, f: ARRAY<DOUBLE>, g: "
       "STRUCT<h: BIGINT>, i: ARRAY<STRING>, "
       "j: DECIMAL(20,0), l: DOUBLE>"},
      {R"(mg_schema_of_json('[1,"a"]', ''), mg_schema_of_json('5', '{}'), mg_schema_of_json('"x"', ''))",
       "ARRAY<STRING> | BIGINT | STRING"},
      {R"(mg_schema_of_json('[{"a":1},{"b":2}]', ''), mg_schema_of_json('{"a":[{"b":1},{"b":"x"}]}', ''))",
       "ARRAY<STRUCT<a: BIGINT, b: BIGINT>> | STRUCT<a: ARRAY<STRUCT<b: STRING>>>"},
  });
}

TEST(JsonTest, ReadNested) {
  ExpectAll({
      {FromJson(R"({"a":1,"b":[1,2],"c":{"d":"x"},"e":{"k":1}})",
                "a INT, b ARRAY<INT>, c STRUCT<d: STRING>, e MAP<STRING,INT>"),
       "{'a': 1, 'b': [1, 2], 'c': {'d': x}, 'e': {k=1}}"},
      {FromJson("[1,2]", "ARRAY<INT>") + ", " + FromJson(R"({"a":1})", "MAP<STRING,INT>"),
       "[1, 2] | {a=1}"},
      {FromJson(R"([{"a":1},{"a":2}])", "ARRAY<STRUCT<a: INT>>") + ", " +
           FromJson(R"({"a":1})", "ARRAY<STRUCT<a: INT>>"),
       "[{'a': 1}, {'a': 2}] | [{'a': 1}]"},
      {FromJson(R"([{"a":1}])", "STRUCT<a: INT>") + ", " + FromJson("", "a INT") + ", " +
           FromJson("null", "a INT"),
       "{'a': NULL} | NULL | {'a': NULL}"},
      {FromJson(R"({"a":[1,null]})", "a ARRAY<INT>") + ", " +
           FromJson(R"({"a":1})", "a INT, b INT"),
       "{'a': [1, NULL]} | {'a': 1, 'b': NULL}"},
      {"mg_from_json(j, 'a ARRAY<INT>', '', 'UTC') FROM (VALUES ('{\"a\":[1]}'), (NULL), "
       "('{\"a\":[2,3]}')) t(j)",
       "{'a': [1]} | NULL | {'a': [2, 3]}"},
  });
}

TEST(JsonTest, ReadScalars) {
  ExpectAll({
      {FromJson(R"({"a":"1"})", "a INT") + ", " + FromJson(R"({"a":1.5})", "a INT") + ", " +
           FromJson(R"({"a":1.0})", "a INT"),
       "{'a': NULL} | {'a': NULL} | {'a': NULL}"},
      {FromJson(R"({"a":1})", "a STRING") + ", " + FromJson(R"({"a":{"x":1}})", "a STRING") + ", " +
           FromJson(R"({"a":1.50})", "a STRING"),
       R"({'a': 1} | {'a': '{"x":1}'} | {'a': 1.5})"},
      {FromJson(R"({"a":"2024-01-01"})", "a DATE") + ", " +
           FromJson(R"({"a":"2024-01-01 10:00:00"})", "a TIMESTAMP_NTZ"),
       "{'a': 2024-01-01} | {'a': '2024-01-01 10:00:00'}"},
      {FromJson(R"({"a":"2024-01-01T10:00:00Z"})", "a TIMESTAMP"),
       "{'a': '2024-01-01 10:00:00+00'}"},
      {FromJson(R"({"a":1.25})", "a DECIMAL(5,1)") + ", " + FromJson(R"({"a":"NaN"})", "a DOUBLE") +
           ", " + FromJson(R"({"a":NaN})", "a DOUBLE"),
       "{'a': 1.3} | {'a': nan} | {'a': nan}"},
      {FromJson(R"({"a":"true"})", "a BOOLEAN") + ", " + FromJson(R"({"a":300})", "a TINYINT") +
           ", " + FromJson(R"({"a":"YWJj"})", "a BINARY"),
       "{'a': NULL} | {'a': NULL} | {'a': abc}"},
      {FromJson(R"({"A":1})", "a INT") + ", " + FromJson(R"({"a":1)", "a INT") + ", " +
           FromJson(R"({"a":1} x)", "a INT") + ", " + FromJson(R"({"a":01})", "a INT") + ", " +
           FromJson("{a:1}", "a INT"),
       "{'a': NULL} | {'a': NULL} | {'a': 1} | {'a': NULL} | {'a': NULL}"},
      {FromJson(R"({"a":"x","b":2})", "a INT, b INT") + ", " + FromJson(R"({"a":1e2})", "a INT"),
       "{'a': NULL, 'b': 2} | {'a': NULL}"},
  });
}

TEST(JsonTest, ReadOptions) {
  ExpectAll({
      {FromJson(R"({"a":"26/08/2015"})", "a DATE", R"({"dateFormat":"dd/MM/yyyy"})"),
       "{'a': 2015-08-26}"},
      {FromJson(R"({"a":"x"})", "a INT", R"({"mode":"FAILFAST"})"),
       "!MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION"},
      {FromJson(R"({"a":"x"})", "a INT, _corrupt_record STRING"),
       R"({'a': NULL, '_corrupt_record': '{"a":"x"}'})"},
      {FromJson(R"({"a":1,"_corrupt_record":"z"})", "a INT, _corrupt_record STRING"),
       "{'a': 1, '_corrupt_record': NULL}"},
  });
}

TEST(JsonTest, Write) {
  ExpectAll({
      {"mg_to_json({'a': 1, 'b': NULL::INTEGER, 'c': 1.5::DOUBLE, 'd': 1.50::DECIMAL(3,2), 'e': "
       "DATE '2024-01-01'}, "
       "'STRUCT<a: INT, b: INT, c: DOUBLE, d: DECIMAL(3,2), e: DATE>', '', 'UTC')",
       R"({"a":1,"c":1.5,"d":1.50,"e":"2024-01-01"})"},
      {"mg_to_json({'f': TIMESTAMPTZ '2024-01-01 10:00:00.123456+00', 'g': TIMESTAMP '2024-01-01 "
       "10:00:00', 'h': 'ABC'::BLOB, 'i': true}, "
       "'STRUCT<f: TIMESTAMP, g: TIMESTAMP_NTZ, h: BINARY, i: BOOLEAN>', '', 'UTC')",
       R"({"f":"2024-01-01T10:00:00.123Z","g":"2024-01-01T10:00:00.000","h":"QUJD","i":true})"},
      {"mg_to_json({'j': E'q\"\\\\\\n/\u00E9', 'k': [1, NULL], 'l': MAP {'x': NULL::INTEGER}, 'm': "
       "'NaN'::DOUBLE, 'n': 1e10::DOUBLE}, "
       "'STRUCT<j: STRING, k: ARRAY<INT>, l: MAP<STRING, INT>, m: DOUBLE, n: DOUBLE>', '', 'UTC')",
       "{\"j\":\"q\\\"\\\\\\n/\u00E9\","
       R"("k":[1,null],"l":{"x":null},"m":"NaN","n":1.0E10})"},
      {"mg_to_json([1, 2], 'ARRAY<INT>', '', 'UTC'), mg_to_json(MAP {1: 'a'}, 'MAP<INT, STRING>', "
       "'', 'UTC')",
       R"([1,2] | {"1":"a"})"},
      {R"(mg_to_json({'a': NULL::INTEGER}, 'STRUCT<a: INT>', '{"ignoreNullFields":"false"}', 'UTC'))",
       R"({"a":null})"},
      {R"(mg_to_json({'b': 1, 'a': MAP {'z': 1, 'y': 2}}, 'STRUCT<b: INT, a: MAP<STRING, INT>>', '{"sortKeys":"true"}', 'UTC'))",
       R"({"a":{"y":2,"z":1},"b":1})"},
      {"mg_to_json([{'a': 1}], 'ARRAY<STRUCT<a: INT>>', '', 'UTC'), mg_to_json(MAP {DATE "
       "'2024-01-01': 1}, 'MAP<DATE, INT>', '', 'UTC')",
       R"([{"a":1}] | {"19723":1})"},
      {R"(mg_to_json({'a': TIMESTAMPTZ '2024-01-01 00:00:00+00'}, 'STRUCT<a: TIMESTAMP>', '{"timestampFormat":"dd/MM/yyyy HH"}', 'Asia/Tokyo'))",
       R"({"a":"01/01/2024 09"})"},
  });
}

TEST(VariantTest, Parse) {
  ExpectAll({
      {R"(mg_parse_json('{"b":1,"a":[1, 2.50,null,true,"x"]}', 'ansi'))",
       R"({"a":[1,2.50,null,true,"x"],"b":1})"},
      {R"(mg_parse_json('1e3', 'ansi'), mg_parse_json(' "x" ', 'ansi'), mg_parse_json('{"a":1.0}', 'ansi'), mg_parse_json('1E-2', 'ansi'))",
       R"(1000.0 | "x" | {"a":1.0} | 0.01)"},
      {"mg_parse_json('100000000000000000000', 'ansi'), mg_parse_json('[1.10,2.0e0]', 'ansi')",
       "100000000000000000000 | [1.10,2.0]"},
      {R"(mg_parse_json('{"a":1,"a":2}', 'ansi'))",
       "!MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION"},
      {"mg_parse_json('bad', 'ansi')", "!MALFORMED_RECORD_IN_PARSING.WITHOUT_SUGGESTION"},
      {"mg_parse_json('bad', 'try'), mg_parse_json(NULL, 'ansi')", "NULL | NULL"},
      {R"(mg_to_json(mg_parse_json('{"b":1.50}', 'ansi'), 'VARIANT', '', 'UTC'))", R"({"b":1.5})"},
  });
}

std::string VariantGet(const std::string& json, const std::string& path, const std::string& type,
                       const std::string& mode = "ansi") {
  return "mg_variant_get('" + json + "', '" + path + "', '" + type + "', '" + mode + "', 'UTC')";
}

TEST(VariantTest, Get) {
  ExpectAll({
      {VariantGet(R"({"a":{"b":[1,"2"]}})", "$.a.b[1]", "INT") + ", " +
           VariantGet(R"({"a":1.5})", "$.a", "INT") + ", " +
           VariantGet(R"({"a":1.5})", "$.a", "STRING"),
       "2 | 1 | 1.5"},
      {VariantGet(R"({"a":[1]})", "$.a", "STRING") + ", " +
           VariantGet(R"({"a":true})", "$.a", "INT") + ", " +
           VariantGet(R"({"a":1})", "$.a", "BOOLEAN"),
       "[1] | 1 | true"},
      {VariantGet(R"({"a":"2024-01-01"})", "$.a", "DATE") + ", " +
           VariantGet(R"({"a":"x"})", "$.a", "INT", "try"),
       "2024-01-01 | NULL"},
      {VariantGet(R"({"a":[1,2]})", "$.a", "ARRAY<INT>") + ", " +
           VariantGet(R"({"a":{"x":1}})", "$.a", "MAP<STRING,INT>"),
       "[1, 2] | {x=1}"},
      {VariantGet(R"({"a":{"x":1}})", "$.a", "STRUCT<x: INT, y: INT>") + ", " +
           VariantGet(R"({"a":null})", "$.a", "INT"),
       "{'x': 1, 'y': NULL} | NULL"},
      {VariantGet(R"({"a":1})", "$.a", "VARIANT") + ", " +
           VariantGet(R"({"a":1})", "$.b", "VARIANT"),
       "1 | NULL"},
      {VariantGet(R"({"a":"x"})", "$.a", "INT"), "!INVALID_VARIANT_CAST"},
      {VariantGet(R"({"a":1})", "a", "VARIANT"), "!INVALID_VARIANT_GET_PATH"},
  });
}

TEST(VariantTest, CastAndDescribe) {
  ExpectAll({
      {R"(mg_cast('"x"', 'VARIANT', 'STRING', 'ansi', 'UTC'), mg_cast('{"a":1}', 'VARIANT', 'STRING', 'ansi', 'UTC'))",
       R"(x | {"a":1})"},
      {R"(mg_cast('{"a":1}', 'VARIANT', 'INT', 'ansi', 'UTC'))", "!INVALID_VARIANT_CAST"},
      {"mg_cast('x', 'STRING', 'VARIANT', 'ansi', 'UTC'), mg_cast([1, 2], 'ARRAY<INT>', 'VARIANT', "
       "'ansi', 'UTC')",
       R"("x" | [1,2])"},
      {"mg_cast(DATE '2024-01-01', 'DATE', 'VARIANT', 'ansi', 'UTC'), mg_cast(1.50::DECIMAL(3,2), "
       "'DECIMAL(3,2)', 'VARIANT', 'ansi', 'UTC')",
       R"("2024-01-01" | 1.50)"},
      {"mg_cast(TIMESTAMPTZ '2024-01-01 00:00:00+00', 'TIMESTAMP', 'VARIANT', 'ansi', 'UTC')",
       R"("2024-01-01 00:00:00+00:00")"},
      {"mg_to_variant_object({'b': 1, 'a': [1]}, 'STRUCT<b: INT, a: ARRAY<INT>>', 'UTC')",
       R"({"a":[1],"b":1})"},
      {R"(mg_schema_of_variant('{"a":1,"b":[1,"x"],"c":1.5,"d":null,"e":true,"f":1e2,"g":"s"}'))",
       "OBJECT<a: BIGINT, b: ARRAY<VARIANT>, c: DECIMAL(2,1), d: VOID, e: BOOLEAN, f: DOUBLE, g: "
       "STRING>"},
      {R"(mg_schema_of_variant('[1,2.5]'), mg_schema_of_variant('[{"a":1},{"b":2}]'), mg_schema_of_variant('[]'), mg_schema_of_variant('{}'))",
       "ARRAY<DECIMAL(21,1)> | ARRAY<OBJECT<a: BIGINT, b: BIGINT>> | ARRAY<VOID> | OBJECT<>"},
      {R"(mg_schema_of_variant_agg(['{"a": 1}', '{"b": true}', '{"c": 1.23}']), mg_schema_of_variant_agg(NULL))",
       "OBJECT<a: BIGINT, b: BOOLEAN, c: DECIMAL(3,2)> | VOID"},
      {R"(mg_variant_items('[1,"x"]'), mg_variant_items('{"a":[2]}'), mg_variant_items('1'))",
       R"([{'pos': 0, 'key': NULL, 'value': 1}, {'pos': 1, 'key': NULL, 'value': '"x"'}] | [{'pos': 0, 'key': a, 'value': '[2]'}] | NULL)"},
  });
}

std::string FromCsv(const std::string& line, const std::string& schema,
                    const std::string& options = "") {
  return "mg_from_csv('" + line + "', '" + schema + "', '" + options + "', 'UTC')";
}

TEST(CsvTest, Read) {
  ExpectAll({
      {FromCsv("1,x,2024-01-01,1.5,true", "a INT, b STRING, c DATE, d DECIMAL(3,1), e BOOLEAN"),
       "{'a': 1, 'b': x, 'c': 2024-01-01, 'd': 1.5, 'e': true}"},
      {FromCsv("1", "a INT, b STRING") + ", " + FromCsv("x", "a INT") + ", " + FromCsv("", "a INT"),
       "{'a': 1, 'b': NULL} | {'a': NULL} | {'a': NULL}"},
      {FromCsv("\"a,b\",2", "a STRING, b INT") + ", " +
           FromCsv("1;2", "a INT, b INT", R"({"sep":";"})"),
       "{'a': 'a,b', 'b': 2} | {'a': 1, 'b': 2}"},
      {FromCsv(" 1 , x ", "a INT, b STRING") + ", " + FromCsv("1,2,3", "a INT, b INT"),
       "{'a': NULL, 'b': ' x '} | {'a': 1, 'b': 2}"},
  });
}

TEST(CsvTest, Write) {
  ExpectAll({
      {"mg_to_csv({'a': 1, 'b': 'x,y', 'c': NULL::INTEGER, 'd': TIMESTAMPTZ '2024-01-01 "
       "00:00:00+00', 'e': 1.5::DOUBLE, 'f': 'q\"r', 'g': ''}, "
       "'STRUCT<a: INT, b: STRING, c: INT, d: TIMESTAMP, e: DOUBLE, f: STRING, g: STRING>', '', "
       "'UTC')",
       R"(1,"x,y",,2024-01-01T00:00:00.000Z,1.5,"q\"r","")"},
      {R"(mg_to_csv({'a': 1, 'b': DATE '2024-01-01'}, 'STRUCT<a: INT, b: DATE>', '{"sep":";","dateFormat":"dd/MM/yyyy"}', 'UTC'))",
       "1;01/01/2024"},
      {"mg_schema_of_csv('1,abc,2024-01-01,1.5,true,', '')",
       "STRUCT<_c0: INT, _c1: STRING, _c2: DATE, _c3: DOUBLE, _c4: BOOLEAN, _c5: STRING>"},
  });
}

}  // namespace
}  // namespace merganser::engine
