#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/delta/protocol/actions.h"

namespace merganser {

/// A logical file of a snapshot, read in place: cheap to copy, valid as long as a FileList that
/// holds it.
class FileView {
 public:
  std::string_view path() const;  ///< URI-encoded, as in the log.
  int64_t size() const;
  int64_t modification_time() const;  ///< Milliseconds since the epoch.
  /// Value of a partition column by physical name; nothing for NULL and for a missing entry.
  std::optional<std::string_view> partition_value(std::string_view column) const;
  /// JSON text; empty if the log has none.
  std::string_view stats() const;
  bool has_deletion_vector() const;
  std::optional<DeletionVectorDescriptor> deletion_vector() const;
  std::optional<int64_t> base_row_id() const;
  std::optional<int64_t> default_row_commit_version() const;
  AddFile ToAddFile() const;

  bool operator==(const FileView& other) const = default;

 private:
  friend class FileBlock;
  explicit FileView(const char* record) : record_(record) {}
  const char* record_;
};

class FileBlock;

/// The live files of a snapshot: immutable, shared between versions, packed into a few hundred
/// bytes a file with statistics.
class FileList {
 public:
  /// Collects files into a list.
  class Builder {
   public:
    Builder();
    ~Builder();
    Builder(const Builder&) = delete;
    Builder& operator=(const Builder&) = delete;

    void Add(const AddFile& file);
    /// Take over the files of `next`, which follow those so far.
    void Append(Builder&& next);
    /// Turn the order of the files so far around.
    void Reverse();
    FileList Build() &&;

   private:
    std::shared_ptr<FileBlock> block_;
  };

  FileList() = default;
  /// The files of `first`, then those of `second`. Requires that they share no file.
  static FileList Concatenate(FileList first, FileList second);

  size_t size() const { return size_; }
  bool empty() const { return size_ == 0; }
  /// Sum of the files' sizes in bytes.
  int64_t total_bytes() const { return total_bytes_; }
  /// Memory held by this list, parts shared with other versions included.
  size_t memory_bytes() const;

  /// Every live file.
  std::vector<FileView> Files() const;
  template <typename Function>
  void ForEach(Function&& function) const {
    for (const FileView file : Files()) function(file);
  }
  /// The file with this identity (see FileKey), if it is live. The first call on a list indexes it.
  std::optional<FileView> Find(std::string_view path,
                               const std::optional<DeletionVectorDescriptor>& dv) const;

  /// The list after a commit: without the files that `removed` names, and with `added`, which
  /// replace files of the same identity. Costs what changed, not what is there, but for the
  /// indexing of Find.
  FileList Apply(const std::vector<AddFile>& added, const std::vector<RemoveFile>& removed) const;

 private:
  /// A block and the positions of its records that are gone, ascending.
  struct Part {
    std::shared_ptr<const FileBlock> block;
    std::vector<uint32_t> dead;

    size_t live() const;
    bool IsDead(uint32_t position) const;
  };
  void Remove(const std::string& key);
  void Append(std::shared_ptr<const FileBlock> block);
  void MergeSmallParts();

  std::vector<Part> parts_;  // In the order of the log.
  size_t size_ = 0;
  int64_t total_bytes_ = 0;
};

}  // namespace merganser
