#include "merganser/engine/functions/like_pattern.h"

#include <utility>

#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {

Result<LikePattern> LikePattern::Compile(std::string_view pattern, char escape) {
  LikePattern out;
  out.segments_.emplace_back();
  const auto add_literal = [&](char c) {
    auto& segment = out.segments_.back();
    if (segment.items.empty() || segment.items.back().any_characters > 0)
      segment.items.emplace_back();
    segment.items.back().literal += c;
    segment.characters += (static_cast<unsigned char>(c) & 0xC0) != 0x80;
  };
  for (size_t i = 0; i < pattern.size(); ++i) {
    const char c = pattern[i];
    if (c == escape) {
      if (i + 1 == pattern.size()) {
        return Error(ErrorClass::INVALID_FORMAT, {{"format", QuotedValue(pattern)}},
                     "ESC_AT_THE_END");
      }
      const char next = pattern[++i];
      if (next != '%' && next != '_' && next != escape) {
        return Error(ErrorClass::INVALID_FORMAT,
                     {{"format", QuotedValue(pattern)},
                      {"char", QuotedValue(pattern.substr(i, CodePointSize(next)))}},
                     "ESC_IN_THE_MIDDLE");
      }
      add_literal(next);
    } else if (c == '%') {
      out.segments_.emplace_back();
    } else if (c == '_') {
      auto& segment = out.segments_.back();
      if (segment.items.empty() || segment.items.back().any_characters == 0)
        segment.items.emplace_back();
      ++segment.items.back().any_characters;
      ++segment.characters;
    } else {
      add_literal(c);
    }
  }
  return out;
}

int64_t LikePattern::MatchAt(const Segment& segment, std::string_view text) {
  size_t at = 0;
  for (const Item& item : segment.items) {
    if (item.any_characters == 0) {
      if (text.substr(at, item.literal.size()) != item.literal) return -1;
      at += item.literal.size();
      continue;
    }
    for (int i = 0; i < item.any_characters; ++i) {
      if (at >= text.size()) return -1;
      at += CodePointSize(text[at]);
    }
  }
  return static_cast<int64_t>(at);
}

size_t LikePattern::Search(const Segment& segment, std::string_view text, size_t from,
                           size_t* size) {
  if (segment.items.size() == 1 && segment.items[0].any_characters == 0) {
    *size = segment.items[0].literal.size();
    return text.find(segment.items[0].literal, from);
  }
  for (size_t at = from; at <= text.size(); at += at < text.size() ? CodePointSize(text[at]) : 1) {
    const int64_t length = MatchAt(segment, text.substr(at));
    if (length >= 0) {
      *size = static_cast<size_t>(length);
      return at;
    }
  }
  return std::string_view::npos;
}

bool LikePattern::Matches(std::string_view text) const {
  const int64_t front = MatchAt(segments_.front(), text);
  if (front < 0) return false;
  if (segments_.size() == 1) return static_cast<size_t>(front) == text.size();
  size_t at = static_cast<size_t>(front);
  for (size_t i = 1; i + 1 < segments_.size(); ++i) {
    size_t size = 0;
    const size_t found = Search(segments_[i], text, at, &size);
    if (found == std::string_view::npos) return false;
    at = found + size;
  }
  // The last segment stands at the end: as many characters before it as it has.
  const Segment& last = segments_.back();
  size_t begin = text.size();
  for (int64_t i = 0; i < last.characters; ++i) {
    if (begin <= at) return false;
    do {
      --begin;
    } while (begin > at && (static_cast<unsigned char>(text[begin]) & 0xC0) == 0x80);
  }
  return MatchAt(last, text.substr(begin)) == static_cast<int64_t>(text.size() - begin);
}

}  // namespace merganser::engine
