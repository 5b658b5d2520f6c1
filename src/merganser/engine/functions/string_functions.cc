// Functions of text that need no pattern language.
#include <algorithm>
#include <cctype>
#include <limits>
#include <numeric>
#include <string>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/phonetics.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/text_lists.h"
#include "merganser/engine/functions/unicode_text.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
const LogicalType kText = LogicalType::VARCHAR;
/// Spark's longest text, in bytes: what a Java array holds.
constexpr size_t kLongestText = 2147483632;
const LogicalType kInt = LogicalType::INTEGER;

/// A function of fixed types over f.
template <typename... Args, typename F>
void Add(FunctionRegistry& registry, const std::string& name, std::vector<LogicalType> types,
         const LogicalType& result, F f) {
  registry.Add(name, std::move(types), result,
               [f](duckdb::DataChunk& arguments, duckdb::Vector& out) {
                 MapRows<Args...>(arguments, out, f);
               });
}

/// Characters `begin` to `end` of a text of `length`, by Spark's 1-based position and length.
struct Span {
  int64_t begin;
  int64_t end;
};
Span SubstringSpan(int64_t length, int32_t position, int32_t count) {
  // Positions before the first character are counted, so that (-5, 3) of "abc" is "a".
  const int64_t start = position > 0 ? int64_t{position} - 1 : position < 0 ? length + position : 0;
  const int64_t end = std::min<int64_t>(start + std::max<int64_t>(count, 0), length);
  return {std::clamp<int64_t>(start, 0, length), std::max<int64_t>(end, 0)};
}

std::string_view SubstringOfText(std::string_view text, int32_t position, int32_t count) {
  if (count <= 0) return {};
  if (IsAscii(text)) {
    const Span span = SubstringSpan(static_cast<int64_t>(text.size()), position, count);
    if (span.begin >= span.end) return {};
    return text.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
  }
  if (position >= 0) {
    const size_t begin = ByteOffset(text, position == 0 ? 0 : position - 1);
    return text.substr(begin, ByteOffset(text.substr(begin), count));
  }
  const Span span = SubstringSpan(CountCodePoints(text), position, count);
  if (span.begin >= span.end) return {};
  const size_t begin = ByteOffset(text, span.begin);
  return text.substr(begin, ByteOffset(text.substr(begin), span.end - span.begin));
}

std::string_view SubstringOfBytes(std::string_view bytes, int32_t position, int32_t count) {
  const Span span = SubstringSpan(static_cast<int64_t>(bytes.size()), position, count);
  if (span.begin >= span.end) return {};
  return bytes.substr(static_cast<size_t>(span.begin), static_cast<size_t>(span.end - span.begin));
}

/// f on VARCHAR or BLOB by the type of the first argument, which is the result's as well.
template <typename... Rest, typename OfText, typename OfBytes>
ScalarKernel BindTextOrBytes(ScalarCall& call, std::vector<LogicalType> rest, OfText of_text,
                             OfBytes of_bytes) {
  for (size_t i = 0; i < rest.size(); ++i) call.Expect(i + 1, rest[i]);
  call.KeepArguments(rest.size() + 1);
  call.NeverFails();
  if (call.type(0).id() == duckdb::LogicalTypeId::BLOB) {
    call.Returns(LogicalType::BLOB);
    return [of_bytes](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<std::string_view, Rest...>(arguments, result, of_bytes);
    };
  }
  call.Expect(0, kText);
  call.Returns(kText);
  return [of_text](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, Rest...>(arguments, result, of_text);
  };
}

ScalarKernel BindSubstring(ScalarCall& call) {
  return BindTextOrBytes<int32_t, int32_t>(call, {kInt, kInt}, SubstringOfText, SubstringOfBytes);
}

ScalarKernel BindLeft(ScalarCall& call) {
  return BindTextOrBytes<int32_t>(
      call, {kInt}, [](std::string_view text, int32_t n) { return SubstringOfText(text, 1, n); },
      [](std::string_view bytes, int32_t n) { return SubstringOfBytes(bytes, 1, n); });
}

std::string_view RightOfText(std::string_view text, int32_t n) {
  if (n <= 0) return {};
  const int64_t length = CountCodePoints(text);
  return n >= length ? text : text.substr(ByteOffset(text, length - n));
}

std::string_view SubstringIndex(std::string_view text, std::string_view delimiter, int32_t count) {
  if (delimiter.empty() || count == 0) return {};
  if (count > 0) {
    size_t at = 0;
    for (size_t from = 0; count > 0; --count, from = at + delimiter.size()) {
      at = text.find(delimiter, from);
      if (at == std::string_view::npos) return text;
    }
    return text.substr(0, at);
  }
  size_t end = text.size();
  size_t at = 0;
  for (; count < 0; ++count, end = at) {
    if (end < delimiter.size()) return text;
    at = text.substr(0, end).rfind(delimiter);
    if (at == std::string_view::npos) return text;
  }
  return text.substr(at + delimiter.size());
}

/// Spaces, or the characters of `set`, are taken off the ends that are asked for.
enum class TrimSide : uint8_t { kLeft, kRight, kBoth };

std::string_view TrimSpaces(std::string_view text, TrimSide side) {
  if (side != TrimSide::kRight) {
    while (!text.empty() && text.front() == ' ') text.remove_prefix(1);
  }
  if (side != TrimSide::kLeft) {
    while (!text.empty() && text.back() == ' ') text.remove_suffix(1);
  }
  return text;
}

bool ContainsCharacter(std::string_view set, std::string_view character) {
  for (size_t at = 0; at < set.size(); at += CodePointSize(set[at])) {
    if (set.substr(at, CodePointSize(set[at])) == character) return true;
  }
  return false;
}

std::string_view TrimCharacters(std::string_view text, std::string_view set, TrimSide side) {
  if (side != TrimSide::kRight) {
    while (!text.empty() && ContainsCharacter(set, text.substr(0, CodePointSize(text[0]))))
      text.remove_prefix(CodePointSize(text[0]));
  }
  if (side != TrimSide::kLeft) {
    while (!text.empty()) {
      size_t last = text.size() - 1;
      while (last > 0 && (static_cast<unsigned char>(text[last]) & 0xC0) == 0x80) --last;
      if (!ContainsCharacter(set, text.substr(last))) break;
      text = text.substr(0, last);
    }
  }
  return text;
}

std::string_view TrimBytes(std::string_view bytes, std::string_view set, TrimSide side) {
  if (side != TrimSide::kRight) {
    while (!bytes.empty() && set.find(bytes.front()) != std::string_view::npos)
      bytes.remove_prefix(1);
  }
  if (side != TrimSide::kLeft) {
    while (!bytes.empty() && set.find(bytes.back()) != std::string_view::npos)
      bytes.remove_suffix(1);
  }
  return bytes;
}

/// mg_trim(text [, characters]).
ScalarKernel BindTrim(ScalarCall& call, TrimSide side) {
  if (call.size() < 2) {
    return BindTextOrBytes<>(
        call, {}, [side](std::string_view text) { return TrimSpaces(text, side); },
        [side](std::string_view bytes) { return TrimSpaces(bytes, side); });
  }
  const LogicalType set =
      call.type(0).id() == duckdb::LogicalTypeId::BLOB ? LogicalType::BLOB : kText;
  return BindTextOrBytes<std::string_view>(
      call, {set},
      [side](std::string_view text, std::string_view characters) {
        return TrimCharacters(text, characters, side);
      },
      [side](std::string_view bytes, std::string_view characters) {
        return TrimBytes(bytes, characters, side);
      });
}

/// Fill `text` up to `length` characters with repetitions of `pad`; a longer text is cut.
std::string Pad(std::string_view text, int32_t length, std::string_view pad, bool left,
                bool bytes) {
  const auto size_of = [&](std::string_view part) {
    return bytes ? static_cast<int64_t>(part.size()) : CountCodePoints(part);
  };
  const auto prefix = [&](std::string_view part, int64_t n) {
    return part.substr(
        0, bytes ? static_cast<size_t>(std::min<int64_t>(n, static_cast<int64_t>(part.size())))
                 : ByteOffset(part, n));
  };
  if (length <= 0) return {};
  const int64_t have = size_of(text);
  if (have >= length) return std::string(prefix(text, length));
  const int64_t pad_size = size_of(pad);
  std::string fill;
  if (pad_size > 0) {
    int64_t missing = length - have;
    for (; missing >= pad_size; missing -= pad_size) fill += pad;
    fill += prefix(pad, missing);
  }
  return left ? fill + std::string(text) : std::string(text) + fill;
}

ScalarKernel BindPad(ScalarCall& call, bool left) {
  const LogicalType pad =
      call.type(0).id() == duckdb::LogicalTypeId::BLOB ? LogicalType::BLOB : kText;
  return BindTextOrBytes<int32_t, std::string_view>(
      call, {kInt, pad},
      [left](std::string_view text, int32_t n, std::string_view p) {
        return Pad(text, n, p, left, false);
      },
      [left](std::string_view bytes, int32_t n, std::string_view p) {
        return Pad(bytes, n, p, left, true);
      });
}

std::string Reverse(std::string_view text) {
  std::string out(text.size(), '\0');
  size_t end = text.size();
  for (size_t at = 0; at < text.size();) {
    const size_t size = std::min(CodePointSize(text[at]), text.size() - at);
    end -= size;
    text.substr(at, size).copy(out.data() + end, size);
    at += size;
  }
  return out;
}

std::string Replace(std::string_view text, std::string_view search, std::string_view replacement) {
  if (search.empty()) return std::string(text);
  std::string out;
  size_t from = 0;
  for (size_t at = text.find(search); at != std::string_view::npos; at = text.find(search, from)) {
    out.append(text.substr(from, at - from)).append(replacement);
    from = at + search.size();
  }
  return out.append(text.substr(from));
}

std::string Translate(std::string_view text, std::string_view from, std::string_view to) {
  std::vector<std::pair<uint32_t, int64_t>> map;  // To -1: the character is dropped.
  size_t to_at = 0;
  for (size_t at = 0; at < from.size(); at += CodePointSize(from[at])) {
    const uint32_t code = CodePointAt(from, at);
    int64_t target = -1;
    if (to_at < to.size()) {
      target = CodePointAt(to, to_at);
      to_at += CodePointSize(to[to_at]);
    }
    // Of repeated characters the first counts.
    if (std::none_of(map.begin(), map.end(),
                     [&](const auto& entry) { return entry.first == code; }))
      map.emplace_back(code, target);
  }
  std::string out;
  for (size_t at = 0; at < text.size(); at += CodePointSize(text[at])) {
    const uint32_t code = CodePointAt(text, at);
    const auto found = std::find_if(map.begin(), map.end(),
                                    [&](const auto& entry) { return entry.first == code; });
    if (found == map.end()) {
      out += text.substr(at, CodePointSize(text[at]));
    } else if (found->second >= 0) {
      AppendCodePoint(static_cast<uint32_t>(found->second), &out);
    }
  }
  return out;
}

/// 1-based place of `search` at or after character `position`; 0 if there is none.
int32_t Locate(std::string_view search, std::string_view text, int32_t position) {
  if (position < 1) return 0;
  if (search.empty()) return 1;
  const size_t from = ByteOffset(text, position - 1);
  const size_t found = text.find(search, from);
  if (found == std::string_view::npos) return 0;
  return static_cast<int32_t>(CountCodePoints(text.substr(0, found))) + 1;
}

int32_t FindInSet(std::string_view word, std::string_view set) {
  if (word.find(',') != std::string_view::npos) return 0;
  int32_t place = 1;
  for (size_t from = 0;; ++place) {
    const size_t comma = set.find(',', from);
    if (set.substr(from, comma == std::string_view::npos ? comma : comma - from) == word)
      return place;
    if (comma == std::string_view::npos) return 0;
    from = comma + 1;
  }
}

std::string_view OverlayPart(std::string_view text, int64_t from, int64_t count, bool bytes) {
  if (count <= 0) return {};
  const auto position = static_cast<int32_t>(std::clamp<int64_t>(
      from, std::numeric_limits<int32_t>::min(), std::numeric_limits<int32_t>::max()));
  const auto length =
      static_cast<int32_t>(std::min<int64_t>(count, std::numeric_limits<int32_t>::max()));
  return bytes ? SubstringOfBytes(text, position, length) : SubstringOfText(text, position, length);
}

std::string Overlay(std::string_view text, std::string_view replacement, int32_t position,
                    int32_t length, bool bytes) {
  const int64_t cut = length >= 0 ? length
                      : bytes     ? static_cast<int64_t>(replacement.size())
                                  : CountCodePoints(replacement);
  std::string out(OverlayPart(text, 1, int64_t{position} - 1, bytes));
  out += replacement;
  const int64_t rest = int64_t{position} + cut;
  return out.append(OverlayPart(text, rest, std::numeric_limits<int32_t>::max(), bytes));
}

ScalarKernel BindOverlay(ScalarCall& call) {
  const LogicalType type =
      call.type(0).id() == duckdb::LogicalTypeId::BLOB ? LogicalType::BLOB : kText;
  return BindTextOrBytes<std::string_view, int32_t, int32_t>(
      call, {type, kInt, kInt},
      [](std::string_view text, std::string_view r, int32_t p, int32_t l) {
        return Overlay(text, r, p, l, false);
      },
      [](std::string_view bytes, std::string_view r, int32_t p, int32_t l) {
        return Overlay(bytes, r, p, l, true);
      });
}

std::string SplitPart(std::string_view text, std::string_view delimiter, int32_t part) {
  std::vector<std::string_view> parts;
  if (delimiter.empty()) {
    parts.push_back(text);
  } else {
    size_t from = 0;
    for (size_t at = text.find(delimiter); at != std::string_view::npos;
         at = text.find(delimiter, from)) {
      parts.push_back(text.substr(from, at - from));
      from = at + delimiter.size();
    }
    parts.push_back(text.substr(from));
  }
  const auto count = static_cast<int64_t>(parts.size());
  const int64_t index = part > 0 ? part - 1 : count + part;
  return index < 0 || index >= count ? std::string()
                                     : std::string(parts[static_cast<size_t>(index)]);
}

ScalarKernel BindSplitPart(ScalarCall& call) {
  const CallSite site = call.Context(3);
  call.Expect(0, kText);
  call.Expect(1, kText);
  call.Expect(2, kInt);
  call.Returns(kText);
  call.KeepArguments(3);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, std::string_view, int32_t>(
        arguments, result, [&](std::string_view text, std::string_view delimiter, int32_t part) {
          if (part == 0) site.Throw(Error(ErrorClass::INVALID_INDEX_OF_ZERO));
          return SplitPart(text, delimiter, part);
        });
  };
}

/// mg_mask(text, upper, lower, digit, other): NULL keeps the characters of a kind.
ScalarKernel BindMask(ScalarCall& call) {
  for (size_t i = 0; i < 5; ++i) call.Expect(i, kText);
  call.Returns(kText);
  call.KeepArguments(5);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const duckdb::idx_t count = arguments.size();
    std::array<duckdb::UnifiedVectorFormat, 5> columns;
    for (size_t i = 0; i < 5; ++i) arguments.data[i].ToUnifiedFormat(count, columns[i]);
    FlatResult out(result, false);
    for (duckdb::idx_t row = 0; row < count; ++row) {
      std::array<std::optional<std::string_view>, 5> cells;
      for (size_t i = 0; i < 5; ++i) {
        const auto at = columns[i].sel->get_index(row);
        if (columns[i].validity.RowIsValid(at))
          cells[i] = Cell<std::string_view>::Read(columns[i], at);
      }
      if (!cells[0]) {
        out.SetNull(row);
        continue;
      }
      std::string text;
      for (size_t at = 0; at < cells[0]->size(); at += CodePointSize((*cells[0])[at])) {
        const uint32_t code = CodePointAt(*cells[0], at);
        const size_t kind = IsUpperCase(code)            ? 1
                            : IsLowerCase(code)          ? 2
                            : code >= '0' && code <= '9' ? 3
                                                         : 4;
        text += cells[kind] ? *cells[kind] : cells[0]->substr(at, CodePointSize((*cells[0])[at]));
      }
      Cell<std::string>::Write(out, row, text);
    }
  };
}

std::string Quote(std::string_view text) {
  std::string out = "'";
  for (const char c : text) {
    if (c == '\'') out += '\\';
    out += c;
  }
  return out + "'";
}

bool LuhnCheck(std::string_view digits) {
  if (digits.empty()) return false;
  int sum = 0;
  bool twice = false;
  for (size_t i = digits.size(); i > 0; --i, twice = !twice) {
    const char c = digits[i - 1];
    if (c < '0' || c > '9') return false;
    int digit = c - '0';
    if (twice) digit = digit * 2 > 9 ? digit * 2 - 9 : digit * 2;
    sum += digit;
  }
  return sum % 10 == 0;
}

void AddPlainFunctions(FunctionRegistry& registry) {
  using Text = std::string_view;
  Add<Text>(registry, "mg_upper", {kText}, kText, ToUpper);
  Add<Text>(registry, "mg_lower", {kText}, kText, ToLower);
  Add<Text>(registry, "mg_initcap", {kText}, kText, InitCap);
  Add<Text>(registry, "mg_reverse", {kText}, kText, Reverse);
  Add<Text>(registry, "mg_soundex", {kText}, kText, Soundex);
  Add<Text>(registry, "mg_quote", {kText}, kText, Quote);
  Add<Text>(registry, "mg_luhn_check", {kText}, LogicalType::BOOLEAN, LuhnCheck);
  Add<Text>(registry, "mg_ascii", {kText}, kInt, [](Text text) {
    return text.empty() ? 0 : static_cast<int32_t>(CodePointAt(text, 0));
  });
  Add<int64_t>(registry, "mg_char", {LogicalType::BIGINT}, kText, [](int64_t code) {
    std::string out;
    if (code >= 0) AppendCodePoint(static_cast<uint32_t>(code & 0xFF), &out);
    return out;
  });
  Add<int32_t>(registry, "mg_space", {kInt}, kText,
               [](int32_t n) { return std::string(static_cast<size_t>(std::max(n, 0)), ' '); });
  Add<Text, int32_t>(registry, "mg_right", {kText, kInt}, kText, RightOfText);
  Add<Text, Text, int32_t>(registry, "mg_substring_index", {kText, kText, kInt}, kText,
                           SubstringIndex);
  Add<Text, Text, Text>(registry, "mg_replace", {kText, kText, kText}, kText, Replace);
  Add<Text, Text, Text>(registry, "mg_translate", {kText, kText, kText}, kText, Translate);
  Add<Text, Text, int32_t>(registry, "mg_locate", {kText, kText, kInt}, kInt, Locate);
  Add<Text, Text>(registry, "mg_instr", {kText, kText}, kInt,
                  [](Text text, Text search) { return Locate(search, text, 1); });
  Add<Text, Text>(registry, "mg_find_in_set", {kText, kText}, kInt, FindInSet);
  Add<Text, Text>(registry, "mg_levenshtein", {kText, kText}, kInt,
                  [](Text a, Text b) { return Levenshtein(a, b); });
  Add<Text, Text, int32_t>(registry, "mg_levenshtein_threshold", {kText, kText, kInt}, kInt,
                           [](Text a, Text b, int32_t threshold) {
                             const int32_t distance = Levenshtein(a, b);
                             return distance > threshold ? -1 : distance;
                           });
}

/// Length in characters of VARCHAR, in bytes of BLOB.
ScalarKernel BindLength(ScalarCall& call) {
  call.Returns(kInt);
  call.KeepArguments(1);
  call.NeverFails();
  if (call.type(0).id() == duckdb::LogicalTypeId::BLOB) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<std::string_view>(arguments, result, [](std::string_view bytes) {
        return static_cast<int32_t>(bytes.size());
      });
    };
  }
  call.Expect(0, kText);
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view>(arguments, result, [](std::string_view text) {
      return static_cast<int32_t>(CountCodePoints(text));
    });
  };
}

/// A comparison of VARCHARs or BLOBs that gives BOOLEAN.
template <typename F>
ScalarKernel BindTextTest(ScalarCall& call, F f) {
  const LogicalType type =
      call.type(0).id() == duckdb::LogicalTypeId::BLOB ? LogicalType::BLOB : kText;
  call.Expect(0, type);
  call.Expect(1, type);
  call.Returns(LogicalType::BOOLEAN);
  call.KeepArguments(2);
  call.NeverFails();
  return [f](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<std::string_view, std::string_view>(arguments, result, f);
  };
}

}  // namespace

void RegisterStringFunctions(FunctionRegistry& registry) {
  AddPlainFunctions(registry);
  registry.Add("mg_substring", BindSubstring);
  registry.Add("mg_left", BindLeft);
  registry.Add("mg_trim", [](ScalarCall& call) { return BindTrim(call, TrimSide::kBoth); });
  registry.Add("mg_ltrim", [](ScalarCall& call) { return BindTrim(call, TrimSide::kLeft); });
  registry.Add("mg_rtrim", [](ScalarCall& call) { return BindTrim(call, TrimSide::kRight); });
  registry.Add("mg_lpad", [](ScalarCall& call) { return BindPad(call, true); });
  registry.Add("mg_rpad", [](ScalarCall& call) { return BindPad(call, false); });
  registry.Add("mg_repeat", [](ScalarCall& call) {
    const auto repeat = [](std::string_view text, int32_t n) {
      const size_t length = text.size() * static_cast<size_t>(std::max(n, 0));
      if (length > kLongestText) throw duckdb::OutOfMemoryException("a text of 2 GiB");
      std::string out;
      out.reserve(length);
      for (int32_t i = 0; i < n; ++i) out += text;
      return out;
    };
    return BindTextOrBytes<int32_t>(call, {kInt}, repeat, repeat);
  });
  registry.Add("mg_reverse_bytes", {LogicalType::BLOB}, LogicalType::BLOB,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<std::string_view>(arguments, result, [](std::string_view bytes) {
                   return std::string(bytes.rbegin(), bytes.rend());
                 });
               });
  registry.Add("mg_overlay", BindOverlay);
  registry.Add("mg_split_part", BindSplitPart);
  registry.Add("mg_mask", BindMask);
  registry.Add("mg_length", BindLength);
  registry.Add("mg_contains", [](ScalarCall& call) {
    return BindTextTest(call, [](std::string_view text, std::string_view part) {
      return text.find(part) != std::string_view::npos;
    });
  });
  registry.Add("mg_startswith", [](ScalarCall& call) {
    return BindTextTest(call, [](std::string_view text, std::string_view part) {
      return text.substr(0, part.size()) == part;
    });
  });
  registry.Add("mg_endswith", [](ScalarCall& call) {
    return BindTextTest(call, [](std::string_view text, std::string_view part) {
      return text.size() >= part.size() && text.substr(text.size() - part.size()) == part;
    });
  });
}

}  // namespace merganser::engine
