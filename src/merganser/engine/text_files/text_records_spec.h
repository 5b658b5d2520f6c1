#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "merganser/base/result.h"

namespace merganser::engine {

/// What `mg_text_records` reads, as its argument says it. Its columns are `record`, `file` (the
/// path) and those of the folders, all VARCHAR.
struct TextRecordsSpec {
  struct File {
    std::string path;
    uint64_t size = 0;
    /// One for each folder column.
    std::vector<std::optional<std::string>> values;
  };
  std::vector<File> files;
  std::vector<std::string> folder_columns;
  bool whole = false;        ///< Each file is one record.
  bool csv = false;          ///< Records end where lines end outside of quotes.
  bool skip_blank = false;   ///< No records of nothing but blanks.
  bool skip_header = false;  ///< Not the first record of a file.
  std::string comment;       ///< No records that start with it.
  std::string line_separator;
  std::string encoding = "utf-8";  ///< One that FindTextEncoding knows.
  std::string options = "{}";      ///< The options of the format, as a JSON object.

  std::string ToJson() const;
  static Result<TextRecordsSpec> FromJson(std::string_view json);
};

}  // namespace merganser::engine
