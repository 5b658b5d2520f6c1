#include "merganser/delta/protocol/actions.h"

namespace merganser {

std::string DeletionVectorDescriptor::UniqueId() const {
  std::string id(1, static_cast<char>(storage));
  id += path_or_inline_dv;
  if (offset) id += "@" + std::to_string(*offset);
  return id;
}

}  // namespace merganser
