#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"

namespace merganser {

/// One name in a folder.
struct FileEntry {
  std::string name;               ///< Last part of the path.
  int64_t size = 0;               ///< In bytes; 0 for folders.
  int64_t modification_time = 0;  ///< Milliseconds since the epoch.
  bool is_directory = false;

  bool operator==(const FileEntry& other) const = default;
};

/// What PutIfAbsent found.
enum class PutOutcome : uint8_t {
  kCreated,
  kAlreadyExists,  ///< The name was taken; nothing was written.
};

/// Where bytes are kept: a local disk, an object store, memory.
///
/// Paths are absolute within the file system and use '/'. Every method may be called from any
/// thread. Failures of the store itself are FILE_SYSTEM_ERROR (kIo) with the parameters operation,
/// path and reason; reading a name that is not there is FAILED_READ_FILE.FILE_NOT_EXIST.
class FileSystem {
 public:
  virtual ~FileSystem() = default;

  /// The whole file.
  virtual Result<std::string> Read(const std::string& path) = 0;
  /// Bytes [offset, offset + length). Fails if the file ends before.
  virtual Result<std::string> ReadRange(const std::string& path, int64_t offset,
                                        int64_t length) = 0;
  /// Name, size and time of `path`; nothing if it does not exist.
  virtual Result<std::optional<FileEntry>> Stat(const std::string& path) = 0;

  /// Names in the folder `directory` that sort after `start_after`, in byte order; not recursive.
  /// A folder that does not exist lists as empty.
  virtual Result<std::vector<FileEntry>> List(const std::string& directory,
                                              std::string_view start_after = {}) = 0;
  /// True if List passes over the names before `start_after` at no cost, as object stores do. Where
  /// it is false, asking for a few known names with Stat is cheaper than listing a big folder.
  virtual bool lists_from_any_name() const = 0;

  /// Create `path` with `bytes` unless the name is taken. Atomic against every other writer, and
  /// durable once it returns kCreated: readers see all of it or nothing, also after a crash.
  ///
  /// An error leaves the outcome unknown: the file may exist. The folder must exist.
  virtual Result<PutOutcome> PutIfAbsent(const std::string& path, std::string_view bytes) = 0;
  /// Create or replace `path` with `bytes`, atomically and durably. The folder must exist.
  virtual Status Write(const std::string& path, std::string_view bytes) = 0;
  /// The same without waiting for the disk: until SyncFiles has been told of it, the file may be
  /// missing, old or damaged after a crash. Never told of what readers can do without.
  virtual Status WriteUnsynced(const std::string& path, std::string_view bytes) {
    return Write(path, bytes);
  }
  /// Give the file `from` the name `to`, replacing what had it, atomically and durably.
  virtual Status Rename(const std::string& from, const std::string& to) = 0;
  /// Remove one file. Removing a name that is not there succeeds.
  virtual Status Delete(const std::string& path) = 0;

  /// Create `path` and the folders above it that are missing, durably.
  virtual Status CreateDirectories(const std::string& path) = 0;
  /// Remove a folder and everything below it. Removing one that is not there succeeds.
  virtual Status DeleteDirectory(const std::string& path) = 0;

  /// Make the files `paths`, written by others below the folder `root`, durable: their bytes and
  /// their names, up to and including the entry in `root`.
  virtual Status SyncFiles(const std::vector<std::string>& paths, const std::string& root) = 0;
  /// A hint: what `path` holds so far may go to the disk now, so that SyncFiles has less to wait
  /// for.
  virtual void StartSync(const std::string& path) { static_cast<void>(path); }

  /// The whole file, or nothing if it does not exist.
  Result<std::optional<std::string>> ReadIfExists(const std::string& path);
  Result<bool> Exists(const std::string& path);
};

/// Whether `error` says that a file is not there.
bool IsFileNotFound(const Error& error);
/// FAILED_READ_FILE.FILE_NOT_EXIST.
Error FileNotFound(const std::string& path);
/// FILE_SYSTEM_ERROR. `operation` is a verb: "write".
Error FileSystemError(std::string_view operation, const std::string& path, std::string reason);

/// `directory` + '/' + `name`, without doubling the slash.
std::string JoinPath(std::string_view directory, std::string_view name);
/// The path without its last part; empty for a bare name.
std::string_view ParentPath(std::string_view path);
/// The last part of the path.
std::string_view BaseName(std::string_view path);

}  // namespace merganser
