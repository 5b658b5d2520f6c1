#include "merganser/engine/functions/java_formatter.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "merganser/base/java_double.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/number_text.h"
#include "merganser/engine/functions/row_hash.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

struct Specifier {
  bool left = false, plus = false, space = false, zero = false, group = false, parentheses = false,
       alternate = false;
  int width = -1;
  int precision = -1;
  char conversion = 0;
};

std::string Group(const std::string& digits) {
  const size_t whole = std::min(digits.find_first_not_of("0123456789"), digits.size());
  std::string out;
  for (size_t i = 0; i < whole; ++i) {
    if (i > 0 && (whole - i) % 3 == 0) out += ',';
    out += digits[i];
  }
  return out + digits.substr(whole);
}

std::string Padded(std::string text, const Specifier& s) {
  int64_t length = 0;
  for (const char c : text) length += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  if (length >= s.width) return text;
  const std::string fill(static_cast<size_t>(s.width - length), ' ');
  return s.left ? text + fill : fill + text;
}

/// Sign, grouping and padding of the digits of a number.
std::string Number(std::string digits, bool negative, const Specifier& s, bool groups = true) {
  if (s.group && groups) digits = Group(digits);
  std::string prefix = negative ? (s.parentheses ? "(" : "-") : s.plus ? "+" : s.space ? " " : "";
  const std::string suffix = negative && s.parentheses ? ")" : "";
  if (s.zero) {
    const auto size = static_cast<int>(prefix.size() + digits.size() + suffix.size());
    if (size < s.width) digits.insert(0, static_cast<size_t>(s.width - size), '0');
  }
  return Padded(prefix + digits + suffix, s);
}

/// Rounds a decimal's digits HALF_UP to `places` after the point.
std::string Fixed(const DecimalText& value, int places) {
  DecimalText rounded = value;
  rounded.negative = false;
  const int64_t drop = value.scale - places;
  if (drop > 0) {
    const auto size = static_cast<int64_t>(value.digits.size());
    std::string digits =
        drop > size ? "" : value.digits.substr(0, static_cast<size_t>(size - drop));
    const bool up = drop <= size && value.digits[static_cast<size_t>(size - drop)] >= '5';
    if (digits.empty()) digits = "0";
    if (up) {
      size_t i = digits.size();
      while (i > 0 && digits[i - 1] == '9') digits[--i] = '0';
      if (i == 0) {
        digits.insert(0, 1, '1');
      } else {
        ++digits[i - 1];
      }
    }
    rounded.digits = digits;
    rounded.scale = places;
  } else {
    if (rounded.digits != "0") rounded.digits.append(static_cast<size_t>(-drop), '0');
    rounded.scale = places;
  }
  return ToPlainString(rounded);
}

std::string Scientific(const DecimalText& value, int places) {
  const bool zero = value.digits == "0";
  int64_t exponent = zero ? 0 : static_cast<int64_t>(value.digits.size()) - 1 - value.scale;
  DecimalText mantissa{false, value.digits, static_cast<int64_t>(value.digits.size()) - 1};
  std::string text = Fixed(mantissa, places);
  if (text.substr(0, 2) == "10") {
    ++exponent;
    mantissa.scale += 1;
    text = Fixed(mantissa, places);
  }
  text += exponent < 0 ? "e-" : "e+";
  AppendPadded(std::llabs(exponent), 2, &text);
  return text;
}

std::string General(const DecimalText& value, int precision) {
  if (precision == 0) precision = 1;
  const int64_t exponent = static_cast<int64_t>(value.digits.size()) - 1 - value.scale;
  if (value.digits == "0" || (exponent >= -4 && exponent < precision)) {
    return Fixed(value, static_cast<int>(precision - (value.digits == "0" ? 1 : exponent + 1)));
  }
  return Scientific(value, precision - 1);
}

std::optional<DecimalText> AsDecimalText(const FormatArgument& argument) {
  if (const auto* number = std::get_if<double>(&argument)) {
    return std::isfinite(*number) ? ParseBigDecimal(JavaToString(*number)) : std::nullopt;
  }
  if (const auto* decimal = std::get_if<FormatDecimal>(&argument))
    return ParseBigDecimal(DecimalToPlainString(decimal->unscaled, decimal->scale));
  return std::nullopt;
}

std::string TextOf(const FormatArgument& argument) {
  if (std::holds_alternative<std::monostate>(argument)) return "null";
  if (const auto* value = std::get_if<bool>(&argument)) return *value ? "true" : "false";
  if (const auto* value = std::get_if<FormatInteger>(&argument))
    return std::to_string(value->value);
  if (const auto* value = std::get_if<double>(&argument)) return JavaToString(*value);
  if (const auto* value = std::get_if<FormatDecimal>(&argument))
    return DecimalToPlainString(value->unscaled, value->scale);
  return std::get<std::string>(argument);
}

std::string CutText(std::string text, const Specifier& s) {
  if (s.precision >= 0) text = text.substr(0, ByteOffset(text, s.precision));
  return Padded(std::move(text), s);
}

std::string InBase(const FormatInteger& value, int base, const Specifier& s) {
  auto bits = static_cast<uint64_t>(value.value);
  if (value.bytes < 8) bits &= (uint64_t{1} << (8 * value.bytes)) - 1;
  std::string digits;
  do {
    digits.insert(digits.begin(), "0123456789abcdef"[bits % static_cast<unsigned>(base)]);
    bits /= static_cast<unsigned>(base);
  } while (bits != 0);
  if (s.alternate) digits.insert(0, base == 16 ? "0x" : "0");
  if (s.zero && static_cast<int>(digits.size()) < s.width) {
    digits.insert(s.alternate && base == 16 ? 2 : 0, static_cast<size_t>(s.width) - digits.size(),
                  '0');
  }
  return Padded(digits, s);
}

std::optional<std::string> FormatFloating(const FormatArgument& argument, const Specifier& s) {
  if (const auto* number = std::get_if<double>(&argument);
      number != nullptr && !std::isfinite(*number)) {
    Specifier plain = s;
    plain.zero = false;
    if (std::isnan(*number)) return Padded("NaN", plain);
    return Number("Infinity", *number < 0, plain, false);
  }
  const auto value = AsDecimalText(argument);
  if (!value) return std::nullopt;
  const auto* number = std::get_if<double>(&argument);
  const bool negative = number != nullptr ? std::signbit(*number) : value->negative;
  const int precision = s.precision < 0 ? 6 : s.precision;
  switch (s.conversion) {
    case 'f':
      return Number(Fixed(*value, precision), negative, s);
    case 'e':
      return Number(Scientific(*value, precision), negative, s, false);
    default:
      return Number(General(*value, precision), negative, s);
  }
}

std::optional<std::string> FormatOne(const FormatArgument& argument, const Specifier& s) {
  const bool null = std::holds_alternative<std::monostate>(argument);
  switch (s.conversion) {
    case 's':
      return CutText(TextOf(argument), s);
    case 'b': {
      const auto* value = std::get_if<bool>(&argument);
      return CutText(null || (value != nullptr && !*value) ? "false" : "true", s);
    }
    case 'h': {
      if (null) return CutText("null", s);
      const auto* text = std::get_if<std::string>(&argument);
      const auto* whole = std::get_if<FormatInteger>(&argument);
      if (text != nullptr) return CutText(InBase({Murmur3Bytes(*text, 42), 4}, 16, {}), s);
      if (whole == nullptr) return std::nullopt;
      const int64_t hash =
          whole->bytes < 8
              ? whole->value
              : whole->value ^ static_cast<int64_t>(static_cast<uint64_t>(whole->value) >> 32);
      return CutText(InBase({static_cast<int32_t>(hash), 4}, 16, {}), s);
    }
    case 'c': {
      if (null) return Padded("null", s);
      const auto* whole = std::get_if<FormatInteger>(&argument);
      if (whole == nullptr || whole->value < 0 || whole->value > 0x10FFFF) return std::nullopt;
      std::string out;
      AppendCodePoint(static_cast<uint32_t>(whole->value), &out);
      return Padded(out, s);
    }
    case 'd':
    case 'o':
    case 'x': {
      if (null) return Padded("null", s);
      const auto* whole = std::get_if<FormatInteger>(&argument);
      if (whole == nullptr) return std::nullopt;
      if (s.conversion != 'd') return InBase(*whole, s.conversion == 'o' ? 8 : 16, s);
      const bool negative = whole->value < 0;
      std::string digits = std::to_string(whole->value);
      if (negative) digits.erase(0, 1);
      return Number(digits, negative, s);
    }
    case 'e':
    case 'f':
    case 'g':
      if (null) return Padded("null", s);
      return FormatFloating(argument, s);
    default:
      return std::nullopt;
  }
}

class FormatReader {
 public:
  FormatReader(std::string_view format, const std::vector<FormatArgument>& arguments)
      : rest_(format), arguments_(arguments) {}

  std::optional<std::string> Run() {
    std::string out;
    while (!rest_.empty()) {
      const size_t percent = rest_.find('%');
      out += rest_.substr(0, percent);
      if (percent == std::string_view::npos) return out;
      rest_.remove_prefix(percent + 1);
      if (!ReadSpecifier(&out)) return std::nullopt;
    }
    return out;
  }

 private:
  int TakeNumber() {
    int value = 0;
    while (!rest_.empty() && rest_[0] >= '0' && rest_[0] <= '9' && value < 100'000'000) {
      value = value * 10 + (rest_[0] - '0');
      rest_.remove_prefix(1);
    }
    return value;
  }
  bool ReadSpecifier(std::string* out);

  std::string_view rest_;
  const std::vector<FormatArgument>& arguments_;
  size_t next_ = 0;
  size_t last_ = 0;
};

bool FormatReader::ReadSpecifier(std::string* out) {
  Specifier s;
  std::optional<size_t> index;
  const auto before = rest_;
  const int number = TakeNumber();
  if (number > 0 && !rest_.empty() && rest_[0] == '$') {
    rest_.remove_prefix(1);
    index = static_cast<size_t>(number - 1);
  } else {
    rest_ = before;
  }
  for (bool more = true; more && !rest_.empty();) {
    switch (rest_[0]) {
      case '-':
        s.left = true;
        break;
      case '+':
        s.plus = true;
        break;
      case ' ':
        s.space = true;
        break;
      case '0':
        s.zero = true;
        break;
      case ',':
        s.group = true;
        break;
      case '(':
        s.parentheses = true;
        break;
      case '#':
        s.alternate = true;
        break;
      case '<':
        index = last_;
        break;
      default:
        more = false;
    }
    if (more) rest_.remove_prefix(1);
  }
  if (!rest_.empty() && rest_[0] >= '1' && rest_[0] <= '9') s.width = TakeNumber();
  if (!rest_.empty() && rest_[0] == '.') {
    rest_.remove_prefix(1);
    if (rest_.empty() || rest_[0] < '0' || rest_[0] > '9') return false;
    s.precision = TakeNumber();
  }
  if (rest_.empty()) return false;
  const char letter = rest_[0];
  rest_.remove_prefix(1);
  if (letter == 'n') {
    *out += '\n';
    return true;
  }
  if (letter == '%') {
    *out += Padded("%", s);
    return true;
  }
  if ((s.left || s.zero) && s.width < 0) return false;
  const bool upper = letter >= 'A' && letter <= 'Z';
  s.conversion = static_cast<char>(upper ? letter + 32 : letter);
  if (upper && std::string_view("BHSCXEG").find(letter) == std::string_view::npos) return false;
  if (s.precision >= 0 && std::string_view("dxoc").find(s.conversion) != std::string_view::npos)
    return false;
  const size_t position = index ? *index : next_++;
  if (position >= arguments_.size()) return false;
  last_ = position;
  auto text = FormatOne(arguments_[position], s);
  if (!text) return false;
  *out += upper ? ToUpper(*text) : *text;
  return true;
}

}  // namespace

std::optional<std::string> JavaFormat(std::string_view format,
                                      const std::vector<FormatArgument>& arguments) {
  return FormatReader(format, arguments).Run();
}

}  // namespace merganser::engine
