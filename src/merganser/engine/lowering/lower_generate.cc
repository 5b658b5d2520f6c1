#include "merganser/engine/lowering/lower_generate.h"

#include <fmt/format.h>

#include "merganser/engine/lowering/sql_quoting.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// What a generator gives, as engine SQL: a list with one item a row, and how columns come out of
/// an item.
struct Items {
  std::string list;
  bool with_position = false;
  std::vector<std::string> columns;  ///< Over `item`, without the position.
};

Result<Items> ItemsOfExplode(const BoundExpression& argument, bool with_position,
                             const LoweringContext& context) {
  Items items;
  items.with_position = with_position;
  MERGANSER_ASSIGN_OR_RETURN(items.list, LowerExpression(argument, context));
  if (argument.type.is(TypeId::kMap)) {
    items.list = fmt::format("map_entries({})", items.list);
    items.columns = {"item.key", "item.value"};
  } else {
    items.columns = {"item"};
  }
  return items;
}

Result<Items> ItemsOfInline(const BoundExpression& argument, const LoweringContext& context) {
  Items items;
  MERGANSER_ASSIGN_OR_RETURN(items.list, LowerExpression(argument, context));
  for (const StructField& field : argument.type.element().fields()) {
    items.columns.push_back(fmt::format("struct_extract(item, {})", QuoteText(field.name)));
  }
  return items;
}

/// stack(n, v1, v2, ...): n rows, filled row by row, NULL where values run out.
Result<Items> ItemsOfStack(const BoundGenerate& generate, const std::vector<BoundColumn>& outputs,
                           const LoweringContext& context) {
  const auto count = FoldLiteral(*generate.arguments[0]);
  if (!count || !std::holds_alternative<int64_t>(count->value))
    return Error::Internal("stack() without a constant");
  const auto rows = static_cast<size_t>(std::get<int64_t>(count->value));
  Items items;
  for (size_t row = 0; row < rows; ++row) {
    std::string fields;
    for (size_t i = 0; i < outputs.size(); ++i) {
      const size_t argument = 1 + row * outputs.size() + i;
      std::string value = "NULL";
      if (argument < generate.arguments.size()) {
        MERGANSER_ASSIGN_OR_RETURN(value, LowerExpression(*generate.arguments[argument], context));
      }
      fields += fmt::format("{}f{} := CAST({} AS {})", fields.empty() ? "" : ", ", i, value,
                            EngineType(outputs[i].type));
    }
    items.list += fmt::format("{}struct_pack({})", items.list.empty() ? "" : ", ", fields);
  }
  items.list = fmt::format("[{}]", items.list);
  for (size_t i = 0; i < outputs.size(); ++i) items.columns.push_back(fmt::format("item.f{}", i));
  return items;
}

Result<Items> ItemsOfJsonTuple(const BoundGenerate& generate, const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string json,
                             LowerExpression(*generate.arguments[0], context));
  Items items;
  std::string names;
  for (size_t i = 1; i < generate.arguments.size(); ++i) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string name,
                               LowerExpression(*generate.arguments[i], context));
    names += ", " + name;
    items.columns.push_back(fmt::format("item[{}]", i));
  }
  items.list = fmt::format("[mg_json_tuple({}{})]", json, names);
  return items;
}

Result<Items> ItemsOfVariant(const BoundExpression& argument, const LoweringContext& context) {
  Items items;
  MERGANSER_ASSIGN_OR_RETURN(const std::string variant, LowerExpression(argument, context));
  items.list = fmt::format("mg_variant_items({})", variant);
  items.columns = {"item.pos", "item.key", "item.value"};
  return items;
}

Result<Items> ItemsOf(const BoundGenerate& generate, const std::vector<BoundColumn>& outputs,
                      const LoweringContext& context) {
  if (generate.function == "explode") return ItemsOfExplode(*generate.arguments[0], false, context);
  if (generate.function == "posexplode")
    return ItemsOfExplode(*generate.arguments[0], true, context);
  if (generate.function == "inline") return ItemsOfInline(*generate.arguments[0], context);
  if (generate.function == "stack") return ItemsOfStack(generate, outputs, context);
  if (generate.function == "json_tuple") return ItemsOfJsonTuple(generate, context);
  if (generate.function == "variant_explode")
    return ItemsOfVariant(*generate.arguments[0], context);
  return Error(ErrorClass::UNRESOLVED_ROUTINE,
               {{"routineName", "`" + generate.function + "`"}, {"searchPath", ""}});
}

}  // namespace

Result<std::string> LowerGenerate(const BoundGenerate& generate,
                                  const std::vector<BoundColumn>& columns,
                                  const LoweringContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(*generate.child, context));
  const size_t inherited = generate.child->columns.size();
  const std::vector<BoundColumn> outputs(columns.begin() + static_cast<std::ptrdiff_t>(inherited),
                                         columns.end());
  MERGANSER_ASSIGN_OR_RETURN(const Items items, ItemsOf(generate, outputs, context));

  std::string names;
  for (const BoundColumn& column : generate.child->columns) names += EngineColumn(column.id) + ", ";
  // OUTER keeps a row whose list is empty or NULL, with NULLs in the generator's columns.
  const std::string list =
      generate.outer ? "CASE WHEN items IS NULL OR len(items) = 0 THEN [NULL] ELSE items END"
                     : "items";
  const std::string positions =
      generate.outer
          ? "CASE WHEN items IS NULL OR len(items) = 0 THEN [NULL] ELSE range(len(items)) END"
          : "range(len(items))";
  std::string select = names;
  size_t next = 0;
  if (items.with_position)
    select +=
        fmt::format("CAST(item_position AS INTEGER) AS {}, ", EngineColumn(outputs[next++].id));
  for (const std::string& column : items.columns) {
    select += fmt::format("{} AS {}, ", column, EngineColumn(outputs[next++].id));
  }
  select.resize(select.size() - 2);
  return fmt::format(
      "SELECT {} FROM (SELECT {}unnest({}) AS item, unnest({}) AS item_position FROM (SELECT *, {} "
      "AS items FROM ({}) "
      "AS q) AS listed) AS exploded",
      select, names, list, positions, items.list, child);
}

}  // namespace merganser
