#include "merganser/streaming/micro_batches.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "merganser/base/clock.h"
#include "merganser/base/json.h"
#include "merganser/base/uuid.h"

namespace merganser {
namespace {

// The first line of each file of a checkpoint folder, in Spark's layout.
constexpr std::string_view kLogVersion = "v1\n";

/// The batch that a file of `offsets` or `commits` is about; -1 for other files.
int64_t BatchOf(const std::string& name) {
  int64_t id = -1;
  const auto [end, error] = std::from_chars(name.data(), name.data() + name.size(), id);
  return error == std::errc() && end == name.data() + name.size() ? id : -1;
}

Error TakenOver(const std::string& path) {
  return Error(
      ErrorClass::FILE_SYSTEM_ERROR,
      {{"operation", "create"}, {"path", path}, {"reason", "another query uses this checkpoint"}});
}

/// The highest batch in a folder; -1 if there is none.
Result<int64_t> LastBatch(const FileLocation& checkpoint, const std::string& folder) {
  const std::string path = checkpoint.path + "/" + folder;
  MERGANSER_RETURN_IF_ERROR(checkpoint.file_system->CreateDirectories(path));
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<FileEntry> entries,
                             checkpoint.file_system->List(path, ""));
  int64_t last = -1;
  for (const FileEntry& entry : entries) last = std::max(last, BatchOf(entry.name));
  return last;
}

}  // namespace

std::string MicroBatches::PathOf(const char* folder, int64_t batch_id) const {
  return checkpoint_.path + "/" + folder + "/" + std::to_string(batch_id);
}

Result<MicroBatches> MicroBatches::Open(FileLocation checkpoint, DeltaSource source) {
  MicroBatches batches(std::move(checkpoint), std::move(source));
  MERGANSER_RETURN_IF_ERROR(batches.Resume());
  return batches;
}

Status MicroBatches::Resume() {
  FileSystem& files = *checkpoint_.file_system;
  MERGANSER_ASSIGN_OR_RETURN(const int64_t committed, LastBatch(checkpoint_, "commits"));
  MERGANSER_ASSIGN_OR_RETURN(const int64_t written, LastBatch(checkpoint_, "offsets"));
  const std::string metadata = checkpoint_.path + "/metadata";
  Json identity = Json::MakeObject();
  identity.Set("id", RandomUuid());
  MERGANSER_ASSIGN_OR_RETURN(const PutOutcome put, files.PutIfAbsent(metadata, identity.Dump()));
  if (put != PutOutcome::kCreated) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string text, files.Read(metadata));
    MERGANSER_ASSIGN_OR_RETURN(identity, Json::Parse(text));
  }
  query_id_ = identity.string_or("id");

  MERGANSER_ASSIGN_OR_RETURN(done_, source_.Start());
  if (committed >= 0) {
    MERGANSER_ASSIGN_OR_RETURN(done_, ReadOffset(committed));
  }
  next_id_ = committed + 1;
  if (written >= next_id_) {
    MERGANSER_ASSIGN_OR_RETURN(planned_, ReadOffset(next_id_));
  }
  return Status::Ok();
}

Result<DeltaSourceOffset> MicroBatches::ReadOffset(int64_t batch_id) const {
  MERGANSER_ASSIGN_OR_RETURN(const std::string text,
                             checkpoint_.file_system->Read(PathOf("offsets", batch_id)));
  // Version, the batch's own line, and a line a source.
  const size_t second = text.find('\n');
  const size_t third = second == std::string::npos ? second : text.find('\n', second + 1);
  if (third == std::string::npos) return Error(ErrorClass::DELTA_INVALID_SOURCE_OFFSET_FORMAT);
  return DeltaSourceOffset::FromJson(
      std::string_view(text).substr(third + 1, text.find('\n', third + 1) - third - 1));
}

Result<std::optional<MicroBatch>> MicroBatches::Next() {
  if (!planned_) {
    MERGANSER_ASSIGN_OR_RETURN(const DeltaSourceOffset end, source_.LatestEnd(done_));
    if (end == done_) return std::optional<MicroBatch>();
    Json line = Json::MakeObject();
    line.Set("batchWatermarkMs", 0)
        .Set("batchTimestampMs", Clock::System().NowMillis())
        .Set("conf", Json::MakeObject());
    const std::string text =
        std::string(kLogVersion) + line.Dump() + "\n" + end.ToJson(source_.table_id());
    MERGANSER_ASSIGN_OR_RETURN(const PutOutcome put, checkpoint_.file_system->PutIfAbsent(
                                                         PathOf("offsets", next_id_), text));
    if (put != PutOutcome::kCreated) {
      return TakenOver(PathOf("offsets", next_id_));
    }
    planned_ = end;
  }
  MicroBatch batch{.id = next_id_, .source = nullptr, .start = done_, .end = *planned_};
  MERGANSER_ASSIGN_OR_RETURN(batch.source, source_.Rows(batch.start, batch.end));
  return std::optional<MicroBatch>(std::move(batch));
}

Status MicroBatches::Commit(const MicroBatch& batch) {
  const std::string text = std::string(kLogVersion) + "{\"nextBatchWatermarkMs\":0}";
  MERGANSER_ASSIGN_OR_RETURN(const PutOutcome put, checkpoint_.file_system->PutIfAbsent(
                                                       PathOf("commits", batch.id), text));
  if (put != PutOutcome::kCreated) {
    return TakenOver(PathOf("commits", batch.id));
  }
  done_ = batch.end;
  planned_.reset();
  next_id_ = batch.id + 1;
  return Status::Ok();
}

}  // namespace merganser
