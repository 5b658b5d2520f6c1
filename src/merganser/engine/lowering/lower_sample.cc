#include "merganser/engine/lowering/lower_sample.h"

#include <cmath>

#include <fmt/format.h>

namespace merganser {
namespace {

constexpr double kUnlikely = 1e-12;
constexpr int64_t kMostCopies = 100'000;

/// Numbers c0 < c1 < ... such that a number drawn from 0 up to 1 is at least c(n) as often as a
/// count of this mean is above n.
std::vector<std::string> CopyThresholds(double mean) {
  std::vector<std::string> thresholds;
  double below = 0;
  for (int64_t count = 0; count < kMostCopies && 1 - below > kUnlikely; ++count) {
    const double n = static_cast<double>(count);
    below += std::exp(n * std::log(mean) - mean - std::lgamma(n + 1));
    thresholds.push_back(fmt::format("({:.17g})", below));
    // Past the mean the tail that is left cannot be told from rounding.
    if (n > mean + 20 * std::sqrt(mean) + 20) break;
  }
  return thresholds;
}

/// A number from 0 up to 1 for each row.
std::string DrawOf(const BoundSample& sample, const std::vector<std::string>& columns) {
  if (!sample.seed) return "random()";
  // Rows are put in an order of their own, as their order may be another one next time.
  const std::string order =
      columns.empty() ? "" : fmt::format("ORDER BY {}", fmt::join(columns, ", "));
  return fmt::format(
      "CAST(hash(row_number() OVER ({}), CAST({} AS BIGINT)) AS DOUBLE) / 18446744073709551616.0",
      order, *sample.seed);
}

}  // namespace

std::string LowerSample(const BoundSample& sample, const std::vector<std::string>& columns,
                        const std::string& child) {
  const std::string names =
      columns.empty() ? "TRUE AS present" : fmt::format("{}", fmt::join(columns, ", "));
  const double fraction = sample.upper - sample.lower;
  const std::string drawn =
      fmt::format("(SELECT *, {} AS draw FROM ({}) AS sampled)", DrawOf(sample, columns), child);
  if (sample.with_replacement) {
    if (!(fraction > 0)) return fmt::format("SELECT {} FROM ({}) AS sampled LIMIT 0", names, child);
    return fmt::format(
        "SELECT {} FROM {} AS drawn JOIN (VALUES {}) AS copies (threshold) ON draw >= threshold",
        names, drawn, fmt::join(CopyThresholds(fraction), ", "));
  }
  if (sample.lower == 0 && !sample.repeatable) {
    return fmt::format("SELECT {} FROM ({}) AS sampled USING SAMPLE {} PERCENT (bernoulli{})",
                       names, child, std::fmin(sample.upper, 1) * 100,
                       sample.seed ? fmt::format(", {}", *sample.seed & 0x7fffffff) : "");
  }
  return fmt::format("SELECT {} FROM {} AS drawn WHERE draw >= {:.17g} AND draw < {:.17g}", names,
                     drawn, sample.lower, sample.upper);
}

}  // namespace merganser
