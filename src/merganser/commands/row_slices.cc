#include "merganser/commands/row_slices.h"

#include <algorithm>
#include <utility>

#include "merganser/spark/analysis/store_assignment.h"
#include "merganser/spark/functions/resolve.h"

namespace merganser {
namespace {

/// Does the expression see nothing but its own row?
bool IsOfOneRow(const BoundExpression& expression) {
  return IsDeterministic(expression) && !ContainsWindow(expression) &&
         !ContainsSubquery(expression);
}

/// `relation` over each slice of its only input.
template <typename Node>
std::vector<RowSlice> OverSlices(const BoundRelation& relation, const Node& node,
                                 int64_t parallelism) {
  std::vector<RowSlice> slices = RowSlices(node.child, parallelism);
  for (RowSlice& slice : slices) {
    Node over = node;
    over.child = std::move(slice.rows);
    slice.rows = MakeBoundRelation(std::move(over), relation.columns);
  }
  return slices;
}

std::vector<RowSlice> Repartitioned(const BoundRelationPtr& relation, const BoundRepartition& node,
                                    int64_t parallelism) {
  if (node.shuffles) {
    const bool follows = node.num_partitions > 0 && node.num_partitions <= kMostParts;
    return {{relation, follows ? node.num_partitions : 1}};
  }
  std::vector<RowSlice> slices = RowSlices(node.child, parallelism);
  int64_t parts = 0;
  for (const RowSlice& slice : slices) parts += slice.parts;
  if (parts > node.num_partitions) return {{relation}};
  return slices;
}

}  // namespace

std::vector<RowSlice> RowSlices(const BoundRelationPtr& relation, int64_t parallelism) {
  if (const auto* table = relation->As<BoundEngineTable>(); table != nullptr && table->range) {
    const auto [begin, end] = *table->range;
    const int64_t rows = end - begin;
    const int64_t count = std::clamp<int64_t>(rows, 1, parallelism);
    std::vector<RowSlice> slices;
    for (int64_t i = 0; i < count; ++i) {
      BoundEngineTable slice = *table;
      slice.range = {begin + i * rows / count, begin + (i + 1) * rows / count};
      slices.push_back({MakeBoundRelation(std::move(slice), relation->columns)});
    }
    return slices;
  }
  if (const auto* project = relation->As<BoundProject>();
      project != nullptr && std::ranges::all_of(project->outputs, [](const BoundOutput& output) {
        return IsOfOneRow(*output.expression);
      }))
    return OverSlices(*relation, *project, parallelism);
  if (const auto* filter = relation->As<BoundFilter>();
      filter != nullptr && IsOfOneRow(*filter->condition))
    return OverSlices(*relation, *filter, parallelism);
  if (const auto* set = relation->As<BoundSetOperation>();
      set != nullptr && set->op == plan::SetOperator::kUnion && set->all) {
    // A side has ids of its own for its columns: a projection gives them the union's.
    std::vector<RowSlice> slices;
    for (const BoundRelationPtr& side : {set->left, set->right}) {
      for (const RowSlice& slice : RowSlices(side, parallelism)) {
        BoundProject renamed{slice.rows, {}};
        for (size_t i = 0; i < relation->columns.size(); ++i) {
          renamed.outputs.push_back(
              {ColumnReference(slice.rows->columns[i]), relation->columns[i].id});
        }
        slices.push_back({MakeBoundRelation(std::move(renamed), relation->columns), slice.parts});
      }
    }
    return slices;
  }
  if (const auto* parts = relation->As<BoundRepartition>())
    return Repartitioned(relation, *parts, parallelism);
  return {{relation}};
}

}  // namespace merganser
