#pragma once

#include <memory>
#include <string>

#include "merganser/base/result.h"
#include "merganser/engine/sink/sink.h"
#include "merganser/io/file_system.h"

namespace merganser {

/// Files that a statement has written and not yet committed. Deletes them when it goes, unless they
/// became part of the table or that cannot be told (DESIGN 8.4).
class UncommittedFiles {
 public:
  explicit UncommittedFiles(std::shared_ptr<FileSystem> file_system)
      : file_system_(std::move(file_system)) {}
  UncommittedFiles(const UncommittedFiles&) = delete;
  UncommittedFiles& operator=(const UncommittedFiles&) = delete;
  ~UncommittedFiles();

  /// Where sinks report the paths they create.
  engine::CreatedFiles& created() { return created_; }
  /// A commit succeeded or failed: a success and an unknown outcome keep the files.
  void Settle(const Status& commit);

 private:
  std::shared_ptr<FileSystem> file_system_;
  engine::CreatedFiles created_;
  bool keep_ = false;
};

}  // namespace merganser
