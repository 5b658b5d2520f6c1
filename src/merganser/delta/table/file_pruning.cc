#include "merganser/delta/table/file_pruning.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "merganser/delta/schema/column_mapping.h"

namespace merganser {
namespace {

/// What is known of a column in one file: its bounds, and whether it has NULLs and other values.
struct ColumnBounds {
  const Scalar* min = nullptr;
  const Scalar* max = nullptr;
  bool may_be_null = true;
  bool may_be_value = true;
  /// NaN, which is above every number, may be there in spite of `max`.
  bool may_be_nan = false;
};

bool Above(const Scalar& left, const Scalar& right) {
  return Compare(left, right) == std::partial_ordering::greater;
}
bool Below(const Scalar& left, const Scalar& right) {
  return Compare(left, right) == std::partial_ordering::less;
}
bool Equal(const Scalar& left, const Scalar& right) {
  return Compare(left, right) == std::partial_ordering::equivalent;
}

bool IsNan(const Scalar& value) {
  return value.type().is_floating() && !value.is_null() && std::isnan(value.floating());
}

bool MayEqual(const ColumnBounds& bounds, const Scalar& value) {
  if (!bounds.may_be_value) return false;
  if (bounds.min != nullptr && Above(*bounds.min, value)) return false;
  if (bounds.may_be_nan && IsNan(value)) return true;
  return !(bounds.max != nullptr && Above(value, *bounds.max));
}

/// Is one of the sorted values within the bounds? Gaps between values count: a file between two
/// keys holds neither.
bool MayBeIn(const ColumnBounds& bounds, const std::vector<Scalar>& values) {
  if (!bounds.may_be_value) return false;
  const auto first = bounds.min == nullptr
                         ? values.begin()
                         : std::ranges::partition_point(
                               values, [&](const Scalar& v) { return Below(v, *bounds.min); });
  return first != values.end() &&
         (MayEqual(bounds, *first) || (bounds.may_be_nan && IsNan(values.back())));
}

/// Is every prefix-match of `prefix` outside the bounds?
bool MayStartWith(const ColumnBounds& bounds, const Scalar& prefix) {
  if (!bounds.may_be_value) return false;
  if (!prefix.type().is_string()) return true;
  if (bounds.max != nullptr && bounds.max->type().is_string() && bounds.max->text() < prefix.text())
    return false;
  if (bounds.min != nullptr && bounds.min->type().is_string()) {
    const std::string& min = bounds.min->text();
    if (min.substr(0, prefix.text().size()) > prefix.text()) return false;
  }
  return true;
}

bool MayMatchBounds(const ColumnPredicate& predicate, const ColumnBounds& bounds) {
  switch (predicate.op) {
    case PredicateOperator::kIsNull:
      return bounds.may_be_null;
    case PredicateOperator::kIsNotNull:
      return bounds.may_be_value;
    case PredicateOperator::kIn:
      return MayBeIn(bounds, predicate.values);
    default:
      break;
  }
  const Scalar& value = predicate.values[0];
  if (value.is_null())
    return predicate.op == PredicateOperator::kNullSafeEqual && bounds.may_be_null;
  if (!bounds.may_be_value) return false;
  switch (predicate.op) {
    case PredicateOperator::kEqual:
    case PredicateOperator::kNullSafeEqual:
      return MayEqual(bounds, value);
    case PredicateOperator::kNotEqual:
      return bounds.min == nullptr || bounds.max == nullptr || bounds.may_be_nan ||
             !Equal(*bounds.min, value) || !Equal(*bounds.max, value);
    case PredicateOperator::kLess:
      return bounds.min == nullptr || !(Above(*bounds.min, value) || Equal(*bounds.min, value));
    case PredicateOperator::kLessOrEqual:
      return bounds.min == nullptr || !Above(*bounds.min, value);
    case PredicateOperator::kGreater:
      return bounds.max == nullptr || bounds.may_be_nan ||
             !(Below(*bounds.max, value) || Equal(*bounds.max, value));
    case PredicateOperator::kGreaterOrEqual:
      return bounds.max == nullptr || bounds.may_be_nan || !Below(*bounds.max, value);
    case PredicateOperator::kStartsWith:
      return MayStartWith(bounds, value);
    default:
      return true;
  }
}

/// A single value's bounds are itself.
ColumnBounds BoundsOf(const Scalar& value) {
  if (value.is_null()) return {nullptr, nullptr, true, false, false};
  return {&value, &value, false, true, false};
}

ColumnBounds BoundsOf(const ColumnStatistics& statistics, const FileStatistics& file) {
  ColumnBounds bounds;
  bounds.min = statistics.min ? &*statistics.min : nullptr;
  bounds.max = statistics.max ? &*statistics.max : nullptr;
  // Not every writer counts NaN among the values.
  bounds.may_be_nan = statistics.max && (statistics.max->type().is(TypeId::kFloat) ||
                                         statistics.max->type().is(TypeId::kDouble));
  if (!statistics.null_count) return bounds;
  bounds.may_be_null = *statistics.null_count > 0;
  // Rows hidden by a deletion vector are still counted: "all NULL" holds for what is left, too.
  if (file.num_records) bounds.may_be_value = *statistics.null_count < *file.num_records;
  return bounds;
}

/// Sort the values of an IN; false if they cannot be put in an order.
bool SortValues(std::vector<Scalar>* values) {
  const auto comparable = [&](const Scalar& value) {
    return Compare(values->front(), value) != std::partial_ordering::unordered;
  };
  if (!std::ranges::all_of(*values, comparable)) return false;
  if (!std::ranges::is_sorted(*values, Below)) std::ranges::sort(*values, Below);
  return true;
}

const StructField* FindField(const StructType& schema, const std::vector<std::string>& path) {
  const StructType* level = &schema;
  const StructField* field = nullptr;
  for (const std::string& name : path) {
    field = level == nullptr ? nullptr : level->Find(name);
    if (field == nullptr) return nullptr;
    level = field->type.is(TypeId::kStruct) ? &field->type.fields() : nullptr;
  }
  return field;
}

FieldPath PhysicalPath(const StructType& schema, const std::vector<std::string>& path,
                       ColumnMappingMode mode) {
  FieldPath physical;
  const StructType* level = &schema;
  for (const std::string& name : path) {
    const StructField* field = level->Find(name);
    physical.push_back(PhysicalName(*field, mode));
    if (field->type.is(TypeId::kStruct)) level = &field->type.fields();
  }
  return physical;
}

std::optional<std::string_view> ValueOf(const PartitionValues& values, std::string_view column) {
  for (const auto& [name, value] : values) {
    if (name == column) return value ? std::optional<std::string_view>(*value) : std::nullopt;
  }
  return std::nullopt;
}

}  // namespace

FilePruner::FilePruner(const Snapshot& snapshot, FilePredicate predicate,
                       LocalToInstant local_to_instant)
    : local_to_instant_(std::move(local_to_instant)) {
  const ColumnMappingMode mode = snapshot.column_mapping_mode();
  std::vector<StatisticsColumn> columns;
  for (ColumnPredicate& conjunct : predicate.conjuncts) {
    const StructField* field = FindField(snapshot.schema(), conjunct.column);
    if (field == nullptr) continue;
    if (conjunct.op == PredicateOperator::kIn && !SortValues(&conjunct.values)) continue;
    Conjunct entry{std::move(conjunct), field->type, {}, 0};
    if (entry.predicate.column.size() == 1 && snapshot.is_partition_column(field->name)) {
      entry.partition_column = PhysicalName(*field, mode);
      partition_conjuncts_.push_back(std::move(entry));
      continue;
    }
    FieldPath path = PhysicalPath(snapshot.schema(), entry.predicate.column, mode);
    const auto same = std::ranges::find(columns, path, &StatisticsColumn::path);
    entry.statistics_index = static_cast<size_t>(same - columns.begin());
    if (same == columns.end())
      columns.push_back({std::move(path), field->type, /*has_bounds=*/true});
    statistics_conjuncts_.push_back(std::move(entry));
  }
  reader_ = std::make_unique<StatisticsReader>(std::move(columns));
}

bool FilePruner::PartitionMayMatch(const PartitionValues& values) const {
  return std::ranges::all_of(partition_conjuncts_, [&](const Conjunct& conjunct) {
    const auto value = ParsePartitionValue(
        conjunct.type, ValueOf(values, conjunct.partition_column), local_to_instant_);
    return !value.ok() || MayMatchBounds(conjunct.predicate, BoundsOf(*value));
  });
}

bool FilePruner::PartitionMayMatch(const FileView& file) const {
  return std::ranges::all_of(partition_conjuncts_, [&](const Conjunct& conjunct) {
    const auto value = ParsePartitionValue(
        conjunct.type, file.partition_value(conjunct.partition_column), local_to_instant_);
    return !value.ok() || MayMatchBounds(conjunct.predicate, BoundsOf(*value));
  });
}

bool FilePruner::PartitionSurelyMatches(const PartitionValues& values) const {
  if (!partition_only()) return false;
  return std::ranges::all_of(partition_conjuncts_, [&](const Conjunct& conjunct) {
    const auto value = ParsePartitionValue(
        conjunct.type, ValueOf(values, conjunct.partition_column), local_to_instant_);
    // One value has one answer: it may match exactly if it does. An unreadable one is unknown.
    return value.ok() && MayMatchBounds(conjunct.predicate, BoundsOf(*value));
  });
}

bool FilePruner::StatisticsMayMatch(std::string_view stats) const {
  if (statistics_conjuncts_.empty() || stats.empty()) return true;
  if (!reader_->Read(stats, &statistics_)) return true;
  return std::ranges::all_of(statistics_conjuncts_, [&](const Conjunct& conjunct) {
    return MayMatchBounds(conjunct.predicate,
                          BoundsOf(statistics_.columns[conjunct.statistics_index], statistics_));
  });
}

bool FilePruner::MayMatch(const FileView& file) const {
  return PartitionMayMatch(file) && StatisticsMayMatch(file.stats());
}

bool FilePruner::MayMatch(const AddFile& file) const {
  return PartitionMayMatch(file.partition_values) &&
         StatisticsMayMatch(file.stats ? std::string_view(*file.stats) : std::string_view());
}

FileSelection PruneFiles(const Snapshot& snapshot, const FilePredicate& predicate,
                         const LocalToInstant& local_to_instant) {
  FileSelection selection;
  selection.total_files = snapshot.files().size();
  selection.total_bytes = snapshot.files().total_bytes();
  const FilePruner pruner(snapshot, predicate, local_to_instant);
  snapshot.files().ForEach([&](const FileView& file) {
    if (!pruner.PartitionMayMatch(file)) return;
    ++selection.files_after_partition_pruning;
    if (!pruner.StatisticsMayMatch(file.stats())) return;
    selection.files.push_back(file);
    selection.selected_bytes += file.size();
  });
  return selection;
}

std::optional<int64_t> CountRows(const Snapshot& snapshot) {
  int64_t rows = 0;
  bool known = true;
  snapshot.files().ForEach([&](const FileView& file) {
    const auto records = ParseNumRecords(file.stats());
    if (!records) known = false;
    rows += records.value_or(0);
    if (const auto vector = file.deletion_vector()) rows -= vector->cardinality;
  });
  return known ? std::optional(rows) : std::nullopt;
}

}  // namespace merganser
