#include "merganser/spark/analysis/file_metadata.h"

#include <utility>

namespace merganser {

DataType FileMetadataType(const Snapshot& snapshot) {
  StructType fields(
      {{.name = "file_path", .type = DataType::String(), .nullable = false},
       {.name = "file_name", .type = DataType::String(), .nullable = false},
       {.name = "file_size", .type = DataType::Long(), .nullable = false},
       {.name = "file_block_start", .type = DataType::Long(), .nullable = false},
       {.name = "file_block_length", .type = DataType::Long(), .nullable = false},
       {.name = "file_modification_time", .type = DataType::Timestamp(), .nullable = false}});
  if (snapshot.properties().enable_row_tracking()) {
    for (const char* name :
         {"row_id", "base_row_id", "default_row_commit_version", "row_commit_version"}) {
      fields.Add({.name = name, .type = DataType::Long(), .nullable = true});
    }
  }
  return DataType::Struct(std::move(fields));
}

}  // namespace merganser
