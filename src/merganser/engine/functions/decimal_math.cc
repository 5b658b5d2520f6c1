#include "merganser/engine/functions/decimal_math.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>

namespace merganser::engine {
namespace {

constexpr std::array<Int128, 39> MakePowers() {
  std::array<Int128, 39> powers{};
  powers[0] = 1;
  for (size_t i = 1; i < powers.size(); ++i) powers[i] = powers[i - 1] * 10;
  return powers;
}
constexpr std::array<Int128, 39> kPowers = MakePowers();

UInt128 Magnitude(Int128 value) {
  return value < 0 ? UInt128{0} - static_cast<UInt128>(value) : static_cast<UInt128>(value);
}

Int128 WithSign(UInt128 magnitude, bool negative) {
  return negative ? static_cast<Int128>(UInt128{0} - magnitude) : static_cast<Int128>(magnitude);
}

std::optional<UInt256> TimesPowerOfTen(UInt256 value, int digits) {
  while (digits > 0) {
    const int step = std::min(digits, 38);
    const auto product =
        UInt256::Multiply(value, static_cast<UInt128>(kPowers[static_cast<size_t>(step)]));
    if (!product) return std::nullopt;
    value = *product;
    digits -= step;
  }
  return value;
}

/// value / 10^digits, rounded HALF_UP.
UInt256 DropHalfUp(UInt256 value, int digits) {
  // All but the last digit may be cut: only the first dropped digit decides HALF_UP.
  UInt128 remainder = 0;
  while (digits > 1) {
    const int step = std::min(digits - 1, 36);
    value = value.DivideBy(static_cast<UInt128>(kPowers[static_cast<size_t>(step)]), &remainder);
    digits -= step;
  }
  if (digits == 1) {
    value = value.DivideBy(10, &remainder);
    if (remainder >= 5) {
      if (++value.low == 0) ++value.high;
    }
  }
  return value;
}

int CountDigits(const UInt256& value) {
  int digits = 0;
  UInt256 rest = value;
  UInt128 remainder = 0;
  while (rest.high != 0) {
    rest = rest.DivideBy(static_cast<UInt128>(kPowers[20]), &remainder);
    digits += 20;
  }
  while (rest.low >= 10) {
    rest.low /= 10;
    ++digits;
  }
  return digits + 1;
}

std::optional<Int128> Fit(const UInt256& magnitude, bool negative, int precision) {
  if (magnitude.high != 0 || magnitude.low >= static_cast<UInt128>(PowerOfTen(precision)))
    return std::nullopt;
  return WithSign(magnitude.low, negative);
}

std::string Digits(UInt128 value) {
  char buffer[40];
  char* at = buffer + sizeof(buffer);
  do {
    *--at = static_cast<char>('0' + static_cast<int>(value % 10));
    value /= 10;
  } while (value != 0);
  return {at, static_cast<size_t>(buffer + sizeof(buffer) - at)};
}

}  // namespace

Int128 PowerOfTen(int n) { return kPowers[static_cast<size_t>(n)]; }

int CountDigits(Int128 value) {
  const UInt128 magnitude = Magnitude(value);
  int digits = 1;
  while (digits < 39 && magnitude >= static_cast<UInt128>(kPowers[static_cast<size_t>(digits)]))
    ++digits;
  return digits;
}

UInt256 UInt256::Product(UInt128 a, UInt128 b) {
  const uint64_t a0 = static_cast<uint64_t>(a), a1 = static_cast<uint64_t>(a >> 64);
  const uint64_t b0 = static_cast<uint64_t>(b), b1 = static_cast<uint64_t>(b >> 64);
  const UInt128 p00 = UInt128{a0} * b0, p01 = UInt128{a0} * b1;
  const UInt128 p10 = UInt128{a1} * b0, p11 = UInt128{a1} * b1;
  const UInt128 middle = (p00 >> 64) + static_cast<uint64_t>(p01) + static_cast<uint64_t>(p10);
  UInt256 out;
  out.low = (middle << 64) | static_cast<uint64_t>(p00);
  out.high = p11 + (p01 >> 64) + (p10 >> 64) + (middle >> 64);
  return out;
}

std::optional<UInt256> UInt256::Multiply(const UInt256& value, UInt128 factor) {
  UInt256 out = Product(value.low, factor);
  const UInt256 upper = Product(value.high, factor);
  if (upper.high != 0) return std::nullopt;
  out.high += upper.low;
  if (out.high < upper.low) return std::nullopt;
  return out;
}

UInt256 UInt256::DivideBy(UInt128 divisor, UInt128* remainder) const {
  UInt256 quotient;
  if (high == 0) {
    quotient.low = low / divisor;
    *remainder = low % divisor;
    return quotient;
  }
  if (divisor <= UINT64_MAX) {
    // Schoolbook division by one 64-bit digit.
    const std::array<uint64_t, 4> limbs = {
        static_cast<uint64_t>(high >> 64), static_cast<uint64_t>(high),
        static_cast<uint64_t>(low >> 64), static_cast<uint64_t>(low)};
    std::array<uint64_t, 4> result{};
    UInt128 rest = 0;
    for (size_t i = 0; i < 4; ++i) {
      const UInt128 part = (rest << 64) | limbs[i];
      result[i] = static_cast<uint64_t>(part / divisor);
      rest = part % divisor;
    }
    quotient.high = (UInt128{result[0]} << 64) | result[1];
    quotient.low = (UInt128{result[2]} << 64) | result[3];
    *remainder = rest;
    return quotient;
  }
  quotient.high = high / divisor;
  UInt128 rest = high % divisor;
  for (int bit = 127; bit >= 0; --bit) {
    rest = (rest << 1) | ((low >> bit) & 1);
    quotient.low <<= 1;
    if (rest >= divisor) {
      rest -= divisor;
      quotient.low |= 1;
    }
  }
  *remainder = rest;
  return quotient;
}

std::optional<Int128> Rescale(Int128 unscaled, int from_scale, int to_scale, int precision) {
  if (from_scale == to_scale) {
    return Fit({0, Magnitude(unscaled)}, unscaled < 0, precision);
  }
  if (to_scale < from_scale) {
    return Fit(DropHalfUp({0, Magnitude(unscaled)}, from_scale - to_scale), unscaled < 0,
               precision);
  }
  const auto raised = TimesPowerOfTen({0, Magnitude(unscaled)}, to_scale - from_scale);
  if (!raised) return std::nullopt;
  return Fit(*raised, unscaled < 0, precision);
}

std::optional<Int128> DecimalAdd(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                 int scale) {
  const int common = std::max(a_scale, b_scale);
  const auto left = TimesPowerOfTen({0, Magnitude(a)}, common - a_scale);
  const auto right = TimesPowerOfTen({0, Magnitude(b)}, common - b_scale);
  // Raised operands have at most 76 digits, which is below 2^255.
  UInt256 sum;
  bool negative = a < 0;
  if ((a < 0) == (b < 0)) {
    sum.low = left->low + right->low;
    sum.high = left->high + right->high + (sum.low < left->low ? 1 : 0);
  } else {
    const bool left_is_larger =
        left->high != right->high ? left->high > right->high : left->low >= right->low;
    const UInt256& large = left_is_larger ? *left : *right;
    const UInt256& small = left_is_larger ? *right : *left;
    sum.low = large.low - small.low;
    sum.high = large.high - small.high - (large.low < small.low ? 1 : 0);
    negative = left_is_larger ? a < 0 : b < 0;
  }
  if (common > scale) {
    sum = DropHalfUp(sum, common - scale);
  } else if (common < scale) {
    const auto raised = TimesPowerOfTen(sum, scale - common);
    if (!raised) return std::nullopt;
    sum = *raised;
  }
  return Fit(sum, negative, precision);
}

std::optional<Int128> DecimalMultiply(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                      int scale) {
  const bool negative = (a < 0) != (b < 0);
  UInt256 product = UInt256::Product(Magnitude(a), Magnitude(b));
  int product_scale = a_scale + b_scale;
  // Spark multiplies in a context of 39 digits and rounds to the result's scale afterwards.
  if (product.high != 0) {
    const int excess = CountDigits(product) - (kMaxDecimalPrecision + 1);
    if (excess > 0) {
      product = DropHalfUp(product, excess);
      product_scale -= excess;
    }
  }
  if (product_scale > scale) {
    product = DropHalfUp(product, product_scale - scale);
  } else if (product_scale < scale) {
    const auto raised = TimesPowerOfTen(product, scale - product_scale);
    if (!raised) return std::nullopt;
    product = *raised;
  }
  return Fit(product, negative, precision);
}

std::optional<Int128> DecimalDivide(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                    int scale) {
  const bool negative = (a < 0) != (b < 0);
  UInt128 divisor = Magnitude(b);
  UInt256 dividend{0, Magnitude(a)};
  const int shift = scale - a_scale + b_scale;
  if (shift >= 0) {
    const auto raised = TimesPowerOfTen(dividend, shift);
    if (!raised)
      return std::nullopt;  // The quotient has more than 38 digits, whatever the divisor.
    dividend = *raised;
  } else {
    const auto raised = TimesPowerOfTen({0, divisor}, -shift);
    if (!raised || raised->high != 0 || (raised->low >> 127) != 0) return Int128{0};
    divisor = raised->low;
  }
  UInt128 remainder = 0;
  UInt256 quotient = dividend.DivideBy(divisor, &remainder);
  bool round_up = remainder >= divisor - remainder;
  if (!round_up && remainder != 0) {
    // The first rounding, to 39 digits after the point, may lift the rest to exactly one half.
    const int digits = kMaxDecimalPrecision + 1 - scale;
    const UInt128 gap = divisor - 2 * remainder;
    round_up = digits <= 38 && gap <= divisor / static_cast<UInt128>(PowerOfTen(digits));
  }
  if (round_up && ++quotient.low == 0) ++quotient.high;
  return Fit(quotient, negative, precision);
}

std::optional<Int128> DecimalRemainder(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                       int scale) {
  const int common = std::max(a_scale, b_scale);
  const auto left = TimesPowerOfTen({0, Magnitude(a)}, common - a_scale);
  const auto right = TimesPowerOfTen({0, Magnitude(b)}, common - b_scale);
  UInt128 remainder = 0;
  if (right->high == 0 && (right->low >> 127) == 0) {
    left->DivideBy(right->low, &remainder);
  } else {
    // A divisor beyond 127 bits has been raised, so the dividend has not been and is smaller.
    remainder = left->low;
  }
  return Rescale(WithSign(remainder, a < 0), common, scale, precision);
}

int64_t DecimalQuotient(Int128 a, int a_scale, Int128 b, int b_scale) {
  const bool negative = (a < 0) != (b < 0);
  UInt256 dividend{0, Magnitude(a)};
  UInt128 divisor = Magnitude(b);
  if (b_scale > a_scale) {
    dividend = *TimesPowerOfTen(dividend, b_scale - a_scale);
  } else if (a_scale > b_scale) {
    const auto raised = TimesPowerOfTen({0, divisor}, a_scale - b_scale);
    if (raised->high != 0 || (raised->low >> 127) != 0) return 0;
    divisor = raised->low;
  }
  UInt128 remainder = 0;
  const auto low = static_cast<uint64_t>(dividend.DivideBy(divisor, &remainder).low);
  return static_cast<int64_t>(negative ? 0 - low : low);
}

Int128 DropDigits(Int128 value, int digits, RoundingMode mode) {
  if (digits <= 0) return value;
  const bool negative = value < 0;
  const UInt128 magnitude = Magnitude(value);
  if (digits > 38) {
    if (magnitude == 0) return 0;
    return mode == RoundingMode::kCeiling && !negative ? 1
           : mode == RoundingMode::kFloor && negative  ? -1
                                                       : 0;
  }
  const auto unit = static_cast<UInt128>(PowerOfTen(digits));
  UInt128 quotient = magnitude / unit;
  const UInt128 remainder = magnitude % unit;
  const UInt128 half = unit / 2;
  bool up = false;
  switch (mode) {
    case RoundingMode::kHalfUp:
      up = remainder >= half;
      break;
    case RoundingMode::kHalfEven:
      up = remainder > half || (remainder == half && (quotient & 1) != 0);
      break;
    case RoundingMode::kCeiling:
      up = remainder != 0 && !negative;
      break;
    case RoundingMode::kFloor:
      up = remainder != 0 && negative;
      break;
    case RoundingMode::kDown:
      break;
  }
  if (up) ++quotient;
  return WithSign(quotient, negative);
}

std::optional<DecimalText> ParseBigDecimal(std::string_view text) {
  DecimalText out;
  size_t at = 0;
  if (at < text.size() && (text[at] == '+' || text[at] == '-')) out.negative = text[at++] == '-';
  bool any_digit = false;
  bool point = false;
  for (; at < text.size(); ++at) {
    const char c = text[at];
    if (c >= '0' && c <= '9') {
      any_digit = true;
      out.digits += c;
      if (point) ++out.scale;
    } else if (c == '.' && !point) {
      point = true;
    } else {
      break;
    }
  }
  if (!any_digit) return std::nullopt;
  if (at < text.size()) {
    if (text[at] != 'e' && text[at] != 'E') return std::nullopt;
    ++at;
    bool negative_exponent = false;
    if (at < text.size() && (text[at] == '+' || text[at] == '-'))
      negative_exponent = text[at++] == '-';
    if (at == text.size() || text.size() - at > 10) return std::nullopt;
    int64_t exponent = 0;
    for (; at < text.size(); ++at) {
      if (text[at] < '0' || text[at] > '9') return std::nullopt;
      exponent = exponent * 10 + (text[at] - '0');
    }
    out.scale -= negative_exponent ? -exponent : exponent;
    if (out.scale > INT32_MAX || out.scale < INT32_MIN) return std::nullopt;
  }
  const size_t first = out.digits.find_first_not_of('0');
  out.digits.erase(0, first == std::string::npos ? out.digits.size() - 1 : first);
  return out;
}

int64_t IntegralDigits(const DecimalText& value) {
  return static_cast<int64_t>(value.digits.size()) - value.scale;
}

std::string ToPlainString(const DecimalText& value) {
  std::string out = value.negative && value.digits != "0" ? "-" : "";
  if (value.scale <= 0) {
    out += value.digits;
    if (value.digits != "0") out.append(static_cast<size_t>(-value.scale), '0');
    return out;
  }
  const auto scale = static_cast<size_t>(value.scale);
  if (value.digits.size() > scale) {
    out += value.digits.substr(0, value.digits.size() - scale) + "." +
           value.digits.substr(value.digits.size() - scale);
  } else {
    out += "0." + std::string(scale - value.digits.size(), '0') + value.digits;
  }
  return out;
}

std::optional<Int128> ToDecimal(const DecimalText& value, int precision, int scale) {
  if (value.digits == "0") return Int128{0};
  // Number of digits of the result, before rounding can add one.
  const int64_t kept = IntegralDigits(value) + scale;
  if (kept > precision) return std::nullopt;
  if (kept < 0) return Int128{0};
  Int128 out = 0;
  for (int64_t i = 0; i < kept; ++i) {
    const auto at = static_cast<size_t>(i);
    out = out * 10 + (at < value.digits.size() ? value.digits[at] - '0' : 0);
  }
  const auto next = static_cast<size_t>(kept);
  if (next < value.digits.size() && value.digits[next] >= '5') ++out;
  if (out >= PowerOfTen(precision)) return std::nullopt;
  return value.negative ? -out : out;
}

std::string DecimalToPlainString(Int128 unscaled, int scale) {
  std::string digits = Digits(Magnitude(unscaled));
  if (scale > 0) {
    const auto width = static_cast<size_t>(scale);
    if (digits.size() <= width) digits.insert(0, width + 1 - digits.size(), '0');
    digits.insert(digits.size() - width, 1, '.');
  }
  if (unscaled < 0) digits.insert(0, 1, '-');
  return digits;
}

std::string DecimalToJavaString(Int128 unscaled, int scale) {
  const std::string digits = Digits(Magnitude(unscaled));
  const int adjusted = static_cast<int>(digits.size()) - 1 - scale;
  if (scale >= 0 && adjusted >= -6) return DecimalToPlainString(unscaled, scale);
  std::string out = unscaled < 0 ? "-" : "";
  out += digits.substr(0, 1);
  if (digits.size() > 1) out += "." + digits.substr(1);
  out += adjusted < 0 ? "E" : "E+";
  return out + std::to_string(adjusted);
}

double DecimalToDouble(Int128 unscaled, int scale) {
  constexpr Int128 kExact = Int128{1} << 53;
  if (scale <= 22 && unscaled < kExact && unscaled > -kExact) {
    // Both operands are exact, so the one division rounds correctly.
    return static_cast<double>(unscaled) / static_cast<double>(PowerOfTen(scale));
  }
  const std::string text = DecimalToPlainString(unscaled, scale);
  double out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

float DecimalToFloat(Int128 unscaled, int scale) {
  const std::string text = DecimalToPlainString(unscaled, scale);
  float out = 0;
  std::from_chars(text.data(), text.data() + text.size(), out);
  return out;
}

}  // namespace merganser::engine
