#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/engine/lowering/lowering.h"

/// SELECTs over what rows come from: each gives its columns as EngineColumn(id).
namespace merganser {

Result<std::string> LowerScan(const BoundScan& scan, const std::vector<BoundColumn>& columns,
                              const LoweringContext& context);
Result<std::string> LowerTableChanges(const BoundTableChanges& changes,
                                      const std::vector<BoundColumn>& columns,
                                      const LoweringContext& context);
Result<std::string> LowerFileScan(const BoundFileScan& scan,
                                  const std::vector<BoundColumn>& columns,
                                  const LoweringContext& context);
Result<std::string> LowerEngineTable(const BoundEngineTable& table,
                                     const std::vector<BoundColumn>& columns);
Result<std::string> LowerValues(const BoundValues& values, const std::vector<BoundColumn>& columns,
                                const LoweringContext& context);
Result<std::string> LowerRange(const BoundRange& range, const std::vector<BoundColumn>& columns);

}  // namespace merganser
