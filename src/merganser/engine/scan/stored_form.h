#pragma once

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_states.hpp>

namespace merganser::engine {

/// Mend the conversions of a file whose top-level columns are stored in another form than the
/// table's type, where the engine's own cast would change the value: texts stored as plain bytes,
/// and bytes stored as text.
void ReadStoredForms(duckdb::MultiFileReaderData& reader_data);

}  // namespace merganser::engine
