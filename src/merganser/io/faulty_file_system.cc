#include "merganser/io/faulty_file_system.h"

#include <utility>

namespace merganser {

int64_t FaultyFileSystem::operation_count() const {
  const std::lock_guard lock(mutex_);
  return operations_;
}

void FaultyFileSystem::FailAt(int64_t n) {
  const std::lock_guard lock(mutex_);
  fail_at_ = n;
}

void FaultyFileSystem::FailFrom(int64_t n) {
  const std::lock_guard lock(mutex_);
  fail_from_ = n;
}

void FaultyFileSystem::LoseAnswerAt(int64_t n) {
  const std::lock_guard lock(mutex_);
  lose_answer_at_ = n;
}

void FaultyFileSystem::LoseNextPutAnswer() {
  const std::lock_guard lock(mutex_);
  lose_next_put_answer_ = true;
}

void FaultyFileSystem::HideNewNames() {
  const std::lock_guard lock(mutex_);
  hide_new_names_ = true;
}

void FaultyFileSystem::ShowNewNames() {
  const std::lock_guard lock(mutex_);
  hide_new_names_ = false;
  hidden_.clear();
}

Result<int64_t> FaultyFileSystem::Count(std::string_view operation, const std::string& path) {
  const std::lock_guard lock(mutex_);
  const int64_t number = operations_++;
  if (number == fail_at_ || (fail_from_ && number >= *fail_from_)) {
    return FileSystemError(operation, path, "injected fault");
  }
  return number;
}

Status FaultyFileSystem::Answer(int64_t number, std::string_view operation,
                                const std::string& path) const {
  const std::lock_guard lock(mutex_);
  if (number == lose_answer_at_) return FileSystemError(operation, path, "injected lost answer");
  return Status::Ok();
}

void FaultyFileSystem::RememberName(const std::string& path) {
  const std::lock_guard lock(mutex_);
  if (hide_new_names_) hidden_.insert(path);
}

Status FaultyFileSystem::WriteUnsynced(const std::string& path, std::string_view bytes) {
  MERGANSER_RETURN_IF_ERROR(Count("write", path));
  MERGANSER_RETURN_IF_ERROR(base_->Write(path, bytes));
  const std::lock_guard lock(mutex_);
  unsynced_.insert(path);
  return Status::Ok();
}

Status FaultyFileSystem::Crash() {
  std::set<std::string, std::less<>> lost;
  {
    const std::lock_guard lock(mutex_);
    lost.swap(unsynced_);
  }
  // The name may reach the disk before the bytes do, so an empty file is the worst case.
  for (const std::string& path : lost) MERGANSER_RETURN_IF_ERROR(base_->Write(path, ""));
  return Status::Ok();
}

Result<std::string> FaultyFileSystem::Read(const std::string& path) {
  MERGANSER_RETURN_IF_ERROR(Count("read", path));
  return base_->Read(path);
}

Result<std::string> FaultyFileSystem::ReadRange(const std::string& path, int64_t offset,
                                                int64_t length) {
  MERGANSER_RETURN_IF_ERROR(Count("read", path));
  return base_->ReadRange(path, offset, length);
}

Result<std::optional<FileEntry>> FaultyFileSystem::Stat(const std::string& path) {
  MERGANSER_RETURN_IF_ERROR(Count("read", path));
  return base_->Stat(path);
}

Result<std::vector<FileEntry>> FaultyFileSystem::List(const std::string& directory,
                                                      std::string_view start_after) {
  MERGANSER_RETURN_IF_ERROR(Count("list", directory));
  MERGANSER_ASSIGN_OR_RETURN(std::vector<FileEntry> entries, base_->List(directory, start_after));
  const std::lock_guard lock(mutex_);
  std::erase_if(entries, [&](const FileEntry& entry) {
    return hidden_.contains(JoinPath(directory, entry.name));
  });
  return entries;
}

Result<PutOutcome> FaultyFileSystem::PutIfAbsent(const std::string& path, std::string_view bytes) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("create", path));
  MERGANSER_ASSIGN_OR_RETURN(const PutOutcome outcome, base_->PutIfAbsent(path, bytes));
  if (outcome == PutOutcome::kCreated) RememberName(path);
  MERGANSER_RETURN_IF_ERROR(Answer(number, "create", path));
  const std::lock_guard lock(mutex_);
  if (std::exchange(lose_next_put_answer_, false))
    return FileSystemError("create", path, "injected lost answer");
  return outcome;
}

Status FaultyFileSystem::Write(const std::string& path, std::string_view bytes) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("write", path));
  MERGANSER_RETURN_IF_ERROR(base_->Write(path, bytes));
  RememberName(path);
  return Answer(number, "write", path);
}

Status FaultyFileSystem::Rename(const std::string& from, const std::string& to) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("rename", from));
  MERGANSER_RETURN_IF_ERROR(base_->Rename(from, to));
  RememberName(to);
  return Answer(number, "rename", from);
}

Status FaultyFileSystem::Delete(const std::string& path) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("delete", path));
  MERGANSER_RETURN_IF_ERROR(base_->Delete(path));
  return Answer(number, "delete", path);
}

Status FaultyFileSystem::CreateDirectories(const std::string& path) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("create", path));
  MERGANSER_RETURN_IF_ERROR(base_->CreateDirectories(path));
  return Answer(number, "create", path);
}

Status FaultyFileSystem::DeleteDirectory(const std::string& path) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("delete", path));
  MERGANSER_RETURN_IF_ERROR(base_->DeleteDirectory(path));
  return Answer(number, "delete", path);
}

Status FaultyFileSystem::SyncFiles(const std::vector<std::string>& paths, const std::string& root) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t number, Count("sync", root));
  MERGANSER_RETURN_IF_ERROR(base_->SyncFiles(paths, root));
  {
    const std::lock_guard lock(mutex_);
    for (const std::string& path : paths) unsynced_.erase(path);
  }
  return Answer(number, "sync", root);
}

}  // namespace merganser
