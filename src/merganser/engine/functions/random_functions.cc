// Random values. Those with a seed repeat Spark's as long as rows come in one order on one thread.
#include <algorithm>
#include <cstdlib>
#include <memory>
#include <mutex>
#include <random>
#include <string>
#include <vector>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/random_source.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;

/// One generator for all rows of a call, whichever thread has them.
template <typename Generator>
struct Shared {
  explicit Shared(int64_t seed) : generator(seed) {}
  std::mutex mutex;
  Generator generator;
};

/// The constant seed at `i`, or one of the machine's where it is NULL.
int64_t Seed(ScalarCall& call, size_t i) {
  const auto given = call.TryConstant(i);
  if (given && !given->IsNull()) return call.Integer(i);
  std::random_device device;
  return static_cast<int64_t>((uint64_t{device()} << 32) | device());
}

template <typename Draw>
ScalarKernel BindDouble(ScalarCall& call, Draw draw) {
  auto shared = std::make_shared<Shared<XorShiftRandom>>(Seed(call, 0));
  call.Returns(LogicalType::DOUBLE);
  call.KeepArguments(0);
  call.IsVolatile();
  call.NeverFails();
  return [shared, draw](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const std::lock_guard lock(shared->mutex);
    FlatResult out(result, false);
    for (duckdb::idx_t row = 0; row < arguments.size(); ++row)
      out.data<double>()[row] = draw(shared->generator);
  };
}

std::string RandomText(XorShiftRandom& random, int32_t length) {
  std::string out;
  for (int32_t i = 0; i < length; ++i) {
    const int digit = std::abs(random.NextInt() % 62);
    out += static_cast<char>(digit < 10   ? '0' + digit
                             : digit < 36 ? 'a' + digit - 10
                                          : 'A' + digit - 36);
  }
  return out;
}

/// mg_randstr(length, seed).
ScalarKernel BindRandomText(ScalarCall& call) {
  auto shared = std::make_shared<Shared<XorShiftRandom>>(Seed(call, 1));
  const auto length = static_cast<int32_t>(call.Integer(0));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(0);
  call.IsVolatile();
  call.NeverFails();
  return [shared, length](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const std::lock_guard lock(shared->mutex);
    FlatResult out(result, false);
    for (duckdb::idx_t row = 0; row < arguments.size(); ++row)
      Cell<std::string>::Write(out, row, RandomText(shared->generator, length));
  };
}

std::string UuidText(MersenneTwister& random) {
  const uint64_t high =
      (static_cast<uint64_t>(random.NextLong()) & 0xFFFFFFFFFFFF0FFFULL) | 0x4000ULL;
  const uint64_t low =
      (static_cast<uint64_t>(random.NextLong()) | 0x8000000000000000ULL) & 0xBFFFFFFFFFFFFFFFULL;
  std::string out;
  for (int i = 0; i < 32; ++i) {
    if (i == 8 || i == 12 || i == 16 || i == 20) out += '-';
    const uint64_t half = i < 16 ? high : low;
    out += "0123456789abcdef"[half >> (60 - 4 * (i % 16)) & 15];
  }
  return out;
}

/// mg_uuid(seed).
ScalarKernel BindUuid(ScalarCall& call) {
  auto shared = std::make_shared<Shared<MersenneTwister>>(Seed(call, 0));
  call.Returns(LogicalType::VARCHAR);
  call.KeepArguments(0);
  call.IsVolatile();
  call.NeverFails();
  return [shared](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const std::lock_guard lock(shared->mutex);
    FlatResult out(result, false);
    for (duckdb::idx_t row = 0; row < arguments.size(); ++row)
      Cell<std::string>::Write(out, row, UuidText(shared->generator));
  };
}

/// mg_shuffle(list, seed).
ScalarKernel BindShuffle(ScalarCall& call) {
  auto shared = std::make_shared<Shared<MersenneTwister>>(Seed(call, 1));
  call.Returns(call.type(0));
  call.KeepArguments(1);
  call.IsVolatile();
  call.NeverFails();
  return [shared](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const std::lock_guard lock(shared->mutex);
    arguments.data[0].Flatten(arguments.size());
    CompactLists lists(arguments.data[0], arguments.size());
    duckdb::SelectionVector order(std::max<duckdb::idx_t>(lists.child_count(), 1));
    for (duckdb::idx_t row = 0; row < lists.rows(); ++row) {
      const auto entry = lists.entry(row);
      // Each element goes to a place among those before it, and what was there goes to its own.
      std::vector<duckdb::idx_t> indices(entry.length);
      for (duckdb::idx_t i = 0; i < entry.length; ++i) {
        const auto j =
            static_cast<duckdb::idx_t>(shared->generator.NextInt(static_cast<int32_t>(i) + 1));
        if (j != i) indices[i] = indices[j];
        indices[j] = i;
      }
      for (duckdb::idx_t i = 0; i < entry.length; ++i)
        order.set_index(entry.offset + i, entry.offset + indices[i]);
    }
    lists.WriteEntries(result);
    duckdb::Vector child(lists.child(), order, lists.child_count());
    SetListChild(result, std::move(child), lists.child_count());
  };
}

}  // namespace

void RegisterRandomFunctions(FunctionRegistry& registry) {
  registry.Add("mg_rand", [](ScalarCall& call) {
    return BindDouble(call, [](XorShiftRandom& random) { return random.NextDouble(); });
  });
  registry.Add("mg_randn", [](ScalarCall& call) {
    return BindDouble(call, [](XorShiftRandom& random) { return random.NextGaussian(); });
  });
  registry.Add("mg_randstr", BindRandomText);
  registry.Add("mg_uuid", BindUuid);
  registry.Add("mg_shuffle", BindShuffle);
}

}  // namespace merganser::engine
