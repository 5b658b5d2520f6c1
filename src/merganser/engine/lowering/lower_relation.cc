#include <algorithm>
#include <iterator>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "merganser/engine/lowering/expression_lowering.h"
#include "merganser/engine/lowering/lower_aggregation.h"
#include "merganser/engine/lowering/lower_generate.h"
#include "merganser/engine/lowering/lower_sample.h"
#include "merganser/engine/lowering/lower_source.h"
#include "merganser/engine/lowering/lowering.h"
#include "merganser/engine/lowering/semi_joins.h"
#include "merganser/engine/lowering/sql_quoting.h"

namespace merganser {
namespace {

/// Columns of a SELECT list, each already named; a relation without columns still needs one to have
/// rows.
std::string SelectList(const std::vector<std::string>& columns) {
  if (columns.empty()) return "TRUE AS present";
  return fmt::format("{}", fmt::join(columns, ", "));
}

std::vector<std::string> Names(const std::vector<BoundColumn>& columns) {
  std::vector<std::string> names;
  for (const BoundColumn& column : columns) names.push_back(EngineColumn(column.id));
  return names;
}

/// The columns of the left relation of each join that a filter on `relation` can take part in.
std::vector<std::vector<BoundColumn>> Sides(const BoundRelation& relation) {
  const auto* join = relation.As<BoundJoin>();
  if (join == nullptr) return {};
  auto sides = Sides(*join->left);
  std::ranges::move(Sides(*join->right), std::back_inserter(sides));
  sides.push_back(join->left->columns);
  return sides;
}

/// The same for a filter, whose other side may also be an enclosing query's.
std::vector<std::vector<BoundColumn>> Sides(const BoundFilter& filter) {
  auto sides = Sides(*filter.child);
  sides.push_back(filter.child->columns);
  return sides;
}

class RelationLowering {
 public:
  RelationLowering(const BoundRelation& relation, const LoweringContext& context)
      : relation_(relation), context_(context) {}

  Result<std::string> operator()(const BoundScan& scan) const {
    return LowerScan(scan, relation_.columns, context_);
  }
  Result<std::string> operator()(const BoundTableChanges& changes) const {
    return LowerTableChanges(changes, relation_.columns, context_);
  }
  Result<std::string> operator()(const BoundFileScan& scan) const {
    return LowerFileScan(scan, relation_.columns, context_);
  }
  Result<std::string> operator()(const BoundEngineTable& table) const {
    return LowerEngineTable(table, relation_.columns);
  }
  Result<std::string> operator()(const BoundValues& values) const {
    return LowerValues(values, relation_.columns, context_);
  }
  Result<std::string> operator()(const BoundRange& range) const {
    return LowerRange(range, relation_.columns);
  }
  Result<std::string> operator()(const BoundAggregation& aggregation) const {
    return LowerAggregation(aggregation, context_);
  }
  Result<std::string> operator()(const BoundGenerate& generate) const {
    return LowerGenerate(generate, relation_.columns, context_);
  }

  Result<std::string> operator()(const BoundProject& project) const {
    std::vector<std::string> columns;
    for (const BoundOutput& output : project.outputs) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                                 LowerExpression(*output.expression, context_));
      columns.push_back(fmt::format("{} AS {}", value, EngineColumn(output.id)));
    }
    return From(SelectList(columns), *project.child);
  }

  Result<std::string> operator()(const BoundFilter& filter) const {
    if (const auto join = WithSemiJoin(filter, context_.ansi); join != nullptr)
      return LowerRelation(*join, context_);
    MERGANSER_ASSIGN_OR_RETURN(const std::string condition,
                               LowerRowCondition(*filter.condition, Sides(filter), context_));
    MERGANSER_ASSIGN_OR_RETURN(const std::string child, Source(*filter.child));
    return fmt::format("SELECT {} FROM {} WHERE {}", SelectList(Names(filter.child->columns)),
                       child, condition);
  }

  Result<std::string> operator()(const BoundSort& sort) const {
    ExpressionLowering lowering(context_);
    MERGANSER_ASSIGN_OR_RETURN(const std::string orders, LowerSortOrders(sort.order_by, lowering));
    return From("*", *sort.child, orders.empty() ? "" : " ORDER BY " + orders);
  }

  Result<std::string> operator()(const BoundLimit& limit) const {
    std::string tail;
    if (limit.limit) tail += fmt::format(" LIMIT {}", *limit.limit);
    if (limit.offset > 0) tail += fmt::format(" OFFSET {}", limit.offset);
    return From("*", *limit.child, tail);
  }

  Result<std::string> operator()(const BoundTail& tail) const {
    const std::string names = SelectList(Names(relation_.columns));
    const std::string numbered = "*, row_number() OVER () AS place, count(*) OVER () AS places";
    MERGANSER_ASSIGN_OR_RETURN(const std::string rows, From(numbered, *tail.child));
    return fmt::format("SELECT {} FROM ({}) AS numbered WHERE place > places - {} ORDER BY place",
                       names, rows, tail.limit);
  }

  Result<std::string> operator()(const BoundDistinct& distinct) const {
    if (distinct.columns.empty()) return From("DISTINCT *", *distinct.child);
    std::vector<std::string> keys;
    for (const ColumnId id : distinct.columns) keys.push_back(EngineColumn(id));
    return From(fmt::format("DISTINCT ON ({}) *", fmt::join(keys, ", ")), *distinct.child);
  }

  Result<std::string> operator()(const BoundJoin& join) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, Joined(join));
    return fmt::format("SELECT {} FROM {}", SelectList(Names(relation_.columns)), sql);
  }

  Result<std::string> operator()(const BoundSetOperation& operation) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string left, LowerRelation(*operation.left, context_));
    MERGANSER_ASSIGN_OR_RETURN(const std::string right, LowerRelation(*operation.right, context_));
    std::vector<std::string> columns;
    for (size_t i = 0; i < relation_.columns.size(); ++i) {
      columns.push_back(fmt::format("{} AS {}", EngineColumn(operation.left->columns[i].id),
                                    EngineColumn(relation_.columns[i].id)));
    }
    return fmt::format(
        "SELECT {} FROM (SELECT * FROM ({}) AS l {}{} SELECT * FROM ({}) AS r) AS both_sides",
        SelectList(columns), left, OperatorWord(operation.op), operation.all ? " ALL" : "", right);
  }

  Result<std::string> operator()(const BoundRepartition& parts) const {
    return LowerRelation(*parts.child, context_);
  }

  Result<std::string> operator()(const BoundSample& sample) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(*sample.child, context_));
    return LowerSample(sample, Names(relation_.columns), child);
  }

  Result<std::string> operator()(const BoundWith& with) const {
    MERGANSER_ASSIGN_OR_RETURN(std::string definition, LowerRelation(*with.definition, context_));
    std::vector<std::string> names;
    for (size_t i = 0; i < with.definition->columns.size(); ++i)
      names.push_back(fmt::format("k{}", i));
    if (with.step != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(const std::string step, LowerRelation(*with.step, context_));
      // The rows that a step reads are all of one level; a recursion that does not end is stopped
      // by it.
      const Error too_deep(ErrorClass::RECURSION_LEVEL_LIMIT_EXCEEDED,
                           {{"levelLimit", std::to_string(with.level_limit)}});
      definition = fmt::format(
          "SELECT *, 0 FROM ({0}) AS start_rows UNION ALL "
          "SELECT *, CASE WHEN (SELECT max(level) FROM with_{1}) < {2} THEN (SELECT max(level) "
          "FROM with_{1}) + 1 "
          "WHEN mg_raise({3}) THEN 0 END FROM ({4}) AS next_rows",
          definition, with.table, with.level_limit, QuoteText(too_deep.ToJson()), step);
      names.emplace_back("level");
    }
    MERGANSER_ASSIGN_OR_RETURN(const std::string child, LowerRelation(*with.child, context_));
    return fmt::format("WITH {}with_{}({}) AS {}({}) {}", with.step != nullptr ? "RECURSIVE " : "",
                       with.table, fmt::join(names, ", "),
                       with.step != nullptr ? "" : "MATERIALIZED ", definition, child);
  }

  Result<std::string> operator()(const BoundWithReference& reference) const {
    std::vector<std::string> columns;
    for (size_t i = 0; i < relation_.columns.size(); ++i) {
      columns.push_back(fmt::format("k{} AS {}", i, EngineColumn(relation_.columns[i].id)));
    }
    return fmt::format("SELECT {} FROM with_{}", SelectList(columns), reference.table);
  }

 private:
  /// A relation behind FROM. Joins stand there without a select list, past which the engine moves
  /// no condition that can fail, so that a key would become a filter of the product.
  Result<std::string> Source(const BoundRelation& relation) const {
    const auto* join = relation.As<BoundJoin>();
    if (join == nullptr || !HasBothSides(*join)) return Subselect(relation);
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, Joined(*join));
    return fmt::format("({})", sql);
  }

  Result<std::string> Subselect(const BoundRelation& relation) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(relation, context_));
    return fmt::format("({})", sql);
  }

  static bool HasBothSides(const BoundJoin& join) {
    return join.type != plan::JoinType::kLeftSemi && join.type != plan::JoinType::kLeftAnti;
  }

  Result<std::string> Joined(const BoundJoin& join) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string left, Source(*join.left));
    MERGANSER_ASSIGN_OR_RETURN(const std::string right,
                               join.lateral ? Subselect(*join.right) : Source(*join.right));
    std::string condition = "TRUE";
    if (join.condition != nullptr) {
      MERGANSER_ASSIGN_OR_RETURN(
          condition, LowerRowCondition(*join.condition, {join.left->columns}, context_));
    }
    return fmt::format("{} {} JOIN {}{} ON {}", left, JoinWord(join.type),
                       join.lateral ? "LATERAL " : "", right, condition);
  }

  Result<std::string> From(const std::string& list, const BoundRelation& child,
                           const std::string& tail = {}) const {
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(child, context_));
    return fmt::format("SELECT {} FROM ({}) AS q{}", list, sql, tail);
  }

  static std::string_view JoinWord(plan::JoinType type) {
    switch (type) {
      case plan::JoinType::kInner:
      case plan::JoinType::kCross:
        return "INNER";
      case plan::JoinType::kLeft:
        return "LEFT";
      case plan::JoinType::kRight:
        return "RIGHT";
      case plan::JoinType::kFull:
        return "FULL";
      case plan::JoinType::kLeftSemi:
        return "SEMI";
      case plan::JoinType::kLeftAnti:
        return "ANTI";
    }
    return "INNER";
  }

  static std::string_view OperatorWord(plan::SetOperator op) {
    switch (op) {
      case plan::SetOperator::kUnion:
        return "UNION";
      case plan::SetOperator::kIntersect:
        return "INTERSECT";
      case plan::SetOperator::kExcept:
        return "EXCEPT";
    }
    return "UNION";
  }

  const BoundRelation& relation_;
  const LoweringContext& context_;
};

}  // namespace

Result<std::string> LowerRelation(const BoundRelation& relation, const LoweringContext& context) {
  return std::visit(RelationLowering(relation, context), relation.node);
}

}  // namespace merganser
