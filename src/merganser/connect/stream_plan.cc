#include "merganser/connect/stream_plan.h"

#include <vector>

#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/expression_tree.h"
#include "spark/connect/relations.pb.h"

namespace merganser::connect {
namespace {

bool IsStream(const BoundRelation& relation) {
  const auto* scan = relation.As<BoundScan>();
  return scan != nullptr && scan->files != nullptr;
}

bool HasStream(const BoundRelation& relation) { return AnyRelation(relation, IsStream); }

/// Whether each row of the stream meets the same table, whatever its batch is.
bool JoinsBatchwise(const BoundJoin& join) {
  const bool left = HasStream(*join.left);
  if (left && HasStream(*join.right)) return false;
  switch (join.type) {
    case plan::JoinType::kInner:
    case plan::JoinType::kCross:
      return true;
    case plan::JoinType::kLeft:
    case plan::JoinType::kLeftSemi:
    case plan::JoinType::kLeftAnti:
      return left;
    case plan::JoinType::kRight:
      return !left;
    case plan::JoinType::kFull:
      break;
  }
  return false;
}

bool HasWindow(const BoundRelation& relation) {
  bool found = false;
  ForEachExpression(relation, [&found](const BoundExpression& expression) {
    found = found || AnyNode(expression, [](const BoundExpression& node) {
              return node.As<BoundWindow>() != nullptr;
            });
  });
  return found;
}

/// What a step is called if it needs more than the rows of one batch; empty if it does not.
std::string NeedsMore(const BoundRelation& relation) {
  if (relation.As<BoundAggregation>() != nullptr) return "an aggregation";
  if (relation.As<BoundDistinct>() != nullptr) return "a deduplication";
  if (relation.As<BoundSort>() != nullptr) return "sorting";
  if (relation.As<BoundLimit>() != nullptr || relation.As<BoundTail>() != nullptr)
    return "a limit on rows";
  if (relation.As<BoundSetOperation>() != nullptr) return "a union or another set operation";
  if (relation.As<BoundWith>() != nullptr) return "WITH";
  const auto* join = relation.As<BoundJoin>();
  if (join != nullptr && !JoinsBatchwise(*join)) return "a join of this type";
  return HasWindow(relation) ? "a window" : "";
}

std::string FindStep(const BoundRelation& relation) {
  if (!HasStream(relation)) return "";
  std::string step = NeedsMore(relation);
  if (!step.empty()) return step;
  ForEachInput(relation, [&step](const BoundRelation& input) {
    if (step.empty()) step = FindStep(input);
  });
  return step;
}

}  // namespace

Error UnsupportedStream(const std::string& what) {
  return Error(ErrorClass::UNSUPPORTED_CALL,
               {{"methodName", what}, {"className", "a streaming query"}}, "WITHOUT_SUGGESTION");
}

bool ReadsStream(const google::protobuf::Message& message) {
  if (const auto* relation = dynamic_cast<const spark::connect::Relation*>(&message);
      relation != nullptr && relation->has_read()) {
    return relation->read().is_streaming();
  }
  const auto* reflection = message.GetReflection();
  std::vector<const google::protobuf::FieldDescriptor*> fields;
  reflection->ListFields(message, &fields);
  for (const auto* field : fields) {
    if (field->message_type() == nullptr || field->is_map()) continue;
    if (!field->is_repeated()) {
      if (ReadsStream(reflection->GetMessage(message, field))) return true;
      continue;
    }
    for (int i = 0; i < reflection->FieldSize(message, field); ++i) {
      if (ReadsStream(reflection->GetRepeatedMessage(message, field, i))) return true;
    }
  }
  return false;
}

Status CheckBatchwise(const BoundRelation& plan, const std::string& output_mode) {
  const std::string step = FindStep(plan);
  if (step.empty()) return Status::Ok();
  return UnsupportedStream(step + " with the output mode " + output_mode);
}

bool AggregatesStream(const BoundRelation& plan) {
  return AnyRelation(plan, [](const BoundRelation& relation) {
    return relation.As<BoundAggregation>() != nullptr && HasStream(relation);
  });
}

}  // namespace merganser::connect
