#include "merganser/base/letter_case.h"

#include <algorithm>
#include <cstdint>
#include <iterator>

namespace merganser {
namespace {

struct FoldingRange {
  uint32_t first;
  uint32_t last;
  uint32_t step;
  int32_t difference;
};

constexpr FoldingRange kFoldings[] = {
#include "merganser/base/case_folding.inc"
};

char Lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; }
char Upper(char c) { return c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c; }

bool IsAscii(std::string_view text) {
  return std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; });
}

uint32_t Fold(uint32_t code_point) {
  const auto* range = std::ranges::upper_bound(kFoldings, code_point, {}, &FoldingRange::first);
  if (range == std::begin(kFoldings)) return code_point;
  --range;
  if (code_point > range->last || (code_point - range->first) % range->step != 0) return code_point;
  return code_point + static_cast<uint32_t>(range->difference);
}

/// Length of the UTF-8 sequence at the front of `text`, 1 if it is not one; sets its code point.
size_t Decode(std::string_view text, uint32_t* code_point) {
  const auto byte = [&](size_t i) { return static_cast<uint32_t>(static_cast<uint8_t>(text[i])); };
  const uint32_t lead = byte(0);
  const size_t length = lead >= 0xF0 ? 4 : lead >= 0xE0 ? 3 : lead >= 0xC2 ? 2 : 1;
  *code_point = lead;
  if (length == 1 || lead > 0xF4 || text.size() < length) return 1;
  uint32_t value = lead & (0xFFu >> (length + 1));
  for (size_t i = 1; i < length; ++i) {
    if ((byte(i) & 0xC0) != 0x80) return 1;
    value = value << 6 | (byte(i) & 0x3F);
  }
  *code_point = value;
  return length;
}

void Encode(uint32_t code_point, std::string* out) {
  const auto append = [&](uint32_t byte) { out->push_back(static_cast<char>(byte)); };
  if (code_point < 0x80) {
    append(code_point);
  } else if (code_point < 0x800) {
    append(0xC0 | code_point >> 6);
    append(0x80 | (code_point & 0x3F));
  } else if (code_point < 0x10000) {
    append(0xE0 | code_point >> 12);
    append(0x80 | (code_point >> 6 & 0x3F));
    append(0x80 | (code_point & 0x3F));
  } else {
    append(0xF0 | code_point >> 18);
    append(0x80 | (code_point >> 12 & 0x3F));
    append(0x80 | (code_point >> 6 & 0x3F));
    append(0x80 | (code_point & 0x3F));
  }
}

}  // namespace

std::string AsciiLowerCase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), Lower);
  return out;
}

std::string AsciiUpperCase(std::string_view text) {
  std::string out(text);
  std::ranges::transform(out, out.begin(), Upper);
  return out;
}

std::string FoldCase(std::string_view text) {
  if (IsAscii(text)) return AsciiLowerCase(text);
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    uint32_t code_point = 0;
    const size_t length = Decode(text, &code_point);
    if (length == 1) {
      out.push_back(Lower(text[0]));
    } else {
      Encode(Fold(code_point), &out);
    }
    text.remove_prefix(length);
  }
  return out;
}

bool EqualsIgnoringCase(std::string_view left, std::string_view right) {
  if (IsAscii(left) && IsAscii(right)) {
    return std::ranges::equal(left, right, {}, Lower, Lower);
  }
  return FoldCase(left) == FoldCase(right);
}

bool SameName(std::string_view left, std::string_view right, bool case_sensitive) {
  return case_sensitive ? left == right : EqualsIgnoringCase(left, right);
}

}  // namespace merganser
