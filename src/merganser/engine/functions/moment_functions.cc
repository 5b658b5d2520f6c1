// Statistics of one column and of pairs. What they compute is what Spark computes, in its order of
// operations: the last digits are its own, and NaN and infinity go through.
#include <cmath>
#include <utility>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::AggregateFinalizeData;
using duckdb::idx_t;
using duckdb::LogicalType;

/// Central moments up to the second.
struct Variation {
  double n;
  double mean;
  double m2;

  void Add(double value) {
    n += 1;
    const double delta = value - mean;
    const double delta_n = delta / n;
    mean += delta_n;
    m2 += delta * (delta - delta_n);
  }
  void Merge(const Variation& other) {
    const double total = n + other.n;
    if (total == 0) return;
    const double delta = other.mean - mean;
    const double delta_n = delta / total;
    m2 = m2 + other.m2 + delta * delta_n * n * other.n;
    mean += delta_n * other.n;
    n = total;
  }
};

/// Central moments up to the fourth.
struct Moments : Variation {
  double m3;
  double m4;

  // NOLINTNEXTLINE(bugprone-derived-method-shadowing-base-method): not called through the base.
  void Add(double value) {
    const double delta = value - mean;
    Variation::Add(value);
    const double delta_n = delta / n;
    const double delta2 = delta * delta;
    const double delta_n2 = delta_n * delta_n;
    m3 = m3 - 3 * delta_n * m2 + delta * (delta2 - delta_n2);
    m4 = m4 - 4 * delta_n * m3 - 6 * delta_n2 * m2 + delta * (delta * delta2 - delta_n * delta_n2);
  }
  void Merge(const Moments& other) {
    const double total = n + other.n;
    if (total == 0) return;
    const double delta = other.mean - mean;
    const double delta_n = delta / total;
    m4 = m4 + other.m4 +
         delta_n * delta_n * delta_n * delta * n * other.n *
             (n * n - n * other.n + other.n * other.n) +
         6 * delta_n * delta_n * (n * n * other.m2 + other.n * other.n * m2) +
         4 * delta_n * (n * other.m3 - other.n * m3);
    m3 = m3 + other.m3 + delta_n * delta_n * delta * n * other.n * (n - other.n) +
         3 * delta_n * (n * other.m2 - other.n * m2);
    Variation::Merge(other);
  }
};

/// How two columns vary, each and together.
struct Covariation {
  double n;
  double x_mean;
  double y_mean;
  double co_moment;
  double x_spread;  ///< Sums of squared distances from the mean.
  double y_spread;
  double x_m2;  ///< The same as a lone column's variance sums them up.

  void Add(double x, double y) {
    n += 1;
    const double dx = x - x_mean;
    const double dy = y - y_mean;
    x_mean += dx / n;
    y_mean += dy / n;
    co_moment += dx * (y - y_mean);
    x_spread += dx * (x - x_mean);
    y_spread += dy * (y - y_mean);
    x_m2 += dx * (dx - dx / n);
  }
  void Merge(const Covariation& other) {
    const double total = n + other.n;
    if (total == 0) return;
    const double dx = other.x_mean - x_mean;
    const double dx_n = dx / total;
    const double dy = other.y_mean - y_mean;
    const double dy_n = dy / total;
    co_moment = co_moment + other.co_moment + dx * dy_n * n * other.n;
    x_spread = x_spread + other.x_spread + dx * dx_n * n * other.n;
    y_spread = y_spread + other.y_spread + dy * dy_n * n * other.n;
    x_m2 = x_m2 + other.x_m2 + dx * dx_n * n * other.n;
    x_mean += dx_n * other.n;
    y_mean += dy_n * other.n;
    n = total;
  }
};

/// An aggregate over a state above; `kValue` gives the result of a state, or false for NULL.
template <auto kValue>
struct Statistic {
  template <class State>
  static void Initialize(State& state) {
    state = State{};
  }
  template <class Input, class State, class Self>
  static void Operation(State& state, const Input& input, duckdb::AggregateUnaryInput&) {
    state.Add(input);
  }
  template <class X, class Y, class State, class Self>
  static void Operation(State& state, const X& x, const Y& y, duckdb::AggregateBinaryInput&) {
    state.Add(x, y);
  }
  template <class Input, class State, class Self>
  static void ConstantOperation(State& state, const Input& input, duckdb::AggregateUnaryInput&,
                                idx_t count) {
    for (idx_t i = 0; i < count; ++i) state.Add(input);
  }
  template <class State, class Self>
  static void Combine(const State& source, State& target, duckdb::AggregateInputData&) {
    target.Merge(source);
  }
  template <class Target, class State>
  static void Finalize(State& state, Target& target, AggregateFinalizeData& data) {
    if (state.n == 0 || !kValue(state, target)) data.ReturnNull();
  }
  static bool IgnoreNull() { return true; }
};

bool Skewness(const Moments& of, double& result) {
  result = std::sqrt(of.n) * of.m3 / std::sqrt(of.m2 * of.m2 * of.m2);
  return of.m2 != 0;
}
bool Kurtosis(const Moments& of, double& result) {
  result = of.n * of.m4 / (of.m2 * of.m2) - 3;
  return of.m2 != 0;
}

bool PopulationVariance(const Variation& of, double& result) {
  result = of.m2 / of.n;
  return true;
}
bool SampleVariance(const Variation& of, double& result) {
  result = of.m2 / (of.n - 1);
  return of.n > 1;
}
bool PopulationDeviation(const Variation& of, double& result) {
  result = std::sqrt(of.m2 / of.n);
  return true;
}
bool SampleDeviation(const Variation& of, double& result) {
  result = std::sqrt(of.m2 / (of.n - 1));
  return of.n > 1;
}

bool PopulationCovariance(const Covariation& of, double& result) {
  result = of.co_moment / of.n;
  return true;
}
bool SampleCovariance(const Covariation& of, double& result) {
  result = of.co_moment / (of.n - 1);
  return of.n > 1;
}
// What a correlation divides, which fails where one side does not vary.
bool CoMoment(const Covariation& of, double& result) {
  result = of.co_moment;
  return of.n > 1;
}
bool CoSpread(const Covariation& of, double& result) {
  result = std::sqrt(of.x_spread * of.y_spread);
  return of.n > 1;
}

// Of linear regressions; x is the independent column except in Determination.
bool Slope(const Covariation& of, double& result) {
  result = of.co_moment / of.x_m2;
  return of.x_m2 != 0;
}
bool Intercept(const Covariation& of, double& result) {
  result = of.y_mean - of.co_moment / of.x_m2 * of.x_mean;
  return of.x_m2 != 0;
}
bool Determination(const Covariation& of, double& result) {
  const double correlation = of.co_moment / std::sqrt(of.x_spread * of.y_spread);
  result = of.x_spread == 0 ? 1 : correlation * correlation;
  return of.y_spread != 0;
}
bool SumOfProducts(const Covariation& of, double& result) {
  result = of.co_moment;
  return true;
}
bool SumOfSquares(const Covariation& of, double& result) {
  result = of.x_m2;
  return true;
}

template <class State, auto kValue>
void AddOfOne(FunctionRegistry& registry, const char* name) {
  duckdb::AggregateFunctionSet set(name);
  set.AddFunction(
      duckdb::AggregateFunction::UnaryAggregate<State, double, double, Statistic<kValue>>(
          LogicalType::DOUBLE, LogicalType::DOUBLE));
  registry.Add(std::move(set));
}

template <auto kValue>
void AddOfTwo(FunctionRegistry& registry, const char* name) {
  duckdb::AggregateFunctionSet set(name);
  set.AddFunction(duckdb::AggregateFunction::BinaryAggregate<Covariation, double, double, double,
                                                             Statistic<kValue>>(
      LogicalType::DOUBLE, LogicalType::DOUBLE, LogicalType::DOUBLE));
  registry.Add(std::move(set));
}

}  // namespace

void RegisterMomentFunctions(FunctionRegistry& registry) {
  AddOfOne<Moments, &Skewness>(registry, "mg_skewness");
  AddOfOne<Moments, &Kurtosis>(registry, "mg_kurtosis");
  AddOfOne<Variation, &PopulationVariance>(registry, "mg_var_pop");
  AddOfOne<Variation, &SampleVariance>(registry, "mg_var_samp");
  AddOfOne<Variation, &PopulationDeviation>(registry, "mg_stddev_pop");
  AddOfOne<Variation, &SampleDeviation>(registry, "mg_stddev_samp");
  AddOfTwo<&PopulationCovariance>(registry, "mg_covar_pop");
  AddOfTwo<&SampleCovariance>(registry, "mg_covar_samp");
  AddOfTwo<&CoMoment>(registry, "mg_co_moment");
  AddOfTwo<&CoSpread>(registry, "mg_co_spread");
  AddOfTwo<&Slope>(registry, "mg_regr_slope");
  AddOfTwo<&Intercept>(registry, "mg_regr_intercept");
  AddOfTwo<&Determination>(registry, "mg_regr_r2");
  AddOfTwo<&SumOfProducts>(registry, "mg_regr_sxy");
  AddOfTwo<&SumOfSquares>(registry, "mg_regr_sxx");
}

}  // namespace merganser::engine
