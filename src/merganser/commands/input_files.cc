#include "merganser/commands/input_files.h"

#include <string>
#include <unordered_set>
#include <utility>

#include "merganser/commands/data_files.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/spark/analysis/relation_walk.h"

namespace merganser {
namespace {

class InputFiles {
 public:
  explicit InputFiles(const FileSystems& file_systems) : file_systems_(file_systems) {}

  Status Visit(const BoundRelation& relation) {
    if (const auto* scan = relation.As<BoundScan>()) return VisitTable(*scan);
    if (const auto* scan = relation.As<BoundFileScan>(); scan != nullptr && !scan->paths.empty())
      return VisitFiles(*scan);
    Status status;
    ForEachInput(relation, [&](const BoundRelation& input) {
      if (status.ok()) status = Visit(input);
    });
    return status;
  }

  std::vector<std::string> uris() && { return std::move(uris_); }

 private:
  void Add(const std::string& path) {
    std::string uri = path.starts_with("/") ? "file://" + EncodeDataPath(path) : path;
    if (known_.insert(uri).second) uris_.push_back(std::move(uri));
  }

  Status VisitTable(const BoundScan& scan) {
    const auto add = [&](std::string_view encoded) -> Status {
      MERGANSER_ASSIGN_OR_RETURN(const std::string path,
                                 DataFilePath(scan.snapshot->path(), encoded));
      Add(path);
      return Status::Ok();
    };
    if (scan.files != nullptr) {
      for (const AddFile& file : *scan.files) MERGANSER_RETURN_IF_ERROR(add(file.path));
      return Status::Ok();
    }
    for (const FileView& file : scan.snapshot->files().Files())
      MERGANSER_RETURN_IF_ERROR(add(file.path()));
    return Status::Ok();
  }

  Status VisitFiles(const BoundFileScan& scan) {
    for (const std::string& path : scan.paths) {
      MERGANSER_ASSIGN_OR_RETURN(const FileLocation location, file_systems_.Resolve(path));
      MERGANSER_ASSIGN_OR_RETURN(const auto files, ListDataFiles(location));
      for (const DataFile& file : files) Add(file.path);
    }
    return Status::Ok();
  }

  const FileSystems& file_systems_;
  std::vector<std::string> uris_;
  std::unordered_set<std::string> known_;
};

}  // namespace

Result<std::vector<std::string>> ListInputFiles(const BoundRelation& query,
                                                const FileSystems& file_systems) {
  InputFiles files(file_systems);
  MERGANSER_RETURN_IF_ERROR(files.Visit(query));
  return std::move(files).uris();
}

}  // namespace merganser
