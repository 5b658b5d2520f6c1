#include "merganser/engine/checkpoint/action_search.h"

#include <optional>
#include <string>
#include <utility>

#include "merganser/engine/scan/scan_handle.h"
#include "merganser/engine/splice/data_file_footer.h"
#include "merganser/engine/sql_text.h"
#include "merganser/io/local_file_system.h"

namespace merganser::engine {
namespace {

bool IsNull(const DataFileFooter& footer, const std::string& column) {
  for (size_t group = 0; group < footer.row_groups().size(); ++group) {
    if (!footer.IsNull(column, group)) return false;
  }
  return true;
}

// A field of the struct that the file has, and whose type has no fields itself.
std::optional<StructField> TellingField(const DataFileFooter& footer, const StructField& column) {
  for (const std::string& name : footer.LeavesOf(column.name)) {
    const int position = column.type.fields().IndexOf(name, true);
    if (position < 0) continue;
    const StructField& field = column.type.fields()[static_cast<size_t>(position)];
    if (!field.type.is_nested()) return field;
  }
  return std::nullopt;
}

}  // namespace

Result<std::shared_ptr<const DeletionVector>> FindActions(Connection& connection,
                                                          const std::vector<ScanFile>& slices,
                                                          const StructType& schema) {
  LocalFileSystem local;
  MERGANSER_ASSIGN_OR_RETURN(const DataFileFooter footer,
                             DataFileFooter::Read(local, slices.front().path));
  auto source = std::make_shared<ScanSource>();
  source->files = slices;
  std::string is_action;
  for (const StructField& column : schema) {
    if (IsNull(footer, column.name)) continue;
    const auto field = TellingField(footer, column);
    if (!field) return std::shared_ptr<const DeletionVector>();
    source->schema.Add({column.name, DataType::Struct(StructType({*field}))});
    if (!is_action.empty()) is_action += " OR ";
    is_action += QuoteIdentifier(column.name) + " IS NOT NULL";
  }
  auto rows = std::make_shared<DeletionVector>();
  if (is_action.empty()) return std::shared_ptr<const DeletionVector>(std::move(rows));
  const ScanHandle scan = RegisterScan(source);
  MERGANSER_ASSIGN_OR_RETURN(const auto found,
                             connection.QueryTable("SELECT " + std::string(kFileRowNumberColumn) +
                                                   " FROM " + scan.sql() + " WHERE " + is_action));
  for (int64_t row = 0; row < found.num_rows(); ++row)
    rows->Add(static_cast<uint64_t>(found.Int64(row, 0)));
  return std::shared_ptr<const DeletionVector>(std::move(rows));
}

}  // namespace merganser::engine
