#include "merganser/connect/observed_metrics.h"

#include <string>
#include <utility>

#include "merganser/arrow/column.h"
#include "merganser/arrow/display_text.h"

namespace merganser::connect {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using spark::connect::Relation;
using ProtoValue = spark::connect::Expression::Literal;
using Metrics = spark::connect::ExecutePlanResponse::ObservedMetrics;

/// All relations inside of `message` that observe something, inner ones first.
void CollectObservers(const Message& message, std::vector<const Relation*>* found) {
  const auto* reflection = message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->message_type() == nullptr || field->is_map()) continue;
    if (!field->is_repeated()) {
      CollectObservers(reflection->GetMessage(message, field), found);
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i)
      CollectObservers(reflection->GetRepeatedMessage(message, field, i), found);
  }
  const auto* relation = dynamic_cast<const Relation*>(&message);
  if (relation != nullptr && relation->has_collect_metrics()) found->push_back(relation);
}

Status WriteValue(const ArrowColumn& column, int64_t row, ProtoValue* literal);

/// The rows `range` of `column` as the literals that `add` gives.
template <typename Add>
Status WriteElements(const ArrowColumn& column, ArrowColumn::Range range, const Add& add) {
  for (int64_t row = range.begin; row < range.end; ++row)
    MERGANSER_RETURN_IF_ERROR(WriteValue(column, row, add()));
  return Status::Ok();
}

/// An array, a map or a struct with its type.
Status WriteNested(const ArrowColumn& column, int64_t row, ProtoValue* literal) {
  const DataType& type = column.type();
  if (type.is(TypeId::kArray)) {
    auto* array = literal->mutable_array();
    WriteType(type.element(), array->mutable_element_type());
    return WriteElements(column.child(0), column.Elements(row),
                         [array] { return array->add_elements(); });
  }
  if (type.is(TypeId::kMap)) {
    auto* map = literal->mutable_map();
    WriteType(type.key(), map->mutable_key_type());
    WriteType(type.value(), map->mutable_value_type());
    const ArrowColumn::Range range = column.Elements(row);
    MERGANSER_RETURN_IF_ERROR(
        WriteElements(column.child(0), range, [map] { return map->add_keys(); }));
    return WriteElements(column.child(1), range, [map] { return map->add_values(); });
  }
  auto* fields = literal->mutable_struct_();
  WriteType(type, fields->mutable_struct_type());
  for (const ArrowColumn& field : column.children())
    MERGANSER_RETURN_IF_ERROR(WriteValue(field, column.FieldRow(row), fields->add_elements()));
  return Status::Ok();
}

Status WriteValue(const ArrowColumn& column, int64_t row, ProtoValue* literal) {
  const DataType& type = column.type();
  if (column.IsNull(row)) {
    WriteType(type, literal->mutable_null());
    return Status::Ok();
  }
  switch (type.id()) {
    case TypeId::kBoolean:
      literal->set_boolean(column.Bool(row));
      return Status::Ok();
    case TypeId::kByte:
      literal->set_byte(static_cast<int32_t>(column.Int64(row)));
      return Status::Ok();
    case TypeId::kShort:
      literal->set_short_(static_cast<int32_t>(column.Int64(row)));
      return Status::Ok();
    case TypeId::kInteger:
      literal->set_integer(static_cast<int32_t>(column.Int64(row)));
      return Status::Ok();
    case TypeId::kLong:
      literal->set_long_(column.Int64(row));
      return Status::Ok();
    case TypeId::kFloat:
      literal->set_float_(static_cast<float>(column.Double(row)));
      return Status::Ok();
    case TypeId::kDouble:
      literal->set_double_(column.Double(row));
      return Status::Ok();
    case TypeId::kDate:
      literal->set_date(static_cast<int32_t>(column.Int64(row)));
      return Status::Ok();
    case TypeId::kTimestamp:
      literal->set_timestamp(column.Int64(row));
      return Status::Ok();
    case TypeId::kTimestampNtz:
      literal->set_timestamp_ntz(column.Int64(row));
      return Status::Ok();
    case TypeId::kBinary:
      literal->set_binary(std::string(column.Bytes(row)));
      return Status::Ok();
    case TypeId::kDecimal: {
      auto* decimal = literal->mutable_decimal();
      AppendDisplayText(column, row, {}, decimal->mutable_value());
      decimal->set_precision(type.precision());
      decimal->set_scale(type.scale());
      return Status::Ok();
    }
    case TypeId::kArray:
    case TypeId::kMap:
    case TypeId::kStruct:
      return WriteNested(column, row, literal);
    case TypeId::kYearMonthInterval:
      literal->set_year_month_interval(static_cast<int32_t>(column.Int64(row)));
      return Status::Ok();
    case TypeId::kDayTimeInterval:
      literal->set_day_time_interval(column.Int64(row));
      return Status::Ok();
    default:
      if (!type.is_string()) {
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"typeInfo", type.SqlString()}},
                     "UNSUPPORTED_LITERAL_TYPE");
      }
      literal->set_string(std::string(column.Bytes(row)));
      return Status::Ok();
  }
}

}  // namespace

bool ObservesMetrics(const Message& plan) {
  std::vector<const Relation*> observers;
  CollectObservers(plan, &observers);
  return !observers.empty();
}

Result<std::vector<Metrics>> ObserveMetrics(
    const Message& plan, TranslationContext& context,
    const std::function<Result<ResultSet>(const plan::Statement&)>& run) {
  std::vector<const Relation*> observers;
  CollectObservers(plan, &observers);
  std::vector<Metrics> all;
  for (const Relation* observer : observers) {
    const auto& collect = observer->collect_metrics();
    plan::Aggregate aggregate;
    MERGANSER_ASSIGN_OR_RETURN(aggregate.child, TranslateRelation(collect.input(), context));
    for (const auto& metric : collect.metrics()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr expression,
                                 TranslateExpression(metric, context));
      aggregate.expressions.push_back(std::move(expression));
    }
    MERGANSER_ASSIGN_OR_RETURN(ResultSet rows, run({plan::MakeRelation(std::move(aggregate)), {}}));
    MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, rows.ExportSchema());
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows.Next());
    Metrics metrics;
    metrics.set_name(collect.name());
    metrics.set_plan_id(observer->common().plan_id());
    for (size_t i = 0; batch && i < rows.schema().size(); ++i) {
      MERGANSER_ASSIGN_OR_RETURN(
          const ArrowColumn column,
          ArrowColumn::Make(*schema.get().children[i], batch->column(i), rows.schema()[i].type));
      metrics.add_keys(rows.schema()[i].name);
      MERGANSER_RETURN_IF_ERROR(WriteValue(column, 0, metrics.add_values()));
    }
    all.push_back(std::move(metrics));
  }
  return all;
}

}  // namespace merganser::connect
