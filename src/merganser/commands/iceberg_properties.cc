#include "merganser/commands/iceberg_properties.h"

#include <algorithm>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/commands/insert_defaults.h"
#include "merganser/delta/protocol/table_properties.h"
#include "merganser/delta/schema/nested_field_ids.h"
#include "merganser/delta/schema/tree_text.h"
#include "merganser/delta/schema/type_name.h"
#include "merganser/spark/analysis/clause_values.h"

namespace merganser {
namespace {

constexpr const char* kAtomicConversion =
    "delta.universalFormat.iceberg.atomicConversion.supported";
constexpr const char* kVersion3 = "delta.enableIcebergCompatV3";

/// `1`, `'x'`, `-1`, `DATE '2024-01-31'`.
bool IsLiteral(const plan::Expression& expression) {
  if (expression.As<plan::Literal>() != nullptr) return true;
  const auto* call = expression.As<plan::Call>();
  return call != nullptr && call->name == std::vector<std::string>{"negative"} &&
         call->arguments.size() == 1 && IsLiteral(*call->arguments[0]);
}

bool IsOn(std::string_view value) { return EqualsIgnoringCase(value, "true"); }

}  // namespace

void CompleteIcebergProperties(bool is_new, const Snapshot* replaced, StringMap& configuration) {
  const int version = TableProperties(configuration).iceberg_compat_version();
  if (version == 0) return;
  if (version == 3) configuration.try_emplace("delta.enableRowTracking", "true");
  if (!is_new) return;
  configuration.try_emplace("delta.columnMapping.mode", "name");
  std::optional<std::string_view> before;
  if (replaced != nullptr) before = replaced->properties().Find(kAtomicConversion);
  configuration.try_emplace(kAtomicConversion, before.value_or("true"));
}

MappedSchema WithIcebergFieldIds(MappedSchema mapped, const StringMap& configuration) {
  if (TableProperties(configuration).iceberg_compat_version() < 2) return mapped;
  return AssignNestedFieldIds(std::move(mapped));
}

Status CheckIcebergDefaults(const StructType& schema, const StringMap& configuration) {
  const int version = TableProperties(configuration).iceberg_compat_version();
  if (version < 3) return Status::Ok();
  for (const StructField& field : schema) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::ExpressionPtr value, DefaultExpression(field));
    if (value == nullptr || IsLiteral(*value)) continue;
    return Error(ErrorClass::DELTA_ICEBERG_COMPAT_VIOLATION,
                 {{"version", std::to_string(version)},
                  {"dataType", TypeName(field.type) + ":" + field.name},
                  {"schema", TreeText(schema)}},
                 "UNSUPPORTED_DATA_TYPE");
  }
  return Status::Ok();
}

Status CheckIcebergUpgrade(const Snapshot& snapshot, const PropertyMap& properties) {
  const bool upgrades = std::ranges::any_of(properties, [](const auto& property) {
    return NormalizedPropertyKey(property.first) == kVersion3 && IsOn(property.second);
  });
  const bool tracks =
      snapshot.Supports("rowTracking") && snapshot.properties().enable_row_tracking();
  if (!upgrades || !tracks || snapshot.properties().iceberg_compat_version() == 3)
    return Status::Ok();
  return Error(ErrorClass::DELTA_ICEBERG_COMPAT_VIOLATION, {{"version", "3"}},
               "ROW_TRACKING_ENABLED");
}

}  // namespace merganser
