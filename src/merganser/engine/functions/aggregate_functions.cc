// Aggregate functions that the engine lacks or computes otherwise.
#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/row_hash.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::LogicalTypeId;
using duckdb::PhysicalType;

/// Java's Random, which breaks ties between equally close bins.
class JavaRandom {
 public:
  explicit JavaRandom(int64_t seed)
      : seed_((static_cast<uint64_t>(seed) ^ 0x5DEECE66DULL) & kMask) {}
  double NextDouble() {
    return static_cast<double>((static_cast<uint64_t>(Next(26)) << 27) + Next(27)) * 0x1.0p-53;
  }

 private:
  static constexpr uint64_t kMask = (uint64_t{1} << 48) - 1;
  uint32_t Next(int bits) {
    seed_ = (seed_ * 0x5DEECE66DULL + 0xB) & kMask;
    return static_cast<uint32_t>(seed_ >> (48 - bits));
  }
  uint64_t seed_;
};

/// A histogram with a bounded number of bins of which the closest are merged (Ben-Haim and
/// Tom-Tov).
class NumericHistogram {
 public:
  struct Bin {
    double x;
    double y;
  };
  size_t limit = 0;
  std::vector<Bin> bins;

  void Add(double value) {
    const auto at = std::lower_bound(bins.begin(), bins.end(), value,
                                     [](const Bin& bin, double v) { return bin.x < v; });
    if (at != bins.end() && at->x == value) {
      at->y += 1;
      return;
    }
    bins.insert(at, {value, 1});
    Trim();
  }
  void Merge(const NumericHistogram& other) {
    limit = std::max(limit, other.limit);
    bins.insert(bins.end(), other.bins.begin(), other.bins.end());
    std::stable_sort(bins.begin(), bins.end(),
                     [](const Bin& a, const Bin& b) { return a.x < b.x; });
    Trim();
  }

 private:
  void Trim() {
    while (bins.size() > std::max<size_t>(limit, 1)) {
      double smallest = bins[1].x - bins[0].x;
      size_t place = 0;
      int ties = 1;
      for (size_t i = 1; i + 1 < bins.size(); ++i) {
        const double gap = bins[i + 1].x - bins[i].x;
        if (gap < smallest) {
          smallest = gap;
          place = i;
          ties = 1;
        } else if (gap == smallest && random_.NextDouble() <= 1.0 / ++ties) {
          place = i;
        }
      }
      Bin& left = bins[place];
      const Bin& right = bins[place + 1];
      const double height = left.y + right.y;
      // Spark's order of operations, which decides how the centre rounds.
      left.x = left.x * (left.y / height) + right.x / height * right.y;
      left.y = height;
      bins.erase(bins.begin() + static_cast<int64_t>(place) + 1);
    }
  }
  JavaRandom random_{31183};
};

/// mg_histogram_numeric(T, bins INTEGER) -> LIST(STRUCT(x T, y DOUBLE)).
struct HistogramState {
  NumericHistogram* histogram;
};

idx_t HistogramSize(const duckdb::AggregateFunction&) { return sizeof(HistogramState); }

void HistogramInitialize(const duckdb::AggregateFunction&, duckdb::data_ptr_t state) {
  reinterpret_cast<HistogramState*>(state)->histogram = nullptr;
}

HistogramState* HistogramAt(const duckdb::UnifiedVectorFormat& states, idx_t row) {
  return reinterpret_cast<HistogramState* const*>(states.data)[states.sel->get_index(row)];
}

template <typename T>
void HistogramUpdate(duckdb::Vector inputs[], duckdb::AggregateInputData&, idx_t,
                     duckdb::Vector& states, idx_t count) {
  duckdb::UnifiedVectorFormat values;
  duckdb::UnifiedVectorFormat limits;
  duckdb::UnifiedVectorFormat targets;
  inputs[0].ToUnifiedFormat(count, values);
  inputs[1].ToUnifiedFormat(count, limits);
  states.ToUnifiedFormat(count, targets);
  for (idx_t row = 0; row < count; ++row) {
    const auto at = values.sel->get_index(row);
    const auto limit_at = limits.sel->get_index(row);
    if (!values.validity.RowIsValid(at) || !limits.validity.RowIsValid(limit_at)) continue;
    HistogramState* state = HistogramAt(targets, row);
    if (state->histogram == nullptr) state->histogram = new NumericHistogram;
    state->histogram->limit =
        static_cast<size_t>(std::max(Cell<int32_t>::Read(limits, limit_at), 1));
    state->histogram->Add(static_cast<double>(Cell<T>::Read(values, at)));
  }
}

void HistogramCombine(duckdb::Vector& sources, duckdb::Vector& targets, duckdb::AggregateInputData&,
                      idx_t count) {
  duckdb::UnifiedVectorFormat from;
  duckdb::UnifiedVectorFormat into;
  sources.ToUnifiedFormat(count, from);
  targets.ToUnifiedFormat(count, into);
  for (idx_t row = 0; row < count; ++row) {
    const NumericHistogram* source = HistogramAt(from, row)->histogram;
    if (source == nullptr) continue;
    HistogramState* target = HistogramAt(into, row);
    if (target->histogram == nullptr) target->histogram = new NumericHistogram;
    target->histogram->Merge(*source);
  }
}

template <typename T>
void HistogramFinalize(duckdb::Vector& states, duckdb::AggregateInputData&, duckdb::Vector& result,
                       idx_t count, idx_t offset) {
  duckdb::UnifiedVectorFormat from;
  states.ToUnifiedFormat(count, from);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  auto* entries = duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
  for (idx_t row = 0; row < count; ++row) {
    const NumericHistogram* histogram = HistogramAt(from, row)->histogram;
    const idx_t begin = duckdb::ListVector::GetListSize(result);
    const idx_t size = histogram == nullptr ? 0 : histogram->bins.size();
    entries[row + offset] = {begin, size};
    if (histogram == nullptr) {
      duckdb::FlatVector::SetNull(result, row + offset, true);
      continue;
    }
    duckdb::ListVector::Reserve(result, begin + size);
    auto& fields = duckdb::StructVector::GetEntries(duckdb::ListVector::GetEntry(result));
    for (idx_t i = 0; i < size; ++i) {
      duckdb::FlatVector::GetData<T>(*fields[0])[begin + i] = static_cast<T>(histogram->bins[i].x);
      duckdb::FlatVector::GetData<double>(*fields[1])[begin + i] = histogram->bins[i].y;
    }
    duckdb::ListVector::SetListSize(result, begin + size);
  }
}

void HistogramDestroy(duckdb::Vector& states, duckdb::AggregateInputData&, idx_t count) {
  duckdb::UnifiedVectorFormat all;
  states.ToUnifiedFormat(count, all);
  for (idx_t row = 0; row < count; ++row) {
    delete HistogramAt(all, row)->histogram;
    HistogramAt(all, row)->histogram = nullptr;
  }
}

template <typename T>
void AddHistogram(const LogicalType& type, duckdb::AggregateFunctionSet* set) {
  duckdb::child_list_t<LogicalType> bin = {{"x", type}, {"y", LogicalType::DOUBLE}};
  set->AddFunction(duckdb::AggregateFunction(
      {type, LogicalType::INTEGER}, LogicalType::LIST(LogicalType::STRUCT(bin)), HistogramSize,
      HistogramInitialize, HistogramUpdate<T>, HistogramCombine, HistogramFinalize<T>, nullptr,
      nullptr, HistogramDestroy));
}

/// The value at `fraction` of the way through sorted values, each of which counts `ends[i] - ends[i
/// - 1]` times.
double PercentileOf(const std::vector<std::pair<double, int64_t>>& values,
                    const std::vector<int64_t>& ends, double fraction) {
  const double place = static_cast<double>(ends.back() - 1) * fraction;
  const auto value_at = [&](double index) {
    const auto rank = static_cast<int64_t>(index);
    return values[static_cast<size_t>(std::upper_bound(ends.begin(), ends.end(), rank) -
                                      ends.begin())]
        .first;
  };
  const double lower = std::floor(place);
  const double upper = std::ceil(place);
  const double low = value_at(lower);
  const double high = value_at(upper);
  if (lower == upper || low == high) return low;
  return (upper - place) * low + (place - lower) * high;
}

/// mg_percentile(list of values DOUBLE, list of their counts BIGINT, fraction or list of fractions
/// DOUBLE).
ScalarKernel BindPercentile(ScalarCall& call) {
  const bool many = call.type(2).id() == duckdb::LogicalTypeId::LIST;
  call.Expect(0, LogicalType::LIST(LogicalType::DOUBLE));
  call.Expect(1, LogicalType::LIST(LogicalType::BIGINT));
  call.Expect(2, many ? LogicalType::LIST(LogicalType::DOUBLE) : LogicalType::DOUBLE);
  call.Returns(many ? LogicalType::LIST(LogicalType::DOUBLE) : LogicalType::DOUBLE);
  return [many](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    std::array<duckdb::RecursiveUnifiedVectorFormat, 3> columns;
    for (size_t i = 0; i < 3; ++i) {
      duckdb::Vector::RecursiveToUnifiedFormat(arguments.data[i], arguments.size(), columns[i]);
    }
    FlatResult out(result, false);
    std::vector<double> items;
    std::vector<std::pair<double, int64_t>> values;
    std::vector<int64_t> ends;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      values.clear();
      ends.clear();
      std::array<idx_t, 3> at;
      bool null = false;
      for (size_t i = 0; i < 3; ++i) {
        at[i] = columns[i].unified.sel->get_index(row);
        null = null || !columns[i].unified.validity.RowIsValid(at[i]);
      }
      if (!null) {
        const auto list = Cell<duckdb::list_entry_t>::Read(columns[0].unified, at[0]);
        const auto counts = Cell<duckdb::list_entry_t>::Read(columns[1].unified, at[1]);
        const auto& value_cells = columns[0].children[0].unified;
        const auto& count_cells = columns[1].children[0].unified;
        for (idx_t i = 0; i < std::min(list.length, counts.length); ++i) {
          const auto count_at = count_cells.sel->get_index(counts.offset + i);
          const int64_t times = count_cells.validity.RowIsValid(count_at)
                                    ? Cell<int64_t>::Read(count_cells, count_at)
                                    : 0;
          if (times < 0) {
            ThrowError(Error(
                ErrorClass::NEGATIVE_VALUES_IN_FREQUENCY_EXPRESSION,
                {{"frequencyExpression", "frequency"}, {"negativeValue", std::to_string(times)}}));
          }
          const auto value_at = value_cells.sel->get_index(list.offset + i);
          if (times > 0 && value_cells.validity.RowIsValid(value_at)) {
            values.emplace_back(Cell<double>::Read(value_cells, value_at), times);
          }
        }
        std::sort(values.begin(), values.end());
        for (const auto& value : values)
          ends.push_back((ends.empty() ? 0 : ends.back()) + value.second);
      }
      null = null || values.empty();
      if (null) out.SetNull(row);
      if (!many) {
        if (!null)
          out.data<double>()[row] =
              PercentileOf(values, ends, Cell<double>::Read(columns[2].unified, at[2]));
        continue;
      }
      const idx_t begin = items.size();
      if (!null) {
        const auto fractions = Cell<duckdb::list_entry_t>::Read(columns[2].unified, at[2]);
        const auto& cells = columns[2].children[0].unified;
        for (idx_t i = fractions.offset; i < fractions.offset + fractions.length; ++i) {
          items.push_back(
              PercentileOf(values, ends, Cell<double>::Read(cells, cells.sel->get_index(i))));
        }
      }
      out.data<duckdb::list_entry_t>()[row] = {begin, items.size() - begin};
    }
    if (!many) return;
    auto child = MakeVector(LogicalType::DOUBLE, items.size());
    std::copy(items.begin(), items.end(), duckdb::FlatVector::GetData<double>(child));
    SetListChild(result, std::move(child), items.size());
  };
}

int32_t FoldedLong(int64_t value) {
  return static_cast<int32_t>(value ^ static_cast<int64_t>(static_cast<uint64_t>(value) >> 32));
}

int32_t HashOfFloat(float value) {
  return std::bit_cast<int32_t>(std::isnan(value) ? std::numeric_limits<float>::quiet_NaN()
                                                  : value);
}

int32_t HashOfDouble(double value) {
  return FoldedLong(
      std::bit_cast<int64_t>(std::isnan(value) ? std::numeric_limits<double>::quiet_NaN() : value));
}

/// Scala's hash of a number: whole numbers hash alike in all types.
int32_t HashOfDecimal(Int128 unscaled, int scale) {
  double value = static_cast<double>(unscaled);
  for (int i = 0; i < scale; ++i) value /= 10;
  if (std::abs(value) < 0x1p63 && value == std::trunc(value)) {
    const auto whole = static_cast<int64_t>(value);
    return static_cast<int32_t>(whole) == whole ? static_cast<int32_t>(whole) : FoldedLong(whole);
  }
  const auto narrow = static_cast<float>(value);
  return static_cast<double>(narrow) == value ? HashOfFloat(narrow) : HashOfDouble(value);
}

/// Java's hashCode of a value as Spark holds it.
int32_t JavaHash(const duckdb::UnifiedVectorFormat& keys, const LogicalType& type, idx_t at) {
  if (type.id() == LogicalTypeId::DECIMAL)
    return HashOfDecimal(Cell<DecimalCell>::Read(keys, at).unscaled,
                         duckdb::DecimalType::GetScale(type));
  switch (type.InternalType()) {
    case PhysicalType::BOOL:
      return Cell<bool>::Read(keys, at) ? 1231 : 1237;
    case PhysicalType::INT8:
      return Cell<int8_t>::Read(keys, at);
    case PhysicalType::INT16:
      return Cell<int16_t>::Read(keys, at);
    case PhysicalType::INT32:
      return Cell<int32_t>::Read(keys, at);
    case PhysicalType::INT64:
      return FoldedLong(Cell<int64_t>::Read(keys, at));
    case PhysicalType::FLOAT:
      return HashOfFloat(Cell<float>::Read(keys, at));
    case PhysicalType::DOUBLE:
      return HashOfDouble(Cell<double>::Read(keys, at));
    case PhysicalType::VARCHAR:
      return Murmur3Bytes(Cell<std::string_view>::Read(keys, at), 42);
    default:
      return 0;
  }
}

/// Places of values in the open hash table in which Spark counts them.
class CountingTable {
 public:
  explicit CountingTable(size_t values) {
    size_t capacity = 64;
    while (static_cast<double>(values) > 0.7 * static_cast<double>(capacity)) capacity *= 2;
    taken_.resize(capacity);
  }
  size_t Insert(int32_t hash) {
    const size_t mask = taken_.size() - 1;
    size_t place = static_cast<uint32_t>(Murmur3Int(hash, 0)) & mask;
    for (size_t step = 1; taken_[place]; ++step) place = (place + step) & mask;
    taken_[place] = true;
    return place;
  }

 private:
  std::vector<bool> taken_;
};

/// mg_pick_mode(map of values to their counts) -> the most frequent value; of several the one that
/// comes first in Spark's table.
ScalarKernel BindPickMode(ScalarCall& call) {
  const LogicalType key_type = duckdb::MapType::KeyType(call.type(0));
  call.Expect(0, LogicalType::MAP(key_type, LogicalType::UBIGINT));
  call.Returns(key_type);
  call.NeverFails();
  return [key_type](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    CompactLists maps(arguments.data[0], arguments.size());
    duckdb::RecursiveUnifiedVectorFormat entries;
    duckdb::Vector::RecursiveToUnifiedFormat(maps.child(), maps.child_count(), entries);
    ElementPool pool(key_type);
    pool.Add(*duckdb::StructVector::GetEntries(maps.child())[0], maps.child_count());
    std::vector<int64_t> picks;
    for (idx_t row = 0; row < rows.count; ++row) {
      int64_t best = -1;
      uint64_t best_count = 0;
      size_t best_place = 0;
      if (!maps.IsNull(row)) {
        const auto& map = maps.entry(row);
        CountingTable table(map.length);
        for (idx_t i = map.offset; i < map.offset + map.length; ++i) {
          const auto& keys = entries.children[0].unified;
          const auto& counts = entries.children[1].unified;
          const size_t place = table.Insert(JavaHash(keys, key_type, keys.sel->get_index(i)));
          const auto count = Cell<uint64_t>::Read(counts, counts.sel->get_index(i));
          if (best >= 0 && (count < best_count || (count == best_count && place > best_place)))
            continue;
          best = static_cast<int64_t>(i);
          best_count = count;
          best_place = place;
        }
      }
      picks.push_back(best);
    }
    auto values = pool.Take(picks);
    result.Reference(values);
    if (rows.constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
  };
}

/// mg_set_order(list of distinct values) -> the values in the order of Scala's hash set, in which
/// Spark collects them.
ScalarKernel BindSetOrder(ScalarCall& call) {
  const LogicalType type = duckdb::ListType::GetChildType(call.type(0));
  call.Expect(0, LogicalType::LIST(type));
  call.Returns(LogicalType::LIST(type));
  call.NeverFails();
  return [type](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const RowRange rows(arguments);
    CompactLists lists(arguments.data[0], arguments.size());
    duckdb::UnifiedVectorFormat elements;
    lists.child().ToUnifiedFormat(lists.child_count(), elements);
    ElementPool pool(type);
    pool.Add(lists.child(), lists.child_count());
    ListPicks picks(rows.count);
    struct Place {
      uint32_t bucket;
      int32_t hash;
      idx_t at;
    };
    std::vector<Place> places;
    for (idx_t row = 0; row < rows.count; ++row) {
      if (lists.IsNull(row)) {
        picks.NullRow(row);
        continue;
      }
      const auto& list = lists.entry(row);
      uint64_t buckets = 16;
      while (list.length >= buckets / 4 * 3) buckets *= 2;
      places.clear();
      for (idx_t i = list.offset; i < list.offset + list.length; ++i) {
        const auto hash =
            static_cast<uint32_t>(JavaHash(elements, type, elements.sel->get_index(i)));
        const uint32_t mixed = hash ^ (hash >> 16);
        places.push_back(
            {static_cast<uint32_t>(mixed & (buckets - 1)), static_cast<int32_t>(mixed), i});
      }
      std::stable_sort(places.begin(), places.end(), [](const Place& a, const Place& b) {
        return a.bucket != b.bucket ? a.bucket < b.bucket : a.hash < b.hash;
      });
      for (const Place& place : places) picks.Pick(static_cast<int64_t>(place.at));
      picks.EndRow(row);
    }
    picks.Write(pool, result, rows.constant);
  };
}

}  // namespace

void RegisterAggregateFunctions(FunctionRegistry& registry) {
  registry.Add("mg_pick_mode", BindPickMode);
  registry.Add("mg_set_order", BindSetOrder);
  duckdb::AggregateFunctionSet histogram("mg_histogram_numeric");
  AddHistogram<int8_t>(LogicalType::TINYINT, &histogram);
  AddHistogram<int16_t>(LogicalType::SMALLINT, &histogram);
  AddHistogram<int32_t>(LogicalType::INTEGER, &histogram);
  AddHistogram<int64_t>(LogicalType::BIGINT, &histogram);
  AddHistogram<float>(LogicalType::FLOAT, &histogram);
  AddHistogram<double>(LogicalType::DOUBLE, &histogram);
  AddHistogram<int32_t>(LogicalType::DATE, &histogram);
  AddHistogram<int64_t>(LogicalType::TIMESTAMP, &histogram);
  AddHistogram<int64_t>(LogicalType::TIMESTAMP_TZ, &histogram);
  registry.Add(std::move(histogram));
  registry.Add("mg_percentile", BindPercentile);
}

}  // namespace merganser::engine
