#pragma once

#include <string>
#include <string_view>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/io/file_systems.h"

namespace merganser {

enum class CommitOutcome : uint8_t {
  kCommitted,
  kBeaten,  ///< Another writer has this version.
};

/// Put the commit file of `version`. An answer that got lost is resolved by looking for
/// `transaction_id` in the file: kCommitted if the file is ours after all.
///
/// Fails with the store's error (kIo) if the version surely does not exist, and with
/// DELTA_COMMIT_OUTCOME_UNKNOWN (kCommitUnknown) if the store cannot be asked.
Result<CommitOutcome> PutCommit(const FileLocation& table, Version version, std::string_view bytes,
                                std::string_view transaction_id);

}  // namespace merganser
