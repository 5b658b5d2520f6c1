#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include <duckdb.hpp>

#include "merganser/engine/functions/csv_text.h"
#include "merganser/engine/functions/json_values.h"
#include "merganser/engine/text_files/text_encoding.h"

namespace merganser::engine {

/// How text falls into records.
struct RecordFormat {
  enum class Kind : unsigned char {
    kLines,
    kCsv,   ///< Lines whose ends may stand in quotes.
    kWhole  ///< A file is one record.
  };
  Kind kind = Kind::kLines;
  std::string line_separator;  ///< In UTF-8; empty: \n, \r\n and \r.
  TextEncoding encoding = TextEncoding::kUtf8;
  TextFormatOptions csv;  ///< For kCsv.

  /// Can a reader start in the middle of a file?
  bool is_splittable() const {
    return kind == Kind::kLines && encoding == TextEncoding::kUtf8 && line_separator.size() <= 1;
  }
};

/// Gives the records of a part of a file, one after the other.
class RecordReader {
 public:
  /// Those that begin at `begin` or behind it, and before `end`. A part other than the whole needs
  /// a splittable format.
  RecordReader(duckdb::unique_ptr<duckdb::FileHandle> file, const RecordFormat& format,
               uint64_t begin, uint64_t end);

  /// False at the end. The record is valid until the next call; it is UTF-8, except in files of
  /// kUtf8 that are not.
  bool Next(std::string_view* record);

 private:
  static constexpr size_t kBlock = size_t{1} << 20;

  /// Read on; false at the end of the file.
  bool Fill();
  void ReadAll();
  /// Set `length` to that of the record at the front of `rest`, `skipped` to that with its line
  /// end; false if more has to be read.
  bool FindEnd(std::string_view rest, size_t* length, size_t* skipped);

  duckdb::unique_ptr<duckdb::FileHandle> file_;
  const RecordFormat& format_;
  uint64_t end_;
  std::string buffer_;
  size_t at_ = 0;        ///< In the buffer.
  uint64_t offset_ = 0;  ///< Of the buffer's front, in the file.
  size_t searched_ = 0;  ///< So much behind `at_` holds no line end.
  bool at_end_ = false;  ///< The buffer ends with the file.
};

}  // namespace merganser::engine
