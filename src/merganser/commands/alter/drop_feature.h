#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/alter/table_change.h"

namespace merganser {

/// DROP FEATURE: what the table keeps for the feature is removed first, in commits of their own;
/// then the feature leaves the protocol. For a feature that readers need, three checkpoints in
/// front of that commit, which `checkpointProtection` keeps, spare readers without it the older
/// commits ("Checkpoint Protection" in PROTOCOL.md).
///
/// Fails with DELTA_FEATURE_DROP_FEATURE_NOT_PRESENT, DELTA_FEATURE_DROP_NONREMOVABLE_FEATURE,
/// DELTA_FEATURE_DROP_UNSUPPORTED_CLIENT_FEATURE, DELTA_FEATURE_DROP_FEATURE_IS_DELTA_PROPERTY,
/// DELTA_FEATURE_DROP_DEPENDENT_FEATURE, DELTA_FEATURE_DROP_HISTORY_TRUNCATION_NOT_ALLOWED,
/// DELTA_FEATURE_DROP_WAIT_FOR_RETENTION_PERIOD, DELTA_FEATURE_DROP_HISTORICAL_VERSIONS_EXIST,
/// DELTA_FEATURE_CAN_ONLY_DROP_CHECKPOINT_PROTECTION_WITH_HISTORY_TRUNCATION and
/// DELTA_CANNOT_DROP_CHECK_CONSTRAINT_FEATURE.
Status DropFeature(StatementContext& context, const TargetTable& target,
                   const plan::AlterDropFeature& action);

}  // namespace merganser
