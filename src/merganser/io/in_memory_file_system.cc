#include "merganser/io/in_memory_file_system.h"

#include <utility>

namespace merganser {

Result<std::string> InMemoryFileSystem::Read(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto file = files_.find(path);
  if (file == files_.end()) return FileNotFound(path);
  return file->second.bytes;
}

Result<std::string> InMemoryFileSystem::ReadRange(const std::string& path, int64_t offset,
                                                  int64_t length) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string bytes, Read(path));
  const auto size = static_cast<int64_t>(bytes.size());
  if (offset < 0 || length < 0 || offset > size || length > size - offset) {
    return FileSystemError("read", path, "the file ends before the bytes asked for");
  }
  return bytes.substr(static_cast<size_t>(offset), static_cast<size_t>(length));
}

Result<std::optional<FileEntry>> InMemoryFileSystem::Stat(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const auto file = files_.find(path);
  std::string name(BaseName(path));
  if (file != files_.end()) {
    return std::optional<FileEntry>(FileEntry{std::move(name),
                                              static_cast<int64_t>(file->second.bytes.size()),
                                              file->second.modification_time, false});
  }
  const std::string prefix = JoinPath(path, "");
  const auto below = files_.lower_bound(prefix);
  const bool holds_file = below != files_.end() && below->first.starts_with(prefix);
  if (!holds_file && !directories_.contains(path)) return std::optional<FileEntry>();
  return std::optional<FileEntry>(FileEntry{std::move(name), 0, 0, true});
}

Result<std::vector<FileEntry>> InMemoryFileSystem::List(const std::string& directory,
                                                        std::string_view start_after) {
  const std::lock_guard lock(mutex_);
  const std::string prefix = JoinPath(directory, "");
  std::map<std::string, FileEntry, std::less<>> entries;
  for (auto file = files_.lower_bound(prefix);
       file != files_.end() && file->first.starts_with(prefix); ++file) {
    const std::string_view rest = std::string_view(file->first).substr(prefix.size());
    const size_t slash = rest.find('/');
    const std::string name(rest.substr(0, slash));
    if (slash != std::string_view::npos) {
      entries.try_emplace(name, FileEntry{name, 0, 0, true});
    } else {
      entries[name] = FileEntry{name, static_cast<int64_t>(file->second.bytes.size()),
                                file->second.modification_time, false};
    }
  }
  for (auto it = directories_.lower_bound(prefix);
       it != directories_.end() && it->starts_with(prefix); ++it) {
    const std::string_view rest = std::string_view(*it).substr(prefix.size());
    const std::string name(rest.substr(0, rest.find('/')));
    if (!name.empty()) entries.try_emplace(name, FileEntry{name, 0, 0, true});
  }
  std::vector<FileEntry> result;
  for (auto& [name, entry] : entries) {
    if (start_after.empty() || name > start_after) result.push_back(std::move(entry));
  }
  return result;
}

Result<PutOutcome> InMemoryFileSystem::PutIfAbsent(const std::string& path,
                                                   std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  const bool created = files_.try_emplace(path, File{std::string(bytes), time_}).second;
  return created ? PutOutcome::kCreated : PutOutcome::kAlreadyExists;
}

Status InMemoryFileSystem::Write(const std::string& path, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  files_.insert_or_assign(path, File{std::string(bytes), time_});
  return Status::Ok();
}

Status InMemoryFileSystem::Rename(const std::string& from, const std::string& to) {
  const std::lock_guard lock(mutex_);
  const auto file = files_.find(from);
  if (file == files_.end()) return FileSystemError("rename", from, "there is no such file");
  File moved = std::move(file->second);
  files_.erase(file);
  files_.insert_or_assign(to, std::move(moved));
  return Status::Ok();
}

Status InMemoryFileSystem::Delete(const std::string& path) {
  const std::lock_guard lock(mutex_);
  files_.erase(path);
  return Status::Ok();
}

Status InMemoryFileSystem::CreateDirectories(const std::string& path) {
  const std::lock_guard lock(mutex_);
  for (std::string_view part = path; part.size() > 1; part = ParentPath(part))
    directories_.emplace(part);
  return Status::Ok();
}

Status InMemoryFileSystem::DeleteDirectory(const std::string& path) {
  const std::lock_guard lock(mutex_);
  const std::string prefix = JoinPath(path, "");
  std::erase_if(files_, [&](const auto& file) { return file.first.starts_with(prefix); });
  std::erase_if(directories_,
                [&](const std::string& name) { return name == path || name.starts_with(prefix); });
  return Status::Ok();
}

Status InMemoryFileSystem::SyncFiles(const std::vector<std::string>& paths, const std::string&) {
  const std::lock_guard lock(mutex_);
  for (const std::string& path : paths) {
    if (!files_.contains(path)) return FileSystemError("sync", path, "there is no such file");
  }
  return Status::Ok();
}

void InMemoryFileSystem::SetTime(int64_t milliseconds) {
  const std::lock_guard lock(mutex_);
  time_ = milliseconds;
}

}  // namespace merganser
