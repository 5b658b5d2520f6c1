#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/write_target.h"
#include "merganser/delta/transaction/transaction.h"

namespace merganser {

/// A table's metadata as a statement wants it.
struct MetadataChange {
  Metadata metadata;  ///< Its schema text is not read: `schema` counts.
  StructType schema;
  std::vector<std::string> features =
      {};  ///< To be supported, beside those that schema and properties need.
};

/// Let `transaction` change the table's metadata, with all that follows: ids and physical names of
/// new columns, records of changed types, properties that other properties imply, and the protocol.
///
/// Fails with DELTA_UNSUPPORTED_FEATURES_IN_CONFIG, DELTA_UNSUPPORTED_COLUMN_MAPPING_MODE_CHANGE,
/// DELTA_INVALID_CHARACTERS_IN_COLUMN_NAMES, COLUMN_ALREADY_EXISTS,
/// RESERVED_CDC_COLUMNS_ON_WRITE and
/// DELTA_FEATURES_REQUIRE_MANUAL_ENABLEMENT.
Result<WriteTarget> ChangeMetadata(const Snapshot& snapshot, MetadataChange change,
                                   Transaction& transaction);

/// The same where only the schema changes.
Result<WriteTarget> ChangeSchema(const Snapshot& snapshot, StructType schema,
                                 Transaction& transaction);

}  // namespace merganser
