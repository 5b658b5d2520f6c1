#include "merganser/io/local_file_system.h"

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <set>
#include <system_error>
#include <utility>

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/stat.h>
#include <unistd.h>

#include "merganser/base/uuid.h"

namespace merganser {
namespace {

/// An open file descriptor, closed at the end of the scope.
class Descriptor {
 public:
  explicit Descriptor(int fd) : fd_(fd) {}
  ~Descriptor() {
    if (fd_ >= 0) ::close(fd_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;

  int get() const { return fd_; }
  bool ok() const { return fd_ >= 0; }

 private:
  int fd_;
};

Error SystemError(std::string_view operation, const std::string& path, int code) {
  return FileSystemError(operation, path, std::system_category().message(code));
}

Error ReadError(const std::string& path, int code) {
  if (code == ENOENT || code == ENOTDIR) return FileNotFound(path);
  return SystemError("read", path, code);
}

int64_t ModificationMillis(const struct stat& status) {
  return int64_t{status.st_mtim.tv_sec} * 1000 + status.st_mtim.tv_nsec / 1'000'000;
}

FileEntry MakeEntry(std::string name, const struct stat& status) {
  const bool is_directory = S_ISDIR(status.st_mode);
  return FileEntry{std::move(name), is_directory ? 0 : int64_t{status.st_size},
                   ModificationMillis(status), is_directory};
}

/// Read up to `length` bytes from `offset` on; stops early only at the end of the file.
Result<size_t> ReadFully(const Descriptor& file, const std::string& path, int64_t offset, char* out,
                         size_t length) {
  size_t done = 0;
  while (done < length) {
    const ssize_t count =
        ::pread(file.get(), out + done, length - done, offset + static_cast<int64_t>(done));
    if (count == 0) break;
    if (count < 0) {
      if (errno == EINTR) continue;
      return ReadError(path, errno);
    }
    done += static_cast<size_t>(count);
  }
  return done;
}

Status SyncDescriptor(const Descriptor& file, const std::string& path) {
  if (::fsync(file.get()) != 0) return SystemError("sync", path, errno);
  return Status::Ok();
}

Status SyncDirectory(const std::string& path) {
  const Descriptor directory(::open(path.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!directory.ok()) return SystemError("sync", path, errno);
  return SyncDescriptor(directory, path);
}

/// A new hidden file beside `path` with `bytes`, `synced` or not. The caller gives it its name or
/// removes it.
Result<std::string> WriteTemporary(const std::string& path, std::string_view bytes, bool synced) {
  std::string temporary =
      JoinPath(ParentPath(path), "." + std::string(BaseName(path)) + "." + RandomUuid() + ".tmp");
  const Descriptor file(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.ok()) return SystemError("create", temporary, errno);
  size_t done = 0;
  while (done < bytes.size()) {
    const ssize_t count = ::write(file.get(), bytes.data() + done, bytes.size() - done);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      const int code = errno;
      ::unlink(temporary.c_str());
      return SystemError("write", path, code);
    }
    done += static_cast<size_t>(count);
  }
  if (synced && ::fsync(file.get()) != 0) {
    const int code = errno;
    ::unlink(temporary.c_str());
    return SystemError("sync", path, code);
  }
  return temporary;
}

/// Create or replace `path`; its name is not synced.
Status Replace(const std::string& path, std::string_view bytes, bool synced) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string temporary, WriteTemporary(path, bytes, synced));
  if (::rename(temporary.c_str(), path.c_str()) == 0) return Status::Ok();
  const int code = errno;
  ::unlink(temporary.c_str());
  return SystemError("write", path, code);
}

/// Give `temporary` the name `path` unless it is taken. 0, EEXIST or another errno.
int RenameWithoutReplacing(const std::string& temporary, const std::string& path) {
  if (::renameat2(AT_FDCWD, temporary.c_str(), AT_FDCWD, path.c_str(), RENAME_NOREPLACE) == 0)
    return 0;
  if (errno != EINVAL && errno != ENOSYS) return errno;
  // The file system lacks the flag: a hard link never replaces either.
  if (::link(temporary.c_str(), path.c_str()) != 0) return errno;
  ::unlink(temporary.c_str());
  return 0;
}

}  // namespace

Result<std::string> LocalFileSystem::Read(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return ReadError(path, errno);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return ReadError(path, errno);
  if (S_ISDIR(status.st_mode)) return SystemError("read", path, EISDIR);
  std::string bytes(static_cast<size_t>(status.st_size), '\0');
  MERGANSER_ASSIGN_OR_RETURN(const size_t count,
                             ReadFully(file, path, 0, bytes.data(), bytes.size()));
  bytes.resize(count);
  return bytes;
}

Result<std::string> LocalFileSystem::ReadRange(const std::string& path, int64_t offset,
                                               int64_t length) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (!file.ok()) return ReadError(path, errno);
  struct stat status;
  if (::fstat(file.get(), &status) != 0) return ReadError(path, errno);
  if (offset < 0 || length < 0 || offset > status.st_size || length > status.st_size - offset) {
    return FileSystemError("read", path, "the file ends before the bytes asked for");
  }
  std::string bytes(static_cast<size_t>(length), '\0');
  MERGANSER_ASSIGN_OR_RETURN(const size_t count,
                             ReadFully(file, path, offset, bytes.data(), bytes.size()));
  if (count != bytes.size())
    return FileSystemError("read", path, "the file shrank while it was read");
  return bytes;
}

Result<std::optional<FileEntry>> LocalFileSystem::Stat(const std::string& path) {
  struct stat status;
  if (::stat(path.c_str(), &status) != 0) {
    if (errno == ENOENT || errno == ENOTDIR) return std::optional<FileEntry>();
    return SystemError("read", path, errno);
  }
  return std::optional<FileEntry>(MakeEntry(std::string(BaseName(path)), status));
}

Result<std::vector<FileEntry>> LocalFileSystem::List(const std::string& directory,
                                                     std::string_view start_after) {
  std::vector<FileEntry> entries;
  DIR* stream = ::opendir(directory.c_str());
  if (stream == nullptr) {
    if (errno == ENOENT || errno == ENOTDIR) return entries;
    return SystemError("list", directory, errno);
  }
  const int fd = ::dirfd(stream);
  while (const dirent* item = ::readdir(stream)) {
    const std::string_view name = item->d_name;
    if (name == "." || name == ".." || (!start_after.empty() && name <= start_after)) continue;
    struct stat status;
    // A name that vanishes between the two calls was deleted meanwhile.
    if (::fstatat(fd, item->d_name, &status, 0) != 0) continue;
    entries.push_back(MakeEntry(std::string(name), status));
  }
  ::closedir(stream);
  std::sort(entries.begin(), entries.end(),
            [](const FileEntry& a, const FileEntry& b) { return a.name < b.name; });
  return entries;
}

Result<PutOutcome> LocalFileSystem::PutIfAbsent(const std::string& path, std::string_view bytes) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string temporary, WriteTemporary(path, bytes, true));
  const int code = RenameWithoutReplacing(temporary, path);
  if (code != 0) {
    ::unlink(temporary.c_str());
    if (code == EEXIST) return PutOutcome::kAlreadyExists;
    return SystemError("create", path, code);
  }
  MERGANSER_RETURN_IF_ERROR(SyncDirectory(std::string(ParentPath(path))));
  return PutOutcome::kCreated;
}

Status LocalFileSystem::Write(const std::string& path, std::string_view bytes) {
  MERGANSER_RETURN_IF_ERROR(Replace(path, bytes, true));
  return SyncDirectory(std::string(ParentPath(path)));
}

Status LocalFileSystem::WriteUnsynced(const std::string& path, std::string_view bytes) {
  return Replace(path, bytes, false);
}

Status LocalFileSystem::Rename(const std::string& from, const std::string& to) {
  if (::rename(from.c_str(), to.c_str()) != 0) return SystemError("rename", from, errno);
  MERGANSER_RETURN_IF_ERROR(SyncDirectory(std::string(ParentPath(to))));
  if (ParentPath(from) != ParentPath(to)) return SyncDirectory(std::string(ParentPath(from)));
  return Status::Ok();
}

Status LocalFileSystem::Delete(const std::string& path) {
  if (::unlink(path.c_str()) != 0 && errno != ENOENT && errno != ENOTDIR)
    return SystemError("delete", path, errno);
  return Status::Ok();
}

Status LocalFileSystem::CreateDirectories(const std::string& path) {
  if (path.empty() || path == "/") return Status::Ok();
  struct stat status;
  if (::stat(path.c_str(), &status) == 0) {
    return S_ISDIR(status.st_mode) ? Status::Ok() : Status(SystemError("create", path, ENOTDIR));
  }
  const std::string parent(ParentPath(path));
  MERGANSER_RETURN_IF_ERROR(CreateDirectories(parent));
  if (::mkdir(path.c_str(), 0777) != 0 && errno != EEXIST)
    return SystemError("create", path, errno);
  return SyncDirectory(parent.empty() ? "." : parent);
}

Status LocalFileSystem::DeleteDirectory(const std::string& path) {
  std::error_code code;
  std::filesystem::remove_all(path, code);
  if (code) return FileSystemError("delete", path, code.message());
  return Status::Ok();
}

void LocalFileSystem::StartSync(const std::string& path) {
#ifdef SYNC_FILE_RANGE_WRITE
  const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
  if (file.ok()) ::sync_file_range(file.get(), 0, 0, SYNC_FILE_RANGE_WRITE);
#else
  static_cast<void>(path);
#endif
}

Status LocalFileSystem::SyncFiles(const std::vector<std::string>& paths, const std::string& root) {
  std::set<std::string, std::less<>> directories;
  for (const std::string& path : paths) {
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
    if (!file.ok()) return SystemError("sync", path, errno);
    MERGANSER_RETURN_IF_ERROR(SyncDescriptor(file, path));
    const bool below_root =
        path.size() > root.size() && path.starts_with(root) && path[root.size()] == '/';
    std::string_view directory = ParentPath(path);
    directories.emplace(directory);
    while (below_root && directory.size() > root.size()) {
      directory = ParentPath(directory);
      directories.emplace(directory);
    }
  }
  for (const std::string& directory : directories)
    MERGANSER_RETURN_IF_ERROR(SyncDirectory(directory));
  return Status::Ok();
}

}  // namespace merganser
