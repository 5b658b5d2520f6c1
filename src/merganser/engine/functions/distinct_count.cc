// approx_count_distinct: HyperLogLog++ over hashes, with Spark's hash, registers and corrections.
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <vector>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

constexpr int kLeastPrecision = 4;

struct Bias {
  double raw;   ///< An estimate from registers alone.
  double over;  ///< What it is above the truth, on average.
};

const std::vector<std::vector<Bias>>& BiasTables() {
  static const auto* tables = new std::vector<std::vector<Bias>>{
#include "merganser/engine/functions/hyper_log_log_bias.inc"
  };
  return *tables;
}

/// The mean bias of the six known estimates that are nearest to `estimate`.
double BiasOf(double estimate, int precision) {
  const size_t table = static_cast<size_t>(precision - kLeastPrecision);
  if (table >= BiasTables().size()) return 0;
  constexpr size_t kNeighbours = 6;
  const std::vector<Bias>& known = BiasTables()[table];
  const auto at = std::ranges::lower_bound(known, estimate, {}, &Bias::raw);
  const auto distance = [&](size_t i) {
    return (estimate - known[i].raw) * (estimate - known[i].raw);
  };
  const auto nearest = static_cast<size_t>(at - known.begin());
  size_t low = nearest < kNeighbours - 1 ? 0 : nearest - (kNeighbours - 1);
  size_t high = std::min(low + kNeighbours, known.size());
  while (high < known.size() && distance(high) < distance(low)) {
    ++low;
    ++high;
  }
  double sum = 0;
  for (size_t i = low; i < high; ++i) sum += known[i].over;
  return sum / static_cast<double>(high - low);
}

/// Registers of the longest run of zeros seen, absent until a row comes.
struct Registers {
  std::vector<uint8_t>* longest;
};

int64_t Estimate(const std::vector<uint8_t>& longest) {
  constexpr std::array<double, 15> kLinearCountingUpTo = {
      10, 20, 40, 80, 220, 400, 900, 1800, 3100, 6500, 11500, 20000, 50000, 120000, 350000};
  const auto m = static_cast<double>(longest.size());
  const int precision = static_cast<int>(std::lround(std::log2(m)));
  double inverse = 0;
  double empty = 0;
  for (const uint8_t run : longest) {
    inverse += std::ldexp(1.0, -run);
    if (run == 0) ++empty;
  }
  const double alpha = precision == 4   ? 0.673
                       : precision == 5 ? 0.697
                       : precision == 6 ? 0.709
                                        : 0.7213 / (1.0 + 1.079 / m);
  const double raw = alpha * m * m / inverse;
  double estimate = raw < 5.0 * m ? raw - BiasOf(raw, precision) : raw;
  if (empty > 0) {
    const double linear = m * std::log(m / empty);
    const auto place = static_cast<size_t>(precision - kLeastPrecision);
    const bool few = place < kLinearCountingUpTo.size() && linear <= kLinearCountingUpTo[place];
    if (few || raw <= 2.5 * m) estimate = linear;
  }
  return static_cast<int64_t>(std::floor(estimate + 0.5));
}

struct DistinctCount {
  template <class State>
  static void Initialize(State& state) {
    state.longest = nullptr;
  }
  template <class State>
  static void Destroy(State& state, duckdb::AggregateInputData&) {
    delete state.longest;
    state.longest = nullptr;
  }
  template <class Hash, class Precision, class State, class Op>
  static void Operation(State& state, const Hash& hash, const Precision& precision,
                        duckdb::AggregateBinaryInput&) {
    if (state.longest == nullptr) state.longest = new std::vector<uint8_t>(size_t{1} << precision);
    const auto bits = static_cast<uint64_t>(hash);
    // A set bit at the end of what follows the register's number ends every run.
    const uint64_t rest = bits << precision | uint64_t{1} << (precision - 1);
    const auto run = static_cast<uint8_t>(__builtin_clzll(rest) + 1);
    uint8_t& longest = (*state.longest)[bits >> (64 - precision)];
    longest = std::max(longest, run);
  }
  template <class State, class Op>
  static void Combine(const State& source, State& target, duckdb::AggregateInputData&) {
    if (source.longest == nullptr) return;
    if (target.longest == nullptr) {
      target.longest = new std::vector<uint8_t>(*source.longest);
      return;
    }
    for (size_t i = 0; i < target.longest->size(); ++i)
      (*target.longest)[i] = std::max((*target.longest)[i], (*source.longest)[i]);
  }
  template <class Target, class State>
  static void Finalize(State& state, Target& target, duckdb::AggregateFinalizeData&) {
    target = state.longest == nullptr ? 0 : Estimate(*state.longest);
  }
  static bool IgnoreNull() { return true; }
};

}  // namespace

void RegisterDistinctCount(FunctionRegistry& registry) {
  // mg_distinct_count(hash, precision): precision is the number of bits that choose a register.
  auto function = duckdb::AggregateFunction::BinaryAggregate<Registers, int64_t, int32_t, int64_t,
                                                             DistinctCount>(
      LogicalType::BIGINT, LogicalType::INTEGER, LogicalType::BIGINT);
  function.destructor = duckdb::AggregateFunction::StateDestroy<Registers, DistinctCount>;
  duckdb::AggregateFunctionSet set("mg_distinct_count");
  set.AddFunction(function);
  registry.Add(std::move(set));
}

}  // namespace merganser::engine
