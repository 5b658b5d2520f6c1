// How fast a table's log is read, and how much memory its files take. `benchmarks/log_speed` makes
// the logs and calls this; one JSON object a line comes out.
//
// usage: merganser_log_speed FIGURE TABLE

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <functional>
#include <iostream>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include <malloc.h>
#include <unistd.h>

#include "merganser/delta/log/log_path.h"
#include "merganser/delta/log/log_segment.h"
#include "merganser/delta/table/snapshot.h"
#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"
#include "merganser/engine/connection.h"
#include "merganser/io/local_file_system.h"

namespace merganser {
namespace {

template <typename T>
T Need(Result<T> result) {
  if (result.ok()) return std::move(result).value();
  std::cerr << result.error().message() << "\n";
  std::exit(1);
}

/// Milliseconds of the fastest of several runs.
double Fastest(const std::function<void()>& run, int runs = 5) {
  double best = 1e300;
  for (int i = 0; i < runs; ++i) {
    const auto start = std::chrono::steady_clock::now();
    run();
    const std::chrono::duration<double, std::milli> time = std::chrono::steady_clock::now() - start;
    best = std::min(best, time.count());
  }
  return best;
}

int64_t ResidentBytes() {
  std::ifstream file("/proc/self/statm");
  int64_t total = 0, resident = 0;
  file >> total >> resident;
  return resident * ::sysconf(_SC_PAGESIZE);
}

class LogSpeed {
 public:
  explicit LogSpeed(const std::string& path)
      : table_{std::make_shared<LocalFileSystem>(), path, "file:" + path},
        database_(Need(engine::Database::Open({}))),
        codec_(engine::MakeCheckpointCodec(database_)) {}

  /// Opening against reading the bytes of the same files.
  void Commits() {
    const auto segment = *Need(LogSegment::Find(*table_.file_system, table_.path));
    int64_t bytes = 0;
    const double read = Fastest([&] {
      bytes = 0;
      for (const LogPath& commit : segment.deltas)
        bytes += static_cast<int64_t>(Need(table_.file_system->Read(segment.Path(commit))).size());
    });
    const double open = Fastest([&] { (void)Load(); });
    std::printf(
        "{\"figure\":\"commits\",\"commits\":%zu,\"bytes\":%ld,\"read_ms\":%.1f,\"open_ms\":%.1f,"
        "\"ratio\":%.2f,\"target\":2.0}\n",
        segment.deltas.size(), static_cast<long>(bytes), read, open, open / read);
  }

  /// Opening against the engine's decoding of the columns that it takes, and the memory of a file.
  void Checkpoint() {
    const auto segment = *Need(LogSegment::Find(*table_.file_system, table_.path));
    const auto connection = Need(engine::Connection::Open(database_));
    const std::string sql =
        "SELECT add.path, add.size, add.partitionValues, add.deletionVector "
        "FROM read_parquet('" +
        segment.Path(segment.checkpoint.front()) + "')";
    const double decode = Fastest(
        [&] {
          const auto stream = Need(connection->Query(sql));
          while (Need(stream->Next())) {
          }
        },
        3);
    const double open = Fastest([&] { (void)Load(); }, 3);
    ::malloc_trim(0);
    const int64_t before = ResidentBytes();
    const SnapshotRef snapshot = Load();
    ::malloc_trim(0);
    const auto files = static_cast<double>(snapshot->files().size());
    std::printf(
        "{\"figure\":\"checkpoint\",\"files\":%.0f,\"decode_ms\":%.1f,\"open_ms\":%.1f,"
        "\"ratio\":%.2f,\"target\":1.2,\"bytes_a_file\":%.0f,\"resident_bytes_a_file\":%.0f,"
        "\"target_bytes\":400}\n",
        files, decode, open, open / decode,
        static_cast<double>(snapshot->files().memory_bytes()) / files,
        static_cast<double>(ResidentBytes() - before) / files);
  }

  /// Opening the newest version of a log that keeps all its commits.
  void Hint() {
    const double open = Fastest([&] { (void)Load(); });
    std::printf("{\"figure\":\"hint\",\"version\":%s,\"open_ms\":%.2f,\"target_ms\":10}\n",
                Load()->version().ToString().c_str(), open);
  }

  /// Going on by one commit.
  void Refresh() {
    const SnapshotRef snapshot = Load();
    const std::string next =
        JoinPath(LogDirectory(table_.path), CommitFileName(snapshot->version().next()));
    constexpr std::string_view kCommit =
        R"({"commitInfo":{"timestamp":1,"operation":"WRITE"}}
{"add":{"path":"refreshed.parquet","partitionValues":{},"size":1,"modificationTime":1,"dataChange":true}}
)";
    (void)Need(table_.file_system->PutIfAbsent(next, kCommit));
    const double refresh = Fastest([&] { (void)Need(snapshot->Refresh()); }, 20);
    if (!table_.file_system->Delete(next).ok()) std::exit(1);
    std::printf("{\"figure\":\"refresh\",\"files\":%zu,\"refresh_ms\":%.3f,\"target_ms\":1}\n",
                snapshot->files().size(), refresh);
  }

 private:
  SnapshotRef Load() { return Need(Snapshot::Load(table_, codec_)); }

  FileLocation table_;
  std::shared_ptr<engine::Database> database_;
  std::shared_ptr<CheckpointCodec> codec_;
};

int Main(const std::string& figure, const std::string& table) {
  LogSpeed speed(table);
  if (figure == "commits") {
    speed.Commits();
  } else if (figure == "checkpoint") {
    speed.Checkpoint();
  } else if (figure == "hint") {
    speed.Hint();
  } else if (figure == "refresh") {
    speed.Refresh();
  } else {
    return 1;
  }
  return 0;
}

}  // namespace
}  // namespace merganser

int main(int count, char** arguments) {
  if (count != 3) {
    std::cerr << "usage: merganser_log_speed commits|checkpoint|hint|refresh TABLE\n";
    return 1;
  }
  return merganser::Main(arguments[1], arguments[2]);
}
