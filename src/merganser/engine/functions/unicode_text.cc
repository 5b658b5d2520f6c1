#include "merganser/engine/functions/unicode_text.h"

#include <algorithm>
#include <cstring>
#include <iterator>
#include <span>

namespace merganser::engine {
namespace {

/// Code points first, first + stride, .., last move by delta.
struct CaseRun {
  uint32_t first;
  uint32_t last;
  uint32_t stride;
  int32_t delta;
};
struct SpecialCase {
  uint32_t code;
  const char* text;
};

#include "merganser/engine/functions/unicode_case.inc"

const CaseRun* FindRun(std::span<const CaseRun> runs, uint32_t code) {
  auto run = std::upper_bound(runs.begin(), runs.end(), code,
                              [](uint32_t c, const CaseRun& r) { return c < r.first; });
  if (run == runs.begin()) return nullptr;
  --run;
  return code <= run->last && (code - run->first) % run->stride == 0 ? &*run : nullptr;
}

void AppendMapped(std::span<const CaseRun> runs, std::span<const SpecialCase> special,
                  uint32_t code, std::string* out) {
  const auto found = std::lower_bound(special.begin(), special.end(), code,
                                      [](const SpecialCase& s, uint32_t c) { return s.code < c; });
  if (found != special.end() && found->code == code) {
    *out += found->text;
    return;
  }
  const CaseRun* run = FindRun(runs, code);
  AppendCodePoint(
      run == nullptr ? code : static_cast<uint32_t>(static_cast<int64_t>(code) + run->delta), out);
}

bool IsCased(uint32_t code) {
  return FindRun(kUpperRuns, code) != nullptr || FindRun(kLowerRuns, code) != nullptr;
}

/// A capital sigma at `at` that ends a word: a letter before it, none after it.
bool IsFinalSigma(std::string_view text, size_t at) {
  if (at == 0) return false;
  size_t before = at - 1;
  while (before > 0 && (static_cast<unsigned char>(text[before]) & 0xC0) == 0x80) --before;
  const size_t after = at + 2;
  return IsCased(CodePointAt(text, before)) &&
         (after >= text.size() || !IsCased(CodePointAt(text, after)));
}

constexpr uint32_t kCapitalSigma = 0x3A3;
constexpr uint32_t kFinalSigma = 0x3C2;

void AppendLower(std::string_view text, size_t at, uint32_t code, std::string* out) {
  if (code == kCapitalSigma && IsFinalSigma(text, at)) {
    AppendCodePoint(kFinalSigma, out);
  } else {
    AppendMapped(kLowerRuns, kLowerSpecial, code, out);
  }
}

}  // namespace

bool IsAscii(std::string_view text) {
  size_t i = 0;
  for (; i + 8 <= text.size(); i += 8) {
    uint64_t word;
    std::memcpy(&word, text.data() + i, 8);
    if ((word & 0x8080808080808080ULL) != 0) return false;
  }
  for (; i < text.size(); ++i) {
    if ((text[i] & 0x80) != 0) return false;
  }
  return true;
}

uint32_t CodePointAt(std::string_view text, size_t at) {
  const auto byte = [&](size_t i) {
    return static_cast<uint32_t>(static_cast<unsigned char>(text[at + i]));
  };
  switch (std::min(CodePointSize(text[at]), text.size() - at)) {
    case 1:
      return byte(0);
    case 2:
      return (byte(0) & 0x1F) << 6 | (byte(1) & 0x3F);
    case 3:
      return (byte(0) & 0x0F) << 12 | (byte(1) & 0x3F) << 6 | (byte(2) & 0x3F);
    default:
      return (byte(0) & 0x07) << 18 | (byte(1) & 0x3F) << 12 | (byte(2) & 0x3F) << 6 |
             (byte(3) & 0x3F);
  }
}

void AppendCodePoint(uint32_t code, std::string* out) {
  if (code < 0x80) {
    *out += static_cast<char>(code);
  } else if (code < 0x800) {
    *out += static_cast<char>(0xC0 | code >> 6);
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    *out += static_cast<char>(0xE0 | code >> 12);
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  } else {
    *out += static_cast<char>(0xF0 | code >> 18);
    *out += static_cast<char>(0x80 | (code >> 12 & 0x3F));
    *out += static_cast<char>(0x80 | (code >> 6 & 0x3F));
    *out += static_cast<char>(0x80 | (code & 0x3F));
  }
}

size_t ByteOffset(std::string_view text, int64_t index) {
  if (index <= 0) return 0;
  size_t at = 0;
  while (index > 0 && at < text.size()) {
    at += CodePointSize(text[at]);
    --index;
  }
  return std::min(at, text.size());
}

std::string ToUpper(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if ((c & 0x80) == 0) {
      out += c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
      ++at;
      continue;
    }
    AppendMapped(kUpperRuns, kUpperSpecial, CodePointAt(text, at), &out);
    at += CodePointSize(c);
  }
  return out;
}

std::string ToLower(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  for (size_t at = 0; at < text.size();) {
    const char c = text[at];
    if ((c & 0x80) == 0) {
      out += c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c;
      ++at;
      continue;
    }
    AppendLower(text, at, CodePointAt(text, at), &out);
    at += CodePointSize(c);
  }
  return out;
}

std::string InitCap(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  bool first = true;
  for (size_t at = 0; at < text.size(); at += CodePointSize(text[at])) {
    const uint32_t code = CodePointAt(text, at);
    if (first) {
      AppendMapped(kTitleRuns, kTitleSpecial, code, &out);
    } else {
      AppendLower(text, at, code, &out);
    }
    first = code == ' ';
  }
  return out;
}

bool IsUpperCase(uint32_t code) { return FindRun(kLowerRuns, code) != nullptr || code == 0x130; }

bool IsLowerCase(uint32_t code) {
  if (FindRun(kUpperRuns, code) != nullptr) return true;
  const auto* found = std::lower_bound(std::begin(kUpperSpecial), std::end(kUpperSpecial), code,
                                       [](const SpecialCase& s, uint32_t c) { return s.code < c; });
  return found != std::end(kUpperSpecial) && found->code == code;
}

}  // namespace merganser::engine
