#include <charconv>
#include <limits>
#include <optional>
#include <string>
#include <utility>

#include "merganser/base/json_reader.h"
#include "merganser/delta/protocol/statistics.h"
#include "merganser/delta/schema/calendar_text.h"

namespace merganser {
namespace {

/// A field of the schema that statistics can have, with those below it.
struct Node {
  std::string name;
  int column = -1;  // Into the columns asked for; -1 for structs.
  std::vector<Node> children;

  Node& Child(const std::string& child) {
    for (Node& node : children) {
      if (node.name == child) return node;
    }
    return children.emplace_back(Node{child, -1, {}});
  }
  const Node* Find(std::string_view child) const {
    for (const Node& node : children) {
      if (node.name == child) return &node;
    }
    return nullptr;
  }
};

std::optional<int64_t> ToInteger(std::string_view text) {
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

std::optional<double> ToDouble(std::string_view text) {
  if (text == "NaN") return std::numeric_limits<double>::quiet_NaN();
  if (text == "Infinity" || text == "+Infinity") return std::numeric_limits<double>::infinity();
  if (text == "-Infinity") return -std::numeric_limits<double>::infinity();
  double value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

enum class Bound { kMinimum, kMaximum };

/// Timestamps are cut to milliseconds, so a maximum may lie up to 999 microseconds above its text.
int64_t Enclose(int64_t micros, Bound bound) {
  return bound == Bound::kMaximum && micros % 1000 == 0 && micros <= INT64_MAX - 999 ? micros + 999
                                                                                     : micros;
}

/// The value that `text`, a JSON string's contents or another scalar's text, has in a column.
std::optional<Scalar> ToScalar(const DataType& type, std::string_view text, bool is_string,
                               Bound bound) {
  switch (type.id()) {
    case TypeId::kBoolean:
      if (text == "true" || text == "false") return Scalar::Boolean(text == "true");
      return std::nullopt;
    case TypeId::kByte:
    case TypeId::kShort:
    case TypeId::kInteger:
    case TypeId::kLong:
      if (const auto value = ToInteger(text)) return Scalar::Integral(type, *value);
      return std::nullopt;
    case TypeId::kFloat:
      if (const auto value = ToDouble(text)) return Scalar::Float(static_cast<float>(*value));
      return std::nullopt;
    case TypeId::kDouble:
      if (const auto value = ToDouble(text)) return Scalar::Double(*value);
      return std::nullopt;
    case TypeId::kDecimal: {
      Int128 unscaled = 0;
      if (!ParseDecimal(text, type.precision(), type.scale(), &unscaled)) return std::nullopt;
      return Scalar::Decimal(type, unscaled);
    }
    case TypeId::kString:
    case TypeId::kChar:
    case TypeId::kVarchar:
      if (!is_string) return std::nullopt;
      return Scalar::String(std::string(text));
    case TypeId::kDate:
      if (const auto days = ParseDate(text)) return Scalar::Date(*days);
      return std::nullopt;
    case TypeId::kTimestamp:
      if (const auto parsed = ParseTimestamp(text)) {
        return Scalar::Timestamp(Enclose(parsed->instant().value_or(parsed->local_micros), bound));
      }
      return std::nullopt;
    case TypeId::kTimestampNtz:
      if (const auto parsed = ParseTimestamp(text))
        return Scalar::TimestampNtz(Enclose(parsed->local_micros, bound));
      return std::nullopt;
    default:
      return std::nullopt;
  }
}

}  // namespace

struct StatisticsReader::State {
  std::vector<StatisticsColumn> columns;
  Node root;
  JsonDocumentParser parser;

  /// Call `leaf(column, reader)` for the members of a nested object that were asked for.
  template <typename Leaf>
  bool Walk(const Node& node, JsonReader value, Leaf&& leaf) {
    if (value.is_null()) return true;
    if (!value.is_object()) return true;
    return value.Members([&](std::string_view key, JsonReader member) {
      const Node* child = node.Find(key);
      if (child == nullptr || member.is_null()) return true;
      if (child->column < 0) return Walk(*child, member, leaf);
      return leaf(static_cast<size_t>(child->column), member);
    });
  }

  bool ReadBounds(JsonReader value, Bound bound, FileStatistics* statistics) {
    return Walk(root, value, [&](size_t column, JsonReader member) {
      if (!columns[column].has_bounds && !columns[column].type.is(TypeId::kBoolean)) return true;
      const bool is_string = member.is_string();
      std::string_view text;
      if (is_string ? !member.Read(&text) : !member.ReadText(&text)) return false;
      ColumnStatistics& target = statistics->columns[column];
      (bound == Bound::kMinimum ? target.min : target.max) =
          ToScalar(columns[column].type, text, is_string, bound);
      return true;
    });
  }

  bool ReadNullCounts(JsonReader value, FileStatistics* statistics) {
    return Walk(root, value, [&](size_t column, JsonReader member) {
      std::string_view text;
      if (!member.ReadText(&text)) return false;
      statistics->columns[column].null_count = ToInteger(text);
      return true;
    });
  }
};

StatisticsReader::StatisticsReader(std::vector<StatisticsColumn> columns)
    : state_(std::make_unique<State>()) {
  state_->columns = std::move(columns);
  for (size_t i = 0; i < state_->columns.size(); ++i) {
    Node* node = &state_->root;
    for (const std::string& name : state_->columns[i].path) node = &node->Child(name);
    node->column = static_cast<int>(i);
  }
}

StatisticsReader::~StatisticsReader() = default;
StatisticsReader::StatisticsReader(StatisticsReader&&) noexcept = default;

bool StatisticsReader::Read(std::string_view json, FileStatistics* statistics) {
  statistics->num_records.reset();
  statistics->tight_bounds.reset();
  statistics->columns.resize(state_->columns.size());
  for (size_t i = 0; i < state_->columns.size(); ++i) {
    ColumnStatistics& column = statistics->columns[i];
    if (column.path != state_->columns[i].path) column.path = state_->columns[i].path;
    column.min.reset();
    column.max.reset();
    column.null_count.reset();
  }
  return state_->parser.Parse(json, [&](JsonReader root) {
    if (!root.is_object()) return false;
    return root.Members([&](std::string_view key, JsonReader member) {
      if (key == "minValues") return state_->ReadBounds(member, Bound::kMinimum, statistics);
      if (key == "maxValues") return state_->ReadBounds(member, Bound::kMaximum, statistics);
      if (key == "nullCount") return state_->ReadNullCounts(member, statistics);
      if (key != "numRecords" && key != "tightBounds") return true;
      std::string_view text;
      if (!member.ReadText(&text)) return false;
      if (key == "numRecords") {
        statistics->num_records = ToInteger(text);
      } else if (text == "true" || text == "false") {
        statistics->tight_bounds = text == "true";
      }
      return true;
    });
  });
}

std::optional<FileStatistics> ParseStatistics(std::string_view json,
                                              const std::vector<StatisticsColumn>& columns) {
  FileStatistics statistics;
  if (!StatisticsReader(columns).Read(json, &statistics)) return std::nullopt;
  std::erase_if(statistics.columns, [](const ColumnStatistics& column) {
    return !column.min && !column.max && !column.null_count;
  });
  return statistics;
}

std::optional<int64_t> ParseNumRecords(std::string_view json) {
  thread_local JsonDocumentParser parser;
  std::optional<int64_t> count;
  // Stops at the member, which writers put first; what follows it is not looked at.
  (void)parser.Parse(json, [&](JsonReader root) {
    return root.Members([&](std::string_view key, JsonReader member) {
      if (key != "numRecords") return true;
      std::string_view text;
      if (member.ReadText(&text)) count = ToInteger(text);
      return false;
    });
  });
  return count;
}

}  // namespace merganser
