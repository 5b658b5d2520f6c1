#include "merganser/engine/functions/encodings.h"

#include <array>
#include <cctype>
#include <cstdint>

#include "merganser/base/ascii_text.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

constexpr std::string_view kBase64 =
    "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

int Base64Digit(char c) {
  if (c >= 'A' && c <= 'Z') return c - 'A';
  if (c >= 'a' && c <= 'z') return c - 'a' + 26;
  if (c >= '0' && c <= '9') return c - '0' + 52;
  return c == '+' ? 62 : c == '/' ? 63 : -1;
}

void AppendUnit(uint32_t unit, bool little, std::string* out) {
  const char high = static_cast<char>(unit >> 8);
  const char low = static_cast<char>(unit);
  *out += little ? low : high;
  *out += little ? high : low;
}

std::string EncodeUtf16(std::string_view text, bool little) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += CodePointSize(text[at])) {
    const uint32_t code = CodePointAt(text, at);
    if (code < 0x10000) {
      AppendUnit(code, little, &out);
    } else {
      AppendUnit(0xD800 + ((code - 0x10000) >> 10), little, &out);
      AppendUnit(0xDC00 + ((code - 0x10000) & 0x3FF), little, &out);
    }
  }
  return out;
}

std::optional<std::string> DecodeUtf16(std::string_view bytes, bool little) {
  if (bytes.size() % 2 != 0) return std::nullopt;
  const auto unit = [&](size_t i) {
    const auto first = static_cast<unsigned char>(bytes[i]);
    const auto second = static_cast<unsigned char>(bytes[i + 1]);
    return static_cast<uint32_t>(little ? second << 8 | first : first << 8 | second);
  };
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 2) {
    uint32_t code = unit(i);
    if (code >= 0xD800 && code <= 0xDBFF) {
      if (i + 3 >= bytes.size()) return std::nullopt;
      const uint32_t low = unit(i + 2);
      if (low < 0xDC00 || low > 0xDFFF) return std::nullopt;
      code = 0x10000 + ((code - 0xD800) << 10) + (low - 0xDC00);
      i += 2;
    } else if (code >= 0xDC00 && code <= 0xDFFF) {
      return std::nullopt;
    }
    AppendCodePoint(code, &out);
  }
  return out;
}

std::optional<std::string> DecodeUtf32(std::string_view bytes) {
  if (bytes.size() % 4 != 0) return std::nullopt;
  std::string out;
  for (size_t i = 0; i < bytes.size(); i += 4) {
    uint32_t code = 0;
    for (size_t k = 0; k < 4; ++k) code = code << 8 | static_cast<unsigned char>(bytes[i + k]);
    if (i == 0 && code == 0xFEFF) continue;
    if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) return std::nullopt;
    AppendCodePoint(code, &out);
  }
  return out;
}

/// Codes of one byte each, up to `limit`.
std::optional<std::string> EncodeBytes(std::string_view text, uint32_t limit) {
  std::string out;
  for (size_t at = 0; at < text.size(); at += CodePointSize(text[at])) {
    const uint32_t code = CodePointAt(text, at);
    if (code > limit) return std::nullopt;
    out += static_cast<char>(code);
  }
  return out;
}

std::optional<std::string> DecodeBytes(std::string_view bytes, uint32_t limit) {
  std::string out;
  for (const char c : bytes) {
    const auto code = static_cast<unsigned char>(c);
    if (code > limit) return std::nullopt;
    AppendCodePoint(code, &out);
  }
  return out;
}

bool IsUrlCharacter(char c) {
  const auto byte = static_cast<unsigned char>(c);
  if (byte >= 0x80) return true;
  if (byte <= 0x20 || byte == 0x7F) return false;
  return std::string_view("\"<>\\^`{|}").find(c) == std::string_view::npos;
}

bool IsValidHost(std::string_view host) {
  if (host.empty()) return false;
  if (host.front() == '[') return host.back() == ']';
  for (const char c : host) {
    if (!std::isalnum(static_cast<unsigned char>(c)) && c != '-' && c != '.') return false;
  }
  return host.front() != '-' && host.front() != '.';
}

void SplitAuthority(std::string_view authority, Url* url) {
  const size_t at = authority.rfind('@');
  std::string_view rest = at == std::string_view::npos ? authority : authority.substr(at + 1);
  const size_t colon = rest.find(':', rest.empty() || rest[0] != '[' ? 0 : rest.find(']'));
  const std::string_view host = rest.substr(0, colon);
  const std::string_view port =
      colon == std::string_view::npos ? std::string_view() : rest.substr(colon + 1);
  if (!IsValidHost(host) || port.find_first_not_of("0123456789") != std::string_view::npos) return;
  url->host = std::string(host);
  if (at != std::string_view::npos) url->user_info = std::string(authority.substr(0, at));
}

}  // namespace

std::string Base64Text(std::string_view bytes) {
  std::string out;
  int column = 0;
  for (size_t i = 0; i < bytes.size(); i += 3) {
    if (column == 76) {
      out += "\r\n";
      column = 0;
    }
    const auto byte = [&](size_t k) {
      return i + k < bytes.size() ? static_cast<uint32_t>(static_cast<unsigned char>(bytes[i + k]))
                                  : 0U;
    };
    const uint32_t group = byte(0) << 16 | byte(1) << 8 | byte(2);
    out += kBase64[group >> 18];
    out += kBase64[group >> 12 & 63];
    out += i + 1 < bytes.size() ? kBase64[group >> 6 & 63] : '=';
    out += i + 2 < bytes.size() ? kBase64[group & 63] : '=';
    column += 4;
  }
  return out;
}

std::optional<std::string> ParseBase64(std::string_view text) {
  std::string out;
  uint32_t group = 0;
  int digits = 0;
  for (const char c : text) {
    if (c == '=') break;
    const int digit = Base64Digit(c);
    if (digit < 0) continue;
    group = group << 6 | static_cast<uint32_t>(digit);
    if (++digits == 4) {
      out += static_cast<char>(group >> 16);
      out += static_cast<char>(group >> 8);
      out += static_cast<char>(group);
      group = 0;
      digits = 0;
    }
  }
  if (digits == 1) return std::nullopt;
  if (digits >= 2) out += static_cast<char>(group >> (digits == 2 ? 4 : 10));
  if (digits == 3) out += static_cast<char>(group >> 2);
  return out;
}

bool IsStrictBase64(std::string_view text) {
  size_t digits = 0;
  size_t padding = 0;
  for (const char c : text) {
    if (std::isspace(static_cast<unsigned char>(c))) continue;
    if (c == '=') {
      ++padding;
    } else if (Base64Digit(c) < 0 || padding > 0) {
      return false;
    } else {
      ++digits;
    }
  }
  if (padding > 0) return padding <= 2 && (digits + padding) % 4 == 0;
  return digits % 4 != 1;
}

std::optional<Charset> FindCharset(std::string_view name) {
  std::string upper;
  for (const char c : name) upper += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  static constexpr std::array<std::pair<std::string_view, Charset>, 7> kNames = {
      {{"ISO-8859-1", Charset::kIso88591},
       {"US-ASCII", Charset::kUsAscii},
       {"UTF-16", Charset::kUtf16},
       {"UTF-16BE", Charset::kUtf16Be},
       {"UTF-16LE", Charset::kUtf16Le},
       {"UTF-32", Charset::kUtf32},
       {"UTF-8", Charset::kUtf8}}};
  for (const auto& [known, charset] : kNames) {
    if (known == upper) return charset;
  }
  return std::nullopt;
}

std::optional<std::string> EncodeText(std::string_view text, Charset charset) {
  switch (charset) {
    case Charset::kIso88591:
      return EncodeBytes(text, 0xFF);
    case Charset::kUsAscii:
      return EncodeBytes(text, 0x7F);
    case Charset::kUtf16:
      return text.empty() ? std::string() : "\xFE\xFF" + EncodeUtf16(text, false);
    case Charset::kUtf16Be:
      return EncodeUtf16(text, false);
    case Charset::kUtf16Le:
      return EncodeUtf16(text, true);
    case Charset::kUtf32: {
      std::string out;
      for (size_t at = 0; at < text.size(); at += CodePointSize(text[at])) {
        const uint32_t code = CodePointAt(text, at);
        for (int shift = 24; shift >= 0; shift -= 8) out += static_cast<char>(code >> shift);
      }
      return out;
    }
    default:
      return std::string(text);
  }
}

std::optional<std::string> DecodeText(std::string_view bytes, Charset charset) {
  switch (charset) {
    case Charset::kIso88591:
      return DecodeBytes(bytes, 0xFF);
    case Charset::kUsAscii:
      return DecodeBytes(bytes, 0x7F);
    case Charset::kUtf16: {
      const bool little = bytes.substr(0, 2) == "\xFF\xFE";
      return DecodeUtf16(little || bytes.substr(0, 2) == "\xFE\xFF" ? bytes.substr(2) : bytes,
                         little);
    }
    case Charset::kUtf16Be:
      return DecodeUtf16(bytes, false);
    case Charset::kUtf16Le:
      return DecodeUtf16(bytes, true);
    case Charset::kUtf32:
      return DecodeUtf32(bytes);
    default:
      if (!IsValidUtf8(bytes)) return std::nullopt;
      return std::string(bytes);
  }
}

std::string UrlEncode(std::string_view text) {
  std::string out;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (std::isalnum(byte) || c == '.' || c == '-' || c == '*' || c == '_') {
      out += c;
    } else if (c == ' ') {
      out += '+';
    } else {
      out += '%';
      out += "0123456789ABCDEF"[byte >> 4];
      out += "0123456789ABCDEF"[byte & 15];
    }
  }
  return out;
}

std::optional<std::string> UrlDecode(std::string_view text) {
  std::string out;
  for (size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '+') {
      out += ' ';
    } else if (text[i] != '%') {
      out += text[i];
    } else {
      if (i + 2 >= text.size() || HexDigit(text[i + 1]) < 0 || HexDigit(text[i + 2]) < 0)
        return std::nullopt;
      out += static_cast<char>(HexDigit(text[i + 1]) << 4 | HexDigit(text[i + 2]));
      i += 2;
    }
  }
  return ValidUtf8(out);
}

std::optional<Url> ParseUrl(std::string_view text) {
  for (size_t i = 0; i < text.size(); ++i) {
    if (!IsUrlCharacter(text[i])) return std::nullopt;
    if (text[i] == '%' &&
        (i + 2 >= text.size() || HexDigit(text[i + 1]) < 0 || HexDigit(text[i + 2]) < 0))
      return std::nullopt;
  }
  if (text.empty()) return Url{{}, {}, {}, {}, "", {}, {}};
  Url url;
  if (const size_t hash = text.find('#'); hash != std::string_view::npos) {
    url.fragment = std::string(text.substr(hash + 1));
    text = text.substr(0, hash);
  }
  const size_t colon = text.find_first_of(":/?");
  if (colon != std::string_view::npos && text[colon] == ':') {
    const std::string_view scheme = text.substr(0, colon);
    if (scheme.empty() || !std::isalpha(static_cast<unsigned char>(scheme[0]))) return std::nullopt;
    for (const char c : scheme) {
      if (!std::isalnum(static_cast<unsigned char>(c)) && c != '+' && c != '-' && c != '.')
        return std::nullopt;
    }
    url.scheme = std::string(scheme);
    text = text.substr(colon + 1);
    if (text.empty()) return std::nullopt;
    if (text[0] != '/') return url;  // Opaque: there is no path.
  }
  if (const size_t question = text.find('?'); question != std::string_view::npos) {
    url.query = std::string(text.substr(question + 1));
    text = text.substr(0, question);
  }
  if (text.substr(0, 2) == "//") {
    const size_t slash = text.find('/', 2);
    const std::string_view authority =
        text.substr(2, slash == std::string_view::npos ? slash : slash - 2);
    text = slash == std::string_view::npos ? std::string_view() : text.substr(slash);
    if (authority.empty() && text.empty()) return std::nullopt;
    if (!authority.empty()) {
      url.authority = std::string(authority);
      SplitAuthority(authority, &url);
    }
  }
  url.path = std::string(text);
  return url;
}

std::optional<std::string> UrlPart(const Url& url, std::string_view part) {
  if (part == "PROTOCOL") return url.scheme;
  if (part == "HOST") return url.host;
  if (part == "PATH") return url.path;
  if (part == "QUERY") return url.query;
  if (part == "REF") return url.fragment;
  if (part == "AUTHORITY") return url.authority;
  if (part == "USERINFO") return url.user_info;
  if (part == "FILE") {
    if (!url.query) return url.path;
    return url.path.value_or("null") + "?" + *url.query;
  }
  return std::nullopt;
}

std::optional<std::string> QueryParameter(std::string_view query, std::string_view key) {
  for (size_t from = 0; from <= query.size();) {
    const size_t end = std::min(query.find('&', from), query.size());
    const std::string_view pair = query.substr(from, end - from);
    if (pair.size() > key.size() && pair.substr(0, key.size()) == key && pair[key.size()] == '=') {
      return std::string(pair.substr(key.size() + 1));
    }
    from = end + 1;
  }
  return std::nullopt;
}

}  // namespace merganser::engine
