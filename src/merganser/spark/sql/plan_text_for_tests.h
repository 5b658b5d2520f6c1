#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/parser.h"

/// Plan nodes as one line of text, so that a test can say the whole shape it expects.
///
/// Columns are bare names, numbers carry their type where it is not INT (`1L:bigint`), operators
/// are written infix in parentheses, relations as `name(arguments; child)`.
namespace merganser {

inline std::string PlanText(const plan::ExpressionPtr& expression);
inline std::string PlanText(const plan::RelationPtr& relation);

inline std::string JoinParts(const std::vector<std::string>& parts,
                             std::string_view separator = ".") {
  std::string out;
  for (const std::string& part : parts) out.append(out.empty() ? "" : separator).append(part);
  return out;
}

inline std::string PlanTexts(const std::vector<plan::ExpressionPtr>& expressions) {
  std::vector<std::string> texts;
  for (const plan::ExpressionPtr& expression : expressions) texts.push_back(PlanText(expression));
  return JoinParts(texts, ", ");
}

inline std::string DigitsOf(__int128 value) {
  std::string digits;
  for (__int128 rest = value < 0 ? -value : value; rest > 0 || digits.empty(); rest /= 10) {
    digits.insert(digits.begin(), static_cast<char>('0' + static_cast<int>(rest % 10)));
  }
  return (value < 0 ? "-" : "") + digits;
}

inline std::string PlanText(const plan::Literal& literal) {
  const std::string type = literal.type.CatalogString();
  if (literal.is_null()) return "null";
  if (const auto* flag = std::get_if<bool>(&literal.value)) return *flag ? "true" : "false";
  if (const auto* number = std::get_if<int64_t>(&literal.value)) {
    return std::to_string(*number) + (type == "int" ? "" : ":" + type);
  }
  if (const auto* number = std::get_if<double>(&literal.value))
    return std::to_string(*number) + ":" + type;
  if (const auto* number = std::get_if<plan::DecimalValue>(&literal.value)) {
    return DigitsOf(number->unscaled) + ":" + type;
  }
  return "'" + std::get<std::string>(literal.value) + "'" + (type == "string" ? "" : ":" + type);
}

inline std::string PlanText(const plan::WindowSpec& spec) {
  std::string out = spec.base;
  if (!spec.partition_by.empty()) out += " PARTITION " + PlanTexts(spec.partition_by);
  if (!spec.order_by.empty()) out += " ORDER " + PlanTexts(spec.order_by);
  if (!spec.frame) return "(" + out + ")";
  out += spec.frame->unit == plan::FrameUnit::kRows ? " ROWS" : " RANGE";
  for (const plan::FrameBound* bound : {&spec.frame->lower, &spec.frame->upper}) {
    static constexpr std::string_view kKinds[] = {"<<", "<", "=", ">", ">>"};
    out.append(" ").append(kKinds[static_cast<int>(bound->kind)]);
    if (bound->offset != nullptr) out += PlanText(bound->offset);
  }
  return "(" + out + ")";
}

inline std::string PlanText(const plan::Star& star) {
  std::string out = JoinParts(star.qualifier) + (star.qualifier.empty() ? "*" : ".*");
  for (size_t i = 0; i < star.except.size(); ++i) {
    out += star.replacements.empty()
               ? " -" + JoinParts(star.except[i])
               : " " + JoinParts(star.except[i]) + ":=" + PlanText(star.replacements[i]);
  }
  return out;
}

inline std::string PlanText(const plan::Call& call) {
  const std::string name = JoinParts(call.name);
  const bool word = name[0] >= 'a' && name[0] <= 'z';
  if (call.is_operator && call.arguments.size() == 2 && !word) {
    return "(" + PlanText(call.arguments[0]) + " " + name + " " + PlanText(call.arguments[1]) + ")";
  }
  std::string out = name + "(" + (call.distinct ? "DISTINCT " : "");
  for (size_t i = 0; i < call.arguments.size(); ++i) {
    if (i > 0) out += ", ";
    if (!call.argument_names.empty() && !call.argument_names[i].empty())
      out += call.argument_names[i] + " => ";
    out += PlanText(call.arguments[i]);
  }
  out += ")";
  if (!call.within_group.empty()) out += " WITHIN " + PlanTexts(call.within_group);
  if (call.filter != nullptr) out += " FILTER " + PlanText(call.filter);
  if (call.ignore_nulls) out += *call.ignore_nulls ? " IGNORE NULLS" : " RESPECT NULLS";
  return out;
}

inline std::string PlanText(const plan::Subquery& subquery) {
  std::string query = "{" + PlanText(subquery.query) + "}";
  switch (subquery.kind) {
    case plan::SubqueryKind::kScalar:
      return query;
    case plan::SubqueryKind::kExists:
      return "exists" + query;
    case plan::SubqueryKind::kIn:
      return PlanTexts(subquery.values) + " in " + query;
  }
  return {};
}

inline std::string PlanText(const plan::ExpressionPtr& expression) {
  if (expression == nullptr) return "-";
  const plan::Expression& e = *expression;
  if (const auto* literal = e.As<plan::Literal>()) return PlanText(*literal);
  if (const auto* attribute = e.As<plan::Attribute>()) return JoinParts(attribute->parts);
  if (const auto* star = e.As<plan::Star>()) return PlanText(*star);
  if (const auto* call = e.As<plan::Call>()) return PlanText(*call);
  if (const auto* subquery = e.As<plan::Subquery>()) return PlanText(*subquery);
  if (const auto* cast = e.As<plan::Cast>()) {
    return std::string(cast->is_try ? "try_" : "") + "cast(" + PlanText(cast->child) + " AS " +
           cast->type.CatalogString() + ")";
  }
  if (const auto* alias = e.As<plan::Alias>())
    return PlanText(alias->child) + " AS " + JoinParts(alias->names, ",");
  if (const auto* extract = e.As<plan::ExtractValue>())
    return PlanText(extract->child) + "[" + PlanText(extract->key) + "]";
  if (const auto* lambda = e.As<plan::Lambda>())
    return JoinParts(lambda->parameters, ",") + " -> " + PlanText(lambda->body);
  if (const auto* window = e.As<plan::Window>())
    return PlanText(window->function) + " OVER " + PlanText(window->spec);
  if (const auto* parameter = e.As<plan::Parameter>()) {
    return parameter->name.empty() ? "?" + std::to_string(parameter->position)
                                   : ":" + parameter->name;
  }
  if (const auto* order = e.As<plan::SortOrder>()) {
    const std::string nulls = !order->nulls_first   ? ""
                              : *order->nulls_first ? " NULLS FIRST"
                                                    : " NULLS LAST";
    return PlanText(order->child) + (order->ascending ? "" : " DESC") + nulls;
  }
  if (const auto* name = e.As<plan::IdentifierAttribute>())
    return "IDENTIFIER " + PlanText(name->expression);
  return "DEFAULT";
}

inline std::string PlanText(const plan::MultipartName& name) {
  return name.identifier == nullptr ? JoinParts(name.parts)
                                    : "IDENTIFIER " + PlanText(name.identifier);
}

inline std::string NodeText(std::string_view name, const std::string& arguments,
                            const plan::RelationPtr& child) {
  return std::string(name) + "(" + arguments + (arguments.empty() ? "" : "; ") + PlanText(child) +
         ")";
}

inline std::string PlanText(const plan::Aggregate& node) {
  static constexpr std::string_view kKinds[] = {"", "rollup ", "cube ", "sets "};
  std::string out = std::string(kKinds[static_cast<int>(node.kind)]) +
                    (node.group_by_all ? "ALL" : PlanTexts(node.group_by));
  for (const auto& set : node.grouping_sets) out += " {" + PlanTexts(set) + "}";
  return NodeText("aggregate", out + " | " + PlanTexts(node.expressions), node.child);
}

inline std::string PlanText(const plan::Join& node) {
  static constexpr std::string_view kTypes[] = {"join", "cross", "left", "right",
                                                "full", "semi",  "anti"};
  std::string out = std::string(node.natural ? "natural " : "") + (node.lateral ? "lateral " : "");
  out += std::string(kTypes[static_cast<int>(node.type)]) + "(" + PlanText(node.left) + ", " +
         PlanText(node.right);
  if (node.condition != nullptr) out += " ON " + PlanText(node.condition);
  if (!node.using_columns.empty()) out += " USING " + JoinParts(node.using_columns, ",");
  return out + ")";
}

inline std::string PlanText(const plan::TableReference& table) {
  std::string out = PlanText(table.name);
  if (table.time_travel && table.time_travel->version != nullptr)
    out += "@v" + PlanText(table.time_travel->version);
  if (table.time_travel && table.time_travel->timestamp != nullptr)
    out += "@t" + PlanText(table.time_travel->timestamp);
  for (const auto& [key, value] : table.options) out += " " + key + "=" + value;
  return out;
}

inline std::string PlanText(const plan::Unpivot& node) {
  std::string out = JoinParts(node.value_columns, ",") + " FOR " + node.variable_column;
  for (size_t i = 0; i < node.values.size(); ++i) {
    out += " (" + PlanTexts(node.values[i]) + ")" + node.value_aliases[i];
  }
  return NodeText(node.include_nulls ? "unpivot nulls" : "unpivot", out, node.child);
}

inline std::string PlanText(const plan::RelationPtr& relation) {
  if (relation == nullptr) return "-";
  const plan::Relation& r = *relation;
  if (const auto* node = r.As<plan::TableReference>()) return PlanText(*node);
  if (r.As<plan::OneRow>() != nullptr) return "()";
  if (const auto* node = r.As<plan::Project>())
    return NodeText("project", PlanTexts(node->expressions), node->child);
  if (const auto* node = r.As<plan::Filter>())
    return NodeText("filter", PlanText(node->condition), node->child);
  if (const auto* node = r.As<plan::Aggregate>()) return PlanText(*node);
  if (const auto* node = r.As<plan::Having>())
    return NodeText("having", PlanText(node->condition), node->child);
  if (const auto* node = r.As<plan::Qualify>())
    return NodeText("qualify", PlanText(node->condition), node->child);
  if (const auto* node = r.As<plan::Distinct>()) return NodeText("distinct", "", node->child);
  if (const auto* node = r.As<plan::Join>()) return PlanText(*node);
  if (const auto* node = r.As<plan::Unpivot>()) return PlanText(*node);
  if (const auto* node = r.As<plan::Hint>()) return NodeText("hint", node->name, node->child);
  if (const auto* node = r.As<plan::Sample>())
    return NodeText("sample", std::to_string(node->upper), node->child);
  if (const auto* node = r.As<plan::Limit>()) {
    return NodeText("limit", PlanText(node->limit) + "," + PlanText(node->offset), node->child);
  }
  if (const auto* node = r.As<plan::Sort>()) {
    return NodeText(node->global ? "sort" : "local sort",
                    (node->order_by_all ? "ALL " : "") + PlanTexts(node->order_by), node->child);
  }
  if (const auto* node = r.As<plan::SubqueryAlias>()) {
    return NodeText("as",
                    node->name + (node->columns.empty() ? "" : "/" + JoinParts(node->columns, ",")),
                    node->child);
  }
  if (const auto* node = r.As<plan::SetOperation>()) {
    static constexpr std::string_view kNames[] = {"union", "intersect", "except"};
    return std::string(kNames[static_cast<int>(node->op)]) + (node->all ? " all" : "") + "(" +
           PlanText(node->left) + ", " + PlanText(node->right) + ")";
  }
  if (const auto* node = r.As<plan::InlineTable>()) {
    std::string out = "values";
    for (const auto& row : node->rows) out += " (" + PlanTexts(row) + ")";
    return out;
  }
  if (const auto* node = r.As<plan::TableFunction>())
    return JoinParts(node->name) + "(" + PlanTexts(node->arguments) + ")";
  if (const auto* node = r.As<plan::FileSource>())
    return node->format + ":" + JoinParts(node->paths, ",");
  if (const auto* node = r.As<plan::With>()) {
    std::string out = node->recursive ? "recursive" : "";
    for (const plan::CommonTable& table : node->tables) {
      out += (out.empty() ? "" : " ") + table.name +
             (table.columns.empty() ? "" : "/" + JoinParts(table.columns, ",")) + "=" +
             PlanText(table.query);
    }
    return NodeText("with", out, node->child);
  }
  if (const auto* node = r.As<plan::NamedWindows>()) {
    std::string out;
    for (const auto& [name, spec] : node->windows)
      out += (out.empty() ? "" : " ") + name + "=" + PlanText(spec);
    return NodeText("windows", out, node->child);
  }
  if (const auto* node = r.As<plan::LateralView>()) {
    return NodeText(
        node->outer ? "lateral view outer" : "lateral view",
        PlanText(node->generator) + " " + node->table + "/" + JoinParts(node->columns, ","),
        node->child);
  }
  if (const auto* node = r.As<plan::Pivot>()) {
    return NodeText("pivot",
                    PlanTexts(node->aggregates) + " FOR " + PlanTexts(node->columns) + " IN " +
                        PlanTexts(node->values),
                    node->child);
  }
  return "?";
}

/// The parsed expression, or the class of its error.
inline std::string ExpressionPlan(std::string_view text, const ParserOptions& options = {}) {
  const auto parsed = ParseExpression(text, options);
  return parsed.ok() ? PlanText(*parsed) : parsed.error().full_name();
}

/// The parsed query, or the class of its error; "command" for what is no query.
inline std::string QueryPlan(std::string_view sql, const ParserOptions& options = {}) {
  const auto parsed = ParseStatement(sql, options);
  if (!parsed.ok()) return parsed.error().full_name();
  const plan::RelationPtr* query = parsed->query();
  return query == nullptr ? "command" : PlanText(*query);
}

/// The class of the error that parsing a statement gives; empty if it gives none.
inline std::string StatementError(std::string_view sql) {
  const auto parsed = ParseStatement(sql);
  return parsed.ok() ? std::string() : parsed.error().full_name();
}

}  // namespace merganser
