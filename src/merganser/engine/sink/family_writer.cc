#include "merganser/engine/sink/family_writer.h"

#include <algorithm>
#include <random>
#include <utility>

#include <duckdb/parallel/task_executor.hpp>
#include <fmt/format.h>

#include "merganser/base/uuid.h"
#include "merganser/delta/schema/partition_value.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/engine_value.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/sink/partition_rows.h"
#include "merganser/engine/variant/stored_variant.h"

namespace merganser::engine {
namespace {

// More files at a time are closed after their first row group, long before the process runs out of
// handles.
constexpr int kMaxOpenFiles = 256;

// Row groups of more bytes in memory go to the disk while the next ones are encoded.
constexpr uint64_t kLargeGroup = 1 << 20;

void CheckStatus(const Status& status) {
  if (!status.ok()) ThrowError(status.error());
}

/// The log is text: bytes of a BINARY column that are no UTF-8 are lost in it, as with Spark.
std::optional<std::string> StoredPartitionValue(const Scalar& value) {
  auto text = FormatPartitionValue(value);
  if (text && value.type().is(TypeId::kBinary)) text = ValidUtf8(*text);
  return text;
}

std::string RandomPrefix(int length) {
  constexpr std::string_view kCharacters =
      "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
  std::random_device random;
  std::string prefix;
  for (int i = 0; i < length; ++i) prefix.push_back(kCharacters[random() % kCharacters.size()]);
  return prefix;
}

}  // namespace

struct FamilyWriter::Partition {
  PartitionValues values;
  std::string directory;  // Of unrandomised files, with a slash at its end, or empty.
  std::mutex mutex;
  std::unique_ptr<RowGroupBuffer> shared;
  std::shared_ptr<OpenFile> current;
};

struct FamilyWriter::OpenFile {
  std::unique_ptr<FileWriter> writer;
  WrittenFile file;
  int writing = 0;        // Threads inside WriteRowGroup; guarded by the partition's mutex.
  bool complete = false;  // No more row groups will come; guarded likewise.
};

FamilyWriter::FamilyWriter(duckdb::ClientContext& context, const SinkSpec& spec, size_t family,
                           CreatedFiles& created)
    : spec_(spec),
      family_number_(family),
      family_(spec.families[family]),
      created_(created),
      layout_(context, spec, spec.families[family]),
      nothing_(layout_.physical_schema(), family_.statistics) {}

FamilyWriter::~FamilyWriter() = default;

void FamilyWriter::Append(duckdb::ClientContext& context, Local& local, duckdb::DataChunk& rows) {
  if (layout_.partition_columns().empty()) {
    AppendGroup(context, local, "", rows, nullptr);
    return;
  }
  auto groups = PartitionRows::Split(rows, layout_.partition_columns());
  for (const auto& group : groups) {
    AppendGroup(context, local, group.key, rows, groups.size() == 1 ? nullptr : &group.rows);
  }
}

void FamilyWriter::AppendGroup(duckdb::ClientContext& context, Local& local, const std::string& key,
                               duckdb::DataChunk& rows,
                               const std::vector<duckdb::sel_t>* selected) {
  const auto [found, added] = local.entries_.try_emplace(key);
  Local::Entry& entry = found->second;
  if (added) {
    entry.partition = &FindPartition(key, rows, selected == nullptr ? 0 : selected->front());
    if (local.buffers_ < spec_.max_open_writers) {
      entry.buffer = std::make_unique<RowGroupBuffer>(context, layout_, nothing_);
      ++local.buffers_;
    }
  }
  duckdb::DataChunk stored;
  StoredRows(rows, selected, stored);
  if (!entry.buffer) {
    StatisticsCollector statistics = nothing_;
    statistics.Update(stored);
    std::unique_lock lock(entry.partition->mutex);
    auto& shared = entry.partition->shared;
    if (!shared) shared = std::make_unique<RowGroupBuffer>(context, layout_, nothing_);
    shared->rows->Append(stored);
    shared->statistics.Merge(statistics);
    if (!IsFull(*shared)) return;
    RowGroupBuffer full = std::move(*std::exchange(shared, nullptr));
    lock.unlock();
    Flush(context, *entry.partition, std::move(full));
    return;
  }
  entry.buffer->Append(stored);
  if (IsFull(*entry.buffer)) {
    RowGroupBuffer full = std::move(*entry.buffer);
    entry.buffer = std::make_unique<RowGroupBuffer>(context, layout_, nothing_);
    Flush(context, *entry.partition, std::move(full));
  }
}

bool FamilyWriter::IsFull(const RowGroupBuffer& buffer) const {
  return buffer.num_rows() >= spec_.row_group_rows ||
         buffer.num_bytes() >= layout_.row_group_bytes();
}

// Threads that finish together encode at once what one would encode for all of them.
bool FamilyWriter::IsWorthItsOwnGroup(const RowGroupBuffer& buffer) const {
  return buffer.num_rows() >= spec_.row_group_rows / 8 ||
         buffer.num_bytes() >= layout_.row_group_bytes() / 8;
}

void FamilyWriter::StoredRows(duckdb::DataChunk& rows, const std::vector<duckdb::sel_t>* selected,
                              duckdb::DataChunk& stored) const {
  const duckdb::idx_t count = selected == nullptr ? rows.size() : selected->size();
  stored.InitializeEmpty(layout_.types());
  stored.SetCardinality(count);
  for (size_t i = 0; i < layout_.stored_columns().size(); ++i) {
    duckdb::Vector column(rows.data[layout_.stored_columns()[i]]);
    if (selected != nullptr) {
      column.Slice(duckdb::SelectionVector(const_cast<duckdb::sel_t*>(selected->data())), count);
    }
    if (layout_.holds_variants(i)) {
      StoreVariants(family_.schema[layout_.stored_columns()[i]].type, column, count,
                    stored.data[i]);
    } else {
      // Names of nested fields differ under column mapping, the layout in memory does not.
      stored.data[i].Reinterpret(column);
    }
  }
}

FamilyWriter::Partition& FamilyWriter::FindPartition(const std::string& key,
                                                     duckdb::DataChunk& rows, duckdb::idx_t row) {
  const std::lock_guard lock(partitions_mutex_);
  auto& partition = partitions_[key];
  if (partition) return *partition;
  partition = std::make_unique<Partition>();
  for (const size_t column : layout_.partition_columns()) {
    const StructField& field = family_.schema[column];
    const Scalar value = FromEngineValue(rows.GetValue(column, row), field.type);
    partition->values.emplace_back(PhysicalName(field, family_.column_mapping),
                                   StoredPartitionValue(value));
  }
  if (!partition->values.empty()) partition->directory = PartitionDirectory(partition->values);
  return *partition;
}

void FamilyWriter::Share(duckdb::ClientContext& context, Partition& partition,
                         RowGroupBuffer& buffer) {
  if (buffer.num_rows() == 0) return;
  if (IsWorthItsOwnGroup(buffer)) {
    Flush(context, partition, std::move(buffer));
    return;
  }
  std::unique_lock lock(partition.mutex);
  if (!partition.shared) {
    partition.shared = std::make_unique<RowGroupBuffer>(std::move(buffer));
  } else {
    partition.shared->Combine(buffer);
  }
  if (partition.shared->num_rows() < spec_.row_group_rows / 2 && !IsFull(*partition.shared)) return;
  RowGroupBuffer full = std::move(*std::exchange(partition.shared, nullptr));
  lock.unlock();
  Flush(context, partition, std::move(full));
}

void FamilyWriter::Flush(duckdb::ClientContext& context, Partition& partition,
                         RowGroupBuffer buffer) {
  if (spec_.max_file_rows > 0) {
    FlushInPieces(context, partition, buffer);
    return;
  }
  std::unique_lock lock(partition.mutex);
  if (!partition.current) partition.current = StartFile(context, partition);
  const std::shared_ptr<OpenFile> file = partition.current;
  ++file->writing;
  lock.unlock();
  const bool is_large = buffer.num_bytes() >= kLargeGroup;
  file->writer->WriteRowGroup(context, std::move(buffer));
  if (is_large) spec_.file_system->StartSync(file->writer->path());
  lock.lock();
  --file->writing;
  if (file->writer->IsLargerThan(spec_.target_file_bytes) || open_files_ > kMaxOpenFiles) {
    file->complete = true;
    if (partition.current == file) partition.current = nullptr;
  }
  const bool finish = file->complete && file->writing == 0;
  lock.unlock();
  if (finish) FinishFile(context, *file);
}

void FamilyWriter::FlushInPieces(duckdb::ClientContext& context, Partition& partition,
                                 const RowGroupBuffer& buffer) {
  const auto limit = static_cast<duckdb::idx_t>(spec_.max_file_rows);
  auto piece = std::make_unique<RowGroupBuffer>(context, layout_, nothing_);
  const auto write = [&] {
    const std::shared_ptr<OpenFile> file = StartFile(context, partition);
    file->writer->WriteRowGroup(context, std::move(*piece));
    FinishFile(context, *file);
    piece = std::make_unique<RowGroupBuffer>(context, layout_, nothing_);
  };
  for (auto& chunk : buffer.rows->Chunks()) {
    for (duckdb::idx_t from = 0; from < chunk.size();) {
      const duckdb::idx_t room = limit - static_cast<duckdb::idx_t>(piece->num_rows());
      const duckdb::idx_t count = std::min(room, chunk.size() - from);
      duckdb::DataChunk part;
      part.InitializeEmpty(layout_.types());
      part.SetCardinality(count);
      for (duckdb::idx_t i = 0; i < part.ColumnCount(); ++i)
        part.data[i].Slice(chunk.data[i], from, from + count);
      piece->Append(part);
      from += count;
      if (static_cast<duckdb::idx_t>(piece->num_rows()) == limit) write();
    }
  }
  if (piece->num_rows() > 0) write();
}

std::shared_ptr<FamilyWriter::OpenFile> FamilyWriter::StartFile(duckdb::ClientContext& context,
                                                                Partition& partition) {
  auto open = std::make_shared<OpenFile>();
  const std::string name = fmt::format("{}-{:05}-{}-c000{}", family_.file_prefix, next_file_++,
                                       RandomUuid(), layout_.extension());
  std::string directory = family_.directory.empty() ? "" : family_.directory + "/";
  directory += family_.random_prefix_length > 0 ? RandomPrefix(family_.random_prefix_length) + "/"
                                                : partition.directory;
  open->file.family = family_number_;
  open->file.path = directory + name;
  open->file.absolute_path = JoinPath(spec_.root, open->file.path);
  open->file.partition_values = partition.values;
  CheckStatus(
      spec_.file_system->CreateDirectories(std::string(ParentPath(open->file.absolute_path))));
  created_.Add(open->file.absolute_path);
  open->writer = std::make_unique<FileWriter>(context, layout_, nothing_, open->file.absolute_path);
  ++open_files_;
  return open;
}

void FamilyWriter::FinishFile(duckdb::ClientContext& context, OpenFile& file) {
  file.writer->Finish(context);
  --open_files_;
  auto entry = spec_.file_system->Stat(file.file.absolute_path);
  if (!entry.ok()) ThrowError(entry.error());
  if (entry->has_value()) file.file.size = (*entry)->size;
  file.file.statistics = file.writer->statistics();
  file.file.num_records = file.file.statistics.num_records.value_or(0);
  file.writer.reset();
  const std::lock_guard lock(written_mutex_);
  written_.push_back(std::move(file.file));
}

void FamilyWriter::Combine(duckdb::ClientContext& context, Local& local) {
  for (auto& [key, entry] : local.entries_) {
    if (entry.buffer) Share(context, *entry.partition, *entry.buffer);
  }
  local.entries_.clear();
  local.buffers_ = 0;
}

void FamilyWriter::FinishPartition(duckdb::ClientContext& context, Partition& partition) {
  if (partition.shared)
    Flush(context, partition, std::move(*std::exchange(partition.shared, nullptr)));
  if (partition.current) FinishFile(context, *std::exchange(partition.current, nullptr));
}

class FamilyWriter::FinishTask final : public duckdb::BaseExecutorTask {
 public:
  FinishTask(duckdb::TaskExecutor& tasks, duckdb::ClientContext& context, FamilyWriter& writer,
             Partition& partition)
      : BaseExecutorTask(tasks), context_(context), writer_(writer), partition_(partition) {}

  void ExecuteTask() override { writer_.FinishPartition(context_, partition_); }

 private:
  duckdb::ClientContext& context_;
  FamilyWriter& writer_;
  Partition& partition_;
};

std::vector<WrittenFile> FamilyWriter::Finish(duckdb::ClientContext& context) {
  duckdb::TaskExecutor executor(context);
  for (auto& [key, partition] : partitions_) {
    executor.ScheduleTask(duckdb::make_uniq<FinishTask>(executor, context, *this, *partition));
  }
  executor.WorkOnTasks();
  return std::move(written_);
}

}  // namespace merganser::engine
