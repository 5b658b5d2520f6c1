#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {

__extension__ typedef unsigned __int128 UInt128;

/// 10^n for 0 <= n <= 38.
Int128 PowerOfTen(int n);

/// Number of decimal digits of the magnitude; 1 for zero.
int CountDigits(Int128 value);

/// An unsigned 256-bit number: products of decimals, and dividends of their quotients.
struct UInt256 {
  UInt128 high = 0;
  UInt128 low = 0;

  static UInt256 Product(UInt128 a, UInt128 b);
  /// value * factor; nullopt beyond 256 bits.
  static std::optional<UInt256> Multiply(const UInt256& value, UInt128 factor);
  /// Quotient and remainder by a divisor below 2^127.
  UInt256 DivideBy(UInt128 divisor, UInt128* remainder) const;
  bool operator==(const UInt256& other) const = default;
};

/// `unscaled` at `from_scale` moved to `to_scale` with HALF_UP; nullopt if the result has more than
/// `precision` digits. Scales lie within 0..77, further apart than 77 is allowed.
std::optional<Int128> Rescale(Int128 unscaled, int from_scale, int to_scale, int precision);

/// Results of Spark's decimal operators at (precision, scale), nullopt where they overflow.
/// Operands are unscaled values with their scales; intermediate results are exact up to 256 bits.
std::optional<Int128> DecimalAdd(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                 int scale);
std::optional<Int128> DecimalMultiply(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                      int scale);
/// Requires b != 0. Spark rounds to 39 digits after the point first, then to `scale`; so does this.
std::optional<Int128> DecimalDivide(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                    int scale);
/// Requires b != 0. Sign of the dividend, as Java's BigDecimal.remainder.
std::optional<Int128> DecimalRemainder(Int128 a, int a_scale, Int128 b, int b_scale, int precision,
                                       int scale);
/// Requires b != 0. The whole part of a / b, of which BigDecimal.longValue keeps the low 64 bits.
int64_t DecimalQuotient(Int128 a, int a_scale, Int128 b, int b_scale);

enum class RoundingMode : uint8_t { kHalfUp, kHalfEven, kCeiling, kFloor, kDown };

/// Drop `digits` >= 0 decimal digits of `value`.
Int128 DropDigits(Int128 value, int digits, RoundingMode mode);

/// A decimal of any size read from text: value = (negative ? -1 : 1) * digits * 10^-scale.
struct DecimalText {
  bool negative = false;
  std::string digits;  ///< Without leading zeros; "0" for zero.
  int64_t scale = 0;   ///< May be negative.
};

/// Read what Java's `new BigDecimal(String)` reads: sign, digits with a point, exponent.
std::optional<DecimalText> ParseBigDecimal(std::string_view text);

/// As `toPlainString` writes it: no exponent.
std::string ToPlainString(const DecimalText& value);

/// Digits before the point.
int64_t IntegralDigits(const DecimalText& value);

/// Round to (precision, scale) with HALF_UP; nullopt if it does not fit.
std::optional<Int128> ToDecimal(const DecimalText& value, int precision, int scale);

/// "-12.50"; BigDecimal.toPlainString.
std::string DecimalToPlainString(Int128 unscaled, int scale);
/// BigDecimal.toString, which uses an exponent for small values: "0E-7".
std::string DecimalToJavaString(Int128 unscaled, int scale);

/// The double nearest to the decimal's text, as BigDecimal.doubleValue gives it.
double DecimalToDouble(Int128 unscaled, int scale);
/// BigDecimal.floatValue.
float DecimalToFloat(Int128 unscaled, int scale);

}  // namespace merganser::engine
