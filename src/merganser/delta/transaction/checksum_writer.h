#pragma once

#include <optional>
#include <string>

#include "merganser/base/result.h"
#include "merganser/delta/log/version_checksum.h"
#include "merganser/delta/table/snapshot.h"

namespace merganser {

/// What `<version>.crc` says about a snapshot ("Version Checksum File" in PROTOCOL.md).
/// Applications and domains are left out where there are very many.
VersionChecksum ChecksumOf(const Snapshot& snapshot);

/// Write the checksum of the version that `transaction_id` committed. Fails with kIo classes; the
/// table is whole whether it succeeds or not.
Status WriteChecksum(const Snapshot& snapshot, const std::string& transaction_id);

}  // namespace merganser
