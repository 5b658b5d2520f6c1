#include "merganser/engine/sink/partition_rows.h"

#include <utility>

namespace merganser::engine {
namespace {

using duckdb::idx_t;

// Appends a column's value at `row` so that different values give different bytes.
void AppendValue(const duckdb::UnifiedVectorFormat& format, duckdb::PhysicalType type, idx_t row,
                 std::string* key) {
  const idx_t slot = format.sel->get_index(row);
  if (!format.validity.RowIsValid(slot)) {
    key->push_back('N');
    return;
  }
  key->push_back('V');
  if (type == duckdb::PhysicalType::VARCHAR) {
    const auto& text = duckdb::UnifiedVectorFormat::GetData<duckdb::string_t>(format)[slot];
    const uint32_t size = text.GetSize();
    key->append(reinterpret_cast<const char*>(&size), sizeof(size));
    key->append(text.GetData(), size);
    return;
  }
  const idx_t width = duckdb::GetTypeIdSize(type);
  key->append(reinterpret_cast<const char*>(format.data) + slot * width, width);
}

}  // namespace

std::vector<PartitionRows::Group> PartitionRows::Split(duckdb::DataChunk& chunk,
                                                       const std::vector<size_t>& columns) {
  std::vector<duckdb::UnifiedVectorFormat> formats(columns.size());
  for (size_t i = 0; i < columns.size(); ++i)
    chunk.data[columns[i]].ToUnifiedFormat(chunk.size(), formats[i]);
  std::vector<Group> groups;
  std::unordered_map<std::string, size_t> group_of;
  std::string key;
  size_t current = 0;
  for (idx_t row = 0; row < chunk.size(); ++row) {
    key.clear();
    for (size_t i = 0; i < columns.size(); ++i) {
      AppendValue(formats[i], chunk.data[columns[i]].GetType().InternalType(), row, &key);
    }
    // Rows mostly come clustered.
    if (groups.empty() || groups[current].key != key) {
      const auto [entry, added] = group_of.emplace(key, groups.size());
      if (added) groups.push_back({key, row, {}});
      current = entry->second;
    }
    groups[current].rows.push_back(static_cast<duckdb::sel_t>(row));
  }
  return groups;
}

}  // namespace merganser::engine
