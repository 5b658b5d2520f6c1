// Vectors: arrays of FLOAT.
#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// Reads rows of LIST(FLOAT); a NULL element makes the row NULL.
class FloatLists {
 public:
  FloatLists(duckdb::Vector& vector, idx_t count) {
    vector.ToUnifiedFormat(count, lists_);
    duckdb::ListVector::GetEntry(vector).ToUnifiedFormat(duckdb::ListVector::GetListSize(vector),
                                                         elements_);
  }
  bool Read(idx_t row, std::vector<double>* out) const {
    const auto at = lists_.sel->get_index(row);
    if (!lists_.validity.RowIsValid(at)) return false;
    const auto list = Cell<duckdb::list_entry_t>::Read(lists_, at);
    out->clear();
    for (idx_t i = list.offset; i < list.offset + list.length; ++i) {
      const auto element = elements_.sel->get_index(i);
      if (!elements_.validity.RowIsValid(element)) return false;
      out->push_back(static_cast<double>(Cell<float>::Read(elements_, element)));
    }
    return true;
  }

 private:
  duckdb::UnifiedVectorFormat lists_;
  duckdb::UnifiedVectorFormat elements_;
};

using Doubles = std::vector<double>;

/// mg_vector_*(a, b [, context]) -> FLOAT.
ScalarKernel BindVectorPair(ScalarCall& call,
                            std::optional<double> (*f)(const Doubles&, const Doubles&)) {
  const std::string function = call.name().substr(3);
  const CallSite site = call.Context(2);
  for (size_t i = 0; i < 2; ++i) call.Expect(i, LogicalType::LIST(LogicalType::FLOAT));
  call.Returns(LogicalType::FLOAT);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const FloatLists left(arguments.data[0], arguments.size());
    const FloatLists right(arguments.data[1], arguments.size());
    FlatResult out(result, false);
    Doubles a;
    Doubles b;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      std::optional<double> value;
      if (left.Read(row, &a) && right.Read(row, &b)) {
        if (a.size() != b.size()) {
          site.Throw(Error(ErrorClass::VECTOR_DIMENSION_MISMATCH,
                           {{"functionName", QuotedId(function)},
                            {"leftDim", std::to_string(a.size())},
                            {"rightDim", std::to_string(b.size())}}));
        }
        value = f(a, b);
      }
      if (value) {
        out.data<float>()[row] = static_cast<float>(*value);
      } else {
        out.SetNull(row);
      }
    }
  };
}

double Norm(const Doubles& values, double degree) {
  double sum = 0;
  for (const double value : values) {
    if (degree == 1) {
      sum += std::abs(value);
    } else if (degree == 2) {
      sum += value * value;
    } else {
      sum = std::max(sum, std::abs(value));
    }
  }
  return degree == 2 ? std::sqrt(sum) : sum;
}

/// mg_vector_norm(v, degree FLOAT [, context]) -> FLOAT; mg_vector_normalize gives the unit vector.
ScalarKernel BindNorm(ScalarCall& call, bool normalize) {
  const std::string function = call.name().substr(3);
  const CallSite site = call.Context(2);
  call.Expect(0, LogicalType::LIST(LogicalType::FLOAT));
  call.Expect(1, LogicalType::FLOAT);
  call.Returns(normalize ? LogicalType::LIST(LogicalType::FLOAT) : LogicalType::FLOAT);
  call.KeepArguments(2);
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    const FloatLists lists(arguments.data[0], arguments.size());
    duckdb::UnifiedVectorFormat degrees;
    arguments.data[1].ToUnifiedFormat(arguments.size(), degrees);
    FlatResult out(result, false);
    std::vector<float> units;
    Doubles values;
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const auto at = degrees.sel->get_index(row);
      const bool given = degrees.validity.RowIsValid(at) && lists.Read(row, &values);
      const float degree = given ? Cell<float>::Read(degrees, at) : 2;
      if (degree != 1 && degree != 2 && !std::isinf(degree)) {
        site.Throw(
            Error(ErrorClass::INVALID_VECTOR_NORM_DEGREE,
                  {{"functionName", QuotedId(function)}, {"degree", std::to_string(degree)}}));
      }
      const double norm = given ? Norm(values, static_cast<double>(degree)) : 0;
      const bool null = !given || (normalize && norm == 0);
      if (null) out.SetNull(row);
      if (normalize) {
        out.data<duckdb::list_entry_t>()[row] = {units.size(), null ? 0 : values.size()};
        if (!null) {
          for (const double value : values) units.push_back(static_cast<float>(value / norm));
        }
      } else if (!null) {
        out.data<float>()[row] = static_cast<float>(norm);
      }
    }
    if (!normalize) return;
    auto child = MakeVector(LogicalType::FLOAT, units.size());
    std::copy(units.begin(), units.end(), duckdb::FlatVector::GetData<float>(child));
    SetListChild(result, std::move(child), units.size());
  };
}

std::optional<double> InnerProduct(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += a[i] * b[i];
  return sum;
}

std::optional<double> CosineSimilarity(const Doubles& a, const Doubles& b) {
  const double norms = Norm(a, 2) * Norm(b, 2);
  if (norms == 0) return std::nullopt;
  return *InnerProduct(a, b) / norms;
}

std::optional<double> Distance(const Doubles& a, const Doubles& b) {
  double sum = 0;
  for (size_t i = 0; i < a.size(); ++i) sum += (a[i] - b[i]) * (a[i] - b[i]);
  return std::sqrt(sum);
}

/// Sums of the vectors of a group, element by element; absent until a row comes.
struct VectorSums {
  Doubles sums;
  int64_t rows = 0;
};

struct VectorState {
  VectorSums* sums;
};

idx_t VectorStateSize(const duckdb::AggregateFunction&) { return sizeof(VectorState); }

void VectorStateInitialize(const duckdb::AggregateFunction&, duckdb::data_ptr_t state) {
  reinterpret_cast<VectorState*>(state)->sums = nullptr;
}

VectorState* VectorAt(const duckdb::UnifiedVectorFormat& states, idx_t row) {
  return reinterpret_cast<VectorState* const*>(states.data)[states.sel->get_index(row)];
}

void AddVector(VectorState& state, const Doubles& values, int64_t rows,
               const std::string& function) {
  if (state.sums == nullptr) state.sums = new VectorSums{Doubles(values.size()), 0};
  Doubles& sums = state.sums->sums;
  if (sums.size() != values.size()) {
    ThrowError(Error(ErrorClass::VECTOR_DIMENSION_MISMATCH,
                     {{"functionName", QuotedId(function)},
                      {"leftDim", std::to_string(sums.size())},
                      {"rightDim", std::to_string(values.size())}}));
  }
  for (size_t i = 0; i < values.size(); ++i) sums[i] += values[i];
  state.sums->rows += rows;
}

template <bool kAverage>
struct VectorAggregate {
  static constexpr const char* kFunction = kAverage ? "vector_avg" : "vector_sum";

  static void Update(duckdb::Vector inputs[], duckdb::AggregateInputData&, idx_t,
                     duckdb::Vector& states, idx_t count) {
    const FloatLists lists(inputs[0], count);
    duckdb::UnifiedVectorFormat targets;
    states.ToUnifiedFormat(count, targets);
    Doubles values;
    for (idx_t row = 0; row < count; ++row) {
      if (lists.Read(row, &values)) AddVector(*VectorAt(targets, row), values, 1, kFunction);
    }
  }

  static void Combine(duckdb::Vector& sources, duckdb::Vector& targets, duckdb::AggregateInputData&,
                      idx_t count) {
    duckdb::UnifiedVectorFormat from;
    duckdb::UnifiedVectorFormat into;
    sources.ToUnifiedFormat(count, from);
    targets.ToUnifiedFormat(count, into);
    for (idx_t row = 0; row < count; ++row) {
      const VectorSums* sums = VectorAt(from, row)->sums;
      if (sums != nullptr) AddVector(*VectorAt(into, row), sums->sums, sums->rows, kFunction);
    }
  }

  static void Finalize(duckdb::Vector& states, duckdb::AggregateInputData&, duckdb::Vector& result,
                       idx_t count, idx_t offset) {
    duckdb::UnifiedVectorFormat from;
    states.ToUnifiedFormat(count, from);
    auto* entries = duckdb::FlatVector::GetData<duckdb::list_entry_t>(result);
    for (idx_t row = 0; row < count; ++row) {
      const VectorSums* sums = VectorAt(from, row)->sums;
      const idx_t begin = duckdb::ListVector::GetListSize(result);
      const idx_t size = sums == nullptr ? 0 : sums->sums.size();
      entries[row + offset] = {begin, size};
      if (sums == nullptr) {
        duckdb::FlatVector::SetNull(result, row + offset, true);
        continue;
      }
      duckdb::ListVector::Reserve(result, begin + size);
      auto* child = duckdb::FlatVector::GetData<float>(duckdb::ListVector::GetEntry(result));
      const double divisor = kAverage ? static_cast<double>(sums->rows) : 1;
      for (idx_t i = 0; i < size; ++i)
        child[begin + i] = static_cast<float>(sums->sums[i] / divisor);
      duckdb::ListVector::SetListSize(result, begin + size);
    }
  }

  static void Destroy(duckdb::Vector& states, duckdb::AggregateInputData&, idx_t count) {
    duckdb::UnifiedVectorFormat all;
    states.ToUnifiedFormat(count, all);
    for (idx_t row = 0; row < count; ++row) {
      delete VectorAt(all, row)->sums;
      VectorAt(all, row)->sums = nullptr;
    }
  }

  static duckdb::AggregateFunctionSet Make(const std::string& name) {
    const LogicalType vector = LogicalType::LIST(LogicalType::FLOAT);
    duckdb::AggregateFunctionSet set(name);
    set.AddFunction(duckdb::AggregateFunction({vector}, vector, VectorStateSize,
                                              VectorStateInitialize, Update, Combine, Finalize,
                                              nullptr, nullptr, Destroy));
    return set;
  }
};

}  // namespace

void RegisterVectorFunctions(FunctionRegistry& registry) {
  registry.Add("mg_vector_inner_product",
               [](ScalarCall& call) { return BindVectorPair(call, InnerProduct); });
  registry.Add("mg_vector_cosine_similarity",
               [](ScalarCall& call) { return BindVectorPair(call, CosineSimilarity); });
  registry.Add("mg_vector_l2_distance",
               [](ScalarCall& call) { return BindVectorPair(call, Distance); });
  registry.Add("mg_vector_norm", [](ScalarCall& call) { return BindNorm(call, false); });
  registry.Add("mg_vector_normalize", [](ScalarCall& call) { return BindNorm(call, true); });
  registry.Add(VectorAggregate<false>::Make("mg_vector_sum"));
  registry.Add(VectorAggregate<true>::Make("mg_vector_avg"));
}

}  // namespace merganser::engine
