#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/commands/statement_context.h"
#include "merganser/config/table_property.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/schema/column_mapping.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// Add the properties that Iceberg compatibility needs and that `configuration` does not mention:
/// columns of a new or replaced table are mapped by name, rows of any table are tracked. What
/// `replaced`, which may be null, says of atomic conversion stays.
void CompleteIcebergProperties(bool is_new, const Snapshot* replaced, StringMap& configuration);

/// Give ids to elements, keys and values where the table's version of Iceberg compatibility wants
/// them.
MappedSchema WithIcebergFieldIds(MappedSchema mapped, const StringMap& configuration);

/// Iceberg compatibility from version 3 on takes only literals as defaults of columns. Fails with
/// DELTA_ICEBERG_COMPAT_VIOLATION.UNSUPPORTED_DATA_TYPE.
Status CheckIcebergDefaults(const StructType& schema, const StringMap& configuration);

/// Before ALTER TABLE switches on what `properties`, with any keys, ask for: a table whose rows are
/// tracked cannot take on version 3. Fails with
/// DELTA_ICEBERG_COMPAT_VIOLATION.ROW_TRACKING_ENABLED.
Status CheckIcebergUpgrade(const Snapshot& snapshot, const PropertyMap& properties);

}  // namespace merganser
