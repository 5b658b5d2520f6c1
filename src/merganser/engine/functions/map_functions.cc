// Functions of maps, and sequence().
#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/cell_order.h"
#include "merganser/engine/functions/cell_text.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/regex.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/functions/time_columns.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using Format = duckdb::RecursiveUnifiedVectorFormat;

/// Turns rows of keys and values, by their places in two pools, into maps; refuses NULL and
/// repeated keys.
class MapBuilder {
 public:
  MapBuilder(const LogicalType& type, idx_t rows, const CallSite& site)
      : key_pool(duckdb::MapType::KeyType(type)),
        value_pool(duckdb::MapType::ValueType(type)),
        rows_(rows),
        site_(site) {}

  ElementPool key_pool;
  ElementPool value_pool;

  void Add(int64_t key_place, int64_t value_place) {
    keys_.push_back(key_place);
    values_.push_back(value_place);
  }
  void EndRow(idx_t) { ends_.emplace_back(keys_.size(), false); }
  void NullRow(idx_t) {
    const size_t begin = ends_.empty() ? 0 : ends_.back().first;
    keys_.resize(begin);
    values_.resize(begin);
    ends_.emplace_back(begin, true);
  }

  void Write(duckdb::Vector& result, bool constant) {
    const idx_t total = keys_.size();
    auto keys = key_pool.Take(keys_);
    CheckKeys(keys, total);
    FlatResult out(result, constant);
    idx_t begin = 0;
    for (idx_t row = 0; row < rows_; ++row) {
      out.data<duckdb::list_entry_t>()[row] = {begin, ends_[row].first - begin};
      if (ends_[row].second) out.SetNull(row);
      begin = ends_[row].first;
    }
    auto child = MakeVector(duckdb::ListType::GetChildType(result.GetType()), total);
    auto& parts = duckdb::StructVector::GetEntries(child);
    auto values = value_pool.Take(values_);
    parts[0]->Reference(keys);
    parts[1]->Reference(values);
    SetListChild(result, std::move(child), total);
  }

 private:
  void CheckKeys(duckdb::Vector& keys, idx_t total) const {
    if (total == 0) return;
    Format format;
    duckdb::Vector::RecursiveToUnifiedFormat(keys, total, format);
    duckdb::Vector hashes(LogicalType::HASH, total);
    duckdb::VectorOperations::Hash(keys, hashes, total);
    hashes.Flatten(total);
    CellSet seen(format, duckdb::FlatVector::GetData<duckdb::hash_t>(hashes));
    idx_t begin = 0;
    for (idx_t row = 0; row < rows_; ++row) {
      seen.Reset(ends_[row].first - begin);
      for (; begin < ends_[row].first; ++begin) {
        if (!format.unified.validity.RowIsValid(format.unified.sel->get_index(begin)))
          site_.Throw(Error(ErrorClass::NULL_MAP_KEY));
        if (seen.Insert(begin)) continue;
        std::string key;
        AppendCellText(FromLogicalType(keys.GetType()), format, begin,
                       TextStyle{TimeZone::Find("UTC"), true}, &key);
        site_.Throw(
            Error(ErrorClass::DUPLICATED_MAP_KEY,
                  {{"key", key}, {"mapKeyDedupPolicy", "\"spark.sql.mapKeyDedupPolicy\""}}));
      }
    }
  }

  idx_t rows_;
  const CallSite& site_;
  std::vector<int64_t> keys_;
  std::vector<int64_t> values_;
  std::vector<std::pair<idx_t, bool>> ends_;  // End of each row, and whether it is NULL.
};

/// mg_map_from_arrays(keys, values [, context]).
ScalarKernel BindMapFromArrays(ScalarCall& call) {
  const CallSite site = call.Context(2);
  call.Returns(LogicalType::MAP(duckdb::ListType::GetChildType(call.type(0)),
                                duckdb::ListType::GetChildType(call.type(1))));
  call.KeepArguments(2);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange range(arguments);
    const bool constant = range.constant;
    const idx_t rows = range.count;
    CompactLists keys(arguments.data[0], rows);
    CompactLists values(arguments.data[1], rows);
    MapBuilder builder(result.GetType(), rows, site);
    builder.key_pool.Add(keys.child(), keys.child_count());
    builder.value_pool.Add(values.child(), values.child_count());
    for (idx_t row = 0; row < rows; ++row) {
      const idx_t key_row = keys.constant() ? 0 : row;
      const idx_t value_row = values.constant() ? 0 : row;
      if (keys.IsNull(key_row) || values.IsNull(value_row)) {
        builder.NullRow(row);
        continue;
      }
      const auto k = keys.entry(key_row);
      const auto v = values.entry(value_row);
      if (k.length != v.length) site.Throw(Error(ErrorClass::_LEGACY_ERROR_TEMP_2128));
      for (idx_t i = 0; i < k.length; ++i)
        builder.Add(static_cast<int64_t>(k.offset + i), static_cast<int64_t>(v.offset + i));
      builder.EndRow(row);
    }
    builder.Write(result, constant);
  };
}

/// mg_map_from_entries(list of structs [, context]): NULL if an entry is.
ScalarKernel BindMapFromEntries(ScalarCall& call) {
  const CallSite site = call.Context(1);
  const LogicalType entry = duckdb::ListType::GetChildType(call.type(0));
  call.Returns(LogicalType::MAP(duckdb::StructType::GetChildType(entry, 0),
                                duckdb::StructType::GetChildType(entry, 1)));
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange range(arguments);
    const bool constant = range.constant;
    const idx_t rows = range.count;
    CompactLists entries(arguments.data[0], rows);
    const idx_t total = entries.child_count();
    entries.child().Flatten(std::max<idx_t>(total, 1));
    auto& fields = duckdb::StructVector::GetEntries(entries.child());
    MapBuilder builder(result.GetType(), rows, site);
    builder.key_pool.Add(*fields[0], total);
    builder.value_pool.Add(*fields[1], total);
    for (idx_t row = 0; row < rows; ++row) {
      bool null = entries.IsNull(row);
      const auto entry_range = entries.entry(row);
      for (idx_t i = entry_range.offset; i < entry_range.offset + entry_range.length && !null;
           ++i) {
        null = duckdb::FlatVector::IsNull(entries.child(), i);
        builder.Add(static_cast<int64_t>(i), static_cast<int64_t>(i));
      }
      if (null) {
        builder.NullRow(row);
      } else {
        builder.EndRow(row);
      }
    }
    builder.Write(result, constant);
  };
}

/// mg_str_to_map(text, pair delimiter, key delimiter [, context]); delimiters are regular
/// expressions.
ScalarKernel BindStrToMap(ScalarCall& call) {
  const CallSite site = call.Context(3);
  for (size_t i = 0; i < 3; ++i) call.Expect(i, LogicalType::VARCHAR);
  call.Returns(LogicalType::MAP(LogicalType::VARCHAR, LogicalType::VARCHAR));
  call.KeepArguments(3);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange range(arguments);
    const bool constant = range.constant;
    const idx_t rows = range.count;
    std::array<duckdb::UnifiedVectorFormat, 3> columns;
    for (size_t i = 0; i < 3; ++i) arguments.data[i].ToUnifiedFormat(arguments.size(), columns[i]);
    std::vector<std::pair<std::string, std::optional<std::string>>> pairs;
    std::vector<std::pair<idx_t, bool>> ends;
    for (idx_t row = 0; row < rows; ++row) {
      std::array<std::string_view, 3> cells;
      bool null = false;
      for (size_t i = 0; i < 3; ++i) {
        const auto at = columns[i].sel->get_index(row);
        null = null || !columns[i].validity.RowIsValid(at);
        if (!null) cells[i] = Cell<std::string_view>::Read(columns[i], at);
      }
      if (!null) {
        const auto split = [&](std::string_view text, std::string_view pattern, size_t limit) {
          const auto regex = Regex::Compile(pattern);
          if (regex == nullptr) {
            site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                             {{"parameter", QuotedId("regexp")},
                              {"functionName", QuotedId("str_to_map")},
                              {"value", QuotedValue(pattern)}},
                             "PATTERN"));
          }
          RegexMatcher matcher(*regex);
          matcher.Reset(text);
          std::vector<std::string_view> parts;
          size_t from = 0;
          while ((limit == 0 || parts.size() + 1 < limit) && matcher.Find()) {
            if (matcher.end() == 0) continue;
            parts.push_back(text.substr(from, matcher.start() - from));
            from = matcher.end();
          }
          parts.push_back(text.substr(from));
          return parts;
        };
        for (const auto pair : split(cells[0], cells[1], 0)) {
          const auto parts = split(pair, cells[2], 2);
          pairs.emplace_back(
              parts[0], parts.size() > 1 ? std::optional<std::string>(parts[1]) : std::nullopt);
        }
      }
      ends.emplace_back(pairs.size(), null);
    }
    const idx_t total = pairs.size();
    auto keys = MakeVector(LogicalType::VARCHAR, total);
    auto values = MakeVector(LogicalType::VARCHAR, total);
    for (idx_t i = 0; i < total; ++i) {
      duckdb::FlatVector::GetData<duckdb::string_t>(keys)[i] =
          duckdb::StringVector::AddString(keys, pairs[i].first);
      if (pairs[i].second) {
        duckdb::FlatVector::GetData<duckdb::string_t>(values)[i] =
            duckdb::StringVector::AddString(values, *pairs[i].second);
      } else {
        duckdb::FlatVector::SetNull(values, i, true);
      }
    }
    MapBuilder builder(result.GetType(), rows, site);
    builder.key_pool.Add(keys, total);
    builder.value_pool.Add(values, total);
    idx_t at = 0;
    for (idx_t row = 0; row < rows; ++row) {
      for (; at < ends[row].first; ++at)
        builder.Add(static_cast<int64_t>(at), static_cast<int64_t>(at));
      if (ends[row].second) {
        builder.NullRow(row);
      } else {
        builder.EndRow(row);
      }
    }
    builder.Write(result, constant);
  };
}

constexpr int64_t kMaxElements = 2147483632;

[[noreturn]] void ThrowBadBounds(const CallSite& site, int64_t start, int64_t stop, int64_t step) {
  site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                   {{"parameter", QuotedId("step")},
                    {"functionName", QuotedId("sequence")},
                    {"invalidValue", std::to_string(start) + " to " + std::to_string(stop) +
                                         " by " + std::to_string(step)}},
                   "LONG"));
}

void ThrowUnlessBounded(const CallSite& site, int64_t start, int64_t stop, int64_t step) {
  const bool fine =
      (step > 0 && start <= stop) || (step < 0 && start >= stop) || (step == 0 && start == stop);
  if (!fine) ThrowBadBounds(site, start, stop, step);
}

void RequireLength(const CallSite& site, Int128 length) {
  if (length <= kMaxElements) return;
  site.Throw(Error(ErrorClass::COLLECTION_SIZE_LIMIT_EXCEEDED,
                   {{"numberOfElements", std::to_string(static_cast<int64_t>(std::min<Int128>(
                                             length, std::numeric_limits<int64_t>::max())))},
                    {"maxRoundedArrayLength", std::to_string(kMaxElements)},
                    {"functionName", QuotedId("sequence")},
                    {"parameter", "start, stop, step"}},
                   "PARAMETER"));
}

/// sequence() of whole numbers: mg_sequence(start, stop [, step]) with a VARCHAR context at the
/// end.
template <typename T>
ScalarKernel NumberSequence(bool has_step, const CallSite& site) {
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange range(arguments);
    const bool constant = range.constant;
    const idx_t rows = range.count;
    std::array<duckdb::UnifiedVectorFormat, 3> columns;
    const size_t count = has_step ? 3 : 2;
    for (size_t i = 0; i < count; ++i)
      arguments.data[i].ToUnifiedFormat(arguments.size(), columns[i]);
    FlatResult out(result, constant);
    std::vector<T> items;
    for (idx_t row = 0; row < rows; ++row) {
      std::array<T, 3> cells{};
      bool null = false;
      for (size_t i = 0; i < count; ++i) {
        const auto at = columns[i].sel->get_index(row);
        null = null || !columns[i].validity.RowIsValid(at);
        if (!null) cells[i] = Cell<T>::Read(columns[i], at);
      }
      const idx_t begin = items.size();
      if (null) {
        out.SetNull(row);
      } else {
        const auto [start, stop, given] = cells;
        const T step = has_step ? given : static_cast<T>(start <= stop ? 1 : -1);
        ThrowUnlessBounded(site, start, stop, step);
        const Int128 length = start == stop ? 1 : (Int128{stop} - start) / step + 1;
        RequireLength(site, length);
        RequireElements(items.size() + static_cast<size_t>(length));
        for (Int128 i = 0; i < length; ++i) items.push_back(static_cast<T>(start + i * step));
      }
      out.data<duckdb::list_entry_t>()[row] = {begin, items.size() - begin};
    }
    auto child = MakeVector(duckdb::ListType::GetChildType(result.GetType()), items.size());
    std::copy(items.begin(), items.end(), duckdb::FlatVector::GetData<T>(child));
    SetListChild(result, std::move(child), items.size());
  };
}

ScalarKernel BindSequence(ScalarCall& call) {
  const bool has_step = call.size() > 2 && call.type(2).id() != LogicalTypeId::VARCHAR;
  const CallSite site = call.Context(has_step ? 3 : 2);
  call.Expect(1, call.type(0));
  if (has_step) call.Expect(2, call.type(0));
  call.Returns(LogicalType::LIST(call.type(0)));
  call.KeepArguments(has_step ? 3 : 2);
  switch (call.type(0).id()) {
    case LogicalTypeId::TINYINT:
      return NumberSequence<int8_t>(has_step, site);
    case LogicalTypeId::SMALLINT:
      return NumberSequence<int16_t>(has_step, site);
    case LogicalTypeId::INTEGER:
      return NumberSequence<int32_t>(has_step, site);
    case LogicalTypeId::BIGINT:
      return NumberSequence<int64_t>(has_step, site);
    default:
      ThrowError(Error::Internal("mg_sequence: no whole numbers"));
  }
}

/// mg_sequence_moments(start, stop, step INTERVAL, zone [, context]); start and stop DATE or
/// timestamps.
ScalarKernel BindMomentSequence(ScalarCall& call) {
  const TimeKind kind = TimeKindOf(call, 0);
  const auto zone = kind == TimeKind::kInstant ? call.Zone(3) : TimeZone::Find("UTC");
  const CallSite site = call.Context(4);
  call.Expect(1, call.type(0));
  call.Expect(2, LogicalType::INTERVAL);
  call.Returns(LogicalType::LIST(call.type(0)));
  call.KeepArguments(3);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange range(arguments);
    const bool constant = range.constant;
    const idx_t rows = range.count;
    std::array<duckdb::UnifiedVectorFormat, 3> columns;
    for (size_t i = 0; i < 3; ++i) arguments.data[i].ToUnifiedFormat(arguments.size(), columns[i]);
    const auto read = [&](size_t column, idx_t at) {
      return kind == TimeKind::kDate ? Cell<int32_t>::Read(columns[column], at) * kMicrosPerDay
                                     : Cell<int64_t>::Read(columns[column], at);
    };
    FlatResult out(result, constant);
    std::vector<int64_t> items;
    for (idx_t row = 0; row < rows; ++row) {
      std::array<idx_t, 3> at;
      bool null = false;
      for (size_t i = 0; i < 3; ++i) {
        at[i] = columns[i].sel->get_index(row);
        null = null || !columns[i].validity.RowIsValid(at[i]);
      }
      const idx_t begin = items.size();
      if (null) {
        out.SetNull(row);
      } else {
        const int64_t start = read(0, at[0]);
        const int64_t stop = read(1, at[1]);
        const auto step = Cell<duckdb::interval_t>::Read(columns[2], at[2]);
        // A month is taken for 28 days to estimate the length.
        const Int128 estimate = Int128{step.micros} + Int128{step.months} * 28 * kMicrosPerDay +
                                Int128{step.days} * kMicrosPerDay;
        ThrowUnlessBounded(site, start, stop, estimate > 0 ? 1 : estimate < 0 ? -1 : 0);
        RequireLength(site, estimate == 0 ? 1 : (Int128{stop} - start) / estimate + 1);
        int64_t item = start;
        for (int64_t i = 1; estimate >= 0 ? item <= stop : item >= stop; ++i) {
          items.push_back(item);
          if (estimate == 0) break;
          const auto next =
              AddToInstant(*zone, start, i * step.months, i * step.days, i * step.micros);
          if (!next) break;
          item = *next;
        }
      }
      out.data<duckdb::list_entry_t>()[row] = {begin, items.size() - begin};
    }
    auto child = MakeVector(duckdb::ListType::GetChildType(result.GetType()), items.size());
    for (idx_t i = 0; i < items.size(); ++i) {
      if (kind == TimeKind::kDate) {
        duckdb::FlatVector::GetData<int32_t>(child)[i] =
            static_cast<int32_t>(FloorDivide(items[i], kMicrosPerDay));
      } else {
        duckdb::FlatVector::GetData<int64_t>(child)[i] = items[i];
      }
    }
    SetListChild(result, std::move(child), items.size());
  };
}

}  // namespace

void RegisterMapFunctions(FunctionRegistry& registry) {
  registry.Add("mg_map_from_arrays", BindMapFromArrays);
  registry.Add("mg_map_from_entries", BindMapFromEntries);
  registry.Add("mg_str_to_map", BindStrToMap);
  registry.Add("mg_sequence", BindSequence);
  registry.Add("mg_sequence_moments", BindMomentSequence);
}

}  // namespace merganser::engine
