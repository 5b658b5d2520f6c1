#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace merganser::engine {

/// A time zone by Java's rules: region ids of the system's tz database (TZDIR or
/// /usr/share/zoneinfo), offsets such as "+02:00", "UTC+1", "Z", and Java's short ids ("PST").
///
/// Immutable and thread-safe; a zone is read once in the life of the process.
class TimeZone {
 public:
  /// Null if there is no such zone.
  static std::shared_ptr<const TimeZone> Find(std::string_view id);
  static const TimeZone& Utc();

  const std::string& id() const { return id_; }
  bool is_utc() const { return (fixed_ || transitions_.empty()) && first_offset_ == 0; }

  /// Seconds east of UTC at an instant (seconds since 1970-01-01).
  int32_t OffsetAt(int64_t utc_seconds) const;

  int64_t ToLocalMicros(int64_t utc_micros) const;
  /// The instant of a wall-clock time. A time that the clocks skip is moved forward by the gap's
  /// length, one that happens twice is the earlier of the two (ZonedDateTime.of).
  int64_t ToUtcMicros(int64_t local_micros) const;
  /// First instant of a date (days since 1970-01-01; LocalDate.atStartOfDay).
  int64_t StartOfDayMicros(int64_t days) const;
  /// Local date of an instant.
  int64_t ToLocalDays(int64_t utc_micros) const;

  /// "PST": the zone's abbreviation at an instant, or the offset for fixed zones ("+02:00", "Z").
  std::string Abbreviation(int64_t utc_seconds) const;
  /// Is daylight-saving time in force at an instant?
  bool IsDaylight(int64_t utc_seconds) const;

 private:
  struct Transition {
    int64_t utc;            // First second of the new offset.
    int64_t local;          // First wall-clock second that is certainly past the change.
    int32_t offset;         // Seconds east of UTC from then on.
    uint16_t abbreviation;  // Index into abbreviations_.
    bool daylight;
  };

  explicit TimeZone(std::string id) : id_(std::move(id)) {}
  bool ReadFile(const std::string& path);
  void AppendRuleTransitions(std::string_view posix);
  void Append(int64_t utc, int32_t offset, bool daylight, std::string_view abbreviation);
  uint16_t AbbreviationIndex(std::string_view text);
  int64_t Reduce(int64_t seconds) const;
  const Transition* LastAt(int64_t utc_seconds) const;

  std::string id_;
  bool fixed_ = false;
  int32_t first_offset_ = 0;
  uint16_t first_abbreviation_ = 0;
  std::vector<Transition> transitions_;
  std::vector<std::string> abbreviations_;
  // From here on the calendar repeats every 400 years; INT64_MAX if the offset never changes again.
  int64_t periodic_from_ = INT64_MAX;
};

/// "+05:30", "-08:00", "+00:00", with seconds where there are any.
std::string OffsetText(int32_t seconds);

}  // namespace merganser::engine
