#pragma once

#include <map>
#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/delta/log/checkpoint_codec.h"
#include "merganser/delta/log/log_segment.h"
#include "merganser/delta/protocol/action_visitor.h"

namespace merganser {

/// What a table holds besides its files.
struct ReplayedState {
  std::optional<Protocol> protocol;
  std::optional<Metadata> metadata;
  std::map<std::string, SetTransaction, std::less<>> set_transactions;  ///< By appId.
  std::map<std::string, DomainMetadata, std::less<>>
      domain_metadata;  ///< By domain; no tombstones.
  /// Of the segment's version, where its commit exists and has one.
  std::optional<CommitInfo> last_commit_info;
};

/// Takes files that survive reconciliation, each once.
class FileSink {
 public:
  virtual ~FileSink() = default;
  virtual void Add(const AddFile& file) = 0;
  /// Tombstones, when asked for.
  virtual void Remove(const RemoveFile&) {}
};

/// Takes what a replay finds: the files of the commits in the reverse order of the log, then those
/// of the checkpoint.
class ReplaySink : public FileSink {
 public:
  /// What follows is from the checkpoint.
  virtual void EndOfCommits() {}
  /// The sink of a run of the checkpoint's files; this one owns it. Runs follow what this sink got
  /// itself, in the order of their places. Is called from several threads at once, each of which
  /// fills the sinks that it asked for.
  virtual FileSink& Part(const CheckpointPlace& begin) = 0;
};

/// What a replay is to find.
struct ReplayOptions {
  bool files = true;  ///< Those that are live.
  bool tombstones = false;
  /// Fill AddFile::stats of files that a checkpoint holds.
  bool statistics = true;
};

/// Reconcile the actions of a segment, newest first: commits are read in descending order, then the
/// checkpoint and its sidecars. Memory grows with the file actions of the commits, not with the
/// checkpoint.
///
/// A protocol or metadata that is nowhere in the segment is left out, which is the caller's to
/// judge. Fails with DELTA_LOG_CORRUPTED and the codec's kCorruption classes, and with kIo if a
/// file cannot be read.
Result<ReplayedState> ReplayLog(FileSystem& file_system, CheckpointCodec& codec,
                                const LogSegment& segment, const ReplayOptions& options,
                                ReplaySink& sink);

}  // namespace merganser
