#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/schema/scalar.h"

namespace merganser::engine {

/// A number format of to_number() and to_char(): `[MI|S] [$] [0|9|G|,]* [.|D] [0|9]* [$]
/// [PR|MI|S]`.
class NumberFormat {
 public:
  /// Fails with INVALID_FORMAT.EMPTY, .WRONG_NUM_DIGIT, .WRONG_NUM_TOKEN, .UNEXPECTED_TOKEN,
  /// .CUR_MUST_BEFORE_DIGIT, .THOUSANDS_SEPS_MUST_BEFORE_DEC, .CONT_THOUSANDS_SEPS.
  static Result<NumberFormat> Compile(std::string_view format);

  int precision() const { return whole_digits_ + fraction_digits_; }
  int scale() const { return fraction_digits_; }

  /// Read a number at scale(); nullopt if the text does not match.
  std::optional<Int128> Parse(std::string_view text) const;
  /// Write a decimal; digits that the format has no place for turn it into '#'.
  std::string Write(Int128 unscaled, int value_scale) const;

 private:
  enum class Kind : uint8_t {
    kDigits,
    kSeparator,
    kPoint,
    kDollar,
    kSign,
    kMinus,
    kOpenBracket,
    kCloseBracket
  };
  struct Token {
    Kind kind;
    int digits = 0;
    bool exact = false;  ///< Digits that begin with 0: zeros instead of blanks.
  };
  Status CheckStructure() const;

  std::string format_;
  std::vector<Token> tokens_;
  int whole_digits_ = 0;
  int fraction_digits_ = 0;
};

/// "1,234.50": digits in groups of three, `decimals` after the point, rounded half to even.
std::string GroupedText(double value, int decimals);
std::string GroupedText(Int128 unscaled, int scale, int decimals);

/// A pattern of Java's DecimalFormat: "#,###.00", with text around it.
class DecimalPattern {
 public:
  static DecimalPattern Compile(std::string_view pattern);
  std::string Write(double value) const;
  std::string Write(Int128 unscaled, int scale) const;

 private:
  std::string Finish(std::string digits) const;

  std::string prefix_;
  std::string suffix_;
  int grouping_ = 0;
  int min_whole_ = 0;
  int min_fraction_ = 0;
  int max_fraction_ = 0;
};

}  // namespace merganser::engine
