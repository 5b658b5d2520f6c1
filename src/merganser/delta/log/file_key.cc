#include "merganser/delta/log/file_key.h"

#include "merganser/delta/protocol/data_path.h"

namespace merganser {

std::string FileKey(std::string_view path,
                    const std::optional<DeletionVectorDescriptor>& deletion_vector) {
  // Most paths are relative and plain, and then they are their own canonical form.
  const bool plain = !path.starts_with('/') && path.find_first_of("%:") == std::string_view::npos;
  std::string key = plain ? std::string(path) : CanonicalDataPath(path);
  key.push_back('\0');
  if (deletion_vector) key += deletion_vector->UniqueId();
  return key;
}

}  // namespace merganser
