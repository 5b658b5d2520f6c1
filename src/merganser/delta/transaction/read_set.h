#pragma once

#include <functional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/delta/table/file_predicate.h"

namespace merganser {

/// What a transaction has read, as far as another writer could have changed it.
struct ReadSet {
  /// Every row of the table mattered, whatever its values.
  bool whole_table = false;
  /// Rows that satisfy one of these mattered, those of files added later included.
  std::vector<FilePredicate> predicates;
  /// Files whose rows were read, by the path in their add action.
  std::set<std::string, std::less<>> files;
  /// Each row read decides over itself alone.
  bool row_by_row = false;
  /// Applications whose progress was asked for.
  std::set<std::string, std::less<>> application_ids;

  /// Nothing was read: a blind append.
  bool empty() const { return !whole_table && predicates.empty() && files.empty(); }
};

/// How much of what others commit a transaction may overlook.
enum class IsolationLevel : uint8_t {
  kSerializable,       ///< The default of Delta tables.
  kWriteSerializable,  ///< Blind appends may slip in before a transaction that has read.
  kSnapshotIsolation,  ///< For commits that change no data.
};

std::string_view ToString(IsolationLevel level);

}  // namespace merganser
