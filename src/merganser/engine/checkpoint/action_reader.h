#pragma once

#include <memory>
#include <vector>

#include <duckdb.hpp>

#include "merganser/delta/protocol/action_visitor.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser::engine {

/// Reads the actions in rows of a checkpoint, one chunk after the other. For one thread.
class ActionReader {
 public:
  /// For rows whose first columns are `schema`: those of CheckpointSchema or some of them. Where an
  /// add action has no `stats`, its text is made of `stats_parsed`, if that is among its fields,
  /// with `statistics_columns`, which this object refers to.
  ActionReader(const StructType& schema, const std::vector<StatisticsColumn>& statistics_columns);
  ~ActionReader();
  ActionReader(const ActionReader&) = delete;
  ActionReader& operator=(const ActionReader&) = delete;

  /// Turn to `rows`, which are read as long as they live.
  void Bind(duckdb::DataChunk& rows);
  /// Hand the action in a row to `visitor`. False if a field is NULL that the action cannot do
  /// without.
  bool Read(duckdb::idx_t row, ActionVisitor& visitor);

 private:
  class Rows;
  std::unique_ptr<Rows> rows_;
};

}  // namespace merganser::engine
