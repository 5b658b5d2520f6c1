#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/delta/protocol/actions.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// The key, in a file's tags, of the version of Iceberg compatibility it was written by. From
/// version 2 on files have it.
inline constexpr std::string_view kIcebergCompatTag = "ICEBERG_COMPAT_VERSION";

/// Fails with DELTA_ICEBERG_COMPAT_VIOLATION.WRONG_REQUIRED_TABLE_PROPERTY if the version of
/// Iceberg compatibility that is on needs another property to have another value: columns must be
/// mapped, and for version 3 rows tracked. No other setting of them is checked.
Status CheckIcebergProperties(const TableProperties& properties);

/// A commit as Iceberg compatibility looks at it.
struct IcebergCompatCommit {
  const Snapshot* before = nullptr;  ///< Null where the commit makes the table.
  const Protocol* protocol = nullptr;
  const Metadata* metadata = nullptr;
  const std::vector<AddFile>* added = nullptr;
};

/// Check what a table must keep to while delta.enableIcebergCompatV1, V2 or V3 is on ("Writer
/// Requirements for IcebergCompatV1" and the sections of the other versions in PROTOCOL.md), beside
/// what goes into the files themselves. No effect on other tables.
///
/// Fails with DELTA_ICEBERG_COMPAT_VIOLATION, and with DELTA_SCHEMA_CORRUPTED if the schema cannot
/// be read.
Status CheckIcebergCompat(const IcebergCompatCommit& commit);

/// Fails if delta.universalFormat.enabledFormats names Iceberg, whose metadata this build does not
/// write: with DELTA_MISSING_ICEBERG_CLASS, or DELTA_UNIVERSAL_FORMAT_VIOLATION where no Iceberg
/// compatibility is on either.
Status CheckUniversalFormat(const TableProperties& properties);

}  // namespace merganser
