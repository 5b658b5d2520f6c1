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
// Among the settings that are kept with a batch: where the first one begins.
constexpr const char* kStartKey = "merganser.streaming.start";

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

Result<MicroBatches> MicroBatches::Open(FileLocation checkpoint, DeltaSource source,
                                        BatchPace pace) {
  MicroBatches batches(std::move(checkpoint), std::move(source));
  MERGANSER_RETURN_IF_ERROR(batches.Resume());
  batches.limits_.files = pace != BatchPace::kOnce;
  if (pace != BatchPace::kOngoing) {
    MERGANSER_ASSIGN_OR_RETURN(batches.limits_.last_version, batches.source_.LatestVersion());
  }
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

  if (committed >= 0) {
    MERGANSER_ASSIGN_OR_RETURN(done_, ReadEnd(committed));
  } else if (written >= 0) {
    MERGANSER_ASSIGN_OR_RETURN(done_, ReadStart());
  } else {
    MERGANSER_ASSIGN_OR_RETURN(done_, source_.Start());
  }
  next_id_ = committed + 1;
  if (written >= next_id_) {
    MERGANSER_ASSIGN_OR_RETURN(planned_, ReadEnd(next_id_));
  }
  return Status::Ok();
}

Result<DeltaSourceOffset> MicroBatches::ReadEnd(int64_t batch_id) const {
  MERGANSER_ASSIGN_OR_RETURN(const std::string text,
                             checkpoint_.file_system->Read(PathOf("offsets", batch_id)));
  // Version, the batch's own line, and a line a source.
  const size_t second = text.find('\n');
  const size_t third = second == std::string::npos ? second : text.find('\n', second + 1);
  if (third == std::string::npos) return Error(ErrorClass::DELTA_INVALID_SOURCE_OFFSET_FORMAT);
  return DeltaSourceOffset::FromJson(
      std::string_view(text).substr(third + 1, text.find('\n', third + 1) - third - 1));
}

Result<DeltaSourceOffset> MicroBatches::ReadStart() const {
  MERGANSER_ASSIGN_OR_RETURN(const std::string text,
                             checkpoint_.file_system->Read(PathOf("offsets", 0)));
  const size_t second = text.find('\n');
  if (second == std::string::npos) return Error(ErrorClass::DELTA_INVALID_SOURCE_OFFSET_FORMAT);
  MERGANSER_ASSIGN_OR_RETURN(
      const Json line,
      Json::Parse(text.substr(second + 1, text.find('\n', second + 1) - second - 1)));
  const Json* conf = line.find("conf");
  if (conf != nullptr && conf->is_object()) {
    const std::string start = conf->string_or(kStartKey);
    if (!start.empty()) return DeltaSourceOffset::FromJson(start);
  }
  // Another engine's: the first batch is of the table as it was at first.
  MERGANSER_ASSIGN_OR_RETURN(const DeltaSourceOffset end, ReadEnd(0));
  return DeltaSourceOffset{.version = end.initial ? end.version : end.version - 1, .initial = true};
}

Result<std::optional<MicroBatch>> MicroBatches::Next() {
  if (!planned_) {
    MERGANSER_ASSIGN_OR_RETURN(const DeltaSource::Extent next, source_.NextExtent(done_, limits_));
    if (next.num_files == 0) {
      // Commits without rows are no batch; there is no need to look at them again.
      done_ = next.end;
      return std::optional<MicroBatch>();
    }
    MERGANSER_RETURN_IF_ERROR(Plan(next.end));
  }
  MERGANSER_ASSIGN_OR_RETURN(DeltaSource::Batch read, source_.Rows(done_, *planned_));
  MicroBatch batch{.id = next_id_,
                   .source = std::move(read.rows),
                   .num_rows = read.num_rows,
                   .start = done_,
                   .end = *planned_};
  return std::optional<MicroBatch>(std::move(batch));
}

Result<plan::RelationPtr> MicroBatches::RowsSoFar(const MicroBatch& batch) {
  MERGANSER_ASSIGN_OR_RETURN(const DeltaSourceOffset start, ReadStart());
  MERGANSER_ASSIGN_OR_RETURN(DeltaSource::Batch read, source_.Rows(start, batch.end));
  return std::move(read.rows);
}

Status MicroBatches::Plan(const DeltaSourceOffset& end) {
  Json conf = Json::MakeObject();
  // Where the first batch begins follows from no other batch.
  if (next_id_ == 0) conf.Set(kStartKey, done_.ToJson(source_.table_id()));
  Json line = Json::MakeObject();
  line.Set("batchWatermarkMs", 0)
      .Set("batchTimestampMs", Clock::System().NowMillis())
      .Set("conf", conf);
  const std::string text =
      std::string(kLogVersion) + line.Dump() + "\n" + end.ToJson(source_.table_id());
  MERGANSER_ASSIGN_OR_RETURN(const PutOutcome put, checkpoint_.file_system->PutIfAbsent(
                                                       PathOf("offsets", next_id_), text));
  if (put != PutOutcome::kCreated) return TakenOver(PathOf("offsets", next_id_));
  planned_ = end;
  return Status::Ok();
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
