#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace merganser {

/// The time zone that `text` names, as Java's ZoneId reads it with the short names Spark allows:
/// a region of the IANA database ("Europe/Paris"), an offset as "+hh:mm" or "+hh:mm:ss", or a
/// prefix UTC, GMT or UT with an offset. Regions are case-sensitive; "Z" and a zero offset give
/// "UTC". Offsets end at 18 hours. Nothing if it names none.
std::optional<std::string> CanonicalTimeZone(std::string_view text);

}  // namespace merganser
