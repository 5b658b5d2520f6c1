#include "merganser/delta/schema/type_name.h"

#include <array>
#include <charconv>
#include <optional>
#include <utility>
#include <vector>

namespace merganser {
namespace {

using NamedType = std::pair<std::string_view, DataType (*)()>;

constexpr std::array<NamedType, 26> kPlainTypes = {{
    {"string", &DataType::String},
    {"long", &DataType::Long},
    {"integer", &DataType::Integer},
    {"double", &DataType::Double},
    {"boolean", &DataType::Boolean},
    {"date", &DataType::Date},
    {"timestamp", &DataType::Timestamp},
    {"float", &DataType::Float},
    {"short", &DataType::Short},
    {"byte", &DataType::Byte},
    {"binary", &DataType::Binary},
    {"timestamp_ntz", &DataType::TimestampNtz},
    {"variant", &DataType::Variant},
    {"void", &DataType::Null},
    {"null", &DataType::Null},
    {"bigint", &DataType::Long},
    {"int", &DataType::Integer},
    {"smallint", &DataType::Short},
    {"tinyint", &DataType::Byte},
    {"timestamp_ltz", &DataType::Timestamp},
    {"interval", &DataType::CalendarInterval},
    {"calendarinterval", &DataType::CalendarInterval},
    {"bool", &DataType::Boolean},
    {"real", &DataType::Float},
    {"varbinary", &DataType::Binary},
    {"text", &DataType::String},
}};

/// "name(1, 2)" taken apart.
struct Parameterized {
  std::string_view name;
  std::vector<int> parameters;
};

std::optional<Parameterized> TakeApart(std::string_view text) {
  const size_t open = text.find('(');
  if (open == std::string_view::npos || text.back() != ')') return std::nullopt;
  Parameterized result{text.substr(0, open), {}};
  std::string_view rest = text.substr(open + 1, text.size() - open - 2);
  while (!rest.empty()) {
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    int value = 0;
    const auto [end, code] = std::from_chars(rest.data(), rest.data() + rest.size(), value);
    if (code != std::errc()) return std::nullopt;
    result.parameters.push_back(value);
    rest.remove_prefix(static_cast<size_t>(end - rest.data()));
    while (rest.starts_with(' ')) rest.remove_prefix(1);
    if (rest.starts_with(',')) {
      rest.remove_prefix(1);
    } else if (!rest.empty()) {
      return std::nullopt;
    }
  }
  return result;
}

std::optional<DataType> ParseParameterized(std::string_view text) {
  const auto parts = TakeApart(text);
  if (!parts) return std::nullopt;
  const std::vector<int>& parameters = parts->parameters;
  if (parts->name == "decimal" && (parameters.size() == 1 || parameters.size() == 2)) {
    const int precision = parameters[0];
    const int scale = parameters.size() == 2 ? parameters[1] : 0;
    if (precision < 1 || precision > 38 || scale < 0 || scale > precision) return std::nullopt;
    return DataType::Decimal(precision, scale);
  }
  if (parameters.size() != 1 || parameters[0] < 1) return std::nullopt;
  if (parts->name == "char") return DataType::Char(parameters[0]);
  if (parts->name == "varchar") return DataType::Varchar(parameters[0]);
  return std::nullopt;
}

std::optional<DataType> ParseInterval(std::string_view text) {
  constexpr std::string_view kPrefix = "interval ";
  if (!text.starts_with(kPrefix)) return std::nullopt;
  text.remove_prefix(kPrefix.size());
  const size_t to = text.find(" to ");
  const std::string_view start = text.substr(0, to);
  const std::string_view end = to == std::string_view::npos ? start : text.substr(to + 4);
  const auto position = [](const auto& names, std::string_view name) {
    for (size_t i = 0; i < names.size(); ++i) {
      if (names[i] == name) return static_cast<int>(i);
    }
    return -1;
  };
  constexpr std::array<std::string_view, 2> kYearMonth = {"year", "month"};
  constexpr std::array<std::string_view, 4> kDayTime = {"day", "hour", "minute", "second"};
  if (const int first = position(kYearMonth, start), last = position(kYearMonth, end);
      first >= 0 && last >= first) {
    return DataType::YearMonthInterval(first, last);
  }
  if (const int first = position(kDayTime, start), last = position(kDayTime, end);
      first >= 0 && last >= first) {
    return DataType::DayTimeInterval(first, last);
  }
  return std::nullopt;
}

}  // namespace

std::string TypeName(const DataType& type) {
  switch (type.id()) {
    case TypeId::kByte:
      return "byte";
    case TypeId::kShort:
      return "short";
    case TypeId::kInteger:
      return "integer";
    case TypeId::kLong:
      return "long";
    default:
      return type.CatalogString();
  }
}

Result<DataType> ParseTypeName(std::string_view name) {
  for (const auto& [known, make] : kPlainTypes) {
    if (name == known) return make();
  }
  if (name == "decimal") return DataType::Decimal(10, 0);
  if (auto type = ParseParameterized(name)) return *std::move(type);
  if (auto type = ParseInterval(name)) return *std::move(type);
  if (name.starts_with("geometry") || name.starts_with("geography")) {
    return Error(ErrorClass::DELTA_GEOSPATIAL_NOT_SUPPORTED);
  }
  return Error(ErrorClass::INVALID_JSON_DATA_TYPE, {{"invalidType", std::string(name)}});
}

}  // namespace merganser
