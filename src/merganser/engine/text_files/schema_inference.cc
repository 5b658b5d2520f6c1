// mg_infer_json, mg_infer_csv and mg_csv_fields.
#include <string>
#include <utility>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/main/extension/extension_loader.hpp>

#include "merganser/delta/schema/schema_json.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/csv_text.h"
#include "merganser/engine/functions/json_inference.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/text_lists.h"
#include "merganser/engine/text_files/register_text_files.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;

/// The types of the columns of many CSV records; the first record says how many there are.
class CsvInference {
 public:
  explicit CsvInference(TextFormatOptions options)
      : options_(std::move(options)), tokenizer_(options_, options_.multi_line) {}
  CsvInference(const CsvInference&) = delete;
  CsvInference& operator=(const CsvInference&) = delete;

  void Add(std::string_view record) {
    const auto& fields = tokenizer_.Split(record);
    if (types_.size() < fields.size()) types_.resize(fields.size(), DataType::Null());
    for (size_t i = 0; i < fields.size(); ++i) {
      if (!fields[i].text.empty() && !IsCsvNull(fields[i], options_))
        types_[i] = InferCsvType(types_[i], fields[i].text, options_);
    }
  }
  void Merge(CsvInference&& other) {
    if (types_.size() < other.types_.size()) types_.resize(other.types_.size(), DataType::Null());
    for (size_t i = 0; i < other.types_.size(); ++i)
      types_[i] = MergeCsvTypes(types_[i], other.types_[i]);
  }
  /// Columns that are all NULL are texts.
  StructType Schema() const {
    StructType schema;
    for (const DataType& type : types_) {
      schema.Add({"_c" + std::to_string(schema.size()),
                  type.is(TypeId::kNull) ? DataType::String() : type,
                  true,
                  {}});
    }
    return schema;
  }

 private:
  TextFormatOptions options_;
  CsvTokenizer tokenizer_;
  std::vector<DataType> types_;
};

template <typename Inference>
struct InferenceState {
  Inference* inference;
};

template <typename Inference>
InferenceState<Inference>* StateAt(const duckdb::UnifiedVectorFormat& states, idx_t row) {
  return reinterpret_cast<InferenceState<Inference>* const*>(
      states.data)[states.sel->get_index(row)];
}

template <typename Inference>
idx_t InferenceSize(const duckdb::AggregateFunction&) {
  return sizeof(InferenceState<Inference>);
}

template <typename Inference>
void InferenceInitialize(const duckdb::AggregateFunction&, duckdb::data_ptr_t state) {
  reinterpret_cast<InferenceState<Inference>*>(state)->inference = nullptr;
}

template <typename Inference>
void InferenceUpdate(duckdb::Vector inputs[], duckdb::AggregateInputData&, idx_t,
                     duckdb::Vector& states, idx_t count) {
  duckdb::UnifiedVectorFormat texts;
  duckdb::UnifiedVectorFormat options;
  duckdb::UnifiedVectorFormat zones;
  duckdb::UnifiedVectorFormat targets;
  inputs[0].ToUnifiedFormat(count, texts);
  inputs[1].ToUnifiedFormat(count, options);
  inputs[2].ToUnifiedFormat(count, zones);
  states.ToUnifiedFormat(count, targets);
  for (idx_t row = 0; row < count; ++row) {
    const auto at = texts.sel->get_index(row);
    if (!texts.validity.RowIsValid(at)) continue;
    InferenceState<Inference>* state = StateAt<Inference>(targets, row);
    if (state->inference == nullptr) {
      auto zone = TimeZone::Find(Cell<std::string_view>::Read(zones, zones.sel->get_index(row)));
      auto parsed = TextFormatOptions::Parse(
          Cell<std::string_view>::Read(options, options.sel->get_index(row)),
          zone ? std::move(zone) : TimeZone::Find("UTC"));
      if (!parsed.ok()) ThrowError(parsed.error());
      state->inference = new Inference(*std::move(parsed));
    }
    state->inference->Add(Cell<std::string_view>::Read(texts, at));
  }
}

template <typename Inference>
void InferenceCombine(duckdb::Vector& sources, duckdb::Vector& targets, duckdb::AggregateInputData&,
                      idx_t count) {
  duckdb::UnifiedVectorFormat from;
  duckdb::UnifiedVectorFormat into;
  sources.ToUnifiedFormat(count, from);
  targets.ToUnifiedFormat(count, into);
  for (idx_t row = 0; row < count; ++row) {
    InferenceState<Inference>* source = StateAt<Inference>(from, row);
    if (source->inference == nullptr) continue;
    InferenceState<Inference>* target = StateAt<Inference>(into, row);
    if (target->inference == nullptr) {
      std::swap(target->inference, source->inference);
    } else {
      target->inference->Merge(std::move(*source->inference));
    }
  }
}

template <typename Inference>
void InferenceFinalize(duckdb::Vector& states, duckdb::AggregateInputData&, duckdb::Vector& result,
                       idx_t count, idx_t offset) {
  duckdb::UnifiedVectorFormat from;
  states.ToUnifiedFormat(count, from);
  result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
  for (idx_t row = 0; row < count; ++row) {
    const Inference* inference = StateAt<Inference>(from, row)->inference;
    if (inference == nullptr) {
      duckdb::FlatVector::SetNull(result, row + offset, true);
    } else {
      WriteCell<std::string_view>(result, row + offset, ToSchemaJson(inference->Schema()));
    }
  }
}

template <typename Inference>
void InferenceDestroy(duckdb::Vector& states, duckdb::AggregateInputData&, idx_t count) {
  duckdb::UnifiedVectorFormat all;
  states.ToUnifiedFormat(count, all);
  for (idx_t row = 0; row < count; ++row) {
    delete StateAt<Inference>(all, row)->inference;
    StateAt<Inference>(all, row)->inference = nullptr;
  }
}

template <typename Inference>
void RegisterInference(FunctionRegistry& registry, const char* name) {
  duckdb::AggregateFunctionSet set(name);
  set.AddFunction(duckdb::AggregateFunction(
      {LogicalType::VARCHAR, LogicalType::VARCHAR, LogicalType::VARCHAR}, LogicalType::VARCHAR,
      InferenceSize<Inference>, InferenceInitialize<Inference>, InferenceUpdate<Inference>,
      InferenceCombine<Inference>, InferenceFinalize<Inference>, nullptr, nullptr,
      InferenceDestroy<Inference>));
  registry.Add(std::move(set));
}

/// mg_csv_fields(record, options) -> list of the fields' texts; NULL where a field is.
ScalarKernel BindCsvFields(ScalarCall& call) {
  auto parsed = TextFormatOptions::Parse(call.Text(1), TimeZone::Find("UTC"));
  if (!parsed.ok()) ThrowError(parsed.error());
  call.Expect(0, LogicalType::VARCHAR);
  call.Returns(LogicalType::LIST(LogicalType::VARCHAR));
  call.KeepArguments(1);
  call.NeverFails();
  return [options = *std::move(parsed)](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::UnifiedVectorFormat texts;
    arguments.data[0].ToUnifiedFormat(arguments.size(), texts);
    TextListResult lists(result, false);
    CsvTokenizer tokenizer(options, options.multi_line);
    for (idx_t row = 0; row < arguments.size(); ++row) {
      const auto at = texts.sel->get_index(row);
      if (!texts.validity.RowIsValid(at)) {
        lists.NullRow(row);
        continue;
      }
      for (const CsvField& field : tokenizer.Split(Cell<std::string_view>::Read(texts, at))) {
        if (IsCsvNull(field, options)) {
          lists.AddNull();
        } else {
          lists.Add(field.text);
        }
      }
      lists.EndRow(row);
    }
    lists.Finish();
  };
}

}  // namespace

void RegisterSchemaInference(duckdb::DatabaseInstance& database) {
  FunctionRegistry registry(database);
  RegisterInference<JsonInference>(registry, "mg_infer_json");
  RegisterInference<CsvInference>(registry, "mg_infer_csv");
  registry.Add("mg_csv_fields", BindCsvFields);
}

}  // namespace merganser::engine
