#include "merganser/engine/functions/number_format.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cmath>
#include <cstdio>
#include <utility>

#include "merganser/base/ascii_text.h"
#include "merganser/engine/functions/decimal_math.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

Error BadFormat(std::string_view format, const char* sub_class, Error::Parameters more = {}) {
  more["format"] = QuotedValue(format);
  return Error(ErrorClass::INVALID_FORMAT, std::move(more), sub_class);
}

/// A blank goes in front of signs and currency that stand at the end.
void AppendBlank(std::string* out) {
  size_t at = out->size();
  while (at > 0 && std::string_view("+-<$").find((*out)[at - 1]) != std::string_view::npos) --at;
  out->insert(at, 1, ' ');
}

/// A sign goes in front of blanks that stand at the end.
void AppendSign(char sign, std::string* out) {
  size_t at = out->size();
  while (at > 0 && (*out)[at - 1] == ' ') --at;
  if (at == 0) at = out->size();
  out->insert(at, 1, sign);
}

std::string WithGroups(std::string_view whole, int size) {
  std::string out;
  for (size_t i = 0; i < whole.size(); ++i) {
    if (i > 0 && size > 0 && (whole.size() - i) % static_cast<size_t>(size) == 0) out += ',';
    out += whole[i];
  }
  return out;
}

/// Puts separators into "-1234.50".
std::string Grouped(const std::string& plain) {
  const size_t start = plain[0] == '-' ? 1 : 0;
  const size_t point = std::min(plain.find('.'), plain.size());
  return plain.substr(0, start) +
         WithGroups(std::string_view(plain).substr(start, point - start), 3) + plain.substr(point);
}

std::string Fixed(double value, int decimals) {
  std::string out(static_cast<size_t>(std::snprintf(nullptr, 0, "%.*f", decimals, value)), '\0');
  std::snprintf(out.data(), out.size() + 1, "%.*f", decimals, value);
  return out;
}

std::string Fixed(Int128 unscaled, int scale, int decimals) {
  if (decimals < scale) {
    unscaled = DropDigits(unscaled, scale - decimals, RoundingMode::kHalfEven);
    scale = decimals;
  }
  std::string out = DecimalToPlainString(unscaled, scale);
  if (decimals > scale) {
    if (scale == 0) out += '.';
    out.append(static_cast<size_t>(decimals - scale), '0');
  }
  return out;
}

std::optional<std::string> Special(double value) {
  if (std::isnan(value)) return "NaN";
  if (std::isinf(value)) return value < 0 ? "-\u221E" : "\u221E";
  return std::nullopt;
}

}  // namespace

Result<NumberFormat> NumberFormat::Compile(std::string_view format) {
  NumberFormat out;
  for (const char c : format)
    out.format_ += static_cast<char>(std::toupper(static_cast<unsigned char>(c)));
  const std::string& f = out.format_;
  if (f.empty()) return BadFormat(f, "EMPTY");
  bool after_point = false;
  for (size_t i = 0; i < f.size();) {
    const char c = f[i];
    if (c == '0' || c == '9') {
      size_t end = i;
      while (end < f.size() && (f[end] == '0' || f[end] == '9')) ++end;
      const auto digits = static_cast<int>(end - i);
      out.tokens_.push_back({Kind::kDigits, digits, c == '0'});
      (after_point ? out.fraction_digits_ : out.whole_digits_) += digits;
      i = end;
      continue;
    }
    const std::string_view rest = std::string_view(f).substr(i);
    size_t size = 1;
    if (c == '.' || c == 'D') {
      out.tokens_.push_back({Kind::kPoint});
      after_point = true;
    } else if (c == ',' || c == 'G') {
      out.tokens_.push_back({Kind::kSeparator});
    } else if (c == '$') {
      out.tokens_.push_back({Kind::kDollar});
    } else if (c == 'S') {
      out.tokens_.push_back({Kind::kSign});
    } else if (rest.substr(0, 2) == "MI") {
      out.tokens_.push_back({Kind::kMinus});
      size = 2;
    } else if (rest == "PR") {
      out.tokens_.insert(out.tokens_.begin(), {Kind::kOpenBracket});
      out.tokens_.push_back({Kind::kCloseBracket});
      size = 2;
    } else if (out.whole_digits_ + out.fraction_digits_ == 0 &&
               f.find_first_of("09") == std::string::npos) {
      return BadFormat(f, "WRONG_NUM_DIGIT");
    } else {
      return BadFormat(f, "UNEXPECTED_TOKEN", {{"token", "character '" + std::string(1, c) + "'"}});
    }
    i += size;
  }
  MERGANSER_RETURN_IF_ERROR(out.CheckStructure());
  return out;
}

Status NumberFormat::CheckStructure() const {
  if (whole_digits_ + fraction_digits_ == 0) return BadFormat(format_, "WRONG_NUM_DIGIT");
  std::array<int, 8> counts{};
  bool after_point = false;
  for (size_t i = 0; i < tokens_.size(); ++i) {
    const Kind kind = tokens_[i].kind;
    ++counts[static_cast<size_t>(kind)];
    if (kind == Kind::kPoint) after_point = true;
    if (kind == Kind::kSeparator) {
      if (after_point) return BadFormat(format_, "THOUSANDS_SEPS_MUST_BEFORE_DEC");
      const bool between = i > 0 && i + 1 < tokens_.size() &&
                           tokens_[i - 1].kind == Kind::kDigits &&
                           tokens_[i + 1].kind == Kind::kDigits;
      if (!between) return BadFormat(format_, "CONT_THOUSANDS_SEPS");
    }
    if (kind == Kind::kDollar && i > 0 && tokens_[i - 1].kind == Kind::kDigits &&
        i + 1 < tokens_.size() &&
        (tokens_[i + 1].kind == Kind::kDigits || tokens_[i + 1].kind == Kind::kPoint)) {
      return BadFormat(format_, "CUR_MUST_BEFORE_DIGIT");
    }
  }
  const auto at_most_one = [&](Kind kind, const char* token) -> Status {
    if (counts[static_cast<size_t>(kind)] > 1)
      return BadFormat(format_, "WRONG_NUM_TOKEN", {{"token", token}});
    return Status::Ok();
  };
  MERGANSER_RETURN_IF_ERROR(at_most_one(Kind::kPoint, "'.' or 'D'"));
  MERGANSER_RETURN_IF_ERROR(at_most_one(Kind::kDollar, "'$'"));
  MERGANSER_RETURN_IF_ERROR(at_most_one(Kind::kSign, "'S'"));
  MERGANSER_RETURN_IF_ERROR(at_most_one(Kind::kMinus, "'MI'"));
  // Signs stand at an end, or next to a currency sign that does.
  for (size_t i = 0; i < tokens_.size(); ++i) {
    if (tokens_[i].kind != Kind::kSign && tokens_[i].kind != Kind::kMinus) continue;
    const bool digits_before =
        i > 0 && std::any_of(tokens_.begin(), tokens_.begin() + static_cast<int64_t>(i),
                             [](const Token& t) { return t.kind == Kind::kDigits; });
    const bool digits_after = std::any_of(tokens_.begin() + static_cast<int64_t>(i), tokens_.end(),
                                          [](const Token& t) { return t.kind == Kind::kDigits; });
    if (digits_before && digits_after)
      return BadFormat(format_, "UNEXPECTED_TOKEN",
                       {{"token", tokens_[i].kind == Kind::kSign ? "'S'" : "'MI'"}});
  }
  return Status::Ok();
}

std::optional<Int128> NumberFormat::Parse(std::string_view text) const {
  while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  bool negative = false;
  bool open = false;
  size_t at = 0;
  std::string whole;
  std::string fraction;
  const auto take = [&](char c) {
    if (at >= text.size() || text[at] != c) return false;
    ++at;
    return true;
  };
  for (size_t t = 0; t < tokens_.size(); ++t) {
    switch (tokens_[t].kind) {
      case Kind::kSign:
      case Kind::kMinus:
        if (take('-')) {
          negative = true;
        } else if (tokens_[t].kind == Kind::kSign) {
          take('+');
        }
        break;
      case Kind::kDollar:
        if (!take('$')) return std::nullopt;
        break;
      case Kind::kOpenBracket:
        open = take('<');
        break;
      case Kind::kCloseBracket:
        if (open && !take('>')) return std::nullopt;
        negative = open;
        break;
      case Kind::kPoint:
        take('.');
        break;
      case Kind::kDigits:
      case Kind::kSeparator: {
        // The whole run of digits and separators at once: groups of the text fit those of the
        // format from the right.
        std::vector<int> groups = {0};
        const bool exact = tokens_[t].exact;
        const bool is_fraction = t > 0 && tokens_[t - 1].kind == Kind::kPoint;
        size_t end = t;
        for (; end < tokens_.size() &&
               (tokens_[end].kind == Kind::kDigits || tokens_[end].kind == Kind::kSeparator);
             ++end) {
          if (tokens_[end].kind == Kind::kDigits) {
            groups.back() += tokens_[end].digits;
          } else {
            groups.push_back(0);
          }
        }
        t = end - 1;
        std::vector<std::string> found = {""};
        for (; at < text.size() && (IsDigit(text[at]) || text[at] == ','); ++at) {
          if (text[at] == ',') {
            found.emplace_back();
          } else {
            found.back() += text[at];
          }
        }
        if (is_fraction) {
          if (found.size() > 1 || static_cast<int>(found[0].size()) > groups[0])
            return std::nullopt;
          fraction = found[0];
          break;
        }
        if (found.size() > groups.size() || (exact && found.size() != groups.size()))
          return std::nullopt;
        for (size_t i = 0; i < found.size(); ++i) {
          const auto size = static_cast<int>(found[found.size() - 1 - i].size());
          const int room = groups[groups.size() - 1 - i];
          const bool leading = i + 1 == found.size();
          if (leading && !exact ? size > room : size != room) return std::nullopt;
        }
        for (const auto& part : found) whole += part;
        break;
      }
    }
  }
  if (at != text.size() || (whole.empty() && fraction.empty())) return std::nullopt;
  fraction.resize(static_cast<size_t>(fraction_digits_), '0');
  Int128 value = 0;
  for (const char c : whole + fraction) value = value * 10 + (c - '0');
  return negative ? -value : value;
}

std::string NumberFormat::Write(Int128 unscaled, int value_scale) const {
  const bool negative = unscaled < 0;
  const std::string plain = DecimalToPlainString(negative ? -unscaled : unscaled, value_scale);
  const size_t point = std::min(plain.find('.'), plain.size());
  std::string whole = plain.substr(0, point);
  std::string fraction = point < plain.size() ? plain.substr(point + 1) : "";
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  fraction.erase(fraction.find_last_not_of('0') + 1);
  if (static_cast<int>(whole.size()) > whole_digits_ ||
      static_cast<int>(fraction.size()) > fraction_digits_) {
    std::string out = format_;
    for (char& c : out) {
      if (IsDigit(c)) c = '#';
      if (c == ',' || c == 'G') c = ' ';
      if (c == 'D') c = '.';
    }
    return out;
  }
  whole.insert(0, static_cast<size_t>(whole_digits_) - whole.size(), ' ');
  fraction.resize(static_cast<size_t>(fraction_digits_), '0');

  std::string out;
  size_t whole_at = 0;
  bool after_point = false;
  for (const Token& token : tokens_) {
    switch (token.kind) {
      case Kind::kDigits:
        if (after_point) {
          out += fraction;
          break;
        }
        for (int i = 0; i < token.digits; ++i) {
          const char c = whole[whole_at++];
          if (c != ' ') {
            out += c;
          } else if (token.exact) {
            out += '0';
          } else {
            AppendBlank(&out);
          }
        }
        break;
      case Kind::kSeparator:
        if (!out.empty() && IsDigit(out.back())) {
          out += ',';
        } else {
          AppendBlank(&out);
        }
        break;
      case Kind::kPoint:
        if (!out.empty() && out.back() == ' ') out.back() = '0';
        out += '.';
        after_point = true;
        break;
      case Kind::kDollar:
        out += '$';
        break;
      case Kind::kOpenBracket:
        if (negative) out += '<';
        break;
      case Kind::kCloseBracket:
        if (negative) AppendSign('>', &out);
        break;
      case Kind::kSign:
        AppendSign(negative ? '-' : '+', &out);
        break;
      case Kind::kMinus:
        if (negative) {
          AppendSign('-', &out);
        } else {
          out += ' ';
        }
        break;
    }
  }
  return out;
}

std::string GroupedText(double value, int decimals) {
  if (auto special = Special(value)) return *special;
  return Grouped(Fixed(value, decimals));
}

std::string GroupedText(Int128 unscaled, int scale, int decimals) {
  return Grouped(Fixed(unscaled, scale, decimals));
}

DecimalPattern DecimalPattern::Compile(std::string_view pattern) {
  DecimalPattern out;
  pattern = pattern.substr(0, pattern.find(';'));
  size_t at = 0;
  const auto literal = [&](std::string* text) {
    for (bool quoted = false; at < pattern.size(); ++at) {
      const char c = pattern[at];
      if (c == '\'') {
        quoted = !quoted;
        continue;
      }
      if (!quoted && std::string_view("#0,.").find(c) != std::string_view::npos) break;
      *text += c;
    }
  };
  literal(&out.prefix_);
  bool after_point = false;
  for (;
       at < pattern.size() && std::string_view("#0,.").find(pattern[at]) != std::string_view::npos;
       ++at) {
    switch (pattern[at]) {
      case '.':
        after_point = true;
        break;
      case ',':
        out.grouping_ = 0;
        if (!after_point) {
          for (size_t i = at + 1; i < pattern.size() && (pattern[i] == '#' || pattern[i] == '0');
               ++i)
            ++out.grouping_;
        }
        break;
      case '0':
        ++(after_point ? out.min_fraction_ : out.min_whole_);
        [[fallthrough]];
      default:
        if (after_point) ++out.max_fraction_;
    }
  }
  literal(&out.suffix_);
  return out;
}

std::string DecimalPattern::Finish(std::string digits) const {
  const bool negative = digits[0] == '-';
  if (negative) digits.erase(0, 1);
  const size_t point = std::min(digits.find('.'), digits.size());
  std::string whole = digits.substr(0, point);
  std::string fraction = point < digits.size() ? digits.substr(point + 1) : "";
  whole.erase(0, std::min(whole.find_first_not_of('0'), whole.size()));
  if (static_cast<int>(whole.size()) < min_whole_)
    whole.insert(0, static_cast<size_t>(min_whole_) - whole.size(), '0');
  while (static_cast<int>(fraction.size()) > min_fraction_ && fraction.back() == '0')
    fraction.pop_back();
  if (whole.empty() && fraction.empty()) whole = "0";
  std::string out = (negative ? "-" : "") + prefix_ + WithGroups(whole, grouping_);
  if (!fraction.empty()) out += "." + fraction;
  return out + suffix_;
}

std::string DecimalPattern::Write(double value) const {
  if (auto special = Special(value)) return *special;
  return Finish(Fixed(value, max_fraction_));
}

std::string DecimalPattern::Write(Int128 unscaled, int scale) const {
  return Finish(Fixed(unscaled, scale, max_fraction_));
}

}  // namespace merganser::engine
