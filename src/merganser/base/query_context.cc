#include "merganser/base/query_context.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "merganser/base/json.h"

namespace merganser {
namespace {

/// Bytes that are counted anew at most.
constexpr size_t kBlock = 1024;

/// Characters shown before and behind the part, at most.
constexpr int kSurroundings = 32;

bool StartsCharacter(char c) { return (static_cast<unsigned char>(c) & 0xC0) != 0x80; }

int32_t CharacterCount(std::string_view text) {
  return static_cast<int32_t>(std::ranges::count_if(text, StartsCharacter));
}

/// The lines that the bytes [start, stop) of `text` stand in, each followed by a line of marks.
std::string MarkedLines(std::string_view text, size_t start, size_t stop) {
  size_t first = start;
  int before = 0;
  while (first > 0 && text[first - 1] != '\n' && before < kSurroundings) {
    --first;
    if (StartsCharacter(text[first])) ++before;
  }
  const bool cut_before = before == kSurroundings;
  size_t end = stop;
  int behind = 0;
  while (end < text.size() && text[end] != '\n' &&
         (behind < kSurroundings || !StartsCharacter(text[end]))) {
    if (StartsCharacter(text[end])) ++behind;
    ++end;
  }
  const bool cut_behind = behind == kSurroundings;

  std::string lines;
  std::string line = cut_before ? "..." : "";
  std::string marks(line.size(), ' ');
  for (size_t at = first; at <= end; ++at) {
    if (at == end && cut_behind) line += "...";
    if (at == end || text[at] == '\n') {
      lines.append(line).append("\n").append(marks).append("\n");
      line.clear();
      marks.clear();
      continue;
    }
    line += text[at];
    if (StartsCharacter(text[at]) && at < stop) marks += at < start ? ' ' : '^';
  }
  return lines;
}

}  // namespace

Json QueryContext::ToJson() const {
  Json json = Json::MakeObject({{"start", start},
                                {"stop", stop},
                                {"line", line},
                                {"column", column},
                                {"fragment", fragment}});
  if (!object_type.empty()) json.Set("objectType", object_type);
  if (!object_name.empty()) json.Set("objectName", object_name);
  if (!call_site.empty()) json.Set("callSite", call_site);
  if (!summary.empty()) json.Set("summary", summary);
  return json;
}

QueryContext QueryContext::FromJson(const Json& json) {
  QueryContext context;
  context.start = static_cast<int32_t>(json.int_or("start", -1));
  context.stop = static_cast<int32_t>(json.int_or("stop", -1));
  context.line = static_cast<int32_t>(json.int_or("line", 1));
  context.column = static_cast<int32_t>(json.int_or("column", 0));
  context.fragment = json.string_or("fragment");
  context.object_type = json.string_or("objectType");
  context.object_name = json.string_or("objectName");
  context.call_site = json.string_or("callSite");
  context.summary = json.string_or("summary");
  return context;
}

CountedText::CountedText(std::string text) : text_(std::move(text)) {
  counts_.reserve(text_.size() / kBlock + 1);
  int32_t count = 0;
  for (size_t at = 0; at < text_.size(); at += kBlock) {
    counts_.push_back(count);
    count += CharacterCount(std::string_view(text_).substr(at, kBlock));
  }
}

int32_t CountedText::CharactersIn(size_t bytes) const {
  if (bytes == 0) return 0;
  const size_t block = (bytes - 1) / kBlock;
  const size_t begin = block * kBlock;
  return counts_[block] + CharacterCount(std::string_view(text_).substr(begin, bytes - begin));
}

QueryContext ContextInText(const CountedText& text, size_t start, size_t stop, int32_t line,
                           int32_t column, std::string object_type, std::string object_name) {
  QueryContext context;
  context.start = text.CharactersIn(start);
  // The end of a text is a place without characters.
  context.stop = std::max(context.start, text.CharactersIn(stop) - 1);
  context.line = line;
  context.column = column;
  context.fragment = text.text().substr(start, stop - start);
  context.summary = "== SQL ";
  if (!object_type.empty()) context.summary += "of " + object_type + " " + object_name + " ";
  context.summary += "(line " + std::to_string(line) + ", position " + std::to_string(column + 1) +
                     ") ==\n" + MarkedLines(text.text(), start, stop);
  context.object_type = std::move(object_type);
  context.object_name = std::move(object_name);
  return context;
}

QueryContext ContextOfCall(std::string function, std::string call_site) {
  QueryContext context;
  context.summary = "== DataFrame ==\n\"" + function + "\" was called from\n" + call_site + "\n";
  context.fragment = std::move(function);
  context.call_site = std::move(call_site);
  return context;
}

}  // namespace merganser
