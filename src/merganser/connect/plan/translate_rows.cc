#include <cmath>
#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_translator.h"

namespace merganser::connect {

namespace {

// randomSplit adds up the weights that it is given.
constexpr double kSampleTolerance = 1e-6;

template <typename Message>
Result<plan::JoinType> JoinKind(const Message& join) {
  switch (join.join_type()) {
    case proto::Join::JOIN_TYPE_INNER:
      return plan::JoinType::kInner;
    case proto::Join::JOIN_TYPE_FULL_OUTER:
      return plan::JoinType::kFull;
    case proto::Join::JOIN_TYPE_LEFT_OUTER:
      return plan::JoinType::kLeft;
    case proto::Join::JOIN_TYPE_RIGHT_OUTER:
      return plan::JoinType::kRight;
    case proto::Join::JOIN_TYPE_LEFT_ANTI:
      return plan::JoinType::kLeftAnti;
    case proto::Join::JOIN_TYPE_LEFT_SEMI:
      return plan::JoinType::kLeftSemi;
    case proto::Join::JOIN_TYPE_CROSS:
      return plan::JoinType::kCross;
    default:
      return RefuseEnum(join, "join_type");
  }
}

}  // namespace

Result<plan::RelationPtr> RelationTranslator::Project(const proto::Project& project) {
  MERGANSER_ASSIGN_OR_RETURN(auto expressions, Expressions(project.expressions()));
  plan::RelationPtr child = plan::MakeRelation(plan::OneRow{});
  if (project.has_input()) {
    MERGANSER_ASSIGN_OR_RETURN(child, Input(project));
  }
  return plan::MakeRelation(plan::Project{std::move(child), std::move(expressions)});
}

Result<plan::RelationPtr> RelationTranslator::Filter(const proto::Filter& filter) {
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(filter));
  MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr condition,
                             TranslateExpression(filter.condition(), context_));
  return plan::MakeRelation(plan::Filter{std::move(child), std::move(condition)});
}

Result<plan::RelationPtr> RelationTranslator::Join(const proto::Join& join) {
  if (join.has_join_condition() && !join.using_columns().empty()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                 "USING_COLUMNS_OR_JOIN_CONDITION_SET_IN_JOIN");
  }
  plan::Join translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.type, JoinKind(join));
  MERGANSER_ASSIGN_OR_RETURN(translated.left, TranslateRelation(join.left(), context_));
  MERGANSER_ASSIGN_OR_RETURN(translated.right, TranslateRelation(join.right(), context_));
  translated.using_columns.assign(join.using_columns().begin(), join.using_columns().end());
  if (join.has_join_condition()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.condition,
                               TranslateExpression(join.join_condition(), context_));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::LateralJoin(const proto::LateralJoin& join) {
  plan::Join translated;
  translated.lateral = true;
  MERGANSER_ASSIGN_OR_RETURN(translated.type, JoinKind(join));
  MERGANSER_ASSIGN_OR_RETURN(translated.left, TranslateRelation(join.left(), context_));
  MERGANSER_ASSIGN_OR_RETURN(translated.right, TranslateRelation(join.right(), context_));
  if (join.has_join_condition()) {
    MERGANSER_ASSIGN_OR_RETURN(translated.condition,
                               TranslateExpression(join.join_condition(), context_));
  }
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::SetOperation(const proto::SetOperation& operation) {
  if (!operation.has_left_input() || !operation.has_right_input())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "SET_OPERATION_MUST_HAVE_TWO_INPUTS");
  plan::SetOperation translated;
  translated.all = operation.is_all();
  translated.by_name = operation.by_name();
  translated.allow_missing_columns = operation.allow_missing_columns();
  switch (operation.set_op_type()) {
    case proto::SetOperation::SET_OP_TYPE_UNION:
      translated.op = plan::SetOperator::kUnion;
      if (translated.allow_missing_columns && !translated.by_name) {
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                     "UNION_BY_NAME_ALLOW_MISSING_COL_REQUIRES_BY_NAME");
      }
      break;
    case proto::SetOperation::SET_OP_TYPE_INTERSECT:
      translated.op = plan::SetOperator::kIntersect;
      if (translated.by_name) {
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                     "INTERSECT_DOES_NOT_SUPPORT_UNION_BY_NAME");
      }
      break;
    case proto::SetOperation::SET_OP_TYPE_EXCEPT:
      translated.op = plan::SetOperator::kExcept;
      if (translated.by_name) {
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "EXCEPT_DOES_NOT_SUPPORT_UNION_BY_NAME");
      }
      break;
    default:
      return RefuseEnum(operation, "set_op_type");
  }
  MERGANSER_ASSIGN_OR_RETURN(translated.left, TranslateRelation(operation.left_input(), context_));
  MERGANSER_ASSIGN_OR_RETURN(translated.right,
                             TranslateRelation(operation.right_input(), context_));
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Sort(const proto::Sort& sort) {
  plan::Sort translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(sort));
  for (const proto::Expression::SortOrder& order : sort.order()) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateOrder(order, context_));
    translated.order_by.push_back(std::move(one));
  }
  translated.global = !sort.has_is_global() || sort.is_global();
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Deduplicate(const proto::Deduplicate& deduplicate) {
  if (deduplicate.all_columns_as_keys() && !deduplicate.column_names().empty())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "DEDUPLICATE_ALL_COLUMNS_AND_SUBSET");
  if (!deduplicate.all_columns_as_keys() && deduplicate.column_names().empty())
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "DEDUPLICATE_REQUIRES_COLUMNS_OR_ALL");
  plan::Deduplicate translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(deduplicate));
  translated.columns.assign(deduplicate.column_names().begin(), deduplicate.column_names().end());
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Range(const proto::Range& range) {
  plan::TableFunction function;
  function.name = {"range"};
  function.arguments = {MakeLong(range.start()), MakeLong(range.end()), MakeLong(range.step())};
  return plan::MakeRelation(std::move(function));
}

Result<plan::RelationPtr> RelationTranslator::Sample(const proto::Sample& sample) {
  const double fraction = sample.upper_bound() - sample.lower_bound();
  // Written so that a bound which is no number fails too.
  const bool fits = sample.lower_bound() >= 0 && fraction >= 0 &&
                    (sample.with_replacement() ? std::isfinite(fraction)
                                               : sample.upper_bound() <= 1 + kSampleTolerance);
  if (!fits) {
    return InvalidPlan(sample.with_replacement()
                           ? "a sampling fraction must not be negative"
                           : "a sampling fraction lies between 0 and 1, without replacement");
  }
  plan::Sample translated;
  MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(sample));
  translated.lower = sample.lower_bound();
  translated.upper = sample.upper_bound();
  translated.with_replacement = sample.with_replacement();
  if (sample.has_seed()) translated.seed = sample.seed();
  translated.repeatable = sample.deterministic_order();
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Repartition(const proto::Repartition& parts) {
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(parts));
  const bool shuffles = !parts.has_shuffle() || parts.shuffle();
  return plan::MakeRelation(
      plan::Hint{std::move(child), shuffles ? "repartition" : "coalesce", parts.num_partitions()});
}

Result<plan::RelationPtr> RelationTranslator::Repartition(
    const proto::RepartitionByExpression& parts) {
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(parts));
  return plan::MakeRelation(plan::Hint{std::move(child), "repartition", parts.num_partitions()});
}

Result<std::vector<plan::ExpressionPtr>> RelationTranslator::Expressions(
    const google::protobuf::RepeatedPtrField<proto::Expression>& expressions) {
  std::vector<plan::ExpressionPtr> translated;
  for (const proto::Expression& expression : expressions) {
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateExpression(expression, context_));
    translated.push_back(std::move(one));
  }
  return translated;
}

}  // namespace merganser::connect
