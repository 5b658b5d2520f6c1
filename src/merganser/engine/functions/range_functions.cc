// Ranges of sort keys, for the layout of files.
#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// The number of the range of each key, from 0, between sorted boundaries; a boundary belongs to
/// the range above it.
template <typename Key, typename Boundary>
ScalarKernel RangeNumbers(std::vector<Boundary> boundaries) {
  return [boundaries = std::move(boundaries)](duckdb::DataChunk& arguments,
                                              duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat keys;
    arguments.data[0].ToUnifiedFormat(arguments.size(), keys);
    FlatResult out(result, false);
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const Key key = Cell<Key>::Read(keys, keys.sel->get_index(row));
      const auto above = std::upper_bound(boundaries.begin(), boundaries.end(), key,
                                          [](const Key& a, const Boundary& b) { return a < b; });
      out.data<int64_t>()[row] = above - boundaries.begin();
    }
  };
}

/// mg_range_number(create_sort_key(...), boundaries) -> BIGINT. Sort keys of few bytes are numbers.
ScalarKernel BindRangeNumber(ScalarCall& call) {
  const duckdb::Value boundaries = call.Constant(1);
  const bool is_number = call.type(0) == LogicalType::BIGINT;
  const LogicalType key = is_number ? LogicalType::BIGINT : LogicalType::BLOB;
  call.Expect(0, key);
  call.Expect(1, LogicalType::LIST(key));
  call.Returns(LogicalType::BIGINT);
  call.KeepArguments(1);
  call.NeverFails();
  std::vector<int64_t> numbers;
  std::vector<std::string> texts;
  if (!boundaries.IsNull()) {
    for (const duckdb::Value& value : duckdb::ListValue::GetChildren(boundaries)) {
      if (is_number) {
        numbers.push_back(value.GetValue<int64_t>());
      } else {
        texts.push_back(duckdb::StringValue::Get(value));
      }
    }
  }
  if (is_number) return RangeNumbers<int64_t>(std::move(numbers));
  return RangeNumbers<std::string_view>(std::move(texts));
}

}  // namespace

void RegisterRangeFunctions(FunctionRegistry& registry) {
  registry.Add("mg_range_number", BindRangeNumber);
}

}  // namespace merganser::engine
