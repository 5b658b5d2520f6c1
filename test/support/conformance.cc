#include "test/support/conformance.h"

#include <algorithm>

#include "merganser/session/runtime.h"

namespace merganser::test {

Json LineOutcome::ToJson() const {
  Json json = Json::MakeObject();
  json["id"] = id;
  json["ok"] = ok;
  if (unsupported) json["unsupported"] = true;
  if (!differences.empty()) {
    Json list = Json::MakeArray();
    for (const std::string& difference : differences) list.Append(difference);
    json["diffs"] = std::move(list);
  }
  if (!ok && !got.is_null()) json["got"] = got;
  return json;
}

std::unique_ptr<Session> OpenSession(const std::shared_ptr<engine::Database>& database,
                                     const std::string& folder,
                                     const std::map<std::string, std::string>& conf_values) {
  RuntimeOptions options;
  options.warehouse = folder;
  options.database = database;
  auto runtime = Runtime::Open(std::move(options));
  if (!runtime.ok()) return nullptr;
  SessionConf::Values values(conf_values.begin(), conf_values.end());
  values["spark.sql.session.timeZone"] = "UTC";
  auto conf = SessionConf::WithInitial(std::move(values));
  if (!conf.ok()) return nullptr;
  return std::make_unique<Session>(*runtime, *std::move(conf));
}

std::vector<std::string> CompareError(const Json& expectation, const Error& actual) {
  std::vector<std::string> accepted = {expectation.string_or("error")};
  if (const Json* others = expectation.find("error_alt"); others != nullptr && others->is_array()) {
    for (const Json& other : others->items()) accepted.push_back(other.as_string());
  }
  const std::string full = actual.full_name();
  const bool matches = std::ranges::any_of(accepted, [&](const std::string& name) {
    if (name.empty() || name == "INTERNAL_ERROR" || name.starts_with("_LEGACY")) return true;
    return full == name || (name.find('.') == name.npos && actual.class_name() == name);
  });
  std::vector<std::string> differences;
  if (!matches)
    differences.push_back("error: expected " + accepted[0] + ", got " + actual.message());
  const std::string sqlstate = expectation.string_or("sqlstate");
  if (matches && !sqlstate.empty() && !accepted[0].empty() && !accepted[0].starts_with("_LEGACY") &&
      accepted[0] != "INTERNAL_ERROR" && accepted.size() == 1 && sqlstate != actual.sqlstate()) {
    differences.push_back("sqlstate: expected " + sqlstate + ", got " +
                          std::string(actual.sqlstate()));
  }
  if (const Json* texts = expectation.find("message_has"); texts != nullptr && texts->is_array()) {
    for (const Json& text : texts->items()) {
      if (actual.message().find(text.as_string()) == std::string::npos) {
        differences.push_back("message lacks \"" + text.as_string() + "\": " + actual.message());
      }
    }
  }
  return differences;
}

std::string Replaced(std::string text, const std::string& from, const std::string& to) {
  for (size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size())
    text.replace(at, from.size(), to);
  return text;
}

}  // namespace merganser::test
