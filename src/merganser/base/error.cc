#include "merganser/base/error.h"

#include <algorithm>
#include <array>
#include <unordered_map>
#include <utility>

#include "merganser/base/error_registry.h"
#include "merganser/base/json.h"

namespace merganser {
namespace {

constexpr int kMaxCauseDepth = 32;

bool IsParameterCharacter(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
}

/// `text` with every <name> replaced by the parameter's value, by nothing if it was not given.
void Substitute(std::string_view text, const Error::Parameters& parameters, std::string* out) {
  while (!text.empty()) {
    const size_t open = text.find('<');
    out->append(text.substr(0, open));
    if (open == text.npos) return;
    text.remove_prefix(open + 1);
    const auto end = std::find_if_not(text.begin(), text.end(), IsParameterCharacter);
    const auto length = static_cast<size_t>(end - text.begin());
    if (length == 0 || end == text.end() || *end != '>') {
      out->push_back('<');
      continue;
    }
    if (const auto found = parameters.find(text.substr(0, length)); found != parameters.end()) {
      out->append(found->second);
    }
    text.remove_prefix(length + 1);
  }
}

std::string Render(ErrorClass error_class, std::string_view sub_class,
                   const Error::Parameters& parameters) {
  const ErrorClassDescription& description = Describe(error_class);
  std::string out = "[";
  out.append(description.name);
  if (!sub_class.empty()) out.append(".").append(sub_class);
  out.append("] ");
  Substitute(MessageTemplate(error_class), parameters, &out);
  const std::string_view sub_text = MessageTemplate(error_class, sub_class);
  if (!sub_class.empty() && !sub_text.empty()) {
    out.push_back(' ');
    Substitute(sub_text, parameters, &out);
  }
  if (!description.from_delta) out.append(" SQLSTATE: ").append(description.sqlstate);
  return out;
}

Json ToJsonValue(const Error& error) {
  Json json = Json::MakeObject();
  json.Set("class", error.class_name());
  if (!error.sub_class().empty()) json.Set("subClass", error.sub_class());
  Json& parameters = json["parameters"] = Json::MakeObject();
  for (const auto& [name, value] : error.parameters()) parameters.Set(name, value);
  if (error.context()) json.Set("context", error.context()->ToJson());
  if (error.cause() != nullptr) json.Set("cause", ToJsonValue(*error.cause()));
  return json;
}

std::optional<Error> FromJsonValue(const Json& json, int depth) {
  if (depth > kMaxCauseDepth) return std::nullopt;
  const auto error_class = FindErrorClass(json.string_or("class"));
  const Json* given = json.find("parameters");
  if (!error_class || given == nullptr || !given->is_object()) return std::nullopt;
  Error::Parameters parameters;
  for (const auto& [name, value] : given->members()) {
    if (!value.is_string()) return std::nullopt;
    parameters.emplace(name, value.as_string());
  }
  Error error(*error_class, std::move(parameters), json.string_or("subClass"));
  if (const Json* place = json.find("context"))
    error = std::move(error).At(QueryContext::FromJson(*place));
  if (const Json* cause = json.find("cause")) {
    auto inner = FromJsonValue(*cause, depth + 1);
    if (!inner) return std::nullopt;
    error = std::move(error).CausedBy(*std::move(inner));
  }
  return error;
}

}  // namespace

Error::Error(ErrorClass error_class, Parameters parameters, std::string sub_class)
    : error_class_(error_class),
      sub_class_(std::move(sub_class)),
      parameters_(std::move(parameters)),
      message_(Render(error_class_, sub_class_, parameters_)) {}

Error Error::Internal(std::string message) {
  return Error(ErrorClass::INTERNAL_ERROR, {{"message", std::move(message)}});
}

std::string Error::full_name() const {
  std::string name(class_name());
  if (!sub_class_.empty()) name.append(".").append(sub_class_);
  return name;
}

Error Error::CausedBy(Error cause) && {
  cause_ = std::make_shared<const Error>(std::move(cause));
  return std::move(*this);
}

Error Error::At(QueryContext context) && {
  context_ = std::move(context);
  return std::move(*this);
}

std::string Error::ToJson() const { return ToJsonValue(*this).Dump(); }

std::optional<Error> Error::FromJson(std::string_view json) {
  auto parsed = Json::Parse(json);
  if (!parsed.ok()) return std::nullopt;
  return FromJsonValue(*parsed, 0);
}

}  // namespace merganser
