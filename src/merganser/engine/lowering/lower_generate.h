#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/engine/lowering/lowering.h"

namespace merganser {

/// Rows of a generator beside those of its child: explode, posexplode, inline, stack, json_tuple.
/// `columns` are the child's and then the generator's. Fails with UNRESOLVED_ROUTINE for a
/// generator this build lacks.
Result<std::string> LowerGenerate(const BoundGenerate& generate,
                                  const std::vector<BoundColumn>& columns,
                                  const LoweringContext& context);

}  // namespace merganser
