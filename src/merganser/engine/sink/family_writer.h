#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <duckdb.hpp>

#include "merganser/engine/sink/file_layout.h"
#include "merganser/engine/sink/file_writer.h"
#include "merganser/engine/sink/sink.h"

namespace merganser::engine {

/// Writes the files of one family from the rows of many threads.
///
/// Threads share the files: a partition has one open file, and a new one once that is big enough.
/// Each thread fills row groups of its own for its first partitions, and shares buffers for the
/// others. All buffers are the engine's, which spills them when memory gets short.
class FamilyWriter {
 private:
  struct Partition;

 public:
  /// What one thread holds.
  class Local {
   private:
    friend class FamilyWriter;
    struct Entry {
      Partition* partition = nullptr;
      std::unique_ptr<RowGroupBuffer> buffer;
    };
    std::unordered_map<std::string, Entry> entries_;
    int buffers_ = 0;
  };

  /// Refers to `spec` and `created`.
  FamilyWriter(duckdb::ClientContext& context, const SinkSpec& spec, size_t family,
               CreatedFiles& created);
  ~FamilyWriter();

  /// `rows` has the columns of the family's schema.
  void Append(duckdb::ClientContext& context, Local& local, duckdb::DataChunk& rows);
  /// Hand what `local` has gathered to the other threads.
  void Combine(duckdb::ClientContext& context, Local& local);
  /// Write what is left and close all files, on all threads of the engine. Requires that every
  /// Local has been combined.
  std::vector<WrittenFile> Finish(duckdb::ClientContext& context);

 private:
  struct OpenFile;
  class FinishTask;

  Partition& FindPartition(const std::string& key, duckdb::DataChunk& rows, duckdb::idx_t row);
  void AppendGroup(duckdb::ClientContext& context, Local& local, const std::string& key,
                   duckdb::DataChunk& rows, const std::vector<duckdb::sel_t>* selected);
  /// Is the buffer to become a row group?
  bool IsFull(const RowGroupBuffer& buffer) const;
  /// Is the last buffer of a thread to become a row group, or to be joined with those of others?
  bool IsWorthItsOwnGroup(const RowGroupBuffer& buffer) const;
  // The rows as the file holds them.
  void StoredRows(duckdb::DataChunk& rows, const std::vector<duckdb::sel_t>* selected,
                  duckdb::DataChunk& stored) const;
  void Share(duckdb::ClientContext& context, Partition& partition, RowGroupBuffer& buffer);
  void Flush(duckdb::ClientContext& context, Partition& partition, RowGroupBuffer buffer);
  /// The same in files of at most SinkSpec::max_file_rows.
  void FlushInPieces(duckdb::ClientContext& context, Partition& partition,
                     const RowGroupBuffer& buffer);
  std::shared_ptr<OpenFile> StartFile(duckdb::ClientContext& context, Partition& partition);
  void FinishFile(duckdb::ClientContext& context, OpenFile& file);
  void FinishPartition(duckdb::ClientContext& context, Partition& partition);

  const SinkSpec& spec_;
  const size_t family_number_;
  const SinkFamily& family_;
  CreatedFiles& created_;
  FileLayout layout_;
  const StatisticsCollector nothing_;
  std::atomic<int> next_file_{0};
  std::atomic<int> open_files_{0};

  std::mutex partitions_mutex_;
  std::unordered_map<std::string, std::unique_ptr<Partition>> partitions_;
  std::mutex written_mutex_;
  std::vector<WrittenFile> written_;
};

}  // namespace merganser::engine
