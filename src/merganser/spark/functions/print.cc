#include <algorithm>

#include <fmt/format.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/literal_text.h"
#include "merganser/spark/functions/registry.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

using plan::BoundKind;

std::string Join(const std::vector<std::string>& parts, const char* separator = ", ") {
  std::string text;
  for (size_t i = 0; i < parts.size(); ++i) text += (i == 0 ? "" : separator) + parts[i];
  return text;
}

/// `pattern` with {0}, {1}, ... and {*} replaced by arguments.
std::string FillPattern(std::string_view pattern, const std::vector<std::string>& arguments) {
  std::string text;
  while (!pattern.empty()) {
    const size_t open = pattern.find('{');
    text += pattern.substr(0, open);
    if (open == std::string_view::npos) break;
    const char slot = pattern[open + 1];
    const size_t index = static_cast<size_t>(slot - '0');
    if (slot == '*') {
      text += Join(arguments);
    } else if (index < arguments.size()) {
      text += arguments[index];
    }
    pattern.remove_prefix(open + 3);
  }
  return text;
}

/// Ranking and offset functions choose their own frame, and their generated names show it.
std::string OwnFrame(const std::string& function, const std::vector<std::string>& arguments) {
  if (function == "lag" || function == "lead") {
    std::string offset = arguments.size() > 1 ? arguments[1] : "1";
    if (function == "lag") offset = offset.starts_with('-') ? offset.substr(1) : "-" + offset;
    return fmt::format("ROWS BETWEEN {0} FOLLOWING AND {0} FOLLOWING", offset);
  }
  for (const char* name : {"row_number", "rank", "dense_rank", "percent_rank", "ntile"}) {
    if (function == name) return "ROWS BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
  }
  if (function == "cume_dist") return "RANGE BETWEEN UNBOUNDED PRECEDING AND CURRENT ROW";
  return {};
}

class Printer {
 public:
  Printer(bool pretty, const NameFormat& format) : pretty_(pretty), format_(format) {}

  std::string Print(const BoundExpression& expression) {
    return std::visit([&](const auto& node) { return PrintNode(node, expression); },
                      expression.node);
  }

 private:
  std::string PrintNode(const plan::Literal& literal, const BoundExpression&) {
    return pretty_ ? LiteralName(literal, format_) : LiteralSql(literal, format_);
  }

  std::string PrintNode(const BoundColumnRef& column, const BoundExpression&) {
    if (std::find(lambda_ids_.begin(), lambda_ids_.end(), column.id) != lambda_ids_.end()) {
      return "namedlambdavariable()";
    }
    if (pretty_) return column.name;
    std::vector<std::string> parts = column.qualifier;
    parts.push_back(column.name);
    return QuotedIfNeeded(parts);
  }

  std::string PrintNode(const BoundField& field, const BoundExpression&) {
    return Print(*field.child) + "." + (pretty_ ? field.name : QuotedIfNeeded(field.name));
  }

  std::string PrintNode(const BoundCast& cast, const BoundExpression& expression) {
    if (expression.type.is_nested() || (pretty_ && cast.implicit)) return Print(*cast.child);
    return fmt::format("{}({} AS {})", cast.mode == CastMode::kTry ? "TRY_CAST" : "CAST",
                       Print(*cast.child), expression.type.SqlString());
  }

  std::string PrintNode(const BoundCall& call, const BoundExpression&) {
    const FunctionEntry* entry = FindEntry(call.function);
    const std::vector<std::string> arguments = PrintAll(call.arguments);
    if (entry != nullptr && entry->print != nullptr) return entry->print(call, arguments);
    const std::string_view printed =
        entry == nullptr || entry->printed.empty() ? call.function : entry->printed;
    if (printed.find('{') != std::string_view::npos) return FillPattern(printed, arguments);
    return fmt::format("{}({})", printed, Join(arguments));
  }

  std::string PrintNode(const BoundLambda& lambda, const BoundExpression&) {
    const size_t depth = lambda_ids_.size();
    for (const auto& parameter : lambda.parameters) lambda_ids_.push_back(parameter.id);
    std::vector<std::string> parts = {Print(*lambda.body)};
    parts.resize(1 + lambda.parameters.size(), "namedlambdavariable()");
    lambda_ids_.resize(depth);
    return fmt::format("lambdafunction({})", Join(parts));
  }

  std::string PrintNode(const BoundSubquery& subquery, const BoundExpression&) {
    std::vector<std::string> outer;
    for (const BoundColumnRef& column : subquery.outer) {
      outer.push_back(PrintNode(column, BoundExpression{column, {}, true, {}}));
    }
    switch (subquery.kind) {
      case plan::SubqueryKind::kScalar:
        return fmt::format("scalarsubquery({})", Join(outer));
      case plan::SubqueryKind::kExists:
        return fmt::format("exists({})", Join(outer));
      case plan::SubqueryKind::kIn:
        break;
    }
    const std::vector<std::string> values = PrintAll(subquery.values);
    const std::string value =
        values.size() == 1 ? values[0] : fmt::format("named_struct({})", Join(values));
    return fmt::format("({} IN (listquery({})))", value, Join(outer));
  }

  std::string PrintNode(const BoundAggregate& aggregate, const BoundExpression&) {
    const FunctionEntry* entry = FindEntry(aggregate.function);
    std::vector<std::string> arguments = PrintAll(aggregate.arguments);
    std::string_view name =
        entry == nullptr || entry->printed.empty() ? aggregate.function : entry->printed;
    if (!aggregate.order.empty() && name == "string_agg") name = "listagg";
    if (name == "approx_count_distinct") arguments.resize(1);
    std::string text =
        fmt::format("{}({}{})", name, aggregate.distinct ? "DISTINCT " : "", Join(arguments));
    if (!aggregate.order.empty()) {
      // Only LISTAGG keeps a whole sort order; the inverse distribution functions print a
      // direction.
      std::vector<std::string> orders;
      for (const BoundSortOrder& order : aggregate.order) {
        orders.push_back(name == "listagg"
                             ? PrintOrder(order)
                             : Print(*order.child) + (order.ascending ? "" : " DESC"));
      }
      text += fmt::format(" WITHIN GROUP (ORDER BY {})", Join(orders));
    }
    if (aggregate.filter) text += fmt::format(" FILTER (WHERE {})", Print(*aggregate.filter));
    return text;
  }

  std::string PrintNode(const BoundWindow& window, const BoundExpression&) {
    std::vector<std::string> parts;
    if (!window.partition_by.empty())
      parts.push_back("PARTITION BY " + Join(PrintAll(window.partition_by)));
    if (!window.order_by.empty()) {
      std::vector<std::string> orders;
      for (const BoundSortOrder& order : window.order_by) orders.push_back(PrintOrder(order));
      parts.push_back("ORDER BY " + Join(orders));
    }
    parts.push_back(PrintFrame(window));
    return fmt::format("{} OVER ({})", Print(*window.function), Join(parts, " "));
  }

  std::string PrintFrame(const BoundWindow& window) {
    if (const auto* call = window.function->As<BoundCall>()) {
      std::string frame = OwnFrame(call->function, PrintAll(call->arguments));
      if (!frame.empty()) return frame;
    }
    return fmt::format("{} BETWEEN {} AND {}",
                       window.unit == plan::FrameUnit::kRows ? "ROWS" : "RANGE",
                       PrintBound(window.lower), PrintBound(window.upper));
  }

  std::string PrintBound(const BoundFrameBound& bound) {
    switch (bound.kind) {
      case BoundKind::kUnboundedPreceding:
        return "UNBOUNDED PRECEDING";
      case BoundKind::kPreceding:
        return Print(*bound.offset) + " PRECEDING";
      case BoundKind::kCurrentRow:
        return "CURRENT ROW";
      case BoundKind::kFollowing:
        return Print(*bound.offset) + " FOLLOWING";
      case BoundKind::kUnboundedFollowing:
        return "UNBOUNDED FOLLOWING";
    }
    return {};
  }

  std::string PrintOrder(const BoundSortOrder& order) {
    return fmt::format("{} {} NULLS {}", Print(*order.child), order.ascending ? "ASC" : "DESC",
                       order.nulls_first ? "FIRST" : "LAST");
  }

  std::vector<std::string> PrintAll(const std::vector<BoundExpressionPtr>& expressions) {
    std::vector<std::string> texts;
    for (const auto& expression : expressions)
      texts.push_back(expression ? Print(*expression) : "lambdafunction()");
    return texts;
  }

  const bool pretty_;
  const NameFormat& format_;
  std::vector<ColumnId> lambda_ids_;
};

}  // namespace

std::string GeneratedName(const BoundExpression& expression, const NameFormat& format) {
  return Printer(true, format).Print(expression);
}

std::string PrintSql(const BoundExpression& expression, const NameFormat& format) {
  return Printer(false, format).Print(expression);
}

}  // namespace merganser
