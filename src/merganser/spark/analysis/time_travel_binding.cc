#include <charconv>
#include <string>

#include "merganser/base/quoted_identifier.h"
#include "merganser/delta/schema/calendar_text.h"
#include "merganser/delta/table/time_travel.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

std::optional<int64_t> ParseVersion(const plan::Literal& literal) {
  if (const auto* number = std::get_if<int64_t>(&literal.value)) return *number;
  const auto* text = std::get_if<std::string>(&literal.value);
  if (text == nullptr) return std::nullopt;
  int64_t version = 0;
  const auto [end, error] = std::from_chars(text->data(), text->data() + text->size(), version);
  if (error != std::errc() || end != text->data() + text->size()) return std::nullopt;
  return version;
}

}  // namespace

void Binder::PinSnapshot(const SnapshotRef& snapshot) {
  state_->snapshots[snapshot->table().uri] = snapshot;
}

Result<SnapshotRef> Binder::SnapshotOf(const CatalogTable& table, const plan::MultipartName& name,
                                       const std::vector<std::string>& parts) {
  if (const auto pinned = state_->snapshots.find(table.location.uri);
      pinned != state_->snapshots.end()) {
    return pinned->second;
  }
  MERGANSER_ASSIGN_OR_RETURN(SnapshotRef snapshot, catalog_.snapshots().Latest(table.location));
  if (snapshot == nullptr) {
    if (table.identifier && table.managed) return TableNotFound(parts, name.origin);
    if (!table.identifier) {
      MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                                 table.location.file_system->Exists(table.location.path));
      if (!exists) return Error(ErrorClass::PATH_NOT_FOUND, {{"path", parts.back()}});
    }
    const std::string shown =
        table.identifier ? table.identifier->Quoted() : QuotedIdentifier(table.location.path);
    return Error(ErrorClass::DELTA_TABLE_NOT_FOUND, {{"tableName", shown}});
  }
  state_->snapshots[table.location.uri] = snapshot;
  return snapshot;
}

std::string Binder::FormatInstant(int64_t milliseconds) const {
  const int64_t micros = milliseconds * 1000;
  const auto& offset = services_.name_format.utc_offset_seconds;
  const int64_t local = micros + (offset ? offset(micros) * 1'000'000 : 0);
  std::string text = FormatTimestamp(local, ' ', FractionDigits::kShortest);
  // As java.sql.Timestamp prints: at least one digit of the second's fraction.
  return text.find('.') == std::string::npos ? text + ".0" : text;
}

Result<int64_t> Binder::TimestampMillis(const plan::ExpressionPtr& expression) {
  const auto invalid = [](const std::string& text, std::string sub_class) {
    return Error(ErrorClass::INVALID_TIME_TRAVEL_TIMESTAMP_EXPR, {{"expr", text}},
                 std::move(sub_class));
  };
  ExpressionScope nothing;
  auto bound = BindExpression(expression, nothing);
  if (!bound.ok()) {
    if (bound.error().error_class() != ErrorClass::UNRESOLVED_COLUMN)
      return std::move(bound).error();
    return At(Error(ErrorClass::_LEGACY_ERROR_TEMP_0056,
                    {{"reason", "timestamp expression cannot refer to any columns"}}),
              expression->origin);
  }
  const std::string text = QuotedExpression(**bound);
  if (!IsDeterministic(**bound)) return invalid(text, "NON_DETERMINISTIC");
  const DataType timestamp = DataType::Timestamp();
  if (!CanCast((*bound)->type, timestamp, typing_)) return invalid(text, "INPUT");
  BoundExpressionPtr cast = *bound;
  if (!cast->type.is(TypeId::kTimestamp)) {
    BoundCast attempt;
    attempt.child = cast;
    attempt.mode = CastMode::kTry;
    cast = MakeBound(std::move(attempt), timestamp, true, cast->origin);
  }
  MERGANSER_ASSIGN_OR_RETURN(const plan::Literal value, EvaluateConstant(*cast));
  const auto* micros = std::get_if<int64_t>(&value.value);
  if (micros == nullptr) return invalid(text, "INPUT");
  return *micros >= 0 ? *micros / 1000 : (*micros - 999) / 1000;
}

Result<SnapshotRef> Binder::SnapshotAsOf(const CatalogTable& table,
                                         const plan::TimeTravel& time_travel,
                                         const plan::MultipartName& name,
                                         const std::vector<std::string>& parts) {
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef latest, SnapshotOf(table, name, parts));
  if (time_travel.version != nullptr && time_travel.timestamp != nullptr) {
    return Error(ErrorClass::INVALID_TIME_TRAVEL_SPEC);
  }
  Version version = Version::None();
  if (time_travel.version != nullptr) {
    ExpressionScope nothing;
    MERGANSER_ASSIGN_OR_RETURN(const BoundExpressionPtr bound,
                               BindExpression(time_travel.version, nothing));
    MERGANSER_ASSIGN_OR_RETURN(const plan::Literal literal, EvaluateConstant(*bound));
    const std::optional<int64_t> number = ParseVersion(literal);
    if (!number) {
      return Error(ErrorClass::DELTA_TIME_TRAVEL_INVALID_BEGIN_VALUE,
                   {{"timeTravelKey", "versionAsOf"}});
    }
    version = Version(*number);
    MERGANSER_RETURN_IF_ERROR(CheckVersionExists(*latest, version));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(const int64_t milliseconds, TimestampMillis(time_travel.timestamp));
    MERGANSER_ASSIGN_OR_RETURN(
        const CommitTimestamp commit,
        VersionAtTimestamp(*latest, milliseconds, {},
                           [this](int64_t instant) { return FormatInstant(instant); }));
    version = commit.version;
  }
  if (version == latest->version()) return latest;
  return catalog_.snapshots().At(table.location, version);
}

}  // namespace merganser
