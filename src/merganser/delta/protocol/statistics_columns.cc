#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

/// "a, b.`c d`" as lower-case paths.
std::vector<FieldPath> ParseColumnList(std::string_view text) {
  std::vector<FieldPath> paths;
  FieldPath path;
  std::string part;
  bool quoted = false;
  bool was_quoted = false;
  const auto end_part = [&] {
    if (!was_quoted) {
      while (part.ends_with(' ')) part.pop_back();
    }
    if (!part.empty()) path.push_back(AsciiLowerCase(part));
    part.clear();
    was_quoted = false;
  };
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    if (quoted) {
      if (c != '`') {
        part.push_back(c);
      } else if (i + 1 < text.size() && text[i + 1] == '`') {
        part.push_back('`');
        ++i;
      } else {
        quoted = false;
      }
    } else if (c == '`') {
      quoted = was_quoted = true;
    } else if (c == '.' || c == ',') {
      end_part();
      if (c == ',' && !path.empty()) paths.push_back(std::exchange(path, {}));
    } else if (!was_quoted && !(part.empty() && c == ' ')) {
      part.push_back(c);
    }
  }
  end_part();
  if (!path.empty()) paths.push_back(std::move(path));
  return paths;
}

bool HasBounds(const DataType& type) {
  return type.is_numeric() || type.is_string() || type.is(TypeId::kDate) ||
         type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz);
}

/// Walks the leaves of a schema in order and keeps those that were chosen.
class LeafCollector {
 public:
  LeafCollector(ColumnMappingMode mode, std::optional<std::vector<FieldPath>> chosen, int64_t limit)
      : mode_(mode), chosen_(std::move(chosen)), limit_(limit) {}

  void Visit(const StructType& fields) {
    for (const StructField& field : fields) {
      if (full()) return;
      VisitField(field);
    }
  }
  bool full() const { return limit_ >= 0 && static_cast<int64_t>(columns_.size()) >= limit_; }
  void VisitField(const StructField& field) {
    logical_.push_back(AsciiLowerCase(field.name));
    physical_.push_back(PhysicalName(field, mode_));
    if (field.type.is(TypeId::kStruct)) {
      Visit(field.type.fields());
    } else if (IsChosen()) {
      columns_.push_back({physical_, field.type, HasBounds(field.type)});
    }
    logical_.pop_back();
    physical_.pop_back();
  }
  std::vector<StatisticsColumn> Take() { return std::move(columns_); }

 private:
  /// The path or one of the structs around it is in the list.
  bool IsChosen() const {
    if (!chosen_) return true;
    return std::any_of(chosen_->begin(), chosen_->end(), [&](const FieldPath& path) {
      return path.size() <= logical_.size() &&
             std::equal(path.begin(), path.end(), logical_.begin());
    });
  }

  ColumnMappingMode mode_;
  std::optional<std::vector<FieldPath>> chosen_;
  int64_t limit_;
  FieldPath logical_;
  FieldPath physical_;
  std::vector<StatisticsColumn> columns_;
};

}  // namespace

std::vector<StatisticsColumn> StatisticsColumns(const StructType& schema,
                                                const std::vector<std::string>& partition_columns,
                                                const TableProperties& properties) {
  std::optional<std::vector<FieldPath>> chosen;
  int64_t limit = properties.data_skipping_num_indexed_columns();
  if (const auto list = properties.data_skipping_stats_columns()) {
    chosen = ParseColumnList(*list);
    limit = -1;
  }
  LeafCollector collector(properties.column_mapping_mode(), std::move(chosen), limit);
  for (const StructField& field : schema) {
    const bool is_partition = std::any_of(
        partition_columns.begin(), partition_columns.end(), [&](const std::string& name) {
          return AsciiLowerCase(name) == AsciiLowerCase(field.name);
        });
    if (!is_partition && !collector.full()) collector.VisitField(field);
  }
  return collector.Take();
}

}  // namespace merganser
