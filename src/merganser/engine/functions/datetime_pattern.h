#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser::engine {

/// A pattern of Java's DateTimeFormatter, as far as Spark allows it: "yyyy-MM-dd HH:mm:ss.SSS",
/// with English names. Immutable and thread-safe.
class DatetimePattern {
 public:
  enum class Use : uint8_t { kFormat, kParse };

  /// Fails with INCONSISTENT_BEHAVIOR_CROSS_VERSION.DATETIME_PATTERN_RECOGNITION if Java's older
  /// SimpleDateFormat knows the pattern, .DATETIME_WEEK_BASED_PATTERN for other letters of weeks,
  /// else with INVALID_DATETIME_PATTERN.WITH_SUGGESTION.
  static Result<std::shared_ptr<const DatetimePattern>> Compile(std::string_view pattern, Use use);

  /// Append an instant (microseconds) as the clocks of `zone` show it.
  void Format(int64_t utc_micros, const TimeZone& zone, std::string* out) const;

  /// Read an instant. Fields that the pattern lacks are those of 1970-01-01 00:00:00 in `zone`.
  std::optional<int64_t> Parse(std::string_view text, const TimeZone& zone) const;
  /// Read a wall-clock time (microseconds); zones are read over.
  std::optional<int64_t> ParseLocal(std::string_view text) const;

 private:
  friend class DatetimePatternCompiler;
  friend class DatetimeTextReader;

  enum class Kind : uint8_t {
    kLiteral,
    kNumber,
    kReducedYear,
    kText,
    kFraction,
    kZoneId,
    kZoneName,
    kOffset,
    kOptionalStart,
    kOptionalEnd
  };
  struct Part {
    Kind kind = Kind::kLiteral;
    char letter = 0;
    int count = 0;
    std::string literal = {};
    // Numbers: widths as DateTimeFormatterBuilder.appendValue sets them.
    int min_width = 1;
    int max_width = 19;
    bool exceeds_pad = false;
    bool not_negative = false;
    int reserved = 0;  // Digits that adjacent fixed-width numbers need.
  };

  DatetimePattern() = default;
  void AppendPart(const Part& part, int64_t utc_micros, const TimeZone& zone,
                  std::string* out) const;

  std::vector<Part> parts_;
};

}  // namespace merganser::engine
