#pragma once

#include <map>
#include <string>

#include "merganser/base/result.h"
#include "test/support/scratch_folder.h"

namespace merganser::test {

/// A folder of tables that other engines wrote: folders, and archives NAME.tar.zst that hold NAME/.
class GoldenTables {
 public:
  explicit GoldenTables(std::string folder) : folder_(std::move(folder)) {}

  /// Absolute path of a table named by its path once everything is unpacked; unpacks its archive
  /// into a scratch folder at the first call. Fails with DELTA_PATH_DOES_NOT_EXIST if neither is
  /// there or the archive cannot be unpacked.
  Result<std::string> Find(const std::string& table);

 private:
  std::string folder_;
  ScratchFolder scratch_;
  std::map<std::string, std::string> unpacked_;  // Archive to the folder that holds its contents.
};

}  // namespace merganser::test
