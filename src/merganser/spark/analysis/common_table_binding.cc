#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/common_table_frame.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/functions/call_binder.h"

namespace merganser {

namespace {

/// spark.sql.cteRecursionLevelLimit.
constexpr int64_t kRecursionLevelLimit = 100;

bool RefersTo(const BoundRelation& relation, int64_t table) {
  return AnyRelation(relation, [table](const BoundRelation& node) {
    const auto* reference = node.As<BoundWithReference>();
    return reference != nullptr && reference->table == table;
  });
}

/// A step of a recursion may not aggregate over what the recursion gives.
bool AggregatesOver(const BoundRelation& relation, int64_t table) {
  return AnyRelation(relation, [table](const BoundRelation& node) {
    return node.As<BoundAggregation>() != nullptr && RefersTo(node, table);
  });
}

/// The UNION that a recursive definition is, null if it is none.
const plan::SetOperation* UnionOf(const plan::Relation& query) {
  const auto* operation = query.As<plan::SetOperation>();
  return operation != nullptr && operation->op == plan::SetOperator::kUnion ? operation : nullptr;
}

}  // namespace

/// Binds one definition where it stands: only the tables before it in its WITH, and those around
/// that, are visible.
class Binder::DefinitionScope {
 public:
  DefinitionScope(Binder& binder, const std::shared_ptr<CommonTableFrame>& frame, size_t visible)
      : binder_(binder),
        frame_(frame),
        visible_(std::exchange(frame->visible, visible)),
        tables_(binder.common_tables_),
        windows_(std::exchange(binder.named_windows_, {})),
        outer_(std::exchange(binder.outer_, frame->outer)) {
    const auto own = std::find(tables_.begin(), tables_.end(), frame);
    binder_.common_tables_.assign(tables_.begin(), own == tables_.end() ? own : own + 1);
  }
  ~DefinitionScope() {
    frame_->visible = visible_;
    binder_.common_tables_ = tables_;
    binder_.named_windows_ = windows_;
    binder_.outer_ = outer_;
  }
  DefinitionScope(const DefinitionScope&) = delete;
  DefinitionScope& operator=(const DefinitionScope&) = delete;

 private:
  Binder& binder_;
  std::shared_ptr<CommonTableFrame> frame_;
  size_t visible_;
  std::vector<std::shared_ptr<CommonTableFrame>> tables_;
  std::vector<const std::vector<std::pair<std::string, plan::WindowSpec>>*> windows_;
  std::shared_ptr<const Scope> outer_;
};

Result<Binding> Binder::BindDefinition(const std::shared_ptr<CommonTableFrame>& frame,
                                       size_t position) {
  const CommonTableFrame::Table& table = frame->tables[position];
  const DefinitionScope scope(*this, frame, position);
  MERGANSER_ASSIGN_OR_RETURN(Binding binding, BindRelation(table.definition.query));
  binding = Finished(std::move(binding));
  MERGANSER_ASSIGN_OR_RETURN(binding, RenameColumns(std::move(binding), table.definition.columns,
                                                    table.definition.origin));
  return Binding{.relation = Finish(binding),
                 .scope = binding.scope.Requalified({table.definition.name})};
}

Status Binder::BindRecursion(const std::shared_ptr<CommonTableFrame>& frame, size_t position,
                             bool* recursive) {
  CommonTableFrame::Table& table = frame->tables[position];
  const plan::SetOperation* operation = UnionOf(*table.definition.query);
  *recursive = false;
  table.id = NextId();
  if (operation == nullptr) {
    // No recursion, unless it refers to itself: then the recursion has nothing to start from.
    table.in_step = true;
    auto bound = BindDefinitionWithSelf(frame, position, table.definition.query);
    table.in_step = false;
    const bool refers = std::exchange(table.references, 0) > 0;
    if (refers) return At(Error(ErrorClass::INVALID_RECURSIVE_CTE), table.definition.origin);
    if (!bound.ok()) return std::move(bound).error();
    return Status::Ok();
  }
  {
    const DefinitionScope scope(*this, frame, position);
    MERGANSER_ASSIGN_OR_RETURN(Binding anchor, BindRelation(operation->left));
    anchor = Finished(std::move(anchor));
    MERGANSER_ASSIGN_OR_RETURN(anchor, RenameColumns(std::move(anchor), table.definition.columns,
                                                     table.definition.origin));
    for (ScopeColumn& column : anchor.scope.columns()) column.column.nullable = true;
    anchor.relation = Finish(anchor);
    table.binding = std::move(anchor);
  }
  table.in_step = true;
  auto step = BindDefinitionWithSelf(frame, position, operation->right);
  table.in_step = false;
  const bool refers = std::exchange(table.references, 0) > 0;
  if (!refers) return step.ok() ? Status::Ok() : Status(std::move(step).error());
  if (!step.ok()) return std::move(step).error();
  if (!operation->all)
    return At(Error(ErrorClass::UNION_NOT_SUPPORTED_IN_RECURSIVE_CTE), table.definition.origin);
  if (AggregatesOver(*step->relation, table.id)) {
    return At(Error(ErrorClass::INVALID_RECURSIVE_REFERENCE, {}, "PLACE"), table.definition.origin);
  }
  const std::vector<BoundColumn>& anchor = table.binding.relation->columns;
  const std::vector<BoundColumn>& columns = step->relation->columns;
  if (columns.size() != anchor.size()) {
    return At(Error(ErrorClass::NUM_COLUMNS_MISMATCH,
                    {{"operator", "UNION"},
                     {"firstNumColumns", std::to_string(anchor.size())},
                     {"invalidOrdinalNum", "second"},
                     {"invalidNumColumns", std::to_string(columns.size())}}),
              table.definition.query->origin);
  }
  for (size_t i = 0; i < anchor.size(); ++i) {
    if (columns[i].type.SameType(anchor[i].type)) continue;
    return Error(ErrorClass::CANNOT_MERGE_INCOMPATIBLE_DATA_TYPE,
                 {{"left", QuotedType(anchor[i].type)}, {"right", QuotedType(columns[i].type)}});
  }
  table.step = step->relation;
  table.shared = true;
  *recursive = true;
  return Status::Ok();
}

Result<Binding> Binder::BindDefinitionWithSelf(const std::shared_ptr<CommonTableFrame>& frame,
                                               size_t position, const plan::RelationPtr& query) {
  const DefinitionScope scope(*this, frame, position + 1);
  MERGANSER_ASSIGN_OR_RETURN(Binding binding, BindRelation(query));
  return Finished(std::move(binding));
}

Result<std::shared_ptr<Binder::CommonTableFrame>> Binder::PushFrame(
    const std::vector<plan::CommonTable>& tables, bool recursive, const plan::Origin& origin) {
  std::set<std::string> names;
  for (const plan::CommonTable& table : tables) {
    if (names.insert(AsciiLowerCase(table.name)).second) continue;
    return At(
        Error(ErrorClass::DUPLICATED_CTE_NAMES, {{"duplicateNames", QuotedIdentifier(table.name)}}),
        origin);
  }
  auto frame = std::make_shared<CommonTableFrame>();
  frame->outer = outer_;
  for (const plan::CommonTable& table : tables) {
    CommonTableFrame::Table entry;
    entry.definition = table;
    frame->tables.push_back(std::move(entry));
  }
  common_tables_.push_back(frame);
  const Status status = [&]() -> Status {
    for (size_t i = 0; i < frame->tables.size(); ++i) {
      CommonTableFrame::Table& table = frame->tables[i];
      bool recurses = false;
      if (recursive) MERGANSER_RETURN_IF_ERROR(BindRecursion(frame, i, &recurses));
      if (!recurses) {
        // Bound once whether it is used or not; the first reference takes this, later ones bind it
        // anew, so that each has columns of its own. What gives other rows each time must be shared
        // instead.
        MERGANSER_ASSIGN_OR_RETURN(table.binding, BindDefinition(frame, i));
        table.unused = true;
        table.shared = !IsDeterministicRelation(*table.binding.relation);
        if (table.shared && table.id == 0) table.id = NextId();
      }
      frame->visible = i + 1;
    }
    return Status::Ok();
  }();
  if (!status.ok()) {
    common_tables_.pop_back();
    return status.error();
  }
  return frame;
}

Result<std::optional<Binding>> Binder::BindCommonTable(const std::string& name) {
  for (size_t depth = common_tables_.size(); depth-- > 0;) {
    const std::shared_ptr<CommonTableFrame> frame = common_tables_[depth];
    for (size_t i = 0; i < std::min(frame->visible, frame->tables.size()); ++i) {
      CommonTableFrame::Table& table = frame->tables[i];
      if (!SameName(table.definition.name, name, case_sensitive())) continue;
      ++table.references;
      if (table.shared || table.in_step) {
        return std::optional<Binding>(
            ReferToShared(table.id, table.binding.relation, table.definition.name));
      }
      if (std::exchange(table.unused, false)) return std::optional<Binding>(table.binding);
      MERGANSER_ASSIGN_OR_RETURN(Binding binding, BindDefinition(frame, i));
      return std::optional<Binding>(std::move(binding));
    }
  }
  return std::optional<Binding>();
}

Binding Binder::ReferToShared(int64_t table, const BoundRelationPtr& definition,
                              const std::string& name) const {
  std::vector<BoundColumn> columns;
  if (definition != nullptr) columns = definition->columns;
  for (BoundColumn& column : columns) column.id = NextId();
  Binding binding;
  binding.relation = MakeBoundRelation(BoundWithReference{table}, std::move(columns));
  binding.scope = ScopeOf(*binding.relation, {name});
  return binding;
}

Binding Binder::WrapShared(Binding child, const CommonTableFrame& frame) const {
  // Later tables may read earlier ones, so the earliest stands outermost.
  for (size_t i = frame.tables.size(); i-- > 0;) {
    const CommonTableFrame::Table& table = frame.tables[i];
    if (!table.shared || !RefersTo(*child.relation, table.id)) continue;
    std::vector<BoundColumn> columns = child.relation->columns;
    child.relation = MakeBoundRelation(
        BoundWith{.table = table.id,
                  .definition = table.binding.relation,
                  .step = table.step,
                  .level_limit = table.definition.recursion_limit.value_or(kRecursionLevelLimit),
                  .child = child.relation},
        std::move(columns));
    child.select = nullptr;
    child.below = nullptr;
  }
  return child;
}

Result<Binding> Binder::Bind(const plan::With& with, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(const std::shared_ptr<CommonTableFrame> frame,
                             PushFrame(with.tables, with.recursive, relation.origin));
  auto child = BindRelation(with.child);
  common_tables_.pop_back();
  if (!child.ok()) return std::move(child).error();
  return WrapShared(*std::move(child), *frame);
}

Status Binder::AddCommonTables(const std::vector<plan::CommonTable>& tables, bool recursive) {
  MERGANSER_ASSIGN_OR_RETURN(const auto frame, PushFrame(tables, recursive, {}));
  return frame != nullptr ? Status::Ok() : Status(Error::Internal("no frame"));
}

Binding Binder::WithSharedTables(Binding binding) const {
  for (auto frame = common_tables_.rbegin(); frame != common_tables_.rend(); ++frame) {
    binding = WrapShared(std::move(binding), **frame);
  }
  return binding;
}

}  // namespace merganser
