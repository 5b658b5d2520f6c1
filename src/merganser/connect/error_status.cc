#include "merganser/connect/error_status.h"

#include <algorithm>
#include <string_view>

#include <fmt/format.h>

#include "merganser/base/error_registry.h"
#include "merganser/base/json.h"
#include "merganser/base/uuid.h"

namespace merganser::connect {
namespace {

using WireContext = spark::connect::FetchErrorDetailsResponse::QueryContext;

// The client refuses trailers beyond 16 KiB, and the message is in them twice.
constexpr size_t kLongestMessage = 2048;
constexpr size_t kLongestParameters = 1024;
constexpr size_t kKeptErrors = 20;
constexpr int kInternalCode = 13;

/// Protobuf's wire format by hand, for three small messages of google.rpc: registering them would
/// clash with gRPC's own copy of the file.
class WireText {
 public:
  WireText& Number(int field, uint64_t value) {
    Varint(static_cast<uint64_t>(field) << 3);
    Varint(value);
    return *this;
  }
  WireText& Bytes(int field, std::string_view bytes) {
    Varint((static_cast<uint64_t>(field) << 3) | 2);
    Varint(bytes.size());
    text_.append(bytes);
    return *this;
  }
  const std::string& text() const { return text_; }

 private:
  void Varint(uint64_t value) {
    for (; value >= 0x80; value >>= 7) text_ += static_cast<char>((value & 0x7F) | 0x80);
    text_ += static_cast<char>(value);
  }
  std::string text_;
};

std::string CutMessage(const std::string& message) {
  if (message.size() <= kLongestMessage) return message;
  size_t end = kLongestMessage;
  // Not within a UTF-8 character.
  while (end > 0 && (static_cast<uint8_t>(message[end]) & 0xC0) == 0x80) --end;
  return message.substr(0, end);
}

/// Spark has three exceptions for CAST_INVALID_INPUT, one a kind of target.
const std::vector<std::string_view>& CastFailureClasses(const Error& error) {
  const auto target = error.parameters().find("targetType");
  std::string_view type;
  if (target != error.parameters().end()) type = target->second;
  ErrorClass like = ErrorClass::CAST_INVALID_INPUT;
  if (type == "\"BOOLEAN\"") like = ErrorClass::USER_RAISED_EXCEPTION;
  if (type == "\"DATE\"" || type == "\"TIMESTAMP\"" || type == "\"TIMESTAMP_NTZ\"")
    like = ErrorClass::CANNOT_PARSE_TIMESTAMP;
  return Describe(like).jvm_classes;
}

std::vector<std::string> JvmClasses(const Error& error) {
  const auto& known = error.error_class() == ErrorClass::CAST_INVALID_INPUT
                          ? CastFailureClasses(error)
                          : merganser::JvmClasses(error.error_class(), error.sub_class());
  std::vector<std::string> classes(known.begin(), known.end());
  if (classes.empty()) classes = {"org.apache.spark.SparkException", "java.lang.Throwable"};
  if (classes.back() != "java.lang.Object") classes.emplace_back("java.lang.Object");
  return classes;
}

std::string JsonList(const std::vector<std::string>& items) {
  std::string text = "[";
  for (const std::string& item : items) {
    if (text.size() > 1) text += ",";
    AppendJsonString(item, &text);
  }
  return text + "]";
}

std::string JsonParameters(const Error& error) {
  std::string text = "{";
  for (const auto& [name, value] : error.parameters()) {
    if (text.size() > 1) text += ",";
    AppendJsonString(name, &text);
    text += ":";
    AppendJsonString(value, &text);
  }
  return text + "}";
}

/// The message with the place of the error, as Spark's exceptions have it: those of analysis tell
/// the position in the text, the others show it.
std::string MessageOf(const Error& error, const std::vector<std::string>& classes) {
  if (!error.context() || error.context()->summary.empty()) return error.message();
  const QueryContext& place = *error.context();
  const auto is = [&classes](std::string_view name) {
    return std::ranges::find(classes, name) != classes.end();
  };
  const bool analysis = is("org.apache.spark.sql.AnalysisException") &&
                        !is("org.apache.spark.sql.catalyst.parser.ParseException");
  if (!analysis) return error.message() + "\n" + place.summary;
  if (place.is_call()) return error.message();
  return fmt::format("{}; line {} pos {}", error.message(), place.line, place.column);
}

}  // namespace

std::string ErrorStore::Put(Error error) {
  std::string id = RandomUuid();
  const std::lock_guard lock(mutex_);
  errors_.emplace_back(id, std::move(error));
  if (errors_.size() > kKeptErrors) errors_.pop_front();
  return id;
}

std::optional<Error> ErrorStore::Take(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(errors_, id, &std::pair<std::string, Error>::first);
  if (found == errors_.end()) return std::nullopt;
  std::optional<Error> error = std::move(found->second);
  errors_.erase(found);
  return error;
}

grpc::Status ToGrpcStatus(const Error& error, const std::string& error_id) {
  const std::vector<std::string> classes = JvmClasses(error);
  const std::string message = CutMessage(MessageOf(error, classes));
  WireText info;
  info.Bytes(1, classes[0]).Bytes(2, "org.apache.spark");
  const auto add = [&info](std::string_view key, std::string_view value) {
    info.Bytes(3, WireText().Bytes(1, key).Bytes(2, value).text());
  };
  add("classes", JsonList(classes));
  if (!error.sqlstate().empty()) add("sqlState", error.sqlstate());
  const std::string parameters = JsonParameters(error);
  if (parameters.size() <= kLongestParameters) {
    add("errorClass", error.full_name());
    add("messageParameters", parameters);
  }
  if (!error_id.empty()) add("errorId", error_id);

  const std::string any =
      WireText().Bytes(1, "type.googleapis.com/google.rpc.ErrorInfo").Bytes(2, info.text()).text();
  const std::string details =
      WireText().Number(1, kInternalCode).Bytes(2, message).Bytes(3, any).text();
  return {grpc::StatusCode::INTERNAL, message, details};
}

void WriteErrorDetails(const Error& error, spark::connect::FetchErrorDetailsResponse* response) {
  response->set_root_error_idx(0);
  int index = 0;
  for (const Error* one = &error; one != nullptr; one = one->cause()) {
    auto* entry = response->add_errors();
    for (const std::string& name : JvmClasses(*one)) entry->add_error_type_hierarchy(name);
    entry->set_message(MessageOf(*one, JvmClasses(*one)));
    if (one->cause() != nullptr) entry->set_cause_idx(++index);
    auto* throwable = entry->mutable_spark_throwable();
    throwable->set_error_class(one->full_name());
    if (!one->sqlstate().empty()) throwable->set_sql_state(std::string(one->sqlstate()));
    for (const auto& [name, value] : one->parameters())
      (*throwable->mutable_message_parameters())[name] = value;
    if (!one->context() || !Describe(one->error_class()).has_context) continue;
    auto* context = throwable->add_query_contexts();
    const QueryContext& place = *one->context();
    context->set_context_type(place.is_call() ? WireContext::DATAFRAME : WireContext::SQL);
    context->set_fragment(place.fragment);
    context->set_summary(place.summary);
    if (place.is_call()) {
      context->set_call_site(place.call_site);
      continue;
    }
    context->set_object_type(place.object_type);
    context->set_object_name(place.object_name);
    context->set_start_index(place.start);
    context->set_stop_index(place.stop);
  }
}

}  // namespace merganser::connect
