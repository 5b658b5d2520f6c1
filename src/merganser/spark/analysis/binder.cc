#include "merganser/spark/analysis/binder.h"

#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// Relations inside of each other, those of views included: whoever walks a query needs stack for
/// them.
constexpr int kMaxRelationDepth = 600;

/// `relation` with its only input replaced by `child`; for relations that pass their input's
/// columns through.
BoundRelationPtr WithChild(const BoundRelation& relation, const BoundRelationPtr& child) {
  const auto rebuilt = [&](auto node) {
    node.child = child;
    std::vector<BoundColumn> columns = child->columns;
    return MakeBoundRelation(std::move(node), std::move(columns));
  };
  if (const auto* filter = relation.As<BoundFilter>()) return rebuilt(*filter);
  if (const auto* sort = relation.As<BoundSort>()) return rebuilt(*sort);
  if (const auto* limit = relation.As<BoundLimit>()) return rebuilt(*limit);
  if (const auto* sample = relation.As<BoundSample>()) return rebuilt(*sample);
  if (const auto* parts = relation.As<BoundRepartition>()) return rebuilt(*parts);
  return nullptr;
}

bool HasColumn(const BoundRelation& relation, ColumnId id) {
  return std::any_of(relation.columns.begin(), relation.columns.end(),
                     [id](const BoundColumn& column) { return column.id == id; });
}

}  // namespace

Binder::Binder(const TableCatalog& catalog, TypingContext typing, AnalysisServices services,
               StatementParameters parameters, std::shared_ptr<StatementState> state)
    : catalog_(catalog),
      typing_(std::move(typing)),
      services_(std::move(services)),
      parameters_(std::move(parameters)),
      state_(std::move(state)) {}

Error Binder::At(Error error, const plan::Origin& origin) const {
  if (error.context()) return error;
  return AtOrigin(std::move(error), origin);
}

BoundRelationPtr Binder::Finish(const Binding& binding) const {
  const std::vector<ScopeColumn>& wanted = binding.scope.columns();
  const std::vector<BoundColumn>& given = binding.relation->columns;
  const bool agree = std::equal(wanted.begin(), wanted.end(), given.begin(), given.end(),
                                [](const ScopeColumn& left, const BoundColumn& right) {
                                  return !left.hidden && left.column.id == right.id &&
                                         left.column.name == right.name;
                                });
  if (agree) return binding.relation;
  BoundProject project{.child = binding.relation, .outputs = {}};
  std::vector<BoundColumn> columns;
  for (const ScopeColumn& column : wanted) {
    if (column.hidden) continue;
    project.outputs.push_back({ReferTo(column.column, column.qualifier), column.column.id});
    columns.push_back(column.column);
  }
  return MakeBoundRelation(std::move(project), std::move(columns));
}

Binding Binder::Finished(Binding binding) const {
  binding.relation = Finish(binding);
  std::erase_if(binding.scope.columns(), [](const ScopeColumn& column) { return column.hidden; });
  return {.relation = std::move(binding.relation), .scope = std::move(binding.scope)};
}

bool Binder::AddMissing(Binding& binding, const std::set<ColumnId>& ids) const {
  std::set<ColumnId> missing;
  for (const ColumnId id : ids) {
    if (!HasColumn(*binding.relation, id)) missing.insert(id);
  }
  if (missing.empty()) return true;
  if (binding.select != nullptr) {
    auto block = std::make_shared<SelectBlock>(*binding.select);
    auto input = std::make_shared<Binding>(*block->input);
    if (!block->aggregation && AddMissing(*input, missing)) block->input = input;
    const std::vector<BoundColumn> base = block->BaseColumns();
    for (const ColumnId id : missing) {
      const auto column = std::find_if(base.begin(), base.end(),
                                       [id](const auto& other) { return other.id == id; });
      if (column == base.end()) return false;
      block->hidden.push_back(
          {.name = column->name, .expression = ReferTo(*column), .id = id, .identity = id});
    }
    binding.relation = BuildSelect(*block, typing_.next_id);
    binding.select = std::move(block);
    return true;
  }
  if (binding.below == nullptr) return false;
  auto below = std::make_shared<Binding>(*binding.below);
  if (!AddMissing(*below, missing)) return false;
  const BoundRelationPtr rebuilt = WithChild(*binding.relation, below->relation);
  if (rebuilt == nullptr) return false;
  binding.relation = rebuilt;
  binding.below = std::move(below);
  return true;
}

Result<Binding> Binder::BindRelation(const plan::RelationPtr& relation) {
  if (state_->relation_depth >= kMaxRelationDepth)
    return At(Error(ErrorClass::FAILED_TO_PARSE_TOO_COMPLEX), relation->origin);
  ++state_->relation_depth;
  auto bound = BindRelationNode(*relation);
  --state_->relation_depth;
  if (!bound.ok()) return std::move(bound).error();
  Binding binding = *std::move(bound);
  binding.scope.Deepen();
  if (relation->plan_id >= 0) binding.scope.AddPlan(relation->plan_id);
  return binding;
}

Result<Binding> Binder::BindTopLevel(const plan::RelationPtr& relation) {
  auto bound = BindRelation(relation);
  if (!bound.ok() && state_->wants_file_metadata && !state_->with_file_metadata) {
    // Tables show where their rows come from only to statements that ask: the scans then have more
    // to give.
    state_->with_file_metadata = true;
    bound = BindRelation(relation);
  }
  if (!bound.ok()) return std::move(bound).error();
  return Finished(WithSharedTables(*std::move(bound)));
}

Result<Binding> Binder::BindRelationNode(const plan::Relation& relation) {
  return std::visit([&](const auto& node) { return Bind(node, relation); }, relation.node);
}

Result<Binding> Binder::Bind(const plan::Hint& hint, const plan::Relation&) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(hint.child));
  const bool coalesces = SameName(hint.name, "coalesce", false);
  if (!coalesces && !SameName(hint.name, "repartition", false)) return child;
  Binding binding{
      .relation = nullptr, .scope = child.scope, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation = MakeBoundRelation(
      BoundRepartition{child.relation, hint.num_partitions, !coalesces}, std::move(columns));
  return binding;
}

Result<Binding> Binder::Bind(const plan::Sample& sample, const plan::Relation&) {
  MERGANSER_ASSIGN_OR_RETURN(Binding child, BindRelation(sample.child));
  Binding binding{
      .relation = nullptr, .scope = child.scope, .below = std::make_shared<Binding>(child)};
  std::vector<BoundColumn> columns = child.relation->columns;
  binding.relation =
      MakeBoundRelation(BoundSample{child.relation, sample.lower, sample.upper, sample.seed,
                                    sample.with_replacement, sample.repeatable},
                        std::move(columns));
  return binding;
}

Result<Binding> Binder::Bind(const plan::OneRow&, const plan::Relation&) {
  return Binding{.relation = MakeBoundRelation(BoundValues{.rows = {{}}}, {}), .scope = Scope()};
}

}  // namespace merganser
