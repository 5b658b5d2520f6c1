#include "merganser/engine/row_table.h"

#include <algorithm>
#include <utility>

#include "merganser/arrow/json_value.h"

namespace merganser::engine {

Result<RowTable> RowTable::Make(StructType schema, ArrowSchemaOwner arrow_schema,
                                std::vector<ArrowBatch> batches) {
  RowTable table;
  table.schema_ = std::move(schema);
  table.arrow_schema_ = std::make_shared<ArrowSchemaOwner>(std::move(arrow_schema));
  for (ArrowBatch& batch : batches) {
    auto part = std::make_unique<Part>();
    part->first_row = table.num_rows_;
    part->batch = std::move(batch);
    table.num_rows_ += part->batch.num_rows();
    for (size_t i = 0; i < table.schema_.size(); ++i) {
      const auto column = static_cast<int64_t>(i);
      MERGANSER_ASSIGN_OR_RETURN(
          auto reader, ArrowColumn::Make(*table.arrow_schema_->get().children[column],
                                         part->batch.column(column), table.schema_[i].type));
      part->columns.push_back(std::move(reader));
    }
    table.parts_.push_back(std::move(part));
  }
  return table;
}

const RowTable::Part& RowTable::Find(int64_t row) const {
  const auto after =
      std::upper_bound(parts_.begin(), parts_.end(), row,
                       [](int64_t wanted, const auto& part) { return wanted < part->first_row; });
  return **std::prev(after);
}

bool RowTable::IsNull(int64_t row, size_t column) const {
  const Part& part = Find(row);
  return part.columns[column].IsNull(row - part.first_row);
}

int64_t RowTable::Int64(int64_t row, size_t column) const {
  const Part& part = Find(row);
  return part.columns[column].Int64(row - part.first_row);
}

bool RowTable::Bool(int64_t row, size_t column) const {
  const Part& part = Find(row);
  return part.columns[column].Bool(row - part.first_row);
}

double RowTable::Double(int64_t row, size_t column) const {
  const Part& part = Find(row);
  return part.columns[column].Double(row - part.first_row);
}

std::string RowTable::String(int64_t row, size_t column) const {
  return std::string(Blob(row, column));
}

std::string_view RowTable::Blob(int64_t row, size_t column) const {
  const Part& part = Find(row);
  return part.columns[column].Bytes(row - part.first_row);
}

std::string RowTable::Json(int64_t row, size_t column) const {
  const Part& part = Find(row);
  std::string out;
  AppendJsonValue(part.columns[column], row - part.first_row, &out);
  return out;
}

}  // namespace merganser::engine
