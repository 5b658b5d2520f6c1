#include "merganser/engine/sink/sink.h"

#include <memory>
#include <utility>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/native.h"
#include "merganser/engine/sink/sink_run.h"

namespace merganser::engine {
namespace {

class RegisteredRun {
 public:
  explicit RegisteredRun(std::shared_ptr<SinkRun> run) : name_(RegisterSinkRun(std::move(run))) {}
  RegisteredRun(const RegisteredRun&) = delete;
  RegisteredRun& operator=(const RegisteredRun&) = delete;
  ~RegisteredRun() { ReleaseSinkRun(name_); }

  const std::string& name() const { return name_; }

 private:
  std::string name_;
};

}  // namespace

void CreatedFiles::Add(std::string absolute_path) {
  const std::lock_guard lock(mutex_);
  paths_.push_back(std::move(absolute_path));
}

std::vector<std::string> CreatedFiles::Paths() const {
  const std::lock_guard lock(mutex_);
  return paths_;
}

Result<SinkResult> RunSink(Connection& connection, const std::string& select_sql,
                           const SinkSpec& spec, CreatedFiles& created) {
  auto run = std::make_shared<SinkRun>(spec, created);
  const RegisteredRun registered(run);
  auto executed = connection.Execute("SELECT * FROM mg_sink((" + select_sql + "), '" +
                                     registered.name() + "')");
  if (!executed.ok()) return std::move(executed).error();

  SinkResult result;
  try {
    duckdb::ClientContext& context = *connection.native().connection.context;
    context.RunFunctionInTransaction([&] { result = run->Finish(context); });
  } catch (const std::exception& exception) {
    return FromException(exception);
  }
  std::vector<std::string> paths;
  for (const WrittenFile& file : result.files) paths.push_back(file.absolute_path);
  if (!paths.empty()) MERGANSER_RETURN_IF_ERROR(spec.file_system->SyncFiles(paths, spec.root));
  return result;
}

}  // namespace merganser::engine
