#pragma once

#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/io/file_systems.h"
#include "merganser/spark/analysis/bound_relation.h"

namespace merganser {

/// The URIs (`file:///a%20b`) of all data files that the tables and file scans of a query have,
/// each once. Those of subqueries in expressions do not count. Fails with PATH_NOT_FOUND.
Result<std::vector<std::string>> ListInputFiles(const BoundRelation& query,
                                                const FileSystems& file_systems);

}  // namespace merganser
