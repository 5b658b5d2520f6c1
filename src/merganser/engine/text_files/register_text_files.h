#pragma once

namespace duckdb {
class DatabaseInstance;
}

namespace merganser::engine {

/// Give SQL what reads and writes files of text:
///
/// - `mg_text_records(spec)`: the records of files, as TextRecordsSpec says;
/// - `mg_read_json((SELECT record, file, others...), schema, options, zone)` and `mg_read_csv`: the
///   columns of `schema` as Spark reads them from each record, then the others;
/// - `mg_infer_json(record, options, zone)` and `mg_infer_csv`: aggregates that give the schema of
///   all records as JSON, NULL if there are none;
/// - `COPY ... TO ... (FORMAT mg_lines, SPEC ...)`: texts as the lines of a file.
void RegisterTextFiles(duckdb::DatabaseInstance& database);

void RegisterTextRecords(duckdb::DatabaseInstance& database);
void RegisterRowReaders(duckdb::DatabaseInstance& database);
void RegisterSchemaInference(duckdb::DatabaseInstance& database);
void RegisterLineWriter(duckdb::DatabaseInstance& database);

}  // namespace merganser::engine
