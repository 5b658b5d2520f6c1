#include "merganser/engine/variant/variant_leaves.h"

#include <algorithm>

#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser::engine {
namespace {

// JSON has no NaN and no infinities: those are texts.
void AppendNumberText(const std::string& text, std::string* out) {
  if (text.find_first_not_of("0123456789.-E") == std::string::npos) {
    *out += text;
  } else {
    AppendJsonString(text, out);
  }
}

}  // namespace

void AppendVariantFloating(double value, std::string* out) {
  AppendNumberText(JavaToString(value), out);
}

void AppendVariantFloating(float value, std::string* out) {
  AppendNumberText(JavaToString(value), out);
}

void AppendVariantTimestamp(int64_t micros, std::string_view zone, std::string* out) {
  AppendJsonString(FormatTimestamp(micros, ' ', FractionDigits::kShortest) + std::string(zone),
                   out);
}

void AppendVariantDate(int64_t days, std::string* out) { AppendJsonString(FormatDate(days), out); }

void AppendVariantBinary(std::string_view bytes, std::string* out) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  out->push_back('"');
  for (size_t i = 0; i < bytes.size(); i += 3) {
    const size_t left = std::min<size_t>(3, bytes.size() - i);
    uint32_t group = 0;
    for (size_t k = 0; k < 3; ++k)
      group = group << 8 | (k < left ? static_cast<uint8_t>(bytes[i + k]) : 0);
    for (size_t k = 0; k < 4; ++k)
      out->push_back(k <= left ? kDigits[group >> (18 - 6 * k) & 63] : '=');
  }
  out->push_back('"');
}

}  // namespace merganser::engine
