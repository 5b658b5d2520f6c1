#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/commands/data_files.h"
#include "merganser/engine/text_files/text_records_spec.h"
#include "merganser/spark/plan/relation.h"

/// The formats whose files are text: csv, json and text.
namespace merganser {

/// Is it a format of files that are read and written here?
bool IsFileFormat(std::string_view format);
bool IsTextFormat(std::string_view format);

/// Is the option on? Off if it is not given.
bool IsOptionOn(const plan::Options& options, std::string_view key);

/// Options as the JSON object that the engine's functions of text take.
std::string OptionsJson(const plan::Options& options);

/// Fails for options that Spark refuses: with INVALID_PARAMETER_VALUE.CHARSET,
/// OPTION_VALUE_EXCEEDS_ONE_CHARACTER and INVALID_FILE_OPTION.
Status CheckTextOptions(const std::string& format, const plan::Options& options, bool writes);

/// Fails with UNSUPPORTED_DATA_TYPE_FOR_DATASOURCE if a format cannot hold a column of `columns`,
/// those of folders left out. A schema for `text` has at most one column.
Status CheckColumnTypes(const std::string& format, const StructType& columns,
                        const std::vector<std::string>& folder_columns);

/// The name of the column for records that cannot be read.
std::string CorruptColumn(const plan::Options& options);

/// How files of a text format fall into records; the options are good. Columns of folders are those
/// of `files`.
engine::TextRecordsSpec RecordsOf(const std::string& format, const std::vector<DataFile>& files,
                                  const plan::Options& options);

/// A table expression for FROM: the records of files, as `record`.
std::string RecordsSql(const engine::TextRecordsSpec& spec);

/// What a written file's lines are like, as the SPEC of the engine's line writer; `header` may be
/// empty.
std::string LineWriterSpec(const std::string& format, const plan::Options& options,
                           const std::string& header);
/// ".csv", ".txt.gz", ...
std::string TextFileSuffix(const std::string& format, const plan::Options& options);

}  // namespace merganser
