#include "merganser/spark/analysis/identity_columns.h"

#include <charconv>
#include <string>
#include <string_view>

#include "merganser/base/checked_math.h"

namespace merganser {
namespace {

constexpr std::string_view kStart = "delta.identity.start";
constexpr std::string_view kStep = "delta.identity.step";
constexpr std::string_view kHighWaterMark = "delta.identity.highWaterMark";
constexpr std::string_view kAllowExplicitInsert = "delta.identity.allowExplicitInsert";

std::optional<int64_t> Number(const StructField& field, std::string_view key) {
  const auto found = field.metadata.find(key);
  if (found == field.metadata.end()) return std::nullopt;
  const std::string& text = found->second;
  int64_t value = 0;
  const auto [end, code] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (code != std::errc() || end != text.data() + text.size()) return std::nullopt;
  return value;
}

Error Overflow() {
  return Error(ErrorClass::ARITHMETIC_OVERFLOW, {{"message", "identity column overflow"},
                                                 {"alternative", ""},
                                                 {"config", "\"spark.sql.ansi.enabled\""}});
}

/// a - b without overflow, widened.
__extension__ typedef __int128 Wide;

}  // namespace

Result<int64_t> IdentityColumn::Next() const {
  if (!high_water_mark) return start;
  const auto next = CheckedAdd(*high_water_mark, step);
  if (!next) return Overflow();
  return *next;
}

Result<int64_t> IdentityColumn::Last(int64_t count) const {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t first, Next());
  const auto distance = CheckedMultiply(step, count - 1);
  const auto last = distance ? CheckedAdd(first, *distance) : std::nullopt;
  if (!last) return Overflow();
  return *last;
}

std::optional<int64_t> IdentityColumn::MarkFor(std::optional<int64_t> extreme) const {
  if (!extreme) return high_water_mark;
  const bool before_start = step > 0 ? *extreme < start : *extreme > start;
  if (before_start) return high_water_mark;
  // Round away from the start to a number of the sequence.
  const Wide distance = Wide{*extreme} - start;
  const Wide steps = (distance + (step > 0 ? step - 1 : step + 1)) / step;
  const Wide mark = start + steps * step;
  if (mark > INT64_MAX || mark < INT64_MIN) return high_water_mark;
  const auto rounded = static_cast<int64_t>(mark);
  const bool is_behind =
      high_water_mark && (step > 0 ? rounded < *high_water_mark : rounded > *high_water_mark);
  return is_behind ? high_water_mark : rounded;
}

std::optional<IdentityColumn> FindIdentity(const StructField& field) {
  const auto start = Number(field, kStart);
  if (!start) return std::nullopt;
  IdentityColumn identity;
  identity.start = *start;
  identity.step = Number(field, kStep).value_or(1);
  identity.high_water_mark = Number(field, kHighWaterMark);
  const auto allowed = field.metadata.find(kAllowExplicitInsert);
  identity.allows_explicit_values = allowed != field.metadata.end() && allowed->second == "true";
  return identity;
}

void SetHighWaterMark(StructField& field, int64_t mark) {
  field.metadata.insert_or_assign(std::string(kHighWaterMark), std::to_string(mark));
}

Result<BoundExpressionPtr> IdentityValues(const IdentityColumn& identity) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t first, identity.Next());
  const DataType type = DataType::Long();
  const auto constant = [&](int64_t value) {
    return MakeBound(plan::Literal{type, value}, type, false);
  };
  const BoundExpressionPtr ordinal =
      MakeBound(BoundCall{"monotonically_increasing_id", {}, false}, type, false);
  const BoundExpressionPtr offset =
      MakeBound(BoundCall{"*", {ordinal, constant(identity.step)}, true}, type, false);
  return MakeBound(BoundCall{"+", {constant(first), offset}, true}, type, false);
}

}  // namespace merganser
