#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace merganser {

class Json;

/// The place that an error is about: a part of a statement's text, or a call in a client's program.
struct QueryContext {
  int32_t start = -1;  ///< First character, 0-based, in the text; -1: the place is not known.
  int32_t stop = -1;   ///< Last character, 0-based, inclusive.
  int32_t line = 1;    ///< 1-based.
  int32_t column = 0;  ///< 0-based.
  /// The part of the text; of a call the name of the function that was called.
  std::string fragment;
  /// What holds the text where it is not the statement: "VIEW" and the view's name.
  std::string object_type = {};
  std::string object_name = {};
  /// Where the client's program calls `fragment` ("file:line"); empty for a place in a text.
  std::string call_site = {};
  /// The place for human eyes, lines that each end in a line break; empty where it is not known.
  std::string summary = {};

  bool is_call() const { return !call_site.empty(); }

  /// As an object that `FromJson` reads back.
  Json ToJson() const;
  static QueryContext FromJson(const Json& json);
};

/// A text in UTF-8 whose characters are counted once: what a place in it costs does not grow with
/// the text before it.
class CountedText {
 public:
  CountedText() = default;
  explicit CountedText(std::string text);

  const std::string& text() const { return text_; }
  /// Characters that begin in the first `bytes` bytes.
  int32_t CharactersIn(size_t bytes) const;

 private:
  std::string text_;
  std::vector<int32_t> counts_;  ///< Characters before each block of bytes.
};

/// The context of the bytes [start, stop) of `text`. `line` is 1-based, `column` 0-based. Its
/// summary shows the lines of the text that the part stands in, cut to 32 characters before and
/// behind it, with marks below the part: Spark's form. `object_type` and `object_name` as in
/// QueryContext.
QueryContext ContextInText(const CountedText& text, size_t start, size_t stop, int32_t line,
                           int32_t column, std::string object_type = {},
                           std::string object_name = {});

/// The context of a call of `function` at `call_site` of the client's program.
QueryContext ContextOfCall(std::string function, std::string call_site);

}  // namespace merganser
