#include "merganser/engine/functions/regex.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <cctype>
#include <cstring>
#include <map>
#include <vector>

#include <pcre2.h>

#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

/// Java's ASCII properties and what they are inside a bracket expression.
const std::map<std::string, std::string, std::less<>>& Properties() {
  static const auto* properties =
      new std::map<std::string, std::string, std::less<>>{{"Lower", "a-z"},
                                                          {"Upper", "A-Z"},
                                                          {"ASCII", "\\x00-\\x7f"},
                                                          {"Alpha", "a-zA-Z"},
                                                          {"Digit", "0-9"},
                                                          {"Alnum", "a-zA-Z0-9"},
                                                          {"Punct", "!-\\/:-@\\[-`{-~"},
                                                          {"Graph", "!-~"},
                                                          {"Print", " -~"},
                                                          {"Blank", " \\t"},
                                                          {"Cntrl", "\\x00-\\x1f\\x7f"},
                                                          {"XDigit", "0-9a-fA-F"},
                                                          {"Space", " \\t\\n\\x0b\\f\\r"},
                                                          {"javaLowerCase", "\\p{Ll}"},
                                                          {"javaUpperCase", "\\p{Lu}"},
                                                          {"javaWhitespace", "\\s"},
                                                          {"javaLetter", "\\p{L}"},
                                                          {"javaDigit", "\\p{Nd}"},
                                                          {"javaLetterOrDigit", "\\p{L}\\p{Nd}"},
                                                          {"IsAlphabetic", "\\p{L}\\p{Nl}"},
                                                          {"IsLetter", "\\p{L}"},
                                                          {"IsDigit", "\\p{Nd}"},
                                                          {"IsUppercase", "\\p{Lu}"},
                                                          {"IsLowercase", "\\p{Ll}"},
                                                          {"IsPunctuation", "\\p{P}"},
                                                          {"IsWhite_Space", "\\s"},
                                                          {"L1", "\\x00-\\x{ff}"}};
  return *properties;
}

/// Java's syntax to PCRE2's.
class Translator {
 public:
  explicit Translator(std::string_view pattern) : in_(pattern) {}
  /// nullopt where Java would refuse and PCRE2 would not.
  std::optional<std::string> Run() {
    while (at_ < in_.size()) {
      if (in_[at_] == '\\') {
        if (!Escape(false, &out_)) return std::nullopt;
      } else if (in_[at_] == '[') {
        std::string expression;
        if (!Class(&expression)) return std::nullopt;
        out_ += expression;
      } else if (in_.substr(at_, 2) == "(?") {
        Flags();
      } else {
        out_ += in_[at_++];
      }
    }
    return out_;
  }

 private:
  bool Escape(bool in_class, std::string* out);
  bool Property(bool in_class, std::string* out);
  bool Class(std::string* out);
  void Flags();

  std::string_view in_;
  size_t at_ = 0;
  std::string out_;
};

/// "(?iu-s:": letters that PCRE2 does not have, or has for something else, are left out.
void Translator::Flags() {
  size_t end = at_ + 2;
  std::string kept;
  while (end < in_.size() &&
         (std::isalpha(static_cast<unsigned char>(in_[end])) || in_[end] == '-')) {
    if (std::string_view("udU").find(in_[end]) == std::string_view::npos) kept += in_[end];
    ++end;
  }
  const bool flags = end > at_ + 2 && end < in_.size() && (in_[end] == ')' || in_[end] == ':');
  if (!flags) {
    out_ += "(?";
    at_ += 2;
    return;
  }
  out_ += "(?" + kept;
  out_ += in_[end];
  at_ = end + 1;
}

bool Translator::Property(bool in_class, std::string* out) {
  const bool negated = in_[at_ + 1] == 'P';
  at_ += 2;
  std::string name;
  if (at_ < in_.size() && in_[at_] == '{') {
    const size_t close = in_.find('}', at_);
    if (close == std::string_view::npos) return false;
    name = in_.substr(at_ + 1, close - at_ - 1);
    at_ = close + 1;
  } else if (at_ < in_.size()) {
    name = in_[at_++];
  } else {
    return false;
  }
  const auto known = Properties().find(name);
  if (known == Properties().end()) {
    if (name.substr(0, 2) == "Is" || name.substr(0, 2) == "In") name.erase(0, 2);
    const size_t equals = name.find('=');
    if (equals != std::string::npos) name.erase(0, equals + 1);
    *out += (negated ? "\\P{" : "\\p{") + name + "}";
    return true;
  }
  if (!in_class) {
    *out += (negated ? "[^" : "[") + known->second + "]";
    return true;
  }
  if (negated) return false;  // The caller makes an alternative of it.
  *out += known->second;
  return true;
}

bool Translator::Escape(bool in_class, std::string* out) {
  if (at_ + 1 >= in_.size()) return false;
  const char c = in_[at_ + 1];
  if (c == 'p' || c == 'P') return Property(in_class, out);
  if (c == 'u') {
    const auto hex = in_.substr(at_ + 2, 4);
    if (hex.size() != 4 ||
        hex.find_first_not_of("0123456789abcdefABCDEF") != std::string_view::npos)
      return false;
    *out += "\\x{" + std::string(hex) + "}";
    at_ += 6;
    return true;
  }
  if (c == 'Q') {
    size_t end = in_.find("\\E", at_ + 2);
    const auto literal = in_.substr(at_ + 2, end == std::string_view::npos ? end : end - at_ - 2);
    for (const char l : literal) {
      if (!std::isalnum(static_cast<unsigned char>(l)) && (l & 0x80) == 0) *out += '\\';
      *out += l;
    }
    at_ = end == std::string_view::npos ? in_.size() : end + 2;
    return true;
  }
  if (c == '0') {
    size_t end = at_ + 2;
    while (end < in_.size() && end < at_ + 5 && in_[end] >= '0' && in_[end] <= '7') ++end;
    if (end == at_ + 2) return false;
    *out += "\\o{" + std::string(in_.substr(at_ + 2, end - at_ - 2)) + "}";
    at_ = end;
    return true;
  }
  const size_t size = CodePointSize(c);
  out->append(in_.substr(at_, 1 + size));
  at_ += 1 + size;
  return true;
}

/// A bracket expression: its own members, classes inside it as alternatives, and && as look-ahead.
bool Translator::Class(std::string* out) {
  ++at_;
  const bool negated = at_ < in_.size() && in_[at_] == '^';
  if (negated) ++at_;
  std::vector<std::string> required;      // Left sides of &&.
  std::vector<std::string> alternatives;  // Nested classes of the current side.
  std::string members;
  const auto side = [&] {
    std::vector<std::string> parts = alternatives;
    if (!members.empty()) parts.push_back("[" + members + "]");
    alternatives.clear();
    members.clear();
    if (parts.empty()) return std::string("(?!)");
    if (parts.size() == 1) return parts[0];
    std::string joined = "(?:";
    for (size_t i = 0; i < parts.size(); ++i) joined += (i > 0 ? "|" : "") + parts[i];
    return joined + ")";
  };
  bool first = true;
  while (true) {
    if (at_ >= in_.size()) return false;
    const char c = in_[at_];
    if (c == ']' && !first) {
      ++at_;
      break;
    }
    first = false;
    if (c == '[') {
      std::string nested;
      if (!Class(&nested)) return false;
      alternatives.push_back(std::move(nested));
    } else if (in_.substr(at_, 2) == "&&") {
      at_ += 2;
      required.push_back(side());
    } else if (c == '\\') {
      const size_t before = at_;
      if (in_.size() > at_ + 1 && in_[at_ + 1] == 'P') {
        std::string property;
        if (!Property(false, &property)) return false;
        alternatives.push_back(std::move(property));
      } else if (!Escape(true, &members)) {
        at_ = before;
        return false;
      }
    } else {
      if (c == ']') members += '\\';
      members += c;
      ++at_;
    }
  }
  if (required.empty() && alternatives.empty()) {
    if (members.empty()) return false;
    *out += (negated ? "[^" : "[") + members + "]";
    return true;
  }
  std::string body;
  for (const std::string& left : required) body += "(?=" + left + ")";
  body += side();
  *out += negated ? "(?:(?!" + body + ")(?s:.))" : "(?:" + body + ")";
  return true;
}

}  // namespace

Regex::Regex(pcre2_real_code_8* code) : code_(code) {
  uint32_t count = 0;
  pcre2_pattern_info(code_, PCRE2_INFO_CAPTURECOUNT, &count);
  group_count_ = static_cast<int>(count);
}

Regex::~Regex() { pcre2_code_free(code_); }

std::shared_ptr<const Regex> Regex::Compile(std::string_view pattern) {
  const auto translated = Translator(pattern).Run();
  if (!translated) return nullptr;
  int error = 0;
  PCRE2_SIZE offset = 0;
  pcre2_compile_context* context = pcre2_compile_context_create(nullptr);
  pcre2_set_newline(context, PCRE2_NEWLINE_ANYCRLF);
  pcre2_code* code =
      pcre2_compile(reinterpret_cast<PCRE2_SPTR>(translated->data()), translated->size(),
                    PCRE2_UTF | PCRE2_NO_UTF_CHECK | PCRE2_DUPNAMES, &error, &offset, context);
  pcre2_compile_context_free(context);
  if (code == nullptr) return nullptr;
  pcre2_jit_compile(code, PCRE2_JIT_COMPLETE);  // Where it is not to be had, the interpreter runs.
  return std::shared_ptr<const Regex>(new Regex(code));
}

std::optional<int> Regex::GroupNumber(const std::string& name) const {
  const int number =
      pcre2_substring_number_from_name(code_, reinterpret_cast<PCRE2_SPTR>(name.c_str()));
  if (number < 0) return std::nullopt;
  return number;
}

RegexMatcher::RegexMatcher(const Regex& regex)
    : regex_(regex), match_(pcre2_match_data_create_from_pattern(regex.code_, nullptr)) {}

RegexMatcher::~RegexMatcher() { pcre2_match_data_free(match_); }

void RegexMatcher::Reset(std::string_view text) {
  text_ = text.data() == nullptr ? std::string_view("") : text;
  next_ = 0;
  exhausted_ = false;
}

bool RegexMatcher::Find() {
  if (exhausted_) return false;
  const auto subject = reinterpret_cast<PCRE2_SPTR>(text_.data());
  int found =
      pcre2_match(regex_.code_, subject, text_.size(), next_, PCRE2_NO_UTF_CHECK, match_, nullptr);
  if (found == PCRE2_ERROR_JIT_STACKLIMIT) {
    found = pcre2_match(regex_.code_, subject, text_.size(), next_,
                        PCRE2_NO_UTF_CHECK | PCRE2_NO_JIT, match_, nullptr);
  }
  if (found < 0) {
    exhausted_ = true;
    return false;
  }
  next_ = end();
  if (end() == start()) {
    // Past an empty match the search goes on with the next character.
    if (next_ >= text_.size()) {
      exhausted_ = true;
    } else {
      next_ += CodePointSize(text_[next_]);
    }
  }
  return true;
}

size_t RegexMatcher::start(int group) const {
  return pcre2_get_ovector_pointer(match_)[2 * static_cast<size_t>(group)];
}
size_t RegexMatcher::end(int group) const {
  return pcre2_get_ovector_pointer(match_)[2 * static_cast<size_t>(group) + 1];
}

}  // namespace merganser::engine
