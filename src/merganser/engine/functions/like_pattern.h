#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"

namespace merganser::engine {

/// A pattern of LIKE: % is any text, _ any character, the escape character takes their meaning
/// away.
class LikePattern {
 public:
  /// Fails with INVALID_FORMAT.ESC_IN_THE_MIDDLE and .ESC_AT_THE_END.
  static Result<LikePattern> Compile(std::string_view pattern, char escape);

  /// `text` is valid UTF-8.
  bool Matches(std::string_view text) const;

 private:
  /// What stands between two %: literal text, and runs of _ as their number.
  struct Item {
    std::string literal;
    int any_characters = 0;
  };
  struct Segment {
    std::vector<Item> items;
    int64_t characters = 0;
  };

  /// Bytes that the segment takes of `text` at its front; -1 if it does not match there.
  static int64_t MatchAt(const Segment& segment, std::string_view text);
  /// First place at or after `from` where the segment matches; npos if there is none. Sets its
  /// size.
  static size_t Search(const Segment& segment, std::string_view text, size_t from, size_t* size);

  std::vector<Segment> segments_;
};

}  // namespace merganser::engine
