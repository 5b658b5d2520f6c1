#include "merganser/engine/splice/data_file_footer.h"

#include <algorithm>
#include <cstring>
#include <limits>
#include <utility>

#include <duckdb.hpp>
#include <parquet_types.h>
#include <thrift/protocol/TCompactProtocol.h>
#include <thrift/transport/TTransport.h>

#include "merganser/base/letter_case.h"
#include "merganser/engine/splice/footer_bounds.h"

namespace merganser::engine {
namespace {

namespace thrift = duckdb_apache::thrift;
using duckdb_parquet::ColumnChunk;
using duckdb_parquet::FileMetaData;
using duckdb_parquet::RowGroup;

constexpr std::string_view kMagic = "PAR1";
constexpr int64_t kTailBytes = 8;  // Length of the footer and magic.
// Footers are mostly shorter, so that one read gets them.
constexpr int64_t kFirstRead = 64 << 10;

/// Bytes in memory, read from the front and written at the end.
struct FooterBytes final : public thrift::transport::TTransport {
  std::string bytes;
  size_t position = 0;

  bool isOpen() const override { return true; }
  void open() override {}
  void close() override {}
  uint32_t read_virt(uint8_t* buffer, uint32_t length) override {
    if (length > bytes.size() - position)
      throw thrift::transport::TTransportException("The footer ends early");
    std::memcpy(buffer, bytes.data() + position, length);
    position += length;
    return length;
  }
  uint32_t readAll_virt(uint8_t* buffer, uint32_t length) override {
    return read_virt(buffer, length);
  }
  void write_virt(const uint8_t* buffer, uint32_t length) override {
    bytes.append(reinterpret_cast<const char*>(buffer), length);
  }
};

struct ByteRange {
  int64_t begin = 0;
  int64_t end = 0;
};

ByteRange RangeOf(const ColumnChunk& chunk) {
  const auto& data = chunk.meta_data;
  ByteRange range;
  range.begin = data.data_page_offset;
  if (data.__isset.dictionary_page_offset && data.dictionary_page_offset > 0)
    range.begin = std::min(range.begin, data.dictionary_page_offset);
  range.end = range.begin + data.total_compressed_size;
  return range;
}

ByteRange RangeOf(const RowGroup& group) {
  ByteRange range{std::numeric_limits<int64_t>::max(), 0};
  for (const ColumnChunk& chunk : group.columns) {
    const ByteRange part = RangeOf(chunk);
    range.begin = std::min(range.begin, part.begin);
    range.end = std::max(range.end, part.end);
  }
  return range;
}

// Bloom filters and page indexes lie outside of the row groups and stay behind.
void Move(ColumnChunk& chunk, int64_t distance) {
  auto& data = chunk.meta_data;
  data.data_page_offset += distance;
  if (data.__isset.dictionary_page_offset) data.dictionary_page_offset += distance;
  if (data.__isset.index_page_offset) data.index_page_offset += distance;
  data.__isset.bloom_filter_offset = false;
  data.__isset.bloom_filter_length = false;
  chunk.__isset.offset_index_offset = false;
  chunk.__isset.offset_index_length = false;
  chunk.__isset.column_index_offset = false;
  chunk.__isset.column_index_length = false;
  if (chunk.file_offset > 0) chunk.file_offset += distance;
}

std::string ToBytes(const FileMetaData& footer) {
  auto transport = duckdb_base_std::make_shared<FooterBytes>();
  thrift::protocol::TCompactProtocolT<FooterBytes> protocol(transport);
  footer.write(&protocol);
  const auto length = static_cast<uint32_t>(transport->bytes.size());
  char tail[4];
  std::memcpy(tail, &length, sizeof(tail));  // Little-endian, as all machines we build for.
  transport->bytes.append(tail, sizeof(tail)).append(kMagic);
  return std::move(transport->bytes);
}

// Are the numbers of rows and bytes such as can be added up?
bool HasSizes(const FileMetaData& footer) {
  int64_t rows = 0;
  for (const RowGroup& group : footer.row_groups) {
    if (group.num_rows < 0 || __builtin_add_overflow(rows, group.num_rows, &rows)) return false;
    for (const ColumnChunk& chunk : group.columns) {
      const auto& data = chunk.meta_data;
      int64_t end = 0;
      if (data.data_page_offset < 0 || data.total_compressed_size < 0 ||
          __builtin_add_overflow(data.data_page_offset, data.total_compressed_size, &end))
        return false;
    }
  }
  return true;
}

Error NoFooter(const std::string& path) {
  return Error(ErrorClass::FAILED_READ_FILE, {{"path", path}}, "CANNOT_READ_FILE_FOOTER");
}

}  // namespace

struct DataFileFooter::Native {
  std::string path;
  FileMetaData footer;
  int64_t footer_bytes = 0;
  int64_t file_bytes = 0;
};

DataFileFooter::DataFileFooter(std::unique_ptr<Native> native) : native_(std::move(native)) {
  int64_t first_row = 0;
  for (const RowGroup& group : native_->footer.row_groups) {
    const ByteRange range = RangeOf(group);
    row_groups_.push_back({first_row, group.num_rows, range.end - range.begin});
    first_row += group.num_rows;
  }
}

DataFileFooter::~DataFileFooter() = default;
DataFileFooter::DataFileFooter(DataFileFooter&&) noexcept = default;
DataFileFooter& DataFileFooter::operator=(DataFileFooter&&) noexcept = default;

Result<DataFileFooter> DataFileFooter::Read(FileSystem& file_system, const std::string& path) {
  MERGANSER_ASSIGN_OR_RETURN(const auto entry, file_system.Stat(path));
  if (!entry) return FileNotFound(path);
  const int64_t first = std::min(entry->size, kFirstRead);
  if (first < kTailBytes) return NoFooter(path);
  MERGANSER_ASSIGN_OR_RETURN(std::string end,
                             file_system.ReadRange(path, entry->size - first, first));
  uint32_t length = 0;
  std::memcpy(&length, end.data() + end.size() - kTailBytes, sizeof(length));
  const int64_t needed = static_cast<int64_t>(length) + kTailBytes;
  if (!end.ends_with(kMagic) || needed > entry->size) return NoFooter(path);
  if (needed > first) {
    MERGANSER_ASSIGN_OR_RETURN(end, file_system.ReadRange(path, entry->size - needed, needed));
  }
  auto transport = duckdb_base_std::make_shared<FooterBytes>();
  transport->bytes = end.substr(end.size() - static_cast<size_t>(needed), length);
  auto native = std::make_unique<Native>();
  native->path = path;
  native->footer_bytes = needed;
  native->file_bytes = entry->size;
  try {
    thrift::protocol::TCompactProtocolT<FooterBytes> protocol(transport);
    native->footer.read(&protocol);
  } catch (const std::exception&) {
    return NoFooter(path);
  }
  if (!HasSizes(native->footer)) return NoFooter(path);
  return DataFileFooter(std::move(native));
}

bool DataFileFooter::IsNull(std::string_view column, size_t group) const {
  return std::ranges::all_of(
      native_->footer.row_groups[group].columns, [column](const ColumnChunk& chunk) {
        const auto& data = chunk.meta_data;
        const bool is_below =
            data.path_in_schema.empty() || EqualsIgnoringCase(data.path_in_schema[0], column);
        return !is_below || (data.__isset.statistics && data.statistics.__isset.null_count &&
                             data.statistics.null_count == data.num_values);
      });
}

std::vector<std::string> DataFileFooter::LeavesOf(std::string_view column) const {
  std::vector<std::string> leaves;
  if (native_->footer.row_groups.empty()) return leaves;
  for (const ColumnChunk& chunk : native_->footer.row_groups[0].columns) {
    const auto& path = chunk.meta_data.path_in_schema;
    if (path.size() == 2 && EqualsIgnoringCase(path[0], column)) leaves.push_back(path[1]);
  }
  return leaves;
}

bool DataFileFooter::IsSpliceable() const {
  const FileMetaData& footer = native_->footer;
  if (footer.__isset.encryption_algorithm) return false;
  return std::ranges::all_of(footer.row_groups, [](const RowGroup& group) {
    return !group.columns.empty() && std::ranges::all_of(group.columns, [](const auto& chunk) {
      return chunk.__isset.meta_data && !chunk.__isset.crypto_metadata &&
             !chunk.__isset.encrypted_column_metadata && !chunk.__isset.file_path;
    });
  });
}

std::optional<FileStatistics> DataFileFooter::Statistics(
    const std::vector<size_t>& kept, const std::vector<StatisticsColumn>& columns) const {
  FileStatistics statistics;
  int64_t rows = 0;
  for (const size_t group : kept) rows += row_groups_[group].num_rows;
  statistics.num_records = rows;
  for (const StatisticsColumn& column : columns) {
    auto found = FooterStatistics(native_->footer, kept, column);
    if (!found) return std::nullopt;
    statistics.columns.push_back(*std::move(found));
  }
  return statistics;
}

bool DataFileFooter::HoldsColumn(const std::string& name, const DataType& type) const {
  const FileMetaData& footer = native_->footer;
  return StoresAsWriter(footer, name, type) &&
         std::ranges::all_of(footer.row_groups, [&](const RowGroup& group) {
           return FindChunk(group, {name}) != nullptr;
         });
}

int64_t DataFileFooter::ColumnBytes(const std::string& name,
                                    const std::vector<size_t>& groups) const {
  int64_t bytes = 0;
  for (const size_t group : groups) {
    const ColumnChunk* chunk = FindChunk(native_->footer.row_groups[group], {name});
    if (chunk != nullptr) bytes += chunk->meta_data.total_compressed_size;
  }
  return bytes;
}

Result<int64_t> DataFileFooter::WriteWithColumns(FileSystem& file_system,
                                                 const DataFileFooter& columns,
                                                 const std::vector<size_t>& groups,
                                                 const std::string& destination) const {
  FileMetaData footer = native_->footer;
  std::vector<const RowGroup*> replacing(footer.row_groups.size());
  for (size_t i = 0; i < groups.size(); ++i)
    replacing[groups[i]] = &columns.native_->footer.row_groups[i];
  MERGANSER_ASSIGN_OR_RETURN(const std::string fresh, file_system.Read(columns.native_->path));
  std::string bytes(kMagic);
  for (size_t i = 0; i < footer.row_groups.size(); ++i) {
    RowGroup& group = footer.row_groups[i];
    const ByteRange range = RangeOf(group);
    MERGANSER_ASSIGN_OR_RETURN(
        const std::string old,
        file_system.ReadRange(native_->path, range.begin, range.end - range.begin));
    const auto start = static_cast<int64_t>(bytes.size());
    int64_t uncompressed = 0;
    for (ColumnChunk& chunk : group.columns) {
      const ColumnChunk* other = replacing[i] == nullptr
                                     ? nullptr
                                     : FindChunk(*replacing[i], chunk.meta_data.path_in_schema);
      const bool is_old = other == nullptr;
      if (!is_old) chunk = *other;
      const ByteRange part = RangeOf(chunk);
      const auto at = static_cast<int64_t>(bytes.size());
      const auto from = static_cast<size_t>(is_old ? part.begin - range.begin : part.begin);
      bytes.append(is_old ? old : fresh, from, static_cast<size_t>(part.end - part.begin));
      Move(chunk, at - part.begin);
      uncompressed += chunk.meta_data.total_uncompressed_size;
    }
    if (group.__isset.file_offset) group.file_offset = start;
    if (group.__isset.total_compressed_size)
      group.total_compressed_size = static_cast<int64_t>(bytes.size()) - start;
    group.total_byte_size = uncompressed;
    // Values that were in order may not be any more.
    group.__isset.sorting_columns = false;
  }
  bytes += ToBytes(footer);
  MERGANSER_RETURN_IF_ERROR(file_system.WriteUnsynced(destination, bytes));
  file_system.StartSync(destination);
  return static_cast<int64_t>(bytes.size());
}

std::optional<FileStatistics> DataFileFooter::StatisticsWithColumns(
    const std::vector<size_t>& groups, const FileStatistics& replaced,
    const std::vector<StatisticsColumn>& columns) const {
  std::vector<size_t> all;
  std::vector<size_t> others;
  int64_t rows = 0;
  for (size_t i = 0; i < row_groups_.size(); ++i) {
    all.push_back(i);
    if (std::ranges::find(groups, i) == groups.end()) others.push_back(i);
    rows += row_groups_[i].num_rows;
  }
  FileStatistics statistics;
  statistics.num_records = rows;
  for (const StatisticsColumn& column : columns) {
    const ColumnStatistics* fresh = replaced.Find(column.path);
    auto found = FooterStatistics(native_->footer, fresh == nullptr ? all : others, column);
    if (!found) return std::nullopt;
    if (fresh != nullptr) MergeStatistics(*fresh, *found);
    statistics.columns.push_back(*std::move(found));
  }
  return statistics;
}

Result<int64_t> DataFileFooter::WriteRowGroups(FileSystem& file_system,
                                               const std::vector<size_t>& kept,
                                               const std::string& destination) const {
  FileMetaData footer = native_->footer;
  footer.row_groups.clear();
  footer.num_rows = 0;
  std::vector<ByteRange> runs;
  int64_t size = 0;
  for (const size_t i : kept) {
    const ByteRange range = RangeOf(native_->footer.row_groups[i]);
    if (runs.empty() || range.begin != runs.back().end) runs.push_back(range);
    runs.back().end = range.end;
    size += range.end - range.begin;
  }
  std::string bytes;
  if (runs.size() == 1 && runs[0].begin == static_cast<int64_t>(kMagic.size())) {
    // The file's own front, with room behind for the footer: nothing is copied in memory.
    const int64_t end = std::min(runs[0].end + native_->footer_bytes, native_->file_bytes);
    MERGANSER_ASSIGN_OR_RETURN(bytes, file_system.ReadRange(native_->path, 0, end));
    bytes.resize(static_cast<size_t>(runs[0].end));
  } else {
    bytes.reserve(kMagic.size() + static_cast<size_t>(size + native_->footer_bytes));
    bytes = kMagic;
    for (const ByteRange& run : runs) {
      MERGANSER_ASSIGN_OR_RETURN(
          const std::string stored,
          file_system.ReadRange(native_->path, run.begin, run.end - run.begin));
      bytes += stored;
    }
  }
  auto position = static_cast<int64_t>(kMagic.size());
  for (const size_t i : kept) {
    RowGroup group = native_->footer.row_groups[i];
    const ByteRange range = RangeOf(group);
    for (ColumnChunk& chunk : group.columns) Move(chunk, position - range.begin);
    position += range.end - range.begin;
    group.__isset.ordinal = false;
    if (group.__isset.file_offset) group.file_offset = RangeOf(group).begin;
    footer.num_rows += group.num_rows;
    footer.row_groups.push_back(std::move(group));
  }
  bytes += ToBytes(footer);
  MERGANSER_RETURN_IF_ERROR(file_system.WriteUnsynced(destination, bytes));
  file_system.StartSync(destination);
  return static_cast<int64_t>(bytes.size());
}

}  // namespace merganser::engine
