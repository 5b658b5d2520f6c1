#include "merganser/commands/uncommitted_files.h"

namespace merganser {

void UncommittedFiles::Settle(const Status& commit) {
  keep_ = commit.ok() || commit.error().kind() == ErrorKind::kCommitUnknown;
}

UncommittedFiles::~UncommittedFiles() {
  if (keep_) return;
  for (const std::string& path : created_.Paths()) {
    // A file that cannot be removed is an orphan, which VACUUM finds; the statement's own error
    // matters more.
    [[maybe_unused]] const Status status = file_system_->Delete(path);
  }
}

}  // namespace merganser
