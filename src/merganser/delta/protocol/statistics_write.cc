#include <algorithm>
#include <cmath>
#include <functional>
#include <string>
#include <string_view>

#include "merganser/base/java_double.h"
#include "merganser/base/json.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

size_t SequenceLength(char lead) {
  const auto byte = static_cast<unsigned char>(lead);
  return byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
}

/// UTF-16 units of the character whose first byte is `lead`.
int Utf16Units(char lead) { return SequenceLength(lead) == 4 ? 2 : 1; }

/// As Java's BigDecimal prints: plain unless the number has many zeros after the point.
std::string JavaDecimal(Int128 unscaled, int scale) {
  std::string digits = FormatDecimal(unscaled, 0);
  const bool negative = digits.starts_with('-');
  if (negative) digits.erase(0, 1);
  const int adjusted = -scale + static_cast<int>(digits.size()) - 1;
  if (adjusted >= -6) return FormatDecimal(unscaled, scale);
  if (digits.size() > 1) digits.insert(1, ".");
  return (negative ? "-" : "") + digits + "E" + std::to_string(adjusted);
}

/// The bound as a JSON value; empty if it cannot be written.
std::string BoundJson(const Scalar& value, bool is_maximum) {
  std::string out;
  switch (value.type().id()) {
    case TypeId::kBoolean:
      return value.boolean() ? "true" : "false";
    case TypeId::kFloat:
    case TypeId::kDouble: {
      std::string text = ToString(value);
      if (std::isfinite(value.floating())) return text;
      return "\"" + text + "\"";
    }
    case TypeId::kDecimal:
      return JavaDecimal(value.decimal(), value.type().scale());
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar: {
      const auto text =
          is_maximum ? TruncateMaximum(value.text()) : std::optional(TruncateMinimum(value.text()));
      if (text) AppendJsonString(*text, &out);
      return out;
    }
    case TypeId::kDate:
      return "\"" + FormatDate(value.integral()) + "\"";
    case TypeId::kTimestamp:
      return "\"" + FormatTimestamp(value.integral(), 'T', FractionDigits::kMillis) + "Z\"";
    case TypeId::kTimestampNtz:
      return "\"" + FormatTimestamp(value.integral(), 'T', FractionDigits::kMillis) + "\"";
    default:
      if (value.type().is_integral()) return std::to_string(value.integral());
      return {};
  }
}

/// Writes one object in the shape of the columns: `value` gives the JSON of a leaf, empty for none.
class ShapeWriter {
 public:
  using Leaf = std::function<std::string(const StatisticsColumn&)>;

  ShapeWriter(const std::vector<const StatisticsColumn*>& columns, Leaf leaf, std::string* out)
      : columns_(columns), leaf_(std::move(leaf)), out_(out) {}

  /// Columns [begin, end) share the first `depth` names of their paths.
  void Object(size_t begin, size_t end, size_t depth) {
    out_->push_back('{');
    while (begin < end) {
      const std::string& name = columns_[begin]->path[depth];
      size_t next = begin + 1;
      while (next < end && columns_[next]->path[depth] == name) ++next;
      if (columns_[begin]->path.size() > depth + 1) {
        Key(name);
        Object(begin, next, depth + 1);
      } else if (const std::string value = leaf_(*columns_[begin]); !value.empty()) {
        Key(name);
        out_->append(value);
      }
      begin = next;
    }
    out_->push_back('}');
  }

 private:
  void Key(const std::string& name) {
    if (out_->back() != '{') out_->push_back(',');
    AppendJsonString(name, out_);
    out_->push_back(':');
  }

  const std::vector<const StatisticsColumn*>& columns_;
  Leaf leaf_;
  std::string* out_;
};

}  // namespace

const ColumnStatistics* FileStatistics::Find(const FieldPath& path) const {
  const auto found =
      std::find_if(columns.begin(), columns.end(),
                   [&](const ColumnStatistics& column) { return column.path == path; });
  return found == columns.end() ? nullptr : &*found;
}

std::string ToJson(const FileStatistics& statistics, const std::vector<StatisticsColumn>& columns) {
  std::vector<const StatisticsColumn*> all;
  std::vector<const StatisticsColumn*> bounded;
  for (const StatisticsColumn& column : columns) {
    all.push_back(&column);
    if (column.has_bounds) bounded.push_back(&column);
  }
  const auto member = [](std::string_view name, std::string* out) {
    if (out->back() != '{') out->push_back(',');
    AppendJsonString(name, out);
    out->push_back(':');
  };
  const auto bounds = [&](bool is_maximum) {
    return [&statistics, is_maximum](const StatisticsColumn& column) -> std::string {
      const ColumnStatistics* found = statistics.Find(column.path);
      if (found == nullptr) return {};
      const std::optional<Scalar>& bound = is_maximum ? found->max : found->min;
      return bound && !bound->is_null() ? BoundJson(*bound, is_maximum) : std::string();
    };
  };
  const auto nulls = [&statistics](const StatisticsColumn& column) -> std::string {
    const ColumnStatistics* found = statistics.Find(column.path);
    return found != nullptr && found->null_count ? std::to_string(*found->null_count)
                                                 : std::string();
  };

  std::string out = "{";
  if (statistics.num_records) {
    member("numRecords", &out);
    out += std::to_string(*statistics.num_records);
  }
  if (!bounded.empty()) {
    member("minValues", &out);
    ShapeWriter(bounded, bounds(false), &out).Object(0, bounded.size(), 0);
    member("maxValues", &out);
    ShapeWriter(bounded, bounds(true), &out).Object(0, bounded.size(), 0);
  }
  if (!all.empty()) {
    member("nullCount", &out);
    ShapeWriter(all, nulls, &out).Object(0, all.size(), 0);
  }
  if (statistics.tight_bounds) {
    member("tightBounds", &out);
    out += *statistics.tight_bounds ? "true" : "false";
  }
  out.push_back('}');
  return out;
}

std::string TruncateMinimum(std::string_view value) {
  size_t bytes = 0;
  for (int count = 0; count < kStatisticsStringPrefix && bytes < value.size(); ++count) {
    bytes += SequenceLength(value[bytes]);
  }
  return std::string(value.substr(0, bytes));
}

std::optional<std::string> TruncateMaximum(std::string_view value) {
  constexpr std::string_view kLargestCharacter = "\xF4\x8F\xBF\xBF";
  constexpr char kLargestAscii = '\x7f';
  size_t bytes = 0;
  int units = 0;
  while (units < kStatisticsStringPrefix && bytes < value.size()) {
    units += Utf16Units(value[bytes]);
    bytes += SequenceLength(value[bytes]);
  }
  while (units <= 2 * kStatisticsStringPrefix) {
    if (bytes >= value.size()) return std::string(value);
    const std::string_view rest = value.substr(bytes);
    if (rest.starts_with(kLargestCharacter)) {
      // Nothing is above this character, so it stays and the next one decides.
      bytes += kLargestCharacter.size();
      units += 2;
    } else if (static_cast<unsigned char>(rest.front()) <
               static_cast<unsigned char>(kLargestAscii)) {
      return std::string(value.substr(0, bytes)) + kLargestAscii;
    } else {
      return std::string(value.substr(0, bytes)).append(kLargestCharacter);
    }
  }
  return std::nullopt;
}

}  // namespace merganser
