#include "merganser/delta/transaction/row_marks.h"

#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "merganser/base/uuid.h"
#include "merganser/delta/deletion_vector/deletion_vector_storage.h"
#include "merganser/delta/protocol/statistics.h"

namespace merganser {
namespace {

using Descriptor = std::optional<DeletionVectorDescriptor>;

/// A file's vector before and after a commit that marked rows of it.
struct Marked {
  Descriptor before;
  const DeletionVectorDescriptor* after = nullptr;
  const AddFile* add = nullptr;
};

/// The files of which a commit only marked rows, by path.
std::map<std::string, Marked, std::less<>> FindMarked(const std::vector<Action>& actions) {
  std::map<std::string, const RemoveFile*, std::less<>> removed;
  for (const Action& action : actions) {
    if (const auto* remove = std::get_if<RemoveFile>(&action)) removed[remove->path] = remove;
  }
  std::map<std::string, Marked, std::less<>> marked;
  for (const Action& action : actions) {
    const auto* add = std::get_if<AddFile>(&action);
    if (add == nullptr || !add->deletion_vector) continue;
    const auto found = removed.find(add->path);
    if (found == removed.end()) continue;
    marked[add->path] = {found->second->deletion_vector, &*add->deletion_vector, add};
  }
  return marked;
}

/// Merges the vectors of one commit into those of a transaction.
class Rebase {
 public:
  Rebase(const Snapshot& snapshot, const RowMarks& marks)
      : snapshot_(snapshot), marks_(marks), store_(RandomUuid()) {}

  /// False if the two got at the same row, or at the whole file.
  Result<bool> MergeFile(const std::string& path, const Marked& winner) {
    const auto removed = std::ranges::find(marks_.removed, path, &RemoveFile::path);
    // Rows that the transaction left alone are nothing to it.
    if (removed == marks_.removed.end()) return true;
    const auto added = std::ranges::find(marks_.added, path, &AddFile::path);
    if (added == marks_.added.end() || !added->deletion_vector) return false;
    if (removed->deletion_vector != winner.before) return false;
    MERGANSER_ASSIGN_OR_RETURN(const DeletionVector before, Read(winner.before));
    MERGANSER_ASSIGN_OR_RETURN(DeletionVector ours, Read(added->deletion_vector));
    MERGANSER_ASSIGN_OR_RETURN(DeletionVector theirs, Read(*winner.after));
    DeletionVector new_rows = ours;
    new_rows.Subtract(before);
    if (new_rows.Intersects(theirs)) return false;
    ours.Merge(theirs);
    removed->deletion_vector = *winner.after;
    removed->stats = winner.add->stats;
    const auto records = added->stats ? ParseNumRecords(*added->stats) : std::nullopt;
    if (records && static_cast<int64_t>(ours.cardinality()) == *records) {
      marks_.added.erase(added);
      return true;
    }
    added->deletion_vector = Store(ours);
    return true;
  }

  Status Finish() const {
    if (store_.empty()) return Status::Ok();
    return store_.Write(snapshot_.file_system(), snapshot_.path());
  }

 private:
  Result<DeletionVector> Read(const Descriptor& descriptor) const {
    if (!descriptor) return DeletionVector();
    return ReadDeletionVector(snapshot_.file_system(), snapshot_.path(), *descriptor);
  }

  DeletionVectorDescriptor Store(const DeletionVector& vector) {
    const bool is_small = vector.Serialize().size() <= kMostInlineVectorBytes;
    return is_small ? MakeInlineDescriptor(vector) : store_.Add(vector);
  }

  const Snapshot& snapshot_;
  RowMarks marks_;
  DeletionVectorFile store_;
};

}  // namespace

Result<std::vector<Action>> RebaseRowMarks(const Snapshot& snapshot, std::vector<Action> winner,
                                           const RowMarks& marks) {
  const auto marked = FindMarked(winner);
  if (marked.empty()) return winner;
  Rebase rebase(snapshot, marks);
  std::set<std::string, std::less<>> settled;
  for (const auto& [path, vectors] : marked) {
    MERGANSER_ASSIGN_OR_RETURN(const bool merged, rebase.MergeFile(path, vectors));
    if (merged) settled.insert(path);
  }
  MERGANSER_RETURN_IF_ERROR(rebase.Finish());
  std::erase_if(winner, [&](const Action& action) {
    if (const auto* add = std::get_if<AddFile>(&action)) return settled.contains(add->path);
    if (const auto* remove = std::get_if<RemoveFile>(&action))
      return settled.contains(remove->path);
    return false;
  });
  return winner;
}

}  // namespace merganser
