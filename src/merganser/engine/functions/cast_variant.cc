#include "merganser/engine/functions/cast.h"

namespace merganser::engine {

CastKernel MakeVariantCast(const DataType&, const DataType&, const CastSettingsPtr&) {
  return nullptr;
}

}  // namespace merganser::engine
