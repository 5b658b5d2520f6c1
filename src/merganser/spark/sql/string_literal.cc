#include "merganser/spark/sql/string_literal.h"

#include <cstdint>

#include "merganser/base/ascii_text.h"

namespace merganser {
namespace {

void AppendUtf8(uint32_t code, std::string& out) {
  if (code > 0x10FFFF || (code >= 0xD800 && code <= 0xDFFF)) code = 0xFFFD;
  if (code < 0x80) {
    out.push_back(static_cast<char>(code));
  } else if (code < 0x800) {
    out.push_back(static_cast<char>(0xC0 | (code >> 6)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else if (code < 0x10000) {
    out.push_back(static_cast<char>(0xE0 | (code >> 12)));
    out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  } else {
    out.push_back(static_cast<char>(0xF0 | (code >> 18)));
    out.push_back(static_cast<char>(0x80 | ((code >> 12) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | ((code >> 6) & 0x3F)));
    out.push_back(static_cast<char>(0x80 | (code & 0x3F)));
  }
}

/// `count` hexadecimal digits at the start of `text`; -1 if they are not there.
int64_t ReadHex(std::string_view text, size_t count) {
  if (text.size() < count) return -1;
  int64_t value = 0;
  for (size_t i = 0; i < count; ++i) {
    const int digit = HexDigit(text[i]);
    if (digit < 0) return -1;
    value = value * 16 + digit;
  }
  return value;
}

bool IsOctal(char c, char highest) { return c >= '0' && c <= highest; }

/// Read a character of a UTF-16 text written as \uXXXX, a surrogate pair included. Returns the
/// bytes read after the backslash, 0 if it is no such escape.
size_t ReadUnicodeEscape(std::string_view text, std::string& out) {
  const int64_t first = ReadHex(text.substr(1), 4);
  if (text[0] != 'u' || first < 0) return 0;
  if (first >= 0xD800 && first <= 0xDBFF && text.substr(5).starts_with("\\u")) {
    const int64_t second = ReadHex(text.substr(7), 4);
    if (second >= 0xDC00 && second <= 0xDFFF) {
      AppendUtf8(static_cast<uint32_t>(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)),
                 out);
      return 11;
    }
  }
  AppendUtf8(static_cast<uint32_t>(first), out);
  return 5;
}

/// Append the character that the escape `text` (without its backslash) stands for. Returns the
/// bytes it takes.
size_t AppendEscape(std::string_view text, std::string& out) {
  if (const size_t length = ReadUnicodeEscape(text, out); length > 0) return length;
  if (text[0] == 'U') {
    if (const int64_t code = ReadHex(text.substr(1), 8); code >= 0) {
      AppendUtf8(static_cast<uint32_t>(code), out);
      return 9;
    }
  }
  if (text.size() >= 3 && IsOctal(text[0], '1') && IsOctal(text[1], '7') && IsOctal(text[2], '7')) {
    out.push_back(static_cast<char>((text[0] - '0') * 64 + (text[1] - '0') * 8 + (text[2] - '0')));
    return 3;
  }
  switch (text[0]) {
    case '0':
      out.push_back('\0');
      break;
    case 'b':
      out.push_back('\b');
      break;
    case 'n':
      out.push_back('\n');
      break;
    case 'r':
      out.push_back('\r');
      break;
    case 't':
      out.push_back('\t');
      break;
    case 'Z':
      out.push_back('\x1A');
      break;
    case '%':
      out.append("\\%");
      break;
    case '_':
      out.append("\\_");
      break;
    default:
      out.push_back(text[0]);
  }
  return 1;
}

}  // namespace

std::string StringValue(std::string_view token) {
  if (token[0] == 'r' || token[0] == 'R') return std::string(token.substr(2, token.size() - 3));
  const char quote = token[0];
  const std::string_view body = token.substr(1, token.size() - 2);
  std::string out;
  out.reserve(body.size());
  for (size_t i = 0; i < body.size(); ++i) {
    if (body[i] == '\\' && i + 1 < body.size()) {
      i += AppendEscape(body.substr(i + 1), out);
    } else {
      out.push_back(body[i]);
      if (body[i] == quote) ++i;
    }
  }
  return out;
}

std::string QuotedNameValue(std::string_view token) {
  const char quote = token[0];
  const std::string_view body = token.substr(1, token.size() - 2);
  std::string out;
  for (size_t i = 0; i < body.size(); ++i) {
    out.push_back(body[i]);
    if (body[i] == quote) ++i;
  }
  return out;
}

Result<std::string> ParseString(TokenStream& in) {
  if (!in.PeekString()) return in.SyntaxError();
  std::string value;
  while (in.PeekString()) value += StringValue(in.Next().text);
  return value;
}

}  // namespace merganser
