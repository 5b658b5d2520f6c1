#include "merganser/delta/transaction/operation.h"

#include "merganser/base/json.h"

namespace merganser {

Operation& Operation::Text(std::string_view key, std::string_view value) {
  std::string quoted;
  AppendJsonString(value, &quoted);
  parameters.insert_or_assign(std::string(key), std::move(quoted));
  return *this;
}

Operation& Operation::Boolean(std::string_view key, bool value) {
  parameters.insert_or_assign(std::string(key), value ? "true" : "false");
  return *this;
}

Operation& Operation::Metric(std::string_view key, int64_t value) {
  metrics.insert_or_assign(std::string(key), std::to_string(value));
  return *this;
}

}  // namespace merganser
