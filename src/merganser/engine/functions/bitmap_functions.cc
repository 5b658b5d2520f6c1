// Bitmaps of 32768 numbers, as bitmap_construct_agg builds them.
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

constexpr int64_t kBitmapBits = 32768;

void AddBitmapFunctions(FunctionRegistry& registry) {
  registry.Add("mg_bitmap_bucket_number", {LogicalType::BIGINT}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int64_t>(arguments, result, [](int64_t value) {
                   return value > 0 ? 1 + (value - 1) / kBitmapBits : value / kBitmapBits;
                 });
               });
  registry.Add("mg_bitmap_bit_position", {LogicalType::BIGINT}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<int64_t>(arguments, result, [](int64_t value) {
                   return value > 0 ? (value - 1) % kBitmapBits : -(value % kBitmapBits);
                 });
               });
  registry.Add("mg_bitmap_count", {LogicalType::BLOB}, LogicalType::BIGINT,
               [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
                 MapRows<std::string_view>(arguments, result, [](std::string_view bytes) {
                   int64_t bits = 0;
                   for (const char c : bytes)
                     bits += __builtin_popcount(static_cast<unsigned char>(c));
                   return bits;
                 });
               });
}

constexpr size_t kBitmapBytes = 4096;

/// A bitmap of 32768 bits, absent until a row comes.
struct BitmapState {
  std::array<uint8_t, kBitmapBytes>* bits;
};

struct BitmapBase {
  template <class State>
  static void Initialize(State& state) {
    state.bits = nullptr;
  }
  template <class State>
  static void Destroy(State& state, duckdb::AggregateInputData&) {
    delete state.bits;
    state.bits = nullptr;
  }
  template <class Target, class State>
  static void Finalize(State& state, Target& target, duckdb::AggregateFinalizeData& data) {
    static constexpr std::array<uint8_t, kBitmapBytes> kEmpty{};
    const auto& bits = state.bits == nullptr ? kEmpty : *state.bits;
    target = duckdb::StringVector::AddStringOrBlob(
        data.result, reinterpret_cast<const char*>(bits.data()), bits.size());
  }
  template <class Input, class State, class Operation>
  static void ConstantOperation(State& state, const Input& input,
                                duckdb::AggregateUnaryInput& unary, idx_t) {
    Operation::template Operation<Input, State, Operation>(state, input, unary);
  }
  static bool IgnoreNull() { return true; }
  static void Need(BitmapState& state, uint8_t fill) {
    if (state.bits != nullptr) return;
    state.bits = new std::array<uint8_t, kBitmapBytes>;
    state.bits->fill(fill);
  }
};

struct BitmapConstruct : BitmapBase {
  template <class Input, class State, class Op>
  static void Operation(State& state, const Input& position, duckdb::AggregateUnaryInput&) {
    Need(state, 0);
    if (position >= 0 && position < static_cast<Input>(kBitmapBytes * 8)) {
      (*state.bits)[static_cast<size_t>(position) / 8] |= static_cast<uint8_t>(1 << (position % 8));
    }
  }
  template <class State, class Op>
  static void Combine(const State& source, State& target, duckdb::AggregateInputData&) {
    if (source.bits == nullptr) return;
    Need(target, 0);
    for (size_t i = 0; i < kBitmapBytes; ++i) (*target.bits)[i] |= (*source.bits)[i];
  }
};

template <bool kAnd>
struct BitmapFold : BitmapBase {
  static void Fold(BitmapState& state, const uint8_t* bytes, size_t size) {
    Need(state, kAnd ? 0xFF : 0);
    for (size_t i = 0; i < kBitmapBytes; ++i) {
      const uint8_t byte = i < size ? bytes[i] : 0;
      (*state.bits)[i] =
          static_cast<uint8_t>(kAnd ? (*state.bits)[i] & byte : (*state.bits)[i] | byte);
    }
  }
  template <class Input, class State, class Op>
  static void Operation(State& state, const Input& input, duckdb::AggregateUnaryInput&) {
    Fold(state, reinterpret_cast<const uint8_t*>(input.GetData()), input.GetSize());
  }
  template <class State, class Op>
  static void Combine(const State& source, State& target, duckdb::AggregateInputData&) {
    if (source.bits != nullptr) Fold(target, source.bits->data(), kBitmapBytes);
  }
};

template <class Input, class Op>
duckdb::AggregateFunctionSet Bitmap(const std::string& name, const LogicalType& input) {
  duckdb::AggregateFunctionSet set(name);
  set.AddFunction(
      duckdb::AggregateFunction::UnaryAggregateDestructor<BitmapState, Input, duckdb::string_t, Op>(
          input, LogicalType::BLOB));
  return set;
}

}  // namespace

void RegisterBitmapFunctions(FunctionRegistry& registry) {
  AddBitmapFunctions(registry);
  registry.Add(Bitmap<int64_t, BitmapConstruct>("mg_bitmap_construct_agg", LogicalType::BIGINT));
  registry.Add(Bitmap<duckdb::string_t, BitmapFold<false>>("mg_bitmap_or_agg", LogicalType::BLOB));
  registry.Add(Bitmap<duckdb::string_t, BitmapFold<true>>("mg_bitmap_and_agg", LogicalType::BLOB));
}

}  // namespace merganser::engine
