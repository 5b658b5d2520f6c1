#include "merganser/spark/analysis/time_window.h"

#include <functional>
#include <map>
#include <string>
#include <utility>

#include <fmt/format.h>

#include "merganser/base/calendar_interval.h"
#include "merganser/base/letter_case.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

using plan::ExpressionPtr;

constexpr std::string_view kWindow = "window";
constexpr std::string_view kSessionWindow = "session_window";

/// `expression` with each node replaced by what `replace` gives (null: keep and descend).
/// Subqueries are not entered.
ExpressionPtr ReplaceNodes(const ExpressionPtr& expression,
                           const std::function<ExpressionPtr(const ExpressionPtr&)>& replace) {
  if (expression == nullptr) return nullptr;
  if (ExpressionPtr replaced = replace(expression)) return replaced;
  const auto descend = [&](ExpressionPtr& child) { child = ReplaceNodes(child, replace); };
  const auto rebuilt = [&](auto node) {
    return plan::MakeExpression(std::move(node), expression->origin);
  };
  if (const auto* alias = expression->As<plan::Alias>()) {
    plan::Alias copy = *alias;
    descend(copy.child);
    return rebuilt(std::move(copy));
  }
  if (const auto* extract = expression->As<plan::ExtractValue>()) {
    plan::ExtractValue copy = *extract;
    descend(copy.child);
    descend(copy.key);
    return rebuilt(std::move(copy));
  }
  if (const auto* cast = expression->As<plan::Cast>()) {
    plan::Cast copy = *cast;
    descend(copy.child);
    return rebuilt(std::move(copy));
  }
  if (const auto* lambda = expression->As<plan::Lambda>()) {
    plan::Lambda copy = *lambda;
    descend(copy.body);
    return rebuilt(std::move(copy));
  }
  if (const auto* order = expression->As<plan::SortOrder>()) {
    plan::SortOrder copy = *order;
    descend(copy.child);
    return rebuilt(std::move(copy));
  }
  if (const auto* call = expression->As<plan::Call>()) {
    plan::Call copy = *call;
    for (ExpressionPtr& argument : copy.arguments) descend(argument);
    for (ExpressionPtr& order : copy.within_group) descend(order);
    descend(copy.filter);
    return rebuilt(std::move(copy));
  }
  if (const auto* over = expression->As<plan::Window>()) {
    plan::Window copy = *over;
    descend(copy.function);
    for (ExpressionPtr& key : copy.spec.partition_by) descend(key);
    for (ExpressionPtr& key : copy.spec.order_by) descend(key);
    return rebuilt(std::move(copy));
  }
  return expression;
}

/// The function of a call that makes a time window; empty for anything else.
std::string_view WindowFunction(const plan::Expression& expression) {
  const auto* call = expression.As<plan::Call>();
  if (call == nullptr || call->name.size() != 1) return {};
  const std::string name = AsciiLowerCase(call->name[0]);
  const size_t arguments = call->arguments.size();
  if (name == kWindow && arguments >= 2 && arguments <= 4) return kWindow;
  if (name == kSessionWindow && arguments == 2) return kSessionWindow;
  return {};
}

ExpressionPtr ColumnNamed(std::string_view name) {
  return plan::MakeExpression(plan::Attribute{{std::string(name)}});
}

/// The expression that `text` says, with expressions in the places of the columns in `parts`.
Result<ExpressionPtr> Filled(const std::string& text,
                             const std::map<std::string, ExpressionPtr>& parts) {
  MERGANSER_ASSIGN_OR_RETURN(const ExpressionPtr parsed, ParseExpression(text));
  return ReplaceNodes(parsed, [&](const ExpressionPtr& node) -> ExpressionPtr {
    const auto* column = node->As<plan::Attribute>();
    if (column == nullptr || column->parts.size() != 1) return nullptr;
    const auto part = parts.find(column->parts[0]);
    return part == parts.end() ? nullptr : part->second;
  });
}

/// Microseconds of an argument of window().
Result<int64_t> Length(const plan::Expression& argument, std::string_view name) {
  const auto* literal = argument.As<plan::Literal>();
  std::optional<int64_t> micros;
  std::string text;
  if (literal != nullptr && std::holds_alternative<int64_t>(literal->value)) {
    micros = std::get<int64_t>(literal->value);
  } else if (literal != nullptr && std::holds_alternative<std::string>(literal->value)) {
    text = std::get<std::string>(literal->value);
    const auto interval = ParseCalendarInterval(text);
    if (interval && interval->months == 0) micros = interval->MicrosWithoutMonths();
  }
  if (!micros) return Error(ErrorClass::CANNOT_PARSE_INTERVAL, {{"intervalString", text}});
  if (*micros > 0 || name == "startTime") return *micros;
  return Error(ErrorClass::DATATYPE_MISMATCH,
               {{"sqlExpr", "\"window\""},
                {"exprName", fmt::format("`{}`", name)},
                {"valueRange", "(0, 9223372036854775807]"},
                {"currentValue", fmt::format("{}L", *micros)}},
               "VALUE_OUT_OF_RANGE");
}

/// The input with a row for every window that its time is in.
Result<plan::RelationPtr> WithWindows(const plan::RelationPtr& child, const plan::Call& call,
                                      const std::string& type) {
  MERGANSER_ASSIGN_OR_RETURN(const int64_t length, Length(*call.arguments[1], "windowDuration"));
  int64_t slide = length;
  int64_t start = 0;
  if (call.arguments.size() > 2) {
    MERGANSER_ASSIGN_OR_RETURN(slide, Length(*call.arguments[2], "slideDuration"));
  }
  if (call.arguments.size() > 3) {
    MERGANSER_ASSIGN_OR_RETURN(start, Length(*call.arguments[3], "startTime"));
  }
  const int64_t most = (length + slide - 1) / slide;
  const std::string begin =
      fmt::format("(`$time` - pmod(`$time` - {0}L, {1}L) - `$n` * {1}L)", start, slide);
  const std::string text = fmt::format(
      "explode(transform(filter(sequence(0, {0}), `$n` -> `$time` < {1} + {2}L), `$n` -> "
      "named_struct('start', CAST(timestamp_micros({1}) AS {3}), 'end', "
      "CAST(timestamp_micros({1} + {2}L) AS {3}))))",
      most - 1, begin, length, type);
  MERGANSER_ASSIGN_OR_RETURN(
      const ExpressionPtr micros,
      Filled("unix_micros(CAST(`$time` AS TIMESTAMP))", {{"$time", call.arguments[0]}}));
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr generator, Filled(text, {{"$time", micros}}));
  return plan::MakeRelation(plan::LateralView{.child = child,
                                              .generator = std::move(generator),
                                              .outer = false,
                                              .table = {},
                                              .columns = {std::string(kWindow)}});
}

/// `child` with the column `name` more.
plan::RelationPtr WithColumn(const plan::RelationPtr& child, ExpressionPtr value,
                             std::string_view name,
                             std::vector<std::vector<std::string>> left_out = {}) {
  plan::Project project{child, {}};
  project.expressions.push_back(plan::MakeExpression(plan::Star{{}, std::move(left_out), {}}));
  project.expressions.push_back(
      plan::MakeExpression(plan::Alias{std::move(value), {std::string(name)}}));
  return plan::MakeRelation(std::move(project));
}

/// The input with the session of each row: rows of one group whose times, each with its gap, touch.
Result<plan::RelationPtr> WithSessions(const plan::RelationPtr& child, const plan::Call& call,
                                       const std::string& type,
                                       const std::vector<ExpressionPtr>& keys) {
  constexpr std::string_view kEnd = "session end";
  constexpr std::string_view kFirst = "session start";
  constexpr std::string_view kNumber = "session number";
  MERGANSER_ASSIGN_OR_RETURN(
      const ExpressionPtr time,
      Filled(fmt::format("CAST(`$time` AS {})", type), {{"$time", call.arguments[0]}}));
  const std::map<std::string, ExpressionPtr> parts = {{"$time", time}, {"$gap", call.arguments[1]}};
  const auto over = [&](const std::string& function, const std::string& frame,
                        std::vector<ExpressionPtr> partition) -> Result<ExpressionPtr> {
    MERGANSER_ASSIGN_OR_RETURN(const ExpressionPtr filled,
                               Filled(function + " OVER (" + frame + ")", parts));
    return ReplaceNodes(filled, [&](const ExpressionPtr& node) -> ExpressionPtr {
      const auto* window = node->As<plan::Window>();
      if (window == nullptr) return nullptr;
      plan::Window copy = *window;
      copy.spec.partition_by = partition;
      return plan::MakeExpression(std::move(copy));
    });
  };
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr end,
                             Filled("`$time` + CAST(`$gap` AS INTERVAL)", parts));
  plan::RelationPtr rows = WithColumn(child, std::move(end), kEnd);
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr not_empty, Filled("`session end` > `$time`", parts));
  rows = plan::MakeRelation(plan::Filter{std::move(rows), std::move(not_empty)});
  MERGANSER_ASSIGN_OR_RETURN(
      const ExpressionPtr reached,
      over("max(`session end`)",
           "ORDER BY `$time` ROWS BETWEEN UNBOUNDED PRECEDING AND 1 PRECEDING", keys));
  MERGANSER_ASSIGN_OR_RETURN(ExpressionPtr first,
                             Filled("CASE WHEN `$time` <= `$reached` THEN 0 ELSE 1 END",
                                    {{"$time", time}, {"$reached", reached}}));
  rows = WithColumn(rows, std::move(first), kFirst);
  MERGANSER_ASSIGN_OR_RETURN(
      ExpressionPtr number,
      over("sum(`session start`)", "ORDER BY `$time` ROWS UNBOUNDED PRECEDING", keys));
  rows = WithColumn(rows, std::move(number), kNumber);
  std::vector<ExpressionPtr> session = keys;
  session.push_back(ColumnNamed(kNumber));
  MERGANSER_ASSIGN_OR_RETURN(const ExpressionPtr from, over("min(`$time`)", "", session));
  MERGANSER_ASSIGN_OR_RETURN(const ExpressionPtr to, over("max(`session end`)", "", session));
  MERGANSER_ASSIGN_OR_RETURN(
      ExpressionPtr window,
      Filled("named_struct('start', `$from`, 'end', `$to`)", {{"$from", from}, {"$to", to}}));
  return WithColumn(rows, std::move(window), kSessionWindow,
                    {{std::string(kEnd)}, {std::string(kFirst)}, {std::string(kNumber)}});
}

}  // namespace

bool IsTimeWindow(std::string_view lower_case_name) {
  return lower_case_name == kWindow || lower_case_name == kSessionWindow;
}

const plan::Expression* FindTimeWindow(const WindowedSelect& select) {
  const plan::Expression* found = nullptr;
  for (const auto* list : {&select.group_by, &select.expressions}) {
    for (const ExpressionPtr& expression : *list) {
      ReplaceNodes(expression, [&](const ExpressionPtr& node) -> ExpressionPtr {
        if (found == nullptr && !WindowFunction(*node).empty()) found = node.get();
        return found == nullptr ? nullptr : node;
      });
    }
  }
  return found;
}

Result<WindowedSelect> WithTimeWindow(const WindowedSelect& select, const plan::Expression& window,
                                      const DataType& time_type) {
  const auto& call = *window.As<plan::Call>();
  const std::string_view function = WindowFunction(window);
  const std::string type = time_type.is(TypeId::kTimestampNtz) ? "TIMESTAMP_NTZ" : "TIMESTAMP";
  WindowedSelect rewritten;
  if (function == kWindow) {
    MERGANSER_ASSIGN_OR_RETURN(rewritten.child, WithWindows(select.child, call, type));
  } else {
    std::vector<ExpressionPtr> keys;
    for (const ExpressionPtr& key : select.group_by) {
      if (WindowFunction(*key).empty()) keys.push_back(key);
    }
    MERGANSER_ASSIGN_OR_RETURN(rewritten.child, WithSessions(select.child, call, type, keys));
  }
  const auto refer = [&](const ExpressionPtr& node) -> ExpressionPtr {
    return WindowFunction(*node) == function
               ? plan::MakeExpression(plan::Attribute{{std::string(function)}}, node->origin)
               : nullptr;
  };
  for (const ExpressionPtr& expression : select.expressions)
    rewritten.expressions.push_back(ReplaceNodes(expression, refer));
  for (const ExpressionPtr& key : select.group_by)
    rewritten.group_by.push_back(ReplaceNodes(key, refer));
  return rewritten;
}

}  // namespace merganser
