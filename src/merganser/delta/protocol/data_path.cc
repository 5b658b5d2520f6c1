#include "merganser/delta/protocol/data_path.h"

#include <cstdint>

#include "merganser/base/uri.h"

namespace merganser {
namespace {

/// The code point that starts at `text[i]`, and its length; malformed bytes stand for themselves.
struct CodePoint {
  uint32_t value;
  size_t length;
};

CodePoint Decode(std::string_view text, size_t i) {
  const auto byte = [&](size_t k) { return static_cast<unsigned char>(text[i + k]); };
  const unsigned char lead = byte(0);
  const size_t length = lead < 0x80    ? 1
                        : lead >= 0xf0 ? 4
                        : lead >= 0xe0 ? 3
                        : lead >= 0xc0 ? 2
                                       : 1;
  if (length == 1 || i + length > text.size()) return {lead, 1};
  uint32_t value = lead & (0xffu >> (length + 1));
  for (size_t k = 1; k < length; ++k) value = value << 6 | (byte(k) & 0x3fu);
  return {value, length};
}

/// Whether Java's URI leaves the character of a path as it is: unreserved ASCII and all letters,
/// digits and signs beyond it that are neither spaces nor controls.
bool StaysInPath(uint32_t c) {
  if (c < 0x80) {
    if ((c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9')) return true;
    constexpr std::string_view kLegal = "_-!.~'()*,;:$&+=@/";
    return c != 0 && kLegal.find(static_cast<char>(c)) != std::string_view::npos;
  }
  if (c < 0xa1) return false;
  const bool space = c == 0x1680 || (c >= 0x2000 && c <= 0x200a) || c == 0x2028 || c == 0x2029 ||
                     c == 0x202f || c == 0x205f || c == 0x3000;
  return !space;
}

bool LeavesFolder(std::string_view path) {
  int depth = 0;
  while (!path.empty()) {
    const std::string_view part = path.substr(0, path.find('/'));
    path.remove_prefix(part.size() < path.size() ? part.size() + 1 : path.size());
    if (part == "..") {
      if (--depth < 0) return true;
    } else if (!part.empty() && part != ".") {
      ++depth;
    }
  }
  return false;
}

/// "/a/b" of "file:/a/b", "file:///a/b" and "/a/b".
std::string LocalPath(std::string_view location) {
  if (UriScheme(location) == "file") location.remove_prefix(std::string_view("file:").size());
  while (location.starts_with("//")) location.remove_prefix(1);
  return std::string(location);
}

}  // namespace

Result<std::string> DataFilePath(std::string_view folder, std::string_view path) {
  std::string decoded = PercentDecode(path);
  const std::string_view scheme = UriScheme(path);
  if (scheme == "file") return LocalPath(decoded);
  if (path.starts_with('/') || !scheme.empty()) return decoded;
  if (LeavesFolder(decoded) || decoded.find('\0') != std::string::npos) {
    return Error(ErrorClass::DELTA_PATH_OUTSIDE_TABLE,
                 {{"table", std::string(folder)}, {"path", std::string(path)}});
  }
  std::string joined(folder);
  if (!joined.ends_with('/')) joined += '/';
  return joined + decoded;
}

std::string EncodeDataPath(std::string_view relative_path) {
  std::string encoded;
  encoded.reserve(relative_path.size());
  for (size_t i = 0; i < relative_path.size();) {
    const CodePoint c = Decode(relative_path, i);
    if (StaysInPath(c.value)) {
      encoded.append(relative_path.substr(i, c.length));
    } else {
      for (size_t k = 0; k < c.length; ++k) {
        AppendPercentEncoded(static_cast<unsigned char>(relative_path[i + k]), &encoded);
      }
    }
    i += c.length;
  }
  return encoded;
}

std::string DecodeDataPath(std::string_view path) { return PercentDecode(path); }

std::string CanonicalDataPath(std::string_view path) {
  std::string decoded = PercentDecode(path);
  if (UriScheme(path) != "file" && !path.starts_with('/')) return decoded;
  return "file:" + LocalPath(decoded);
}

}  // namespace merganser
