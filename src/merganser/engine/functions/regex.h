#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

struct pcre2_real_code_8;
struct pcre2_real_match_data_8;

namespace merganser::engine {

/// A regular expression of Java's java.util.regex, run by PCRE2. Immutable and thread-safe.
///
/// Java's ASCII classes (\p{Alpha}), unions and intersections of classes, \uXXXX and its flag
/// letters are translated; what the two dialects share is passed on.
class Regex {
 public:
  /// Null if the expression is malformed.
  static std::shared_ptr<const Regex> Compile(std::string_view pattern);
  ~Regex();
  Regex(const Regex&) = delete;
  Regex& operator=(const Regex&) = delete;

  int group_count() const { return group_count_; }
  /// Number of the named group; nullopt if there is none.
  std::optional<int> GroupNumber(const std::string& name) const;

 private:
  friend class RegexMatcher;
  explicit Regex(pcre2_real_code_8* code);

  pcre2_real_code_8* code_;
  int group_count_ = 0;
};

/// Finds matches of one expression, in one thread.
class RegexMatcher {
 public:
  explicit RegexMatcher(const Regex& regex);
  ~RegexMatcher();
  RegexMatcher(const RegexMatcher&) = delete;
  RegexMatcher& operator=(const RegexMatcher&) = delete;

  /// Search `text` from its beginning. The text has to outlive the search.
  void Reset(std::string_view text);
  /// Go to the next match; an empty match is never found twice at one place.
  bool Find();

  static constexpr size_t kUnset = static_cast<size_t>(-1);
  /// Bytes of group `group` in the match that Find() is at; kUnset if it took no part.
  size_t start(int group = 0) const;
  size_t end(int group = 0) const;
  /// Text of a group; empty if it took no part.
  std::string_view Group(int group) const {
    return start(group) == kUnset ? std::string_view()
                                  : text_.substr(start(group), end(group) - start(group));
  }

 private:
  const Regex& regex_;
  pcre2_real_match_data_8* match_;
  std::string_view text_;
  size_t next_ = 0;
  bool exhausted_ = false;
};

}  // namespace merganser::engine
