#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

TEST(StringFunctionsTest, CutAndSearch) {
  ExpectAll({
      {"mg_substring_index('a.b.c', '.', -2), mg_substring_index('a.b.c', '', 1), "
       "mg_substring_index('a.b.c', '.', 0)",
       "b.c |  | "},
      {"mg_substring('a\u00E9\u4E16b', 2, 2), mg_substring('abc', -5, 3), mg_substring('abc', 2, "
       "-1), "
       "mg_substring('hello', 2147483647, 1)",
       "\u00E9\u4E16 | a |  | "},
      {"mg_substring('ABC'::BLOB, 2, 1), mg_substring('ABC'::BLOB, -2, 2147483647)", "B | BC"},
      {"mg_left('abc', -1), mg_right('abc', 5), mg_right('a\u00E9\u4E16', 2)",
       " | abc | \u00E9\u4E16"},
      {"mg_split_part('11.12.13', '.', -1), mg_split_part('a.b', '.', 5), mg_split_part('a.b', '', "
       "1), mg_split_part('a.b', '', 2)",
       "13 |  | a.b | "},
      {"mg_split_part('a.b', '.', 0)", "!INVALID_INDEX_OF_ZERO"},
      {"mg_locate('b', 'abcb', 0), mg_locate('b', 'abcb', 3), mg_locate('', 'abc', 1), "
       "mg_locate('', 'abc', 5), mg_instr('abc', 'c')",
       "0 | 4 | 1 | 1 | 3"},
      {"mg_find_in_set('a,b', 'a,b,c'), mg_find_in_set('', 'a,,c'), mg_find_in_set('c', '')",
       "0 | 2 | 0"},
      {"mg_contains('abc'::BLOB, ''::BLOB), mg_startswith('abc'::BLOB, 'ab'::BLOB), "
       "mg_endswith('abc'::BLOB, 'x'::BLOB)",
       "true | true | false"},
  });
}

TEST(StringFunctionsTest, Rewrite) {
  ExpectAll({
      {"mg_upper('\u00DFa\u00E9'), mg_lower('\u0130'), mg_initcap('\u00DF'), "
       "mg_lower('\u0391\u03A3'), mg_upper('\u01C6 \u0149 \uFB01')",
       "SSA\u00C9 | i\u0307 | Ss | \u03B1\u03C2 | \u01C4 \u02BCN FI"},
      {"mg_initcap('hello wORLD-foo bar''s \u00C9COLE'), mg_initcap('a\tb')",
       "Hello World-foo Bar's \u00C9cole | A\tb"},
      {"mg_overlay('Spark SQL', 'xx', 3, -1), mg_overlay('abc', 'xx', 10, -1), mg_overlay('abc', "
       "'xx', 0, 1), mg_overlay('abc', 'xx', -1, 1)",
       "Spxxk SQL | abcxx | xxabc | xxabc"},
      {"mg_replace('aaa', 'a', 'b'), mg_replace('aaa', 'aa', 'b'), mg_translate('abca', 'aa', "
       "'xy'), mg_translate('abc', 'b', '')",
       "bbb | ba | xbcx | ac"},
      {"mg_lpad('hi', 5, ''), mg_rpad('hi', 1, ''), mg_lpad('hi', 0, 'x'), mg_lpad('hi', -1, 'x'), "
       "mg_lpad('hi', 5, 'ab')",
       "hi | h |  |  | abahi"},
      {"mg_repeat('a', -1), mg_repeat('ab', 2), mg_space(2), mg_space(-1), "
       "mg_reverse('a\u00E9\u4E16')",
       " | abab |    |  | \u4E16\u00E9a"},
      {"mg_trim('xyzzyx', 'xy'), mg_ltrim('xxa', 'x'), mg_trim('  a '), mg_trim(' A '::BLOB, ' "
       "'::BLOB)",
       "zz | a | a | A"},
      {"mg_mask('AbCD123-@$#\u00E9\u4E16', 'X', 'x', 'n', NULL)", "XxXXnnn-@$#x\u4E16"},
      {R"(mg_quote('a\b''c'))", R"('a\b\'c')"},
      {"mg_ascii('\u20AC'), mg_ascii('A'), mg_char(321), mg_char(-1) = '', length(mg_char(256))",
       "8364 | 65 | A | true | 1"},
      {"mg_make_valid_utf8('\\x61\\xFF'::BLOB), mg_is_valid_utf8('\\xC3'::BLOB)",
       "a\xEF\xBF\xBD | false"},
      {"mg_validate_utf8('\\x80'::BLOB, 'ansi')", "!INVALID_UTF8_STRING"},
      {"mg_validate_utf8('\\x80'::BLOB, 'try')", "NULL"},
  });
}

TEST(StringFunctionsTest, Measures) {
  ExpectAll({
      {"mg_soundex('Miller'), mg_soundex('Robert'), mg_soundex('Tymczak'), mg_soundex('123'), "
       "mg_soundex(''), mg_soundex('Ashcraft')",
       "M460 | R163 | T522 | 123 |  | A261"},
      {"mg_levenshtein_threshold('kitten', 'sitting', 3), mg_levenshtein_threshold('kitten', "
       "'sitting', 2)",
       "3 | -1"},
      {"mg_luhn_check('79927398713'), mg_luhn_check('79927398714'), mg_luhn_check('a'), "
       "mg_luhn_check('0')",
       "true | false | false | true"},
  });
}

TEST(StringFunctionsTest, Lists) {
  ExpectAll({
      {"mg_concat_ws(',', ['a', NULL, 'b'], 'c', NULL::VARCHAR)", "a,b,c"},
      {"mg_concat_ws(NULL::VARCHAR, 'c'), mg_concat_ws(','), mg_concat_ws(',', NULL::VARCHAR[])",
       "NULL |  | "},
      {"mg_join_binaries(['a'::BLOB, NULL, 'b'::BLOB], '-'::BLOB), mg_join_binaries(['a'::BLOB, "
       "'b'::BLOB], NULL)",
       "a-b | ab"},
      {"mg_sentences('Hello, world! How are you? I''m fine... Mr. Smith went. 3.14 is pi', '', '')",
       "[[Hello, world], [How, are, you], ['I\\'m', fine], [Mr], [Smith, went, 3.14, is, pi]]"},
      {"mg_sentences('', '', ''), mg_sentences(NULL, '', '')", "[] | NULL"},
  });
}

TEST(RegexpFunctionsTest, SplitAndReplace) {
  ExpectAll({
      {"mg_split('abc', '', -1), mg_split('oneAtwoBthreeC', '[ABC]', 0), mg_split('', ',', -1)",
       "[a, b, c] | [one, two, three, ''] | ['']"},
      {"mg_split('a,b,', ',', 2), mg_split('aXbXc', 'X', -1), mg_split('abc', 'b*', -1)",
       "[a, 'b,'] | [a, b, c] | [a, '', c, '']"},
      {R"(mg_regexp_replace('abc123', '([a-z]+)(\d+)', '$2-$1', 1), mg_regexp_replace('a.b', '\.', '\$', 1))",
       "123-abc | a$b"},
      {"mg_regexp_replace('healthy, wealthy', 'thy', 'x', 5), mg_regexp_replace('abc', '', '-', 1)",
       "healx, wealx | -a-b-c-"},
      {R"(mg_regexp_replace('aXbX', '(?<=a)X', '-', 1), mg_regexp_replace('ABC', '\p{Lower}|\p{Alpha}', 'x', 1))",
       "a-bX | xxx"},
      {"mg_regexp_replace('abc', 'b', '$1', 1)", "!INVALID_REGEXP_REPLACE"},
  });
}

TEST(RegexpFunctionsTest, Find) {
  ExpectAll({
      {"mg_regexp_extract('abc', '(x)', 1), mg_regexp_extract('abc', 'b', 0)", " | b"},
      {R"(mg_regexp_extract('foo=bar', '(?<k>\w+)=(\w+)', 2), mg_regexp_extract_all('a1b2', '([a-z])(\d)', 2))",
       "bar | [1, 2]"},
      {"mg_regexp_extract('abc', '(b)', 2)", "!INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX"},
      {R"(mg_regexp_extract_all('a1b2', '([a-z])(\d)', 3))",
       "!INVALID_PARAMETER_VALUE.REGEX_GROUP_INDEX"},
      {"mg_regexp_instr('abcb', 'b'), mg_regexp_count('aaa', 'aa'), mg_regexp_substr('abc', 'x')",
       "2 | 1 | NULL"},
      {"mg_rlike('abc', '^a.c$'), mg_rlike('abc', 'B'), mg_rlike('abc', '(?i)B'), "
       "mg_rlike('a\u00E9', "
       "'.\u00E9')",
       "true | false | true | true"},
      {"mg_rlike('a', '(')", "!INVALID_PARAMETER_VALUE.PATTERN"},
  });
}

TEST(RegexpFunctionsTest, Like) {
  ExpectAll({
      {R"(mg_like('abc', 'a%', '\'), mg_ilike('ABC', 'a_c', '\'), mg_like('a%c', 'a#%c', '#'))",
       "true | true | true"},
      {R"(mg_like('abc', 'a\bc', '\'))", "!INVALID_FORMAT.ESC_IN_THE_MIDDLE"},
      {R"(mg_like('abc', 'abc\', '\'))", "!INVALID_FORMAT.ESC_AT_THE_END"},
  });
}

TEST(FormatFunctionsTest, Numbers) {
  ExpectAll({
      {"mg_format_number(12332.123456::DECIMAL(11,6), 4), mg_format_number(-1234.5::DOUBLE, 0), "
       "mg_format_number(1234567, 2)",
       "12,332.1235 | -1,234 | 1,234,567.00"},
      {"mg_format_number(0.5::DOUBLE, 0), mg_format_number(1.5::DOUBLE, 0), "
       "mg_format_number(12332.123456::DOUBLE, '##,###.###')",
       "0 | 2 | 12,332.123"},
      {"mg_format_number(1e20::DOUBLE, 2), mg_format_number(-0.001::DOUBLE, 2), "
       "mg_format_number(1, -1), mg_format_number('NaN'::DOUBLE, 2)",
       "100,000,000,000,000,000,000.00 | -0.00 | NULL | NaN"},
      {"mg_to_char(454::DECIMAL(3,0), '000999'), mg_to_char(12454::DECIMAL(5,0), '99G999'), "
       "mg_to_char(-5::DECIMAL(1,0), 'S999')",
       "000454 | 12,454 |   -5"},
      {"mg_to_char(-5::DECIMAL(1,0), '999MI'), mg_to_char(5::DECIMAL(1,0), '999MI'), "
       "mg_to_char(-5::DECIMAL(1,0), '999PR')",
       "  5- |   5  |   <5>"},
      {"mg_to_char(12345::DECIMAL(5,0), '999'), mg_to_char(0.5::DECIMAL(2,1), '9.99'), "
       "mg_to_char(1234.567::DECIMAL(7,3), '9,999.99')",
       "### | 0.50 | # ###.##"},
      {"mg_to_char(-78.12::DECIMAL(4,2), 'S$99.99'), mg_to_char(0::DECIMAL(1,0), '9'), "
       "mg_to_char(0::DECIMAL(1,0), '999.9')",
       "-$78.12 |   |   0.0"},
      {"mg_to_number('-5', 'S9', 'ansi'), mg_to_number('5-', '9MI', 'ansi'), mg_to_number('<5>', "
       "'9PR', 'ansi')",
       "-5 | -5 | -5"},
      {"mg_to_number(' 5', '99', 'ansi'), mg_to_number('1,234', '9,999', 'ansi'), "
       "mg_to_number('$5', '$9', 'ansi')",
       "5 | 1234 | 5"},
      {"mg_to_number('x5', '99', 'ansi')", "!INVALID_FORMAT.MISMATCH_INPUT"},
      {"mg_to_number('12345', '999', 'try')", "NULL"},
      {"mg_to_number('5', 'xx', 'ansi')", "!INVALID_FORMAT.WRONG_NUM_DIGIT"},
  });
}

TEST(FormatFunctionsTest, FormatString) {
  ExpectAll({
      {"mg_format_string('%,d|%x|%X|%o|%5d|%-5d|%+d|%(d|%05d', 1234567, 255, 255, 8, 42, 42, 42, "
       "-42, 42)",
       "1,234,567|ff|FF|10|   42|42   |+42|(42)|00042"},
      {"mg_format_string('%s|%10s|%-10s|%S|%.2s|%b|%c|%%', 'abc', 'abc', 'abc', 'abc', 'abc', "
       "true, 65)",
       "abc|       abc|abc       |ABC|ab|true|A|%"},
      {"mg_format_string('%.3f|%10.2f|%e|%.3e|%g|%s|%s', 3.14159::DOUBLE, 2.5::DOUBLE, "
       "12345.678::DOUBLE, 12345.678::DOUBLE, "
       "0.0001::DOUBLE, 1.5::DOUBLE, NULL::VARCHAR)",
       "3.142|      2.50|1.234568e+04|1.235e+04|0.000100000|1.5|null"},
      {"mg_format_string('%2$s %1$s', 'a', 'b'), mg_format_string('%s %s', 1.50::DECIMAL(3,2), "
       "DATE '2024-01-01')",
       "b a | 1.50 19723"},
      {"mg_format_string('%.1f', 0.25::DOUBLE), mg_format_string('%.2f', 1.005::DOUBLE), "
       "mg_format_string('%s', 1e10::DOUBLE)",
       "0.3 | 1.01 | 1.0E10"},
  });
}

TEST(EncodingFunctionsTest, Base64AndCharsets) {
  ExpectAll({
      {"mg_base64('ABC'::BLOB), length(mg_base64(repeat('abcdefghij', 20)::BLOB)), "
       "strpos(mg_base64(repeat('a', 58)::BLOB), chr(13))",
       "QUJD | 274 | 77"},
      {"mg_unbase64('QUJ D'), mg_unbase64('QUI'), mg_unbase64('QUI='), mg_unbase64('')",
       "ABC | AB | AB | "},
      {"mg_to_binary('616263', 'hex', 'ansi'), mg_to_binary('YWJj', 'base64', 'ansi'), "
       "mg_to_binary('abc', 'utf-8', 'ansi'), mg_to_binary('x', 'hex', 'try')",
       "abc | abc | abc | NULL"},
      {"mg_to_binary('x', 'hex', 'ansi')", "!CONVERSION_INVALID_INPUT"},
      {"hex(mg_encode('\u00E9', 'ISO-8859-1')), hex(mg_encode('a\u00E9', 'UTF-16')), "
       "hex(mg_encode('\u00E9', "
       "'UTF-16BE')), hex(mg_encode('a', 'UTF-16LE'))",
       "E9 | FEFF006100E9 | 00E9 | 6100"},
      {"hex(mg_encode('abc', 'UTF-32')), mg_decode('\\xE9'::BLOB, 'ISO-8859-1')",
       "000000610000006200000063 | \u00E9"},
      {"mg_decode('\\xFF'::BLOB, 'UTF-8')", "!MALFORMED_CHARACTER_CODING"},
      {"mg_encode('\u00E9', 'US-ASCII')", "!MALFORMED_CHARACTER_CODING"},
      {"mg_encode('a', 'nope')", "!INVALID_PARAMETER_VALUE.CHARSET"},
  });
}

TEST(EncodingFunctionsTest, Urls) {
  const std::string url = "'http://user:pw@host.com:8080/a/b?x=1&y=2#frag'";
  const auto part = [&](const std::string& name) {
    return "mg_parse_url(" + url + ", '" + name + "', 'ansi')";
  };
  ExpectAll({
      {part("PROTOCOL") + ", " + part("HOST") + ", " + part("PATH") + ", " + part("QUERY"),
       "http | host.com | /a/b | x=1&y=2"},
      {part("REF") + ", " + part("AUTHORITY") + ", " + part("USERINFO") + ", " + part("FILE"),
       "frag | user:pw@host.com:8080 | user:pw | /a/b?x=1&y=2"},
      {"mg_parse_url_query(" + url + ", 'QUERY', 'y', 'ansi')", "2"},
      {"mg_parse_url('http://h', 'PATH', 'ansi'), mg_parse_url('http://h', 'FILE', 'ansi'), "
       "mg_parse_url('abc', 'HOST', 'ansi')",
       " |  | NULL"},
      {"mg_parse_url('http://h?a=1', 'NOPE', 'ansi')", "NULL"},
      {"mg_parse_url('inva lid://x', 'HOST', 'ansi')", "!INVALID_URL"},
      {"mg_parse_url('inva lid://x', 'HOST', 'try')", "NULL"},
      {"mg_url_encode('a b+c/\u00E9~*-_.'), mg_url_decode('a+b%20c', 'ansi')",
       "a+b%2Bc%2F%C3%A9%7E*-_. | a b c"},
      {"mg_url_decode('%zz', 'ansi')", "!CANNOT_DECODE_URL"},
  });
}

TEST(HashFunctionsTest, Murmur) {
  ExpectAll({
      {"mg_hash(1), mg_hash(1::BIGINT), mg_hash(1::SMALLINT), mg_hash(true), mg_hash(1.5::DOUBLE), "
       "mg_hash(-0.0::DOUBLE)",
       "-559580957 | -1712319331 | -559580957 | -559580957 | 1290763749 | -1670924195"},
      {"mg_hash(1.5::FLOAT), mg_hash(1.50::DECIMAL(3,2)), "
       "mg_hash(123456789012345678901234.5::DECIMAL(38,1)), mg_hash(DATE '2024-01-01')",
       "-221251528 | -2056712946 | 992557280 | -456589419"},
      {"mg_hash(TIMESTAMPTZ '2024-01-01 00:00:00+00'), mg_hash('abcdefgh'), mg_hash('abc'), "
       "mg_hash('\\x01\\xFF'::BLOB), mg_hash('\u00E9\u4E16')",
       "1545358984 | -804741815 | 1322437556 | 362957888 | -1262932176"},
      {"mg_hash([1, 2]), mg_hash({'a': 1, 'b': 'x'}), mg_hash(NULL::INTEGER), mg_hash(1, "
       "NULL::INTEGER, 'a')",
       "-222940379 | -1305545736 | 42 | -936062819"},
      {"mg_hash([[1], NULL]), mg_hash('NaN'::DOUBLE)", "-559580957 | -1281358385"},
  });
}

TEST(HashFunctionsTest, XxHash) {
  ExpectAll({
      {"mg_xxhash64(1), mg_xxhash64(1::BIGINT), mg_xxhash64(1.5::DOUBLE), "
       "mg_xxhash64(-0.0::DOUBLE), mg_xxhash64(1.5::FLOAT)",
       "-6698625589789238999 | -7001672635703045582 | 7738255526519901366 | -5252525462095825812 | "
       "6163473420726370430"},
      {"mg_xxhash64(1.50::DECIMAL(3,2)), mg_xxhash64(123456789012345678901234.5::DECIMAL(38,1)), "
       "mg_xxhash64(DATE '2024-01-01')",
       "-6873856301616164681 | -7152434883395826761 | 3242891694566951137"},
      {"mg_xxhash64('abcdefgh'), mg_xxhash64('abc'), mg_xxhash64(repeat('abcdefghij', 5)), "
       "mg_xxhash64('')",
       "2470326616177429180 | 1423657621850124518 | 3184233153891175136 | -7444071767201028348"},
      {"mg_xxhash64([1, 2]), mg_xxhash64({'a': 1, 'b': 'x'}), mg_xxhash64(1, NULL::INTEGER, 'a')",
       "-8133857028838179022 | 8510603489595372987 | 8205864924878002737"},
  });
}

TEST(HashFunctionsTest, Digests) {
  ExpectAll({
      {"mg_sha2('a'::BLOB, 0)", "ca978112ca1bbdcafac231b39a23dc4da786eff8147c4e72b9807785afee48bb"},
      {"mg_sha2('a'::BLOB, 224), mg_sha2('a'::BLOB, 1)",
       "abd37534c7d9a2efb9465de931cd7055ffdb8879563ae98078d6d6d5 | NULL"},
      {"mg_crc32('a'::BLOB)", "3904355907"},
  });
}

TEST(HashFunctionsTest, Ciphers) {
  const std::string key = "'0000111122223333'::BLOB";
  ExpectAll({
      {"hex(mg_aes_encrypt('Spark'::BLOB, " + key + ", 'ECB', 'DEFAULT', ''::BLOB, ''::BLOB))",
       "348FF37EBDE05B7880BA339068FBDA5E"},
      {"hex(mg_aes_encrypt('Spark'::BLOB, " + key +
           ", 'GCM', 'DEFAULT', unhex(repeat('00', 12)), 'aad'::BLOB))",
       "00000000000000000000000046C4EF1C6A58C82E08A2D6B5AA23225CD5DAB67E32"},
      {"mg_aes_decrypt(mg_aes_encrypt('Spark'::BLOB, " + key +
           ", 'GCM', 'DEFAULT', ''::BLOB, ''::BLOB), " + key +
           ", 'GCM', 'DEFAULT', ''::BLOB, 'ansi')",
       "Spark"},
      {"mg_aes_decrypt('\\x00'::BLOB, " + key + ", 'GCM', 'DEFAULT', ''::BLOB, 'ansi')",
       "!INVALID_PARAMETER_VALUE.AES_CRYPTO_ERROR"},
      {"mg_aes_decrypt('\\x00'::BLOB, " + key + ", 'GCM', 'DEFAULT', ''::BLOB, 'try')", "NULL"},
      {"mg_aes_encrypt('a'::BLOB, 'short'::BLOB, 'GCM', 'DEFAULT', ''::BLOB, ''::BLOB)",
       "!INVALID_PARAMETER_VALUE.AES_KEY_LENGTH"},
  });
}

TEST(RandomFunctionsTest, RepeatsBySeed) {
  ExpectAll({
      {"mg_rand(0), mg_randn(0), mg_rand(5)",
       "0.7604953758285915 | 1.6034991609278433 | 0.02390696427502892"},
      {"mg_rand(42) FROM range(3)", "0.619189370225301 | 0.5096018842446481 | 0.8325259388871524"},
      {"mg_randn(42) FROM range(3)", "2.384479054241165 | 0.1920934041293524 | 0.7337336533286575"},
      {"mg_shuffle([1, 20, 3, 5], 0), mg_randstr(5, 0)", "[5, 1, 20, 3] | ceV0P"},
      {"length(mg_uuid(0)), mg_uuid(0) = mg_uuid(1)", "36 | false"},
  });
}

}  // namespace
}  // namespace merganser::engine
