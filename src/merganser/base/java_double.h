#pragma once

#include <string>

namespace merganser {

/// `value` as Java's Double.toString writes it: shortest digits that read back as the same value,
/// "1.0E10" from 10^7 on and below 10^-3, "NaN", "Infinity", "-Infinity", "-0.0".
/// Spark prints doubles this way, and so do the statistics in the log.
std::string JavaToString(double value);

/// The same for Float.toString.
std::string JavaToString(float value);

}  // namespace merganser
