#include "merganser/commands/show_rows.h"

#include <string>
#include <utility>

#include "merganser/arrow/display_text.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/query.h"
#include "merganser/commands/row_drawing.h"
#include "merganser/spark/analysis/select_block.h"

namespace merganser {
namespace {

/// `type` with text in the place of instants.
DataType WithTextForInstants(const DataType& type) {
  switch (type.id()) {
    case TypeId::kTimestamp:
      return DataType::String();
    case TypeId::kArray:
      return DataType::Array(WithTextForInstants(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(WithTextForInstants(type.key()), WithTextForInstants(type.value()),
                           type.contains_null());
    case TypeId::kStruct: {
      StructType fields = type.fields();
      for (StructField& field : fields.fields()) field.type = WithTextForInstants(field.type);
      return DataType::Struct(std::move(fields));
    }
    default:
      return type;
  }
}

/// The query with its instants as text of the session's time zone, which only the engine knows.
Result<BoundRelationPtr> WithLocalTimes(const BoundRelationPtr& query, const Analyzer& analyzer) {
  BoundProject project{.child = query, .outputs = {}};
  std::vector<BoundColumn> columns;
  for (const BoundColumn& column : query->columns) {
    BoundColumn shown = column;
    BoundExpressionPtr value = ReferTo(column);
    const DataType text = WithTextForInstants(column.type);
    if (!text.SameType(column.type)) {
      MERGANSER_ASSIGN_OR_RETURN(value, ResolveCast(value, text, false, analyzer.typing()));
      shown.type = text;
      shown.id = analyzer.NextId();
    }
    project.outputs.push_back({std::move(value), shown.id});
    columns.push_back(std::move(shown));
  }
  return MakeBoundRelation(std::move(project), std::move(columns));
}

Status ReadRows(ResultSet& result, size_t limit, DrawnRows& drawn) {
  const StructType& schema = result.schema();
  ArrowSchemaOwner arrow_schema;
  if (!schema.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(arrow_schema, result.ExportSchema());
  }
  while (true) {
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, result.Next());
    if (!batch) return Status::Ok();
    std::vector<ArrowColumn> columns;
    for (size_t i = 0; i < schema.size(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(
          ArrowColumn column,
          ArrowColumn::Make(*arrow_schema.get().children[i], batch->column(static_cast<int64_t>(i)),
                            schema[i].type));
      columns.push_back(std::move(column));
    }
    for (int64_t r = 0; r < batch->num_rows(); ++r) {
      if (drawn.rows.size() == limit) {
        drawn.has_more = true;
        return Status::Ok();
      }
      std::vector<std::string>& row = drawn.rows.emplace_back();
      for (const ArrowColumn& column : columns)
        AppendDisplayText(column, r, {}, &row.emplace_back());
    }
  }
}

}  // namespace

StructType ShownSchema(const plan::ShowRows& command) {
  return StructType(
      {{command.html ? "html_string" : "show_string", DataType::String(), false, {}}});
}

Result<ResultSet> RunShowRows(StatementContext& context, const plan::ShowRows& command) {
  const int32_t wanted = std::clamp(command.num_rows, 0, 2147483646);
  const plan::ExpressionPtr limit =
      plan::MakeExpression(plan::Literal{DataType::Integer(), int64_t{wanted} + 1});
  const auto analyzer = context.MakeAnalyzer();
  MERGANSER_ASSIGN_OR_RETURN(
      BoundRelationPtr query,
      analyzer->BindQuery(plan::MakeRelation(plan::Limit{command.query, limit, nullptr})));
  if (context.conf.session_time_zone() != "UTC") {
    MERGANSER_ASSIGN_OR_RETURN(query, WithLocalTimes(query, *analyzer));
  }
  MERGANSER_ASSIGN_OR_RETURN(ResultSet result, RunBoundQuery(context, query));
  DrawnRows drawn;
  drawn.truncate = command.truncate;
  drawn.num_rows = wanted;
  for (const StructField& field : result.schema()) drawn.names.push_back(field.name);
  MERGANSER_RETURN_IF_ERROR(ReadRows(result, static_cast<size_t>(wanted), drawn));
  result = ResultSet();
  std::string text;
  if (command.html) {
    text = DrawHtml(drawn);
  } else {
    text = command.vertical ? DrawVertically(drawn) : DrawTable(drawn);
  }
  return CommandResult(context, ShownSchema(command), {{std::move(text)}});
}

}  // namespace merganser
