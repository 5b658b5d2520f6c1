#include "test/support/golden_tables.h"

#include <cstdlib>
#include <filesystem>

namespace merganser::test {

Result<std::string> GoldenTables::Find(const std::string& table) {
  namespace fs = std::filesystem;
  const Error missing(ErrorClass::PATH_NOT_FOUND, {{"path", folder_ + "/" + table}});
  fs::path folder = fs::absolute(folder_);
  const fs::path path(table);
  for (auto part = path.begin(); part != path.end(); ++part) {
    const fs::path archive = folder / (part->string() + ".tar.zst");
    if (fs::is_directory(folder / *part)) {
      folder /= *part;
      continue;
    }
    if (!fs::exists(archive)) return missing;
    auto [entry, is_new] = unpacked_.try_emplace(archive.string());
    if (is_new) {
      const std::string target = scratch_ / std::to_string(unpacked_.size());
      fs::create_directories(target);
      const std::string command = "tar -I zstd -xf '" + archive.string() + "' -C '" + target +
                                  "' --no-same-owner --warning=no-unknown-keyword";
      if (std::system(command.c_str()) != 0) return missing;
      entry->second = target;
    }
    fs::path found(entry->second);
    for (; part != path.end(); ++part) found /= *part;
    return found.string();
  }
  return folder.string();
}

}  // namespace merganser::test
