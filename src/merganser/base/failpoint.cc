#include "merganser/base/failpoint.h"

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <cstdlib>
#include <map>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include <unistd.h>

namespace merganser::failpoint {

std::atomic<bool> any_armed{false};

namespace {

constexpr int kKilledStatus = 137;

struct State {
  Mode mode;
  int64_t passes = 0;
};

struct Registry {
  std::mutex mutex;
  std::map<std::string, State, std::less<>> armed;
};

Registry& GetRegistry() {
  static Registry& registry = *new Registry;
  return registry;
}

Error InvalidFailpoint(std::string_view text) {
  return Error(ErrorClass::INVALID_FAILPOINT, {{"failpoint", std::string(text)}});
}

/// Whether the environment was read without fault; a fault ends the program, for a crash test that
/// arms nothing would pass for the wrong reason.
[[maybe_unused]] const bool kEnvironmentIsRead = [] {
  const char* list = std::getenv("MERGANSER_FAILPOINTS");
  if (list == nullptr) return true;
  if (const Status status = ArmList(list); !status.ok()) {
    std::fprintf(stderr, "MERGANSER_FAILPOINTS: %s\n", status.error().message().c_str());
    std::exit(EXIT_FAILURE);
  }
  return true;
}();

}  // namespace

Result<Mode> ParseMode(std::string_view text) {
  const size_t colon = text.find(':');
  const std::string_view word = text.substr(0, colon);
  std::optional<int64_t> count;
  if (colon != text.npos) {
    const std::string_view digits = text.substr(colon + 1);
    int64_t number = 0;
    const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (parsed.ec != std::errc() || parsed.ptr != digits.data() + digits.size() || number < 1) {
      return InvalidFailpoint(text);
    }
    count = number;
  }
  if (word == "once" && !count) return Mode::Once();
  if (word == "always" && !count) return Mode::Always();
  if (word == "nth" && count) return Mode::Nth(*count);
  if (word == "kill") return count ? Mode::KillAtNth(*count) : Mode::Kill();
  return InvalidFailpoint(text);
}

void Arm(std::string_view name, Mode mode) {
  Registry& registry = GetRegistry();
  const std::scoped_lock lock(registry.mutex);
  registry.armed.insert_or_assign(std::string(name), State{.mode = mode});
  any_armed.store(true, std::memory_order_relaxed);
}

Status ArmList(std::string_view list) {
  std::vector<std::pair<std::string_view, std::optional<Mode>>> parsed;
  while (!list.empty()) {
    const size_t end = std::min(list.find(';'), list.size());
    const std::string_view item = list.substr(0, end);
    list.remove_prefix(std::min(end + 1, list.size()));
    if (item.empty()) continue;
    const size_t equals = item.find('=');
    if (equals == item.npos || equals == 0) return InvalidFailpoint(item);
    const std::string_view name = item.substr(0, equals);
    const std::string_view mode_text = item.substr(equals + 1);
    if (mode_text == "off") {
      parsed.emplace_back(name, std::nullopt);
      continue;
    }
    MERGANSER_ASSIGN_OR_RETURN(const Mode mode, ParseMode(mode_text));
    parsed.emplace_back(name, mode);
  }
  for (const auto& [name, mode] : parsed) {
    if (mode) {
      Arm(name, *mode);
    } else {
      Disarm(name);
    }
  }
  return Status::Ok();
}

void Disarm(std::string_view name) {
  Registry& registry = GetRegistry();
  const std::scoped_lock lock(registry.mutex);
  if (const auto found = registry.armed.find(name); found != registry.armed.end()) {
    registry.armed.erase(found);
  }
  any_armed.store(!registry.armed.empty(), std::memory_order_relaxed);
}

void DisarmAll() {
  Registry& registry = GetRegistry();
  const std::scoped_lock lock(registry.mutex);
  registry.armed.clear();
  any_armed.store(false, std::memory_order_relaxed);
}

int64_t Passes(std::string_view name) {
  Registry& registry = GetRegistry();
  const std::scoped_lock lock(registry.mutex);
  const auto found = registry.armed.find(name);
  return found == registry.armed.end() ? 0 : found->second.passes;
}

Status Pass(std::string_view name) {
  Registry& registry = GetRegistry();
  const std::scoped_lock lock(registry.mutex);
  const auto found = registry.armed.find(name);
  if (found == registry.armed.end()) return Status::Ok();
  const Mode& mode = found->second.mode;
  const int64_t pass = ++found->second.passes;
  if (pass < mode.first || (mode.times >= 0 && pass >= mode.first + mode.times)) {
    return Status::Ok();
  }
  if (mode.action == Action::kKill) _exit(kKilledStatus);
  return Error(ErrorClass::FAILPOINT_REACHED, {{"failpoint", std::string(name)}});
}

}  // namespace merganser::failpoint
