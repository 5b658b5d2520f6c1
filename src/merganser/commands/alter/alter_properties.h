#pragma once

#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/commands/alter/table_change.h"

namespace merganser {

/// SET TBLPROPERTIES, with the protocol upgrades that the properties ask for or need.
///
/// Fails with DELTA_UNKNOWN_CONFIGURATION, DELTA_CANNOT_MODIFY_TABLE_PROPERTY,
/// UNSUPPORTED_TABLE_CHANGE (a value that the property cannot have), DELTA_ADD_CONSTRAINTS,
/// DELTA_CANNOT_CHANGE_LOCATION, DELTA_CANNOT_CHANGE_PROVIDER,
/// DELTA_ALTER_TABLE_SET_CLUSTERING_TABLE_FEATURE_NOT_ALLOWED,
/// DELTA_TABLE_ALREADY_CONTAINS_CDC_COLUMNS, and the classes of ChangeMetadata.
Status SetProperties(TableChange change, const plan::AlterSetProperties& action);

/// UNSET TBLPROPERTIES. Properties that are not set are passed over, as Delta does.
Status UnsetProperties(TableChange change, const plan::AlterUnsetProperties& action);

/// COMMENT ON TABLE. No value removes the comment.
Status SetComment(TableChange change, const std::optional<std::string>& comment);

}  // namespace merganser
