#include "merganser/session/runtime.h"

#include <utility>

#include "merganser/engine/checkpoint/parquet_checkpoint_codec.h"

namespace merganser {

Result<std::shared_ptr<Runtime>> Runtime::Open(RuntimeOptions options) {
  auto runtime = std::shared_ptr<Runtime>(new Runtime());
  runtime->database_ = std::move(options.database);
  if (runtime->database_ == nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(runtime->database_,
                               engine::Database::Open(std::move(options.engine)));
  }
  runtime->file_systems_ = options.file_systems != nullptr ? std::move(options.file_systems)
                                                           : std::make_shared<FileSystems>();
  MERGANSER_ASSIGN_OR_RETURN(runtime->warehouse_,
                             Warehouse::Open(options.warehouse, *runtime->file_systems_));
  runtime->snapshots_ =
      std::make_shared<SnapshotCache>(engine::MakeCheckpointCodec(runtime->database_));
  runtime->clock_ = options.clock;
  return runtime;
}

}  // namespace merganser
