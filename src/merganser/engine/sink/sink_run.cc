#include "merganser/engine/sink/sink_run.h"

#include <utility>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/handle_registry.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;
using duckdb::LogicalType;
using duckdb::Value;

HandleRegistry<SinkRun>& Runs() {
  static auto* runs = new HandleRegistry<SinkRun>("s");
  return *runs;
}

// The input that feeds column `i` of an output.
SinkColumn SourceOf(const SinkOutput& output, size_t i) {
  return output.columns.empty() ? SinkColumn{static_cast<int>(i), {}} : output.columns[i];
}

void CheckTypes(const SinkOutput& output, const SinkFamily& family,
                const duckdb::vector<LogicalType>& types) {
  if (!output.columns.empty() && output.columns.size() != family.schema.size()) {
    ThrowError(Error::Internal("A sink output does not have one source a column"));
  }
  for (size_t i = 0; i < family.schema.size(); ++i) {
    const SinkColumn source = SourceOf(output, i);
    if (source.input < 0) continue;
    const StructField& field = family.schema[i];
    const auto input = static_cast<size_t>(source.input);
    const LogicalType wanted = ToLogicalType(field.type);
    if (input >= types.size() || types[input] != wanted) {
      ThrowError(Error::Internal("The sink's column " + field.name + " is " + wanted.ToString() +
                                 ", its input is " +
                                 (input < types.size() ? types[input].ToString() : "missing")));
    }
  }
}

}  // namespace

void SinkRun::Prepare(duckdb::ClientContext& context, const duckdb::vector<LogicalType>& types) {
  for (const SinkRoute& route : spec_.routes) {
    for (const SinkOutput& output : route.outputs)
      CheckTypes(output, spec_.families[output.family], types);
  }
  writers_.clear();
  types_.clear();
  for (size_t i = 0; i < spec_.families.size(); ++i) {
    writers_.push_back(std::make_unique<FamilyWriter>(context, spec_, i, created_));
    types_.emplace_back();
    for (const StructField& field : spec_.families[i].schema)
      types_.back().push_back(ToLogicalType(field.type));
  }
}

SinkRun::Local SinkRun::MakeLocal() const {
  Local local;
  local.families.resize(writers_.size());
  return local;
}

void SinkRun::Append(duckdb::ClientContext& context, Local& local, duckdb::DataChunk& input) {
  duckdb::UnifiedVectorFormat format;
  input.data[0].ToUnifiedFormat(input.size(), format);
  const auto* numbers = duckdb::UnifiedVectorFormat::GetData<int32_t>(format);
  std::vector<std::vector<duckdb::sel_t>> rows(spec_.routes.size());
  for (idx_t row = 0; row < input.size(); ++row) {
    const idx_t slot = format.sel->get_index(row);
    if (!format.validity.RowIsValid(slot)) continue;
    const auto route = static_cast<size_t>(numbers[slot]);
    if (route >= rows.size())
      ThrowError(Error::Internal("A row has a route that the sink does not know"));
    rows[route].push_back(static_cast<duckdb::sel_t>(row));
  }
  for (size_t route = 0; route < rows.size(); ++route) {
    if (rows[route].empty()) continue;
    route_rows_[route] += static_cast<int64_t>(rows[route].size());
    const bool all = rows[route].size() == input.size();
    for (const SinkOutput& output : spec_.routes[route].outputs) {
      AppendOutput(context, local, output, input, all ? nullptr : &rows[route]);
    }
  }
}

void SinkRun::AppendOutput(duckdb::ClientContext& context, Local& local, const SinkOutput& output,
                           duckdb::DataChunk& input, const std::vector<duckdb::sel_t>* selected) {
  const StructType& schema = spec_.families[output.family].schema;
  const auto& types = types_[output.family];
  duckdb::DataChunk rows;
  rows.InitializeEmpty(types);
  for (size_t i = 0; i < schema.size(); ++i) {
    const SinkColumn source = SourceOf(output, i);
    if (source.input >= 0) {
      rows.data[i].Reference(input.data[static_cast<size_t>(source.input) + 1]);
    } else {
      rows.data[i].Reference(source.constant ? Value(*source.constant).DefaultCastAs(types[i])
                                             : Value(types[i]));
    }
  }
  rows.SetCardinality(input.size());
  if (selected != nullptr) {
    duckdb::SelectionVector selection(const_cast<duckdb::sel_t*>(selected->data()));
    rows.Slice(selection, selected->size());
  }
  writers_[output.family]->Append(context, local.families[output.family], rows);
}

void SinkRun::Combine(duckdb::ClientContext& context, Local& local) {
  for (size_t i = 0; i < writers_.size(); ++i) writers_[i]->Combine(context, local.families[i]);
}

SinkResult SinkRun::Finish(duckdb::ClientContext& context) {
  SinkResult result;
  for (auto& writer : writers_) {
    auto files = writer->Finish(context);
    result.files.insert(result.files.end(), std::make_move_iterator(files.begin()),
                        std::make_move_iterator(files.end()));
  }
  for (const auto& rows : route_rows_) result.route_rows.push_back(rows);
  return result;
}

std::string RegisterSinkRun(std::shared_ptr<SinkRun> run) { return Runs().Add(std::move(run)); }

std::shared_ptr<SinkRun> FindSinkRun(const std::string& name) { return Runs().Find(name); }

void ReleaseSinkRun(const std::string& name) { Runs().Release(name); }

}  // namespace merganser::engine
