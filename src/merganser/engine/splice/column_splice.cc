#include "merganser/engine/splice/column_splice.h"

#include <algorithm>
#include <map>
#include <utility>

#include <duckdb.hpp>
#include <duckdb/common/types/column/column_data_collection.hpp>
#include <fmt/format.h>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"
#include "merganser/engine/sink/file_layout.h"
#include "merganser/engine/sink/file_writer.h"
#include "merganser/engine/splice/footer_bounds.h"

namespace merganser::engine {
namespace {

using duckdb::idx_t;

/// Rows of one row group as they come in, with their places in the first column.
struct GatheredGroup {
  RowGroupSpan span;
  duckdb::unique_ptr<duckdb::ColumnDataCollection> rows;
};

/// One file on its way.
struct SplicingFile {
  const SplicedColumnsFile* file = nullptr;
  std::map<int64_t, GatheredGroup> groups = {};  // By first row.
  std::map<int64_t, size_t> positions = {};      // Of the groups in the old footer, by first row.
  std::string columns_path = {};  // Holds the new columns alone, until they are spliced.
  std::unique_ptr<FileWriter> writer = {};
  std::vector<size_t> written = {};  // Positions of the old groups, in the order of the new ones.
};

class ColumnSpliceRun {
 public:
  ColumnSpliceRun(duckdb::ClientContext& context, const ColumnSpliceSpec& spec,
                  const SinkFamily& family, const SinkSpec& sink, CreatedFiles& created)
      : context_(context),
        spec_(spec),
        created_(created),
        layout_(context, sink, family),
        nothing_(layout_.physical_schema(), spec.statistics) {
    for (size_t i = 0; i < spec.files.size(); ++i) {
      SplicingFile splicing{.file = &spec.files[i]};
      for (const size_t group : splicing.file->groups) {
        const RowGroupSpan& span = splicing.file->footer->row_groups()[group];
        splicing.groups.emplace(span.first_row, GatheredGroup{span, nullptr});
        splicing.positions.emplace(span.first_row, group);
      }
      splicing.columns_path = splicing.file->destination + ".columns";
      numbers_.emplace(splicing.file->number, i);
      files_.push_back(std::move(splicing));
    }
    gathered_types_ = layout_.types();
    gathered_types_.insert(gathered_types_.begin(), duckdb::LogicalType::BIGINT);
  }

  /// `rows` has f, r and the values.
  void Append(duckdb::DataChunk& rows) {
    rows.Flatten();
    const auto* numbers = duckdb::FlatVector::GetData<int64_t>(rows.data[0]);
    const auto* places = duckdb::FlatVector::GetData<int64_t>(rows.data[1]);
    // Rows of a row group mostly come together.
    std::map<std::pair<size_t, int64_t>, std::vector<duckdb::sel_t>> parts;
    std::vector<duckdb::sel_t>* part = nullptr;
    int64_t number = -1;
    int64_t begin = 0;
    int64_t end = 0;
    for (idx_t row = 0; row < rows.size(); ++row) {
      if (part == nullptr || numbers[row] != number || places[row] < begin || places[row] >= end) {
        number = numbers[row];
        const size_t index = IndexOf(number);
        const RowGroupSpan& span = SpanOf(files_[index], places[row]);
        begin = span.first_row;
        end = begin + span.num_rows;
        part = &parts[{index, begin}];
      }
      part->push_back(static_cast<duckdb::sel_t>(row));
    }
    duckdb::DataChunk values;
    values.InitializeEmpty(gathered_types_);
    for (idx_t i = 0; i < gathered_types_.size(); ++i) values.data[i].Reinterpret(rows.data[i + 1]);
    values.SetCardinality(rows.size());
    for (auto& [key, selected] : parts) {
      SplicingFile& file = files_[key.first];
      GatheredGroup& group = file.groups.at(key.second);
      if (!group.rows) {
        group.rows = duckdb::make_uniq<duckdb::ColumnDataCollection>(context_, gathered_types_);
      }
      if (selected.size() == rows.size()) {
        group.rows->Append(values);
      } else {
        duckdb::DataChunk some;
        some.InitializeEmpty(gathered_types_);
        some.Slice(values, duckdb::SelectionVector(selected.data()), selected.size());
        group.rows->Append(some);
      }
      if (static_cast<int64_t>(group.rows->Count()) >= group.span.num_rows)
        Encode(file, key.second, group);
    }
  }

  std::vector<WrittenFile> Finish() {
    std::vector<WrittenFile> written;
    for (SplicingFile& file : files_) {
      if (!file.groups.empty())
        ThrowError(Error::Internal("Rows of a spliced file are missing: " + file.columns_path));
      file.writer->Finish(context_);
      written.push_back(Assemble(file));
    }
    return written;
  }

 private:
  size_t IndexOf(int64_t number) const {
    const auto found = numbers_.find(number);
    if (found == numbers_.end()) ThrowError(Error::Internal("A row is of no spliced file"));
    return found->second;
  }

  static const RowGroupSpan& SpanOf(const SplicingFile& file, int64_t row) {
    auto found = file.groups.upper_bound(row);
    if (found != file.groups.begin()) {
      --found;
      if (row < found->second.span.first_row + found->second.span.num_rows)
        return found->second.span;
    }
    ThrowError(Error::Internal("A row is of no spliced row group, or comes twice"));
  }

  void Encode(SplicingFile& file, int64_t first_row, GatheredGroup& group) {
    const auto count = static_cast<idx_t>(group.span.num_rows);
    if (group.rows->Count() != count)
      ThrowError(Error::Internal("A row group of a spliced file has too many rows"));
    duckdb::DataChunk all;
    all.Initialize(context_, gathered_types_, count);
    for (auto& chunk : group.rows->Chunks()) all.Append(chunk, /*resize=*/false);
    const auto* places = duckdb::FlatVector::GetData<int64_t>(all.data[0]);
    constexpr auto kMissing = duckdb::DConstants::INVALID_INDEX;
    std::vector<idx_t> order(count, kMissing);
    for (idx_t i = 0; i < all.size(); ++i) {
      idx_t& place = order[static_cast<idx_t>(places[i] - first_row)];
      if (place != kMissing) ThrowError(Error::Internal("A row of a spliced file comes twice"));
      place = i;
    }
    RowGroupBuffer buffer(context_, layout_, nothing_);
    for (idx_t from = 0; from < count; from += STANDARD_VECTOR_SIZE) {
      const idx_t size = std::min<idx_t>(STANDARD_VECTOR_SIZE, count - from);
      duckdb::SelectionVector selection(size);
      for (idx_t i = 0; i < size; ++i) selection.set_index(i, order[from + i]);
      duckdb::DataChunk rows;
      rows.InitializeEmpty(layout_.types());
      for (idx_t i = 0; i < rows.ColumnCount(); ++i)
        rows.data[i].Slice(all.data[i + 1], selection, size);
      rows.SetCardinality(size);
      buffer.Append(rows);
    }
    if (!file.writer) {
      created_.Add(file.columns_path);
      file.writer = std::make_unique<FileWriter>(context_, layout_, nothing_, file.columns_path);
    }
    file.writer->WriteRowGroup(context_, std::move(buffer));
    file.written.push_back(file.positions.at(first_row));
    file.groups.erase(first_row);
  }

  WrittenFile Assemble(SplicingFile& file) {
    const auto check = [](const Status& status) {
      if (!status.ok()) ThrowError(status.error());
    };
    FileSystem& file_system = *spec_.file_system;
    auto columns = DataFileFooter::Read(file_system, file.columns_path);
    if (!columns.ok()) ThrowError(columns.error());
    WrittenFile written;
    written.absolute_path = file.file->destination;
    written.path = written.absolute_path.substr(spec_.root.size() + 1);
    created_.Add(written.absolute_path);
    auto size = file.file->footer->WriteWithColumns(file_system, *columns, file.written,
                                                    written.absolute_path);
    if (!size.ok()) ThrowError(size.error());
    written.size = *size;
    check(file_system.Delete(file.columns_path));
    auto statistics = file.file->footer->StatisticsWithColumns(
        file.written, file.writer->statistics(), spec_.statistics);
    if (!statistics)
      ThrowError(Error::Internal("A spliced file has no statistics: " + written.absolute_path));
    written.statistics = *std::move(statistics);
    written.num_records = written.statistics.num_records.value_or(0);
    return written;
  }

  duckdb::ClientContext& context_;
  const ColumnSpliceSpec& spec_;
  CreatedFiles& created_;
  FileLayout layout_;
  const StatisticsCollector nothing_;
  duckdb::vector<duckdb::LogicalType> gathered_types_;  // Of the row's place and the values.
  std::vector<SplicingFile> files_;
  std::map<int64_t, size_t> numbers_;
};

}  // namespace

Result<std::vector<WrittenFile>> RunColumnSplice(Connection& connection,
                                                 const std::vector<std::string>& selects,
                                                 const ColumnSpliceSpec& spec,
                                                 CreatedFiles& created) {
  try {
    // Encodes while the statements of `connection` run.
    duckdb::Connection encoder(*connection.database()->native().database);
    duckdb::ClientContext& context = *encoder.context;
    SinkFamily family{.schema = spec.columns, .column_mapping = spec.column_mapping};
    SinkSpec sink;
    sink.root = spec.root;
    sink.file_system = spec.file_system;
    sink.compression = spec.compression;
    std::vector<WrittenFile> written;
    encoder.BeginTransaction();
    ColumnSpliceRun run(context, spec, family, sink, created);
    for (const std::string& select : selects) {
      auto rows = connection.native().connection.SendQuery(select);
      if (rows->HasError()) return FromEngineError(rows->GetErrorObject());
      while (auto chunk = rows->Fetch()) {
        if (chunk->size() == 0) break;
        run.Append(*chunk);
      }
      if (rows->HasError()) return FromEngineError(rows->GetErrorObject());
    }
    written = run.Finish();
    encoder.Commit();
    std::vector<std::string> paths;
    for (const WrittenFile& file : written) paths.push_back(file.absolute_path);
    MERGANSER_RETURN_IF_ERROR(spec.file_system->SyncFiles(paths, spec.root));
    return written;
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

}  // namespace merganser::engine
