#include "merganser/engine/checkpoint/checkpoint_schema.h"

#include <utility>

namespace merganser::engine {
namespace {

DataType TextMap() { return DataType::Map(DataType::String(), DataType::String()); }
DataType TextList() { return DataType::Array(DataType::String()); }

DataType DeletionVectorType() {
  return DataType::Struct(StructType({{"storageType", DataType::String()},
                                      {"pathOrInlineDv", DataType::String()},
                                      {"offset", DataType::Integer()},
                                      {"sizeInBytes", DataType::Integer()},
                                      {"cardinality", DataType::Long()},
                                      {"maxRowIndex", DataType::Long()}}));
}

// Add a field called by the rest of `path` from `depth` on to `fields`, with the structs around it.
void AddLeaf(const FieldPath& path, size_t depth, const DataType& type, StructType* fields) {
  if (depth + 1 == path.size()) {
    fields->Add({path[depth], type});
    return;
  }
  const int position = fields->IndexOf(path[depth], true);
  StructType below =
      position < 0 ? StructType() : (*fields)[static_cast<size_t>(position)].type.fields();
  AddLeaf(path, depth + 1, type, &below);
  const StructField field{path[depth], DataType::Struct(std::move(below))};
  if (position < 0) {
    fields->Add(field);
  } else {
    fields->fields()[static_cast<size_t>(position)] = field;
  }
}

DataType ParsedStatisticsType(const std::vector<StatisticsColumn>& columns) {
  StructType bounds;
  StructType nulls;
  for (const StatisticsColumn& column : columns) {
    if (column.has_bounds) AddLeaf(column.path, 0, column.type, &bounds);
    AddLeaf(column.path, 0, DataType::Long(), &nulls);
  }
  StructType parsed({{"numRecords", DataType::Long()}});
  if (!bounds.empty()) {
    parsed.Add({"minValues", DataType::Struct(bounds)});
    parsed.Add({"maxValues", DataType::Struct(bounds)});
  }
  parsed.Add({"nullCount", DataType::Struct(nulls)});
  parsed.Add({"tightBounds", DataType::Boolean()});
  return DataType::Struct(std::move(parsed));
}

DataType AddType(const CheckpointColumns& columns) {
  StructType add({{"path", DataType::String()},
                  {"partitionValues", TextMap()},
                  {"size", DataType::Long()},
                  {"modificationTime", DataType::Long()},
                  {"dataChange", DataType::Boolean()}});
  if (columns.stats) add.Add({"stats", DataType::String()});
  add.Add({"tags", TextMap()});
  add.Add({"deletionVector", DeletionVectorType()});
  add.Add({"baseRowId", DataType::Long()});
  add.Add({"defaultRowCommitVersion", DataType::Long()});
  add.Add({"clusteringProvider", DataType::String()});
  if (!columns.partition_values_parsed.empty()) {
    add.Add({"partitionValues_parsed", DataType::Struct(columns.partition_values_parsed)});
  }
  if (!columns.stats_parsed.empty())
    add.Add({"stats_parsed", ParsedStatisticsType(columns.stats_parsed)});
  return DataType::Struct(std::move(add));
}

DataType RemoveType() {
  return DataType::Struct(StructType({{"path", DataType::String()},
                                      {"deletionTimestamp", DataType::Long()},
                                      {"dataChange", DataType::Boolean()},
                                      {"extendedFileMetadata", DataType::Boolean()},
                                      {"partitionValues", TextMap()},
                                      {"size", DataType::Long()},
                                      {"deletionVector", DeletionVectorType()},
                                      {"baseRowId", DataType::Long()},
                                      {"defaultRowCommitVersion", DataType::Long()}}));
}

DataType MetadataType() {
  const DataType format =
      DataType::Struct(StructType({{"provider", DataType::String()}, {"options", TextMap()}}));
  return DataType::Struct(StructType({{"id", DataType::String()},
                                      {"name", DataType::String()},
                                      {"description", DataType::String()},
                                      {"format", format},
                                      {"schemaString", DataType::String()},
                                      {"partitionColumns", TextList()},
                                      {"configuration", TextMap()},
                                      {"createdTime", DataType::Long()}}));
}

}  // namespace

StructType CheckpointSchema(const CheckpointColumns& columns) {
  StructType schema;
  const auto add = [&](ActionSet::Kind kind, const char* name, const DataType& type) {
    if (columns.actions.Contains(kind)) schema.Add({name, type});
  };
  add(ActionSet::kSetTransaction, "txn",
      DataType::Struct(StructType({{"appId", DataType::String()},
                                   {"version", DataType::Long()},
                                   {"lastUpdated", DataType::Long()}})));
  add(ActionSet::kAdd, "add", AddType(columns));
  add(ActionSet::kRemove, "remove", RemoveType());
  add(ActionSet::kMetadata, "metaData", MetadataType());
  add(ActionSet::kProtocol, "protocol",
      DataType::Struct(StructType({{"minReaderVersion", DataType::Integer()},
                                   {"minWriterVersion", DataType::Integer()},
                                   {"readerFeatures", TextList()},
                                   {"writerFeatures", TextList()}})));
  add(ActionSet::kDomainMetadata, "domainMetadata",
      DataType::Struct(StructType({{"domain", DataType::String()},
                                   {"configuration", DataType::String()},
                                   {"removed", DataType::Boolean()}})));
  add(ActionSet::kCheckpointMetadata, "checkpointMetadata",
      DataType::Struct(StructType({{"version", DataType::Long()}, {"tags", TextMap()}})));
  add(ActionSet::kSidecar, "sidecar",
      DataType::Struct(StructType({{"path", DataType::String()},
                                   {"sizeInBytes", DataType::Long()},
                                   {"modificationTime", DataType::Long()},
                                   {"tags", TextMap()}})));
  return schema;
}

}  // namespace merganser::engine
