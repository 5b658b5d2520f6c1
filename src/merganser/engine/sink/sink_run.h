#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <duckdb.hpp>

#include "merganser/engine/sink/family_writer.h"
#include "merganser/engine/sink/sink.h"

namespace merganser::engine {

/// One execution of a sink, shared by the statement's threads.
class SinkRun {
 public:
  /// What one thread holds.
  struct Local {
    std::vector<FamilyWriter::Local> families;
  };

  /// Refers to `spec` and `created`.
  SinkRun(const SinkSpec& spec, CreatedFiles& created)
      : spec_(spec), created_(created), route_rows_(spec.routes.size()) {}

  /// Set up the writers for input columns of `types`, the route column not counted. Throws
  /// INTERNAL_ERROR through the engine if a column has another type than the family it goes to.
  void Prepare(duckdb::ClientContext& context, const duckdb::vector<duckdb::LogicalType>& types);
  Local MakeLocal() const;
  /// `input` has the route in its first column.
  void Append(duckdb::ClientContext& context, Local& local, duckdb::DataChunk& input);
  void Combine(duckdb::ClientContext& context, Local& local);
  /// Requires that every Local has been combined.
  SinkResult Finish(duckdb::ClientContext& context);

 private:
  void AppendOutput(duckdb::ClientContext& context, Local& local, const SinkOutput& output,
                    duckdb::DataChunk& input, const std::vector<duckdb::sel_t>* selected);

  const SinkSpec& spec_;
  CreatedFiles& created_;
  std::vector<std::unique_ptr<FamilyWriter>> writers_;
  std::vector<duckdb::vector<duckdb::LogicalType>> types_;  // Of the columns of each family.
  std::vector<std::atomic<int64_t>> route_rows_;
};

/// Keeps `run` reachable from SQL by the name that it returns, until released.
std::string RegisterSinkRun(std::shared_ptr<SinkRun> run);
std::shared_ptr<SinkRun> FindSinkRun(const std::string& name);
void ReleaseSinkRun(const std::string& name);

}  // namespace merganser::engine
