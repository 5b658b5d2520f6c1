#include "merganser/engine/lowering/call_lowering.h"

#include <algorithm>
#include <map>

#include <fmt/format.h>

#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

std::string Join(std::span<const std::string> parts) {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : ", ") + parts[i];
  return text;
}

std::string Slot(std::string_view slot, const LoweredCall& call) {
  if (slot == "*") return Join(call.arguments);
  if (slot == "1*") return Join(std::span(call.arguments).subspan(1));
  if (slot == "mode")
    return call.call.function.starts_with("try_") ? "'try'" : ModeSql(call.context());
  if (slot == "zone") return QuoteText(call.context().session_time_zone);
  if (slot == "context") return call.error_context();
  if (slot == "type") return EngineType(call.type());
  if (slot == "spark") return QuoteText(call.type().SqlString());
  if (slot == "p") return fmt::format("{}", call.type().precision());
  if (slot == "s") return fmt::format("{}", call.type().scale());
  if (slot.starts_with("spark"))
    return QuoteText(call.type(static_cast<size_t>(slot[5] - '0')).SqlString());
  return call.arguments[static_cast<size_t>(slot[0] - '0')];
}

}  // namespace

std::string ModeSql(const LoweringContext& context) { return context.ansi ? "'ansi'" : "'legacy'"; }

std::string FillCallPattern(std::string_view pattern, const LoweredCall& call) {
  std::string text;
  while (!pattern.empty()) {
    const size_t open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const size_t close = pattern.find('}', open);
    text += Slot(pattern.substr(open + 1, close - open - 1), call);
    pattern.remove_prefix(close + 1);
  }
  return text;
}

const CallLowering* FindCallLowering(std::string_view name) {
  static const auto lowerings = [] {
    std::map<std::string_view, const CallLowering*> all;
    for (const auto family :
         {ArithmeticLowerings(), PredicateLowerings(), MathLowerings(), StringLowerings(),
          TimeLowerings(), CollectionLowerings(), HigherOrderLowerings(), DocumentLowerings(),
          MiscellaneousLowerings()}) {
      for (const CallLowering& lowering : family) all.emplace(lowering.name, &lowering);
    }
    return all;
  }();
  const auto found = lowerings.find(name);
  return found == lowerings.end() ? nullptr : found->second;
}

Result<std::string> LowerCall(const LoweredCall& call, const CallLowering& lowering) {
  if (lowering.lower == nullptr && lowering.sql.starts_with('=')) {
    return FillCallPattern(lowering.sql.substr(1), call);
  }
  std::string sql;
  if (lowering.lower != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(sql, lowering.lower(call));
  } else {
    sql = FillCallPattern(lowering.sql, call);
  }
  const bool typed = sql.starts_with("mg_") || sql.starts_with("CAST(") ||
                     (lowering.lower != nullptr && sql.starts_with("("));
  return typed ? sql : CastSql(sql, EngineType(call.type()));
}

}  // namespace merganser
