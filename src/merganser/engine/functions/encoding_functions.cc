// base64, character sets, URLs, and checks of UTF-8.
#include <string>

#include "merganser/engine/functions/encodings.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/number_base.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// The first argument as bytes: VARCHAR and BLOB as they are.
void ExpectBytes(ScalarCall& call) {
  if (call.type(0).InternalType() != duckdb::PhysicalType::VARCHAR)
    call.Expect(0, LogicalType::BLOB);
}

Charset RequireCharset(std::string_view name, const char* function, const CallSite& site) {
  const auto charset = FindCharset(name);
  if (!charset) {
    site.Throw(
        Error(ErrorClass::INVALID_PARAMETER_VALUE,
              {{"functionName", QuotedId(function)},
               {"parameter", QuotedId("charset")},
               {"charset", std::string(name)},
               {"charsets", "iso-8859-1, us-ascii, utf-16, utf-16be, utf-16le, utf-32, utf-8"}},
              "CHARSET"));
  }
  return *charset;
}

/// mg_encode(text, charset [, context]) and mg_decode(bytes, charset [, context]).
template <typename Convert>
ScalarKernel BindCharset(ScalarCall& call, const char* function, const LogicalType& from,
                         const LogicalType& to, Convert convert) {
  const CallSite site = call.Context(2);
  call.Expect(0, from);
  call.Expect(1, LogicalType::VARCHAR);
  call.Returns(to);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, std::string_view>(
        arguments, result, [&](std::string_view input, std::string_view name) {
          auto output = convert(input, RequireCharset(name, function, site));
          if (!output) {
            std::string upper;
            for (const char c : name)
              upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
            site.Throw(Error(ErrorClass::MALFORMED_CHARACTER_CODING,
                             {{"function", QuotedId(function)}, {"charset", upper}}));
          }
          return *std::move(output);
        });
  };
}

/// mg_to_binary(text, format 'hex' | 'base64' | 'utf-8', mode [, context]).
ScalarKernel BindToBinary(ScalarCall& call) {
  std::string format = call.Text(1);
  for (char& c : format) c = static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const CallSite site = call.Site(2);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::BLOB);
  call.KeepArguments(1);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(arguments, result,
                              [&](std::string_view text) -> std::optional<std::string> {
                                std::optional<std::string> bytes;
                                if (format == "HEX") {
                                  bytes = ParseHex(text);
                                } else if (format == "BASE64") {
                                  if (IsStrictBase64(text)) bytes = ParseBase64(text);
                                } else {
                                  bytes = std::string(text);
                                }
                                if (!bytes && site.mode != EvalMode::kTry) {
                                  site.Throw(Error(ErrorClass::CONVERSION_INVALID_INPUT,
                                                   {{"str", QuotedValue(text)},
                                                    {"fmt", QuotedValue(format)},
                                                    {"targetType", "\"BINARY\""},
                                                    {"suggestion", QuotedId("try_to_binary")}}));
                                }
                                return bytes;
                              });
  };
}

ScalarKernel BindUnbase64(ScalarCall& call) {
  const CallSite site = call.Context(1);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::BLOB);
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(arguments, result, [&](std::string_view text) {
      auto bytes = ParseBase64(text);
      if (!bytes) {
        site.Throw(Error(ErrorClass::CONVERSION_INVALID_INPUT,
                         {{"str", QuotedValue(text)},
                          {"fmt", "'BASE64'"},
                          {"targetType", "\"BINARY\""},
                          {"suggestion", QuotedId("try_to_binary")}}));
      }
      return *std::move(bytes);
    });
  };
}

/// mg_url_decode(text, mode [, context]).
ScalarKernel BindUrlDecode(ScalarCall& call) {
  const CallSite site = call.Site(1);
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(arguments, result, [&](std::string_view text) {
      auto decoded = UrlDecode(text);
      if (!decoded && site.mode != EvalMode::kTry)
        site.Throw(Error(ErrorClass::CANNOT_DECODE_URL, {{"url", std::string(text)}}));
      return decoded;
    });
  };
}

std::optional<Url> UrlOrFail(std::string_view text, const CallSite& site) {
  auto url = ParseUrl(text);
  if (!url && site.ansi()) site.Throw(Error(ErrorClass::INVALID_URL, {{"url", std::string(text)}}));
  return url;
}

/// mg_parse_url(url, part, mode [, context]).
ScalarKernel BindParseUrl(ScalarCall& call) {
  const CallSite site = call.Site(2);
  for (size_t i = 0; i < 2; ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(2);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, std::string_view>(
        arguments, result,
        [&](std::string_view text, std::string_view part) -> std::optional<std::string> {
          const auto url = UrlOrFail(text, site);
          return url ? UrlPart(*url, part) : std::nullopt;
        });
  };
}

/// mg_parse_url_query(url, part, key, mode [, context]): a parameter, if the part is QUERY.
ScalarKernel BindParseUrlQuery(ScalarCall& call) {
  const CallSite site = call.Site(3);
  for (size_t i = 0; i < 3; ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(3);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, std::string_view, std::string_view>(
        arguments, result,
        [&](std::string_view text, std::string_view part,
            std::string_view key) -> std::optional<std::string> {
          if (part != "QUERY") return std::nullopt;
          const auto url = UrlOrFail(text, site);
          return url && url->query ? QueryParameter(*url->query, key) : std::nullopt;
        });
  };
}

/// mg_validate_utf8(bytes, mode [, context]).
ScalarKernel BindValidateUtf8(ScalarCall& call) {
  const CallSite site = call.Site(1);
  ExpectBytes(call);
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(
        arguments, result, [&](std::string_view bytes) -> std::optional<std::string_view> {
          if (IsValidUtf8(bytes)) return bytes;
          if (site.mode == EvalMode::kTry) return std::nullopt;
          std::string shown;
          for (const char c : bytes) {
            const auto byte = static_cast<unsigned char>(c);
            shown += "\\x";
            shown += "0123456789ABCDEF"[byte >> 4];
            shown += "0123456789ABCDEF"[byte & 15];
          }
          site.Throw(Error(ErrorClass::INVALID_UTF8_STRING, {{"str", shown}}));
        });
  };
}

template <typename F>
void AddBytesFunction(FunctionRegistry& registry, const std::string& name,
                      const LogicalType& result, F f) {
  registry.Add(name, [result, f](ScalarCall& call) -> ScalarKernel {
    ExpectBytes(call);
    call.Returns(result);
    call.KeepArguments(1);
    call.NeverFails();
    return [f](duckdb::DataChunk& arguments, duckdb::Vector& out) {
      MapRows<std::string_view>(arguments, out, f);
    };
  });
}

}  // namespace

void RegisterEncodingFunctions(FunctionRegistry& registry) {
  AddBytesFunction(registry, "mg_base64", LogicalType::VARCHAR, Base64Text);
  AddBytesFunction(registry, "mg_is_valid_utf8", LogicalType::BOOLEAN, IsValidUtf8);
  AddBytesFunction(registry, "mg_make_valid_utf8", LogicalType::VARCHAR, ValidUtf8);
  AddBytesFunction(registry, "mg_url_encode", LogicalType::VARCHAR, UrlEncode);
  registry.Add("mg_unbase64", BindUnbase64);
  registry.Add("mg_to_binary", BindToBinary);
  registry.Add("mg_encode", [](ScalarCall& call) {
    return BindCharset(call, "encode", LogicalType::VARCHAR, LogicalType::BLOB, EncodeText);
  });
  registry.Add("mg_decode", [](ScalarCall& call) {
    return BindCharset(call, "decode", LogicalType::BLOB, LogicalType::VARCHAR, DecodeText);
  });
  registry.Add("mg_url_decode", BindUrlDecode);
  registry.Add("mg_parse_url", BindParseUrl);
  registry.Add("mg_parse_url_query", BindParseUrlQuery);
  registry.Add("mg_validate_utf8", BindValidateUtf8);
}

}  // namespace merganser::engine
