#pragma once

#include <array>
#include <string_view>

/// English names of calendar fields.
namespace merganser::engine {

inline constexpr std::array<std::string_view, 12> kMonthNames = {
    "January", "February", "March",     "April",   "May",      "June",
    "July",    "August",   "September", "October", "November", "December"};
/// Monday first.
inline constexpr std::array<std::string_view, 7> kDayNames = {
    "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday"};
inline constexpr std::array<std::string_view, 4> kQuarterNames = {"1st quarter", "2nd quarter",
                                                                  "3rd quarter", "4th quarter"};

/// Short form of a month's or day's name.
constexpr std::string_view ShortName(std::string_view name) { return name.substr(0, 3); }

}  // namespace merganser::engine
