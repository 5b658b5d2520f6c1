#include "merganser/engine/database.h"

#include <utility>

#include "merganser/engine/checkpoint/checkpoint_rows.h"
#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/register.h"
#include "merganser/engine/kept_rows.h"
#include "merganser/engine/memory_budget.h"
#include "merganser/engine/native.h"
#include "merganser/engine/scan/register_scan.h"
#include "merganser/engine/sink/register_sink.h"
#include "merganser/engine/spill_folder.h"
#include "merganser/engine/text_files/register_text_files.h"

namespace merganser::engine {
namespace {

void Apply(const DatabaseOptions& options, const std::string& spill_folder,
           duckdb::DBConfig* config) {
  using duckdb::Value;
  const uint64_t memory =
      options.memory_limit != 0 ? options.memory_limit : MachineMemory() / 10 * 6;
  config->SetOptionByName("memory_limit", Value(std::to_string(memory) + " B"));
  if (options.threads > 0) config->SetOptionByName("threads", Value::BIGINT(options.threads));
  config->SetOptionByName("temp_directory", Value(spill_folder));
  if (options.max_temp_directory_size != 0) {
    config->SetOptionByName("max_temp_directory_size",
                            Value(std::to_string(options.max_temp_directory_size) + " B"));
  }
  config->SetOptionByName("preserve_insertion_order", Value::BOOLEAN(false));
  // It takes conditions that can fail out of a join and past a select list, and nothing brings them
  // back: the join becomes a filter of the product.
  config->SetOptionByName("disabled_optimizers", Value("filter_pullup"));
  // It knows a file by name and second: a checkpoint that is written again would be read stale.
  config->SetOptionByName("enable_external_file_cache", Value::BOOLEAN(false));
  config->SetOptionByName("autoinstall_known_extensions", Value::BOOLEAN(false));
  config->SetOptionByName("autoload_known_extensions", Value::BOOLEAN(false));
  config->SetOptionByName("allow_community_extensions", Value::BOOLEAN(false));
}

// What can only be set once the built-in extensions are there, and the lock that keeps it so.
void Settle(duckdb::DuckDB& database) {
  duckdb::Connection connection(database);
  // Nesting is bounded before SQL is made: by the parser, the analyser and the size of a request.
  for (const char* sql : {"SET GLOBAL TimeZone = 'UTC'", "SET GLOBAL max_expression_depth = 100000",
                          "SET GLOBAL lock_configuration = true"}) {
    auto result = connection.Query(sql);
    if (result->HasError()) result->ThrowError();
  }
}

}  // namespace

Database::Database(DatabaseOptions options, std::unique_ptr<Native> native)
    : options_(std::move(options)), native_(std::move(native)) {}

Database::~Database() = default;

Result<std::shared_ptr<Database>> Database::Open(DatabaseOptions options) {
  try {
    auto native = std::make_unique<Native>();
    MERGANSER_ASSIGN_OR_RETURN(native->spill_folder, SpillFolder::Open(options.temp_directory));
    duckdb::DBConfig config;
    Apply(options, native->spill_folder->path(), &config);
    native->database = std::make_unique<duckdb::DuckDB>(nullptr, &config);
    duckdb::DatabaseInstance& instance = *native->database->instance;
    RegisterScanFunction(instance);
    RegisterSinkFunction(instance);
    RegisterCheckpointFunction(instance);
    RegisterKeptRowsFunction(instance);
    RegisterTextFiles(instance);
    RegisterScalarFunctions(instance);
    Settle(*native->database);
    return std::shared_ptr<Database>(new Database(std::move(options), std::move(native)));
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
}

}  // namespace merganser::engine
