#include "merganser/commands/manifest.h"

#include <map>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/delta/protocol/data_path.h"
#include "merganser/delta/schema/partition_value.h"

namespace merganser {
namespace {

constexpr const char* kFolder = "_symlink_format_manifest";
constexpr const char* kProperty = "delta.compatibility.symlinkFormatManifest.enabled";

/// Lines of the manifests, by folder below the manifests' own; the folder of an unpartitioned table
/// is "".
using Manifests = std::map<std::string, std::string>;

Result<Manifests> Collect(const Snapshot& snapshot) {
  Manifests manifests;
  if (snapshot.partition_columns().empty()) manifests[""];
  for (const FileView& file : snapshot.files().Files()) {
    if (file.has_deletion_vector())
      return Error(ErrorClass::DELTA_UNSUPPORTED_GENERATE_WITH_DELETION_VECTORS);
    std::vector<std::pair<std::string, std::optional<std::string>>> values;
    for (const std::string& column : snapshot.partition_columns()) {
      const auto value = file.partition_value(column);
      values.emplace_back(column, value ? std::optional<std::string>(*value) : std::nullopt);
    }
    MERGANSER_ASSIGN_OR_RETURN(const std::string path, DataFilePath(snapshot.path(), file.path()));
    // A local path becomes a URI; one of another store is one already.
    manifests[PartitionDirectory(values)] += (path.starts_with('/') ? "file:" : "") + path + "\n";
  }
  return manifests;
}

/// Delete manifests whose folder is not in `manifests`. `folder` is below the manifests' own and
/// ends with a slash.
Status DeleteOthers(FileSystem& file_system, const std::string& root, const std::string& folder,
                    const Manifests& manifests) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entries, file_system.List(JoinPath(root, folder)));
  for (const FileEntry& entry : entries) {
    if (entry.is_directory) {
      MERGANSER_RETURN_IF_ERROR(
          DeleteOthers(file_system, root, folder + entry.name + "/", manifests));
    } else if (entry.name == "manifest" && !manifests.contains(folder)) {
      MERGANSER_RETURN_IF_ERROR(file_system.Delete(JoinPath(root, folder + entry.name)));
    }
  }
  return Status::Ok();
}

}  // namespace

Status WriteManifest(const Snapshot& snapshot) {
  if (snapshot.column_mapping_mode() != ColumnMappingMode::kNone) {
    return Error(ErrorClass::DELTA_UNSUPPORTED_MANIFEST_GENERATION_WITH_COLUMN_MAPPING);
  }
  MERGANSER_ASSIGN_OR_RETURN(const Manifests manifests, Collect(snapshot));
  FileSystem& file_system = snapshot.file_system();
  const std::string root = JoinPath(snapshot.path(), kFolder);
  for (const auto& [folder, lines] : manifests) {
    const std::string path = JoinPath(root, folder + "manifest");
    MERGANSER_RETURN_IF_ERROR(file_system.CreateDirectories(std::string(ParentPath(path))));
    MERGANSER_RETURN_IF_ERROR(file_system.Write(path, lines));
  }
  return DeleteOthers(file_system, root, "", manifests);
}

bool WantsManifest(const Snapshot& snapshot) {
  const auto value = snapshot.properties().Find(kProperty);
  return value && EqualsIgnoringCase(*value, "true");
}

}  // namespace merganser
