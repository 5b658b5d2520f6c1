#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// The time zone that `text` names, as Java's ZoneId reads it with the short names Spark allows:
/// a region of the IANA database ("Europe/Paris"), an offset ("+8", "-03:30", "+08:00:30"), or
/// UTC, GMT or UT before an offset. Case matters.
///
/// Gives a region name, "UTC", or an offset as "+hh:mm" or "+hh:mm:ss". Nothing if `text` names no
/// zone; offsets end at 18 hours.
std::optional<std::string> CanonicalTimeZone(std::string_view text);

/// The operating system's zone, from the environment variable TZ or else /etc/localtime; "UTC" if
/// neither names one.
std::string SystemTimeZone();

}  // namespace merganser
