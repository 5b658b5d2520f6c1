#include "merganser/commands/merge/source_rows.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>

#include "merganser/commands/constant_value.h"
#include "merganser/commands/merge/match_phase.h"
#include "merganser/spark/analysis/file_predicates.h"

namespace merganser {
namespace {

void CollectClause(const BoundClause& clause, std::vector<ColumnId>& ids) {
  if (clause.condition != nullptr) CollectColumns(*clause.condition, ids);
  for (const BoundExpressionPtr& value : clause.values) CollectColumns(*value, ids);
}

std::set<ColumnId> UsedColumns(const BoundMerge& merge) {
  std::vector<ColumnId> ids;
  if (merge.condition != nullptr) CollectColumns(*merge.condition, ids);
  for (const auto* family : {&merge.matched, &merge.not_matched, &merge.not_matched_by_source}) {
    for (const BoundClause& clause : *family) CollectClause(clause, ids);
  }
  return {ids.begin(), ids.end()};
}

/// A conjunct `target column = expression over the source`.
struct KeyEquality {
  const BoundColumn* target;
  BoundExpressionPtr source;
};

bool OnlySource(const BoundExpression& expression, const BoundRelation& source) {
  std::vector<ColumnId> ids;
  CollectColumns(expression, ids);
  return !ids.empty() && std::ranges::all_of(ids, [&](ColumnId id) {
    return std::ranges::any_of(source.columns,
                               [id](const BoundColumn& column) { return column.id == id; });
  });
}

std::optional<KeyEquality> AsKeyEquality(const BoundExpression& conjunct, const BoundMerge& merge) {
  const auto* call = conjunct.As<BoundCall>();
  if (call == nullptr || call->function != "=" || call->arguments.size() != 2) return std::nullopt;
  for (const int side : {0, 1}) {
    const BoundExpression* target = call->arguments[static_cast<size_t>(side)].get();
    // A widening cast of an integer keeps order and identity of its values.
    if (const auto* cast = target->As<BoundCast>();
        cast != nullptr && cast->child->type.is_integral() && target->type.is_integral()) {
      target = cast->child.get();
    }
    const auto* reference = target->As<BoundColumnRef>();
    if (reference == nullptr) continue;
    const auto column = std::ranges::find_if(merge.target_columns,
                                             [&](const auto& c) { return c.id == reference->id; });
    const BoundExpressionPtr& source = call->arguments[static_cast<size_t>(1 - side)];
    if (column != merge.target_columns.end() && OnlySource(*source, *merge.source))
      return KeyEquality{&*column, source};
  }
  return std::nullopt;
}

bool HasKeyBounds(const DataType& type) {
  return type.is_integral() || type.is_string() || type.is(TypeId::kDate) ||
         type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz) || type.is(TypeId::kDecimal);
}

/// The smallest and the largest value of each key as conjuncts, from one pass over the source.
Status AddBounds(StatementContext& context, const std::vector<KeyEquality>& keys,
                 const std::vector<std::string>& values, FilePredicate& predicate) {
  if (keys.empty()) return Status::Ok();
  std::string columns;
  for (const std::string& value : values)
    columns += fmt::format("{}min({}), max({})", columns.empty() ? "" : ", ", value, value);
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable bounds,
      context.connection->QueryTable(fmt::format("SELECT {} FROM {}", columns, kSourceRows)));
  for (size_t i = 0; i < 2 * keys.size(); ++i) {
    const KeyEquality& key = keys[i / 2];
    MERGANSER_ASSIGN_OR_RETURN(const plan::Literal literal,
                               ConstantValue(bounds, key.source->type, /*row=*/0, i));
    if (literal.is_null()) continue;
    // A bound that the column's type cannot hold says nothing about its files here.
    const auto scalar = ToScalar(literal, key.target->type);
    if (!scalar) continue;
    predicate.conjuncts.push_back(
        {{key.target->name},
         i % 2 == 0 ? PredicateOperator::kGreaterOrEqual : PredicateOperator::kLessOrEqual,
         {*scalar}});
  }
  return Status::Ok();
}

/// More values than this are not tested one by one against what the log says of each file.
constexpr int64_t kMaxListedValues = 10'000;
constexpr int64_t kMaxKeySet = 1'000'000;
constexpr const char* kLargeSource = "large_source";
/// A table of one small file is read faster than the keys are listed.
constexpr int64_t kSmallTable = 4 << 20;

/// SQL of the number that stands for a key in a KeySet; of a string, itself. Nothing for keys
/// without.
std::optional<std::string> KeyNumber(const KeyEquality& key, const std::string& value) {
  const DataType& type = key.source->type;
  if (type.is_integral() && key.target->type.is_integral())
    return fmt::format("CAST({} AS BIGINT)", value);
  if (!(type == key.target->type)) return std::nullopt;
  if (type.is_string()) return value;
  if (type.is(TypeId::kDate)) return fmt::format("CAST({} - DATE '1970-01-01' AS BIGINT)", value);
  if (type.is(TypeId::kTimestamp) || type.is(TypeId::kTimestampNtz))
    return fmt::format("epoch_us({})", value);
  return std::nullopt;
}

/// Do the keys leave out a good part of the range between the smallest and the largest? A sample of
/// a few dozen times as many rows as there are parts tells.
Result<bool> HasGaps(StatementContext& context, const std::string& number, int64_t source_rows) {
  constexpr int64_t kSample = 32'768;
  const std::string sample =
      fmt::format("(SELECT {} AS number FROM {} WHERE source_row % {} = 0)", number, kSourceRows,
                  std::max<int64_t>(1, source_rows / kSample));
  MERGANSER_ASSIGN_OR_RETURN(
      const engine::RowTable parts,
      context.connection->QueryTable(fmt::format(
          "SELECT count(DISTINCT CAST(floor((CAST(number AS DOUBLE) - low) / (high - low + 1) * "
          "1024) AS INTEGER)) FROM {0}, (SELECT CAST(min(number) AS DOUBLE) AS low, "
          "CAST(max(number) AS DOUBLE) AS high FROM {0}) AS bounds",
          sample)));
  return parts.Int64(0, 0) <= 512;
}

Status AddValues(StatementContext& context, const BoundMerge& merge, const KeyEquality& key,
                 const std::string& value, int64_t source_rows, SourceKeys& keys) {
  const Snapshot& snapshot = *merge.snapshot;
  if (snapshot.files().size() <= 1 && snapshot.size_in_bytes() < kSmallTable) return Status::Ok();
  const auto number = KeyNumber(key, value);
  if (!number) return Status::Ok();
  const bool is_string = key.source->type.is_string();
  if (!snapshot.is_partition_column(key.target->name) && source_rows > kMaxListedValues) {
    if (is_string) return Status::Ok();
    MERGANSER_ASSIGN_OR_RETURN(const bool has_gaps, HasGaps(context, *number, source_rows));
    if (!has_gaps) return Status::Ok();
  }
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable values,
                             context.connection->QueryTable(fmt::format(
                                 "SELECT DISTINCT {0} FROM {1} WHERE {0} IS NOT NULL LIMIT {2}",
                                 *number, kSourceRows, kMaxKeySet + 1)));
  if (values.num_rows() > kMaxKeySet) return Status::Ok();
  ColumnPredicate listed{{key.target->name}, PredicateOperator::kIn, {}};
  std::vector<int64_t> numbers;
  std::vector<std::string> texts;
  const bool lists = values.num_rows() <= kMaxListedValues;
  for (int64_t row = 0; row < values.num_rows(); ++row) {
    if (is_string) {
      texts.push_back(values.String(row, 0));
      if (lists) listed.values.push_back(Scalar::String(texts.back()));
    } else {
      numbers.push_back(values.Int64(row, 0));
      if (lists) listed.values.push_back(Scalar::Integral(key.target->type, numbers.back()));
    }
  }
  if (lists) keys.predicate.conjuncts.push_back(std::move(listed));
  keys.sets.insert_or_assign(key.target->name,
                             is_string ? engine::KeySet::OfStrings(std::move(texts))
                                       : engine::KeySet::OfIntegers(std::move(numbers)));
  return Status::Ok();
}

}  // namespace

Result<int64_t> MaterializeSource(StatementContext& context, StatementScans& scans,
                                  const BoundMerge& merge) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string query,
                             LowerRelation(*merge.source, scans.lowering()));
  const std::set<ColumnId> used = UsedColumns(merge);
  std::string columns;
  for (const BoundColumn& column : merge.source->columns) {
    if (used.contains(column.id))
      columns += (columns.empty() ? "" : ", ") + EngineColumn(column.id);
  }
  if (columns.empty()) columns = "TRUE AS present";
  MERGANSER_ASSIGN_OR_RETURN(
      engine::KeptRows rows,
      engine::KeptRows::Of(*context.connection,
                           fmt::format("SELECT {} FROM ({}) AS source", columns, query)));
  const int64_t count = rows.num_rows();
  // Of the connection's last merge, if its source was large.
  MERGANSER_RETURN_IF_ERROR(
      context.connection->Execute(fmt::format("DROP TABLE IF EXISTS {}", kLargeSource)));
  std::string view;
  if (rows.is_large()) {
    // Most passes read a few columns: of a table, those alone have to come back from the disk.
    MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
        fmt::format("CREATE TEMP TABLE {} AS SELECT * EXCLUDE ({}) FROM {}", kLargeSource,
                    engine::kRowNumberColumn, rows.sql())));
    view = fmt::format("SELECT *, rowid AS source_row FROM {}", kLargeSource);
  } else {
    view = fmt::format("SELECT * RENAME ({} AS source_row) FROM {}", engine::kRowNumberColumn,
                       scans.Register(std::move(rows)));
  }
  MERGANSER_RETURN_IF_ERROR(context.connection->Execute(
      fmt::format("CREATE OR REPLACE TEMP VIEW {} AS {}", kSourceRows, view)));
  return count;
}

Result<SourceKeys> SummarizeSourceKeys(StatementContext& context, StatementScans& scans,
                                       const BoundMerge& merge, int64_t source_rows) {
  SourceKeys summary;
  const LoweringContext lowering = scans.lowering();
  std::vector<KeyEquality> keys;
  std::vector<std::string> values;
  for (const BoundExpressionPtr& conjunct : SplitConjuncts(merge.condition)) {
    const auto key = AsKeyEquality(*conjunct, merge);
    if (!key || !HasKeyBounds(key->source->type)) continue;
    MERGANSER_ASSIGN_OR_RETURN(values.emplace_back(), LowerExpression(*key->source, lowering));
    keys.push_back(*key);
  }
  MERGANSER_RETURN_IF_ERROR(AddBounds(context, keys, values, summary.predicate));
  for (size_t i = 0; i < keys.size(); ++i) {
    MERGANSER_RETURN_IF_ERROR(AddValues(context, merge, keys[i], values[i], source_rows, summary));
  }
  return summary;
}

}  // namespace merganser
