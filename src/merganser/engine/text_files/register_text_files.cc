#include "merganser/engine/text_files/register_text_files.h"

namespace merganser::engine {

void RegisterTextFiles(duckdb::DatabaseInstance& database) {
  RegisterTextRecords(database);
  RegisterRowReaders(database);
  RegisterSchemaInference(database);
  RegisterLineWriter(database);
}

}  // namespace merganser::engine
