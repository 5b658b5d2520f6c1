#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <vector>

#include <duckdb.hpp>
#include <duckdb/common/multi_file/multi_file_data.hpp>
#include <duckdb/common/multi_file/multi_file_states.hpp>

#include "merganser/delta/schema/data_type.h"

namespace merganser::engine {

/// How the values of a file's column, or of a part of it, become those of the table's.
struct ConversionNode {
  enum class Kind {
    kSame,
    kCast,           ///< The engine's cast.
    kReinterpret,    ///< Bytes to text or back; they lie in memory alike.
    kVariant,        ///< A variant's two byte strings to its JSON text.
    kEngineVariant,  ///< The engine's own variants to their JSON texts.
    kNested,         ///< Struct, list or map, part by part.
  };
  Kind kind = Kind::kSame;
  duckdb::LogicalType table_type;
  /// Of kNested, one entry a part of the table's type: the part of the file it comes from, and how.
  /// No entry is NULL. Parts of a list are its elements, those of a map its keys and values.
  struct Part {
    size_t file_part;
    std::shared_ptr<const ConversionNode> node;
  };
  std::vector<std::optional<Part>> parts = {};
};

/// The conversion of a column, if the engine's reader cannot be left to it: it would print or parse
/// bytes, does not know variants, and turns NULL elements whose fields are all new to the file into
/// structs of NULLs. Requires columns numbered by NumberFileColumns.
std::shared_ptr<const ConversionNode> FindConversion(
    const DataType& type, const duckdb::MultiFileColumnDefinition& table_column,
    const duckdb::MultiFileColumnDefinition& file_column);

/// A column that is converted by us.
struct ConvertedColumn {
  size_t column;  ///< Of the table.
  size_t file_column;
  std::shared_ptr<const ConversionNode> conversion;
};

/// Table columns for which the engine's reader will read the converted ones as they are stored.
duckdb::vector<duckdb::MultiFileColumnDefinition> WithoutConversion(
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& table_columns,
    const duckdb::vector<duckdb::MultiFileColumnDefinition>& file_columns,
    const std::vector<ConvertedColumn>& converted);

/// Put the conversions into a reader that was initialized with those columns. `column_ids` are the
/// columns of the scan's output.
void AddConversions(const std::vector<ConvertedColumn>& converted,
                    const duckdb::vector<duckdb::ColumnIndex>& column_ids,
                    duckdb::MultiFileReaderData& reader_data);

}  // namespace merganser::engine
