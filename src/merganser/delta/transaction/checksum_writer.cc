#include "merganser/delta/transaction/checksum_writer.h"

#include <cstddef>
#include <map>
#include <vector>

#include "merganser/base/failpoint.h"
#include "merganser/delta/log/log_path.h"

namespace merganser {
namespace {

/// A checksum is written with every commit, so it stays small.
constexpr size_t kMostListed = 100;

/// The actions of a map by key; nothing if they are too many.
template <typename T>
std::optional<std::vector<T>> Values(const std::map<std::string, T, std::less<>>& map) {
  if (map.size() > kMostListed) return std::nullopt;
  std::vector<T> actions;
  for (const auto& [key, action] : map) actions.push_back(action);
  return actions;
}

}  // namespace

VersionChecksum ChecksumOf(const Snapshot& snapshot) {
  VersionChecksum checksum;
  checksum.table_size_bytes = snapshot.size_in_bytes();
  checksum.num_files = static_cast<int64_t>(snapshot.files().size());
  if (snapshot.properties().enable_in_commit_timestamps())
    checksum.in_commit_timestamp = snapshot.timestamp();
  checksum.set_transactions = Values(snapshot.set_transactions());
  checksum.domain_metadata = Values(snapshot.domain_metadata());
  checksum.metadata = snapshot.metadata();
  checksum.protocol = snapshot.protocol();
  return checksum;
}

Status WriteChecksum(const Snapshot& snapshot, const std::string& transaction_id) {
  MERGANSER_FAILPOINT("checksum.before_write");
  VersionChecksum checksum = ChecksumOf(snapshot);
  checksum.txn_id = transaction_id;
  return snapshot.file_system().WriteUnsynced(
      JoinPath(LogDirectory(snapshot.path()), ChecksumFileName(snapshot.version())),
      ToJson(checksum));
}

}  // namespace merganser
