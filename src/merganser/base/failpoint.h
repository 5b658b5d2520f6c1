#pragma once

#include <atomic>
#include <cstdint>
#include <string>
#include <string_view>

#include "merganser/base/result.h"

namespace merganser {

/// Places in the code where a test makes something go wrong. Each has a name; an unarmed program
/// pays one relaxed load a pass.
///
/// The environment variable MERGANSER_FAILPOINTS arms them at start: "name=mode;name=mode", with
/// the modes of `Parse`.
namespace failpoint {

enum class Action : uint8_t {
  kError,  ///< The enclosing function returns FAILPOINT_REACHED.
  kKill,   ///< The process ends at once with status 137, as after SIGKILL: nothing is flushed.
};

/// What happens at a failpoint, and at which passes.
struct Mode {
  Action action = Action::kError;
  /// The first pass that acts, from 1.
  int64_t first = 1;
  /// How many passes act from there on; negative for all.
  int64_t times = -1;

  static Mode Always() { return {}; }
  static Mode Once() { return {.times = 1}; }
  /// Only pass `n`, from 1.
  static Mode Nth(int64_t n) { return {.first = n, .times = 1}; }
  static Mode Kill() { return {.action = Action::kKill}; }
  static Mode KillAtNth(int64_t n) { return {.action = Action::kKill, .first = n, .times = 1}; }
};

/// "once", "always", "nth:3", "kill" or "kill:3". Fails with INVALID_FAILPOINT.
Result<Mode> ParseMode(std::string_view text);

/// Arm `name`, counting passes from here. Replaces an earlier mode.
void Arm(std::string_view name, Mode mode);
/// Arm a list in the form of the environment variable; "name=off" disarms. Fails with
/// INVALID_FAILPOINT, then nothing is changed.
Status ArmList(std::string_view list);
void Disarm(std::string_view name);
void DisarmAll();
/// Passes through `name` since it was armed; 0 if it is not.
int64_t Passes(std::string_view name);

/// Arms for the life of a scope.
class Armed {
 public:
  explicit Armed(std::string name, Mode mode = Mode::Always()) : name_(std::move(name)) {
    Arm(name_, mode);
  }
  ~Armed() { Disarm(name_); }
  Armed(const Armed&) = delete;
  Armed& operator=(const Armed&) = delete;

 private:
  std::string name_;
};

extern std::atomic<bool> any_armed;
/// Count a pass and act. Called by the macro only when something is armed.
Status Pass(std::string_view name);

/// `Pass` if anything is armed.
inline Status Check(std::string_view name) {
  if (!any_armed.load(std::memory_order_relaxed)) return Status::Ok();
  return Pass(name);
}

}  // namespace failpoint
}  // namespace merganser

/// Return FAILPOINT_REACHED from the enclosing function if `name` is armed and due.
#define MERGANSER_FAILPOINT(name)                                            \
  do {                                                                       \
    if (::merganser::failpoint::any_armed.load(std::memory_order_relaxed)) { \
      MERGANSER_RETURN_IF_ERROR(::merganser::failpoint::Pass(name));         \
    }                                                                        \
  } while (false)
