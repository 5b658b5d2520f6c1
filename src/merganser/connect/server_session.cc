#include "merganser/connect/server_session.h"

#include <utility>

#include "merganser/arrow/ipc_reader.h"
#include "merganser/base/uuid.h"
#include "merganser/connect/result_writer.h"
#include "merganser/connect/schema_text.h"
#include "merganser/session/local_relation.h"

namespace merganser::connect {

ServerSession::ServerSession(SessionKey key, std::shared_ptr<Runtime> runtime, SessionConf conf)
    : key_(std::move(key)),
      server_id_(RandomUuid()),
      session_(std::move(runtime), std::move(conf)) {}

TranslationContext ServerSession::translation() {
  const SessionConf& conf = session_.conf();
  TranslationContext context;
  context.parser.ansi = conf.ansi_enabled();
  context.parser.timestamp_is_ntz = conf.timestamp_is_ntz();
  context.parser.session_time_zone = conf.session_time_zone();
  context.local_rows = [this](const auto& streams, auto schema) {
    return LocalRows(streams, schema);
  };
  context.artifact = [this](const std::string& name) -> Result<std::string_view> {
    const std::lock_guard lock(mutex_);
    const auto found = artifacts_.find(name);
    if (found == artifacts_.end()) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN,
                   {{"sessionUUID", key_.session_id}, {"hash", name}},
                   "NOT_FOUND_CACHED_LOCAL_RELATION");
    }
    return std::string_view(found->second);
  };
  context.remote_relation = [this](const std::string& id) -> Result<plan::RelationPtr> {
    const std::lock_guard lock(mutex_);
    const auto found = remote_relations_.find(id);
    if (found == remote_relations_.end()) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"sessionId", key_.session_id}, {"dfId", id}},
                   "DATAFRAME_NOT_FOUND");
    }
    return found->second;
  };
  return context;
}

Result<plan::RelationPtr> ServerSession::LocalRows(const std::vector<std::string_view>& streams,
                                                   std::optional<std::string_view> schema) {
  std::optional<StructType> spark_schema;
  if (schema && !schema->empty()) {
    MERGANSER_ASSIGN_OR_RETURN(spark_schema, ParseSchemaText(*schema));
  }
  if (streams.empty()) {
    if (!spark_schema) return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "INPUT_DATA_NO_SCHEMA");
    const std::string no_rows = MakeIpcWriter(*spark_schema, "UTC").WriteEmpty();
    return LocalRows({no_rows}, schema);
  }
  MERGANSER_ASSIGN_OR_RETURN(std::shared_ptr<const ArrowTable> table, ReadIpc(streams));
  if (!spark_schema) {
    MERGANSER_ASSIGN_OR_RETURN(spark_schema, SparkSchemaOf(table->schema.get()));
  }
  if (static_cast<int64_t>(spark_schema->size()) != table->schema.get().n_children) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"errorMsg", "the schema has another number of columns than the data"}},
                 "CANNOT_PARSE");
  }
  if (spark_schema->empty()) {
    // Rows without columns still count.
    plan::TableFunction rows;
    rows.name = {"range"};
    rows.arguments = {plan::MakeExpression(plan::Literal{DataType::Long(), table->num_rows()})};
    return plan::MakeRelation(plan::Project{plan::MakeRelation(std::move(rows)), {}});
  }
  return MakeLocalRelation(std::move(table), *std::move(spark_schema));
}

Result<ServerSession::Admission> ServerSession::Admit(const Operation::Response& header,
                                                      const std::string& fingerprint,
                                                      bool reattachable,
                                                      std::vector<std::string> tags) {
  const std::string& id = header.operation_id();
  const std::lock_guard lock(mutex_);
  if (released_.contains(id)) return InvalidHandle(id, "OPERATION_ABANDONED");
  if (const auto found = operations_.find(id); found != operations_.end()) {
    if (found->second->fingerprint() != fingerprint)
      return InvalidHandle(id, "OPERATION_ALREADY_EXISTS");
    return Admission{found->second, false};
  }
  auto operation = std::make_shared<Operation>(header, fingerprint, reattachable, std::move(tags));
  operations_.emplace(id, operation);
  return Admission{std::move(operation), true};
}

std::shared_ptr<Operation> ServerSession::FindOperation(const std::string& id) const {
  const std::lock_guard lock(mutex_);
  const auto found = operations_.find(id);
  return found == operations_.end() ? nullptr : found->second;
}

std::vector<std::shared_ptr<Operation>> ServerSession::operations() const {
  const std::lock_guard lock(mutex_);
  std::vector<std::shared_ptr<Operation>> all;
  for (const auto& [id, operation] : operations_) all.push_back(operation);
  return all;
}

void ServerSession::Remove(const std::string& operation_id) {
  const std::lock_guard lock(mutex_);
  if (operations_.erase(operation_id) > 0) released_.Add(operation_id);
}

void ServerSession::PutArtifact(const std::string& name, std::string bytes) {
  const std::lock_guard lock(mutex_);
  // What is there stays: a plan that is being translated may be looking at it, and names in the
  // cache are hashes of their content.
  if (name.starts_with("cache/")) {
    artifacts_.try_emplace(name, std::move(bytes));
  } else {
    artifacts_[name] = std::move(bytes);
  }
}

bool ServerSession::HasArtifact(const std::string& name) const {
  const std::lock_guard lock(mutex_);
  return artifacts_.contains(name);
}

std::vector<std::pair<std::string, std::string>> ServerSession::ArtifactsUnder(
    std::string_view prefix) const {
  const std::lock_guard lock(mutex_);
  std::vector<std::pair<std::string, std::string>> found;
  for (const auto& [name, bytes] : artifacts_) {
    if (std::string_view(name).starts_with(prefix)) found.emplace_back(name, bytes);
  }
  return found;
}

std::string ServerSession::PutRemoteRelation(plan::RelationPtr relation) {
  std::string id = RandomUuid();
  const std::lock_guard lock(mutex_);
  remote_relations_[id] = std::move(relation);
  return id;
}

void ServerSession::DropRemoteRelation(const std::string& id) {
  const std::lock_guard lock(mutex_);
  remote_relations_.erase(id);
}

void ServerSession::Touch() {
  const std::lock_guard lock(mutex_);
  last_used_ = std::chrono::steady_clock::now();
}

std::chrono::steady_clock::time_point ServerSession::last_used() const {
  const std::lock_guard lock(mutex_);
  return last_used_;
}

Error InvalidHandle(std::string_view handle, std::string sub_class) {
  return Error(ErrorClass::INVALID_HANDLE, {{"handle", std::string(handle)}}, std::move(sub_class));
}

}  // namespace merganser::connect
