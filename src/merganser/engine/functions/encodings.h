#pragma once

#include <optional>
#include <string>
#include <string_view>

/// Text in other forms. Functions on text take valid UTF-8.
namespace merganser::engine {

/// Base64 in lines of 76 characters (MIME).
std::string Base64Text(std::string_view bytes);
/// Reads base64; characters outside the alphabet are read over. nullopt if digits are missing.
std::optional<std::string> ParseBase64(std::string_view text);
/// Is the text base64 of one form: groups of four, padded at the end or not at all?
bool IsStrictBase64(std::string_view text);

/// Character sets that encode() and decode() know.
enum class Charset { kIso88591, kUsAscii, kUtf16, kUtf16Be, kUtf16Le, kUtf32, kUtf8 };
/// By Java's name, in any case.
std::optional<Charset> FindCharset(std::string_view name);
/// nullopt if a character has no code, or bytes are malformed.
std::optional<std::string> EncodeText(std::string_view text, Charset charset);
std::optional<std::string> DecodeText(std::string_view bytes, Charset charset);

/// Java's URLEncoder and URLDecoder: form encoding, blanks as '+'.
std::string UrlEncode(std::string_view text);
std::optional<std::string> UrlDecode(std::string_view text);

/// An URL's raw parts, as java.net.URI gives them.
struct Url {
  std::optional<std::string> scheme, authority, user_info, host, path, query, fragment;
};
/// nullopt if java.net.URI refuses the text.
std::optional<Url> ParseUrl(std::string_view text);

/// PROTOCOL, HOST, PATH, QUERY, REF, AUTHORITY, FILE, USERINFO of a URL; nullopt for other names
/// and for what it does not have.
std::optional<std::string> UrlPart(const Url& url, std::string_view part);
/// The value of a parameter of the query.
std::optional<std::string> QueryParameter(std::string_view query, std::string_view key);

}  // namespace merganser::engine
