#include "merganser/delta/table/file_list.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstring>
#include <functional>
#include <iterator>
#include <mutex>
#include <new>
#include <utility>

#include <sys/mman.h>

#include "merganser/delta/log/file_key.h"
#include "merganser/delta/table/file_record.h"

namespace merganser {

std::string_view FileView::path() const { return FileRecord(record_).path(); }
int64_t FileView::size() const { return FileRecord(record_).size(); }
int64_t FileView::modification_time() const { return FileRecord(record_).modification_time(); }
std::optional<std::string_view> FileView::partition_value(std::string_view column) const {
  return FileRecord(record_).partition_value(column);
}
std::string_view FileView::stats() const { return FileRecord(record_).stats(); }
bool FileView::has_deletion_vector() const { return FileRecord(record_).has_deletion_vector(); }
std::optional<DeletionVectorDescriptor> FileView::deletion_vector() const {
  return FileRecord(record_).deletion_vector();
}
std::optional<int64_t> FileView::base_row_id() const { return FileRecord(record_).base_row_id(); }
std::optional<int64_t> FileView::default_row_commit_version() const {
  return FileRecord(record_).default_row_commit_version();
}
AddFile FileView::ToAddFile() const { return FileRecord(record_).ToAddFile(); }

/// Records in memory that never moves, with an index by identity made when it is first asked for.
class FileBlock {
 public:
  void Add(const AddFile& file) {
    FileRecord::Write(file, MakeRoom(FileRecord::LengthOf(file)));
    total_bytes_ += file.size;
  }
  void Add(FileView file) {
    const size_t length = FileRecord(file.record_).length();
    std::memcpy(MakeRoom(length), file.record_, length);
    total_bytes_ += file.size();
  }

  /// Take over the records of `next`, which stay where they are.
  void Append(FileBlock&& next) {
    std::ranges::move(next.chunks_, std::back_inserter(chunks_));
    chunk_bytes_ += next.chunk_bytes_;
    chunk_next_ = next.chunk_next_;
    chunk_left_ = next.chunk_left_;
    if (records_.empty()) {
      records_ = std::move(next.records_);
    } else {
      records_.insert(records_.end(), next.records_.begin(), next.records_.end());
    }
    total_bytes_ += next.total_bytes_;
  }
  void Reverse() { std::reverse(records_.begin(), records_.end()); }

  /// Sum of the files' sizes.
  int64_t total_bytes() const { return total_bytes_; }
  size_t size() const { return records_.size(); }
  FileView operator[](size_t position) const { return FileView(records_[position]); }
  size_t memory_bytes() const {
    return chunk_bytes_ + records_.capacity() * sizeof(const char*) +
           index_.capacity() * sizeof(uint32_t);
  }

  /// Position of the record with the identity `key`, if there is one.
  std::optional<uint32_t> Find(const std::string& key) const {
    std::call_once(indexed_, [this] { BuildIndex(); });
    const size_t mask = index_.size() - 1;
    for (size_t slot = std::hash<std::string>()(key) & mask; index_[slot] != kEmpty;
         slot = (slot + 1) & mask) {
      if (KeyOf(index_[slot]) == key) return index_[slot];
    }
    return std::nullopt;
  }

 private:
  /// Memory for records. A large piece lies in huge pages, where the system has them: taking memory
  /// in small ones is a good part of the time that a large table takes to open.
  class Chunk {
   public:
    static constexpr size_t kLargeBytes = size_t{2} << 20;

    explicit Chunk(size_t bytes)
        : bytes_(static_cast<char*>(::operator new(bytes, AlignmentOf(bytes))),
                 Free{AlignmentOf(bytes)}) {
      if (bytes == kLargeBytes) ::madvise(bytes_.get(), bytes, MADV_HUGEPAGE);
    }
    char* bytes() const { return bytes_.get(); }

   private:
    struct Free {
      std::align_val_t alignment;
      void operator()(char* bytes) const { ::operator delete(bytes, alignment); }
    };
    static std::align_val_t AlignmentOf(size_t bytes) {
      return std::align_val_t{bytes == kLargeBytes ? kLargeBytes : alignof(std::max_align_t)};
    }

    std::unique_ptr<char, Free> bytes_;
  };

  static constexpr uint32_t kEmpty = UINT32_MAX;

  /// The bytes of the next record.
  char* MakeRoom(size_t length) {
    if (length > chunk_left_) {
      const size_t chunk =
          std::max(length, std::min(Chunk::kLargeBytes, std::max<size_t>(chunk_bytes_, 1024)));
      chunk_next_ = chunks_.emplace_back(chunk).bytes();
      chunk_left_ = chunk;
      chunk_bytes_ += chunk;
    }
    char* record = chunk_next_;
    records_.push_back(record);
    chunk_next_ += length;
    chunk_left_ -= length;
    return record;
  }

  std::string KeyOf(uint32_t position) const {
    const FileRecord record(records_[position]);
    return FileKey(record.path(),
                   record.has_deletion_vector() ? record.deletion_vector() : std::nullopt);
  }

  void BuildIndex() const {
    index_.assign(std::bit_ceil(std::max<size_t>(records_.size() * 2, 2)), kEmpty);
    const size_t mask = index_.size() - 1;
    for (uint32_t position = 0; position < records_.size(); ++position) {
      size_t slot = std::hash<std::string>()(KeyOf(position)) & mask;
      while (index_[slot] != kEmpty) slot = (slot + 1) & mask;
      index_[slot] = position;
    }
  }

  std::vector<Chunk> chunks_;
  char* chunk_next_ = nullptr;
  size_t chunk_left_ = 0;
  size_t chunk_bytes_ = 0;
  int64_t total_bytes_ = 0;
  std::vector<const char*> records_;
  mutable std::once_flag indexed_;
  mutable std::vector<uint32_t> index_;
};

FileList::Builder::Builder() : block_(std::make_shared<FileBlock>()) {}
FileList::Builder::~Builder() = default;

void FileList::Builder::Add(const AddFile& file) { block_->Add(file); }

void FileList::Builder::Append(Builder&& next) { block_->Append(std::move(*next.block_)); }

void FileList::Builder::Reverse() { block_->Reverse(); }

FileList FileList::Builder::Build() && {
  FileList list;
  list.Append(std::move(block_));
  return list;
}

FileList FileList::Concatenate(FileList first, FileList second) {
  first.size_ += second.size_;
  first.total_bytes_ += second.total_bytes_;
  std::move(second.parts_.begin(), second.parts_.end(), std::back_inserter(first.parts_));
  return first;
}

size_t FileList::Part::live() const { return block->size() - dead.size(); }

bool FileList::Part::IsDead(uint32_t position) const {
  return std::binary_search(dead.begin(), dead.end(), position);
}

size_t FileList::memory_bytes() const {
  size_t bytes = 0;
  for (const Part& part : parts_)
    bytes += part.block->memory_bytes() + part.dead.capacity() * sizeof(uint32_t);
  return bytes;
}

std::vector<FileView> FileList::Files() const {
  std::vector<FileView> files;
  files.reserve(size_);
  for (const Part& part : parts_) {
    auto dead = part.dead.begin();
    for (uint32_t position = 0; position < part.block->size(); ++position) {
      if (dead != part.dead.end() && *dead == position) {
        ++dead;
      } else {
        files.push_back((*part.block)[position]);
      }
    }
  }
  return files;
}

std::optional<FileView> FileList::Find(std::string_view path,
                                       const std::optional<DeletionVectorDescriptor>& dv) const {
  const std::string key = FileKey(path, dv);
  for (const Part& part : parts_) {
    const auto position = part.block->Find(key);
    if (position && !part.IsDead(*position)) return (*part.block)[*position];
  }
  return std::nullopt;
}

FileList FileList::Apply(const std::vector<AddFile>& added,
                         const std::vector<RemoveFile>& removed) const {
  FileList list = *this;
  for (const RemoveFile& file : removed) list.Remove(FileKey(file.path, file.deletion_vector));
  for (const AddFile& file : added) list.Remove(FileKey(file.path, file.deletion_vector));
  auto block = std::make_shared<FileBlock>();
  for (const AddFile& file : added) block->Add(file);
  list.Append(std::move(block));
  list.MergeSmallParts();
  return list;
}

void FileList::Remove(const std::string& key) {
  for (Part& part : parts_) {
    const auto position = part.block->Find(key);
    if (!position) continue;
    const auto place = std::lower_bound(part.dead.begin(), part.dead.end(), *position);
    if (place != part.dead.end() && *place == *position) continue;
    part.dead.insert(place, *position);
    --size_;
    total_bytes_ -= (*part.block)[*position].size();
    return;
  }
}

void FileList::Append(std::shared_ptr<const FileBlock> block) {
  if (block->size() == 0) return;
  total_bytes_ += block->total_bytes();
  size_ += block->size();
  parts_.push_back({std::move(block), {}});
}

void FileList::MergeSmallParts() {
  std::erase_if(parts_, [](const Part& part) { return part.live() == 0; });
  // Parts shrink by half from one to the next, so there are few of them and each file is moved a
  // logarithmic number of times. A part that is mostly dead is moved, too, to give its memory back.
  for (size_t i = parts_.size(); i > 0; --i) {
    const bool mostly_dead = parts_[i - 1].dead.size() > parts_[i - 1].live();
    const bool too_big = i < parts_.size() && parts_[i].live() * 2 > parts_[i - 1].live();
    if (!mostly_dead && !too_big) continue;
    auto merged = std::make_shared<FileBlock>();
    const size_t end = too_big ? i + 1 : i;
    for (size_t k = i - 1; k < end; ++k) {
      for (uint32_t position = 0; position < parts_[k].block->size(); ++position) {
        if (!parts_[k].IsDead(position)) merged->Add((*parts_[k].block)[position]);
      }
    }
    parts_.erase(parts_.begin() + static_cast<std::ptrdiff_t>(i - 1),
                 parts_.begin() + static_cast<std::ptrdiff_t>(end));
    parts_.insert(parts_.begin() + static_cast<std::ptrdiff_t>(i - 1), Part{std::move(merged), {}});
  }
}

}  // namespace merganser
