#include "merganser/commands/generate.h"

#include "merganser/base/letter_case.h"
#include "merganser/commands/manifest.h"
#include "merganser/commands/target_table.h"

namespace merganser {
namespace {

constexpr const char* kMode = "symlink_format_manifest";

}  // namespace

Result<ResultSet> RunGenerate(StatementContext& context, const plan::Generate& command) {
  if (!EqualsIgnoringCase(command.mode, kMode)) {
    return Error(ErrorClass::DELTA_MODE_NOT_SUPPORTED,
                 {{"mode", command.mode}, {"supportedModes", kMode}});
  }
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(const TargetTable target,
                             FindTargetTable(*analyzer, command.name, "GENERATE"));
  MERGANSER_RETURN_IF_ERROR(WriteManifest(*target.snapshot));
  return ResultSet();
}

}  // namespace merganser
