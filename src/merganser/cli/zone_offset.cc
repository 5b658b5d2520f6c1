#include "merganser/cli/zone_offset.h"

#include <cstdlib>
#include <ctime>

namespace merganser {
namespace {

/// "+hh:mm" in seconds; false for anything else.
bool ParseOffset(const std::string& zone, int64_t* seconds) {
  if (zone.size() != 6 || (zone[0] != '+' && zone[0] != '-') || zone[3] != ':') return false;
  const int64_t hours = std::strtol(zone.substr(1, 2).c_str(), nullptr, 10);
  const int64_t minutes = std::strtol(zone.substr(4, 2).c_str(), nullptr, 10);
  *seconds = (zone[0] == '-' ? -1 : 1) * (hours * 3600 + minutes * 60);
  return true;
}

}  // namespace

std::function<int64_t(int64_t)> ZoneOffset(const std::string& zone) {
  if (zone.empty() || zone == "UTC" || zone == "Z" || zone == "GMT") return {};
  int64_t fixed = 0;
  if (ParseOffset(zone, &fixed)) return [fixed](int64_t) { return fixed; };
  // The command line shows one zone in one thread; the C library's zone is free for that.
  return [zone](int64_t micros) -> int64_t {
    ::setenv("TZ", zone.c_str(), 1);
    ::tzset();
    const std::time_t seconds =
        micros >= 0 ? micros / 1'000'000 : -((-micros + 999'999) / 1'000'000);
    std::tm local = {};
    ::localtime_r(&seconds, &local);
    return local.tm_gmtoff;
  };
}

}  // namespace merganser
