#include "merganser/engine/spill_folder.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <string_view>
#include <system_error>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include "merganser/base/uuid.h"
#include "merganser/io/file_system.h"

namespace merganser::engine {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view kPrefix = "merganser-spill-";
constexpr std::string_view kLockSuffix = ".lock";

/// Is `lock` still the file at `path`? Another process may have removed it before it was locked.
bool IsFileAt(int lock, const std::string& path) {
  struct stat open{};
  struct stat named{};
  return fstat(lock, &open) == 0 && stat(path.c_str(), &named) == 0 &&
         open.st_dev == named.st_dev && open.st_ino == named.st_ino;
}

/// Remove a folder and its lock if nobody holds it.
void RemoveIfAbandoned(const std::string& lock_path) {
  const int lock = open(lock_path.c_str(), O_RDWR | O_CLOEXEC);
  if (lock < 0) return;
  if (flock(lock, LOCK_EX | LOCK_NB) == 0 && IsFileAt(lock, lock_path)) {
    std::error_code ignored;
    fs::remove_all(lock_path.substr(0, lock_path.size() - kLockSuffix.size()), ignored);
    fs::remove(lock_path, ignored);
  }
  close(lock);
}

void RemoveAbandoned(const fs::path& parent) {
  std::error_code error;
  for (fs::directory_iterator entry(parent, error); !error && entry != fs::directory_iterator();
       entry.increment(error)) {
    const std::string name = entry->path().filename().string();
    if (name.starts_with(kPrefix) && name.ends_with(kLockSuffix))
      RemoveIfAbandoned(entry->path().string());
  }
}

}  // namespace

Result<std::unique_ptr<SpillFolder>> SpillFolder::Open(const std::string& parent) {
  std::error_code error;
  const fs::path folder = parent.empty() ? fs::temp_directory_path(error) : fs::path(parent);
  fs::create_directories(folder, error);
  RemoveAbandoned(folder);
  for (;;) {
    const std::string path = (folder / (std::string(kPrefix) + RandomUuid())).string();
    const std::string lock_path = path + std::string(kLockSuffix);
    const int lock = open(lock_path.c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (lock < 0) return FileSystemError("create", lock_path, std::strerror(errno));
    // A file system without locks keeps what a crash leaves: nobody can tell that it is left.
    const bool locked = flock(lock, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK;
    if (locked && IsFileAt(lock, lock_path))
      return std::unique_ptr<SpillFolder>(new SpillFolder(path, lock));
    close(lock);
  }
}

SpillFolder::~SpillFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
  fs::remove(path_ + std::string(kLockSuffix), ignored);
  close(lock_);
}

}  // namespace merganser::engine
