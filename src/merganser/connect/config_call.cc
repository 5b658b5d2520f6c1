#include "merganser/connect/config_call.h"

#include <string_view>

namespace merganser::connect {
namespace {

using spark::connect::ConfigRequest;
using spark::connect::ConfigResponse;
using spark::connect::KeyValue;

constexpr std::string_view kCatalogPrefix = "spark.sql.catalog.";

class Configuration {
 public:
  Configuration(ServerSession& session, ConfigResponse* response)
      : session_(session), conf_(session.session().conf()), response_(response) {}

  Status Run(const ConfigRequest::Operation& operation) {
    switch (operation.op_type_case()) {
      case ConfigRequest::Operation::kSet:
        for (const KeyValue& pair : operation.set().pairs())
          MERGANSER_RETURN_IF_ERROR(Set(pair, operation.set().silent()));
        return Status::Ok();
      case ConfigRequest::Operation::kGet:
        for (const std::string& key : operation.get().keys()) {
          const auto value = Find(key);
          // Names the missing key as Spark does.
          if (!value) return conf_.Get(key).error();
          Answer(key, value);
        }
        return Status::Ok();
      case ConfigRequest::Operation::kGetWithDefault:
        for (const KeyValue& pair : operation.get_with_default().pairs()) {
          std::optional<std::string> value = FindSet(pair.key());
          if (!value && pair.has_value()) value = pair.value();
          Answer(pair.key(), value);
        }
        return Status::Ok();
      case ConfigRequest::Operation::kGetOption:
        for (const std::string& key : operation.get_option().keys()) Answer(key, Find(key));
        return Status::Ok();
      case ConfigRequest::Operation::kGetAll:
        GetAll(operation.get_all().prefix());
        return Status::Ok();
      case ConfigRequest::Operation::kUnset:
        for (const std::string& key : operation.unset().keys()) {
          session_.kept_conf().erase(key);
          MERGANSER_RETURN_IF_ERROR(conf_.Unset(key));
        }
        return Status::Ok();
      case ConfigRequest::Operation::kIsModifiable:
        for (const std::string& key : operation.is_modifiable().keys())
          Answer(key, conf_.IsModifiable(key) ? "true" : "false");
        return Status::Ok();
      default:
        return Error(
            ErrorClass::CONNECT_INVALID_PLAN,
            {{"fullName", "spark.connect.ConfigRequest.Operation"}, {"name", "OPTYPE_NOT_SET"}},
            "INVALID_ONE_OF_FIELD_NOT_SET");
    }
  }

 private:
  Status Set(const KeyValue& pair, bool silent) {
    Status status = conf_.Set(pair.key(), pair.value());
    // A catalogue that a script configures is another name of the warehouse.
    const std::string_view key = pair.key();
    if (key.starts_with(kCatalogPrefix) && key.find('.', kCatalogPrefix.size()) == key.npos)
      session_.session().catalog().AddAlias(std::string(key.substr(kCatalogPrefix.size())));
    if (status.ok() || !silent) return status;
    const ErrorClass error_class = status.error().error_class();
    if (error_class == ErrorClass::CANNOT_MODIFY_STATIC_CONFIG ||
        error_class == ErrorClass::CANNOT_MODIFY_CONFIG) {
      session_.kept_conf()[pair.key()] = pair.value();
    } else {
      response_->add_warnings("Failed to set " + pair.key() + " to " + pair.value() + " due to " +
                              status.error().message());
    }
    return Status::Ok();
  }

  /// A value that somebody set.
  std::optional<std::string> FindSet(const std::string& key) {
    if (conf_.IsSet(key)) return conf_.Find(key);
    const auto kept = session_.kept_conf().find(key);
    if (kept == session_.kept_conf().end()) return std::nullopt;
    return kept->second;
  }

  std::optional<std::string> Find(const std::string& key) {
    auto value = FindSet(key);
    return value ? value : conf_.Find(key);
  }

  void GetAll(std::string_view prefix) {
    SessionConf::Values all = conf_.explicit_values();
    all.insert(session_.kept_conf().begin(), session_.kept_conf().end());
    for (const auto& [key, value] : all) {
      if (std::string_view(key).starts_with(prefix)) Answer(key.substr(prefix.size()), value);
    }
  }

  void Answer(const std::string& key, const std::optional<std::string>& value) {
    KeyValue* pair = response_->add_pairs();
    pair->set_key(key);
    if (value) pair->set_value(*value);
  }

  ServerSession& session_;
  SessionConf& conf_;
  ConfigResponse* response_;
};

}  // namespace

Status Configure(ServerSession& session, const ConfigRequest& request, ConfigResponse* response) {
  const auto lock = session.statement_lock();
  return Configuration(session, response).Run(request.operation());
}

}  // namespace merganser::connect
