#include "test/support/scratch_folder.h"

#include <system_error>

#include "merganser/base/uuid.h"

namespace merganser::test {

ScratchFolder::ScratchFolder()
    : path_(std::filesystem::temp_directory_path() / ("merganser-test-" + RandomUuid())) {
  std::filesystem::create_directories(path_);
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

}  // namespace merganser::test
