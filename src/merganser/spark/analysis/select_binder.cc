#include "merganser/spark/analysis/select_binder.h"

#include <algorithm>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/expression_check.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/expression_tree.h"

namespace merganser {

namespace {

const ScopeColumn* FindById(const Scope& scope, ColumnId id) {
  for (const ScopeColumn& column : scope.columns()) {
    if (column.column.id == id) return &column;
  }
  return nullptr;
}

bool IsGeneratorCall(const plan::Expression& expression) {
  const auto* call = expression.As<plan::Call>();
  return call != nullptr && !call->is_operator && !call->name.empty() &&
         FindFunction(call->name.back()) == FunctionKind::kGenerator;
}

std::vector<ColumnId> ColumnsOf(const BoundExpression& expression) {
  std::vector<ColumnId> used;
  CollectColumns(expression, used);
  return used;
}

bool Contains(const std::vector<ColumnId>& ids, ColumnId id) {
  return std::find(ids.begin(), ids.end(), id) != ids.end();
}

}  // namespace

Status SelectBinder::Input(const plan::RelationPtr& child) {
  MERGANSER_ASSIGN_OR_RETURN(Binding input, binder_.BindRelation(child));
  Input(std::move(input));
  return Status::Ok();
}

void SelectBinder::Item(StarColumn item) {
  Entry entry{.name = std::move(item.name), .bound = std::move(item.expression)};
  entry.id = binder_.NextId();
  entries_.push_back(std::move(entry));
}

Status SelectBinder::Items(const std::vector<plan::ExpressionPtr>& expressions) {
  for (const plan::ExpressionPtr& expression : expressions) {
    const auto* alias = expression->As<plan::Alias>();
    Entry entry{.expression = alias == nullptr ? expression : alias->child};
    if (alias != nullptr) {
      entry.aliases = alias->names;
      entry.metadata = alias->metadata;
    }
    if (const auto* star = entry.expression->As<plan::Star>()) {
      MERGANSER_ASSIGN_OR_RETURN(
          std::vector<StarColumn> columns,
          binder_.ExpandStar(*star, input_->scope, entry.expression->origin));
      for (StarColumn& column : columns) {
        Entry expanded{.name = std::move(column.name), .bound = std::move(column.expression)};
        entries_.push_back(std::move(expanded));
      }
      continue;
    }
    if (const auto* attribute = entry.expression->As<plan::Attribute>())
      entry.name = attribute->parts.back();
    if (entry.aliases.size() == 1) entry.name = entry.aliases[0];
    entry.generator = IsGeneratorCall(*entry.expression);
    if (!entry.generator && entry.aliases.size() > 1) {
      // Binding an alias of several names over no generator gives the error.
      entry.expression = expression;
    }
    entries_.push_back(std::move(entry));
  }
  for (Entry& entry : entries_) {
    if (entry.id == 0) entry.id = binder_.NextId();
  }
  return Status::Ok();
}

Result<BoundExpressionPtr> SelectBinder::FindGenerated(const std::vector<std::string>& parts,
                                                       const plan::Origin& origin) {
  Scope scope;
  for (const SelectGenerator& generator : generators_) {
    for (const BoundColumn& column : generator.columns)
      scope.Add({.column = column, .identity = column.id});
  }
  return binder_.FindColumn(parts, scope, origin);
}

Result<BoundExpressionPtr> SelectBinder::FindAlias(const std::vector<std::string>& parts,
                                                   const plan::Origin& origin, size_t before) {
  std::vector<const Entry*> found;
  for (size_t i = 0; i < before; ++i) {
    const Entry& entry = entries_[i];
    if (entry.generator || entry.aliases.size() != 1 || entry.bound == nullptr) continue;
    if (SameName(entry.aliases[0], parts[0], binder_.case_sensitive())) found.push_back(&entry);
  }
  if (found.empty()) return FindGenerated(parts, origin);
  if (found.size() > 1) {
    return Error(ErrorClass::AMBIGUOUS_LATERAL_COLUMN_ALIAS,
                 {{"name", QuotedIdentifier(parts)}, {"n", std::to_string(found.size())}});
  }
  const Entry& entry = *found[0];
  BoundExpressionPtr reference =
      MakeBound(BoundColumnRef{entry.id, "lateralAliasReference(" + parts[0] + ")", {}},
                entry.bound->type, entry.bound->nullable, origin);
  return binder_.ExtractFields(std::move(reference), {parts.begin() + 1, parts.end()}, origin);
}

/// A column that is only cast keeps its name.
std::string SelectBinder::NameOf(const Entry& entry) const {
  const auto* cast = entry.bound->As<BoundCast>();
  const auto* column = cast == nullptr ? nullptr : cast->child->As<BoundColumnRef>();
  if (column != nullptr && entry.expression->As<plan::Cast>() != nullptr) return column->name;
  return GeneratedName(*entry.bound, binder_.services().name_format);
}

Status SelectBinder::BindEntry(size_t position) {
  Entry& entry = entries_[position];
  if (entry.bound != nullptr || entry.generator) return Status::Ok();
  ExpressionScope scope{.scopes = {&input_->scope}};
  scope.operator_name = "Project";
  scope.operator_origin = origin_;
  scope.aliases = [this, position](const std::vector<std::string>& parts,
                                   const plan::Origin& origin) {
    return FindAlias(parts, origin, position);
  };
  MERGANSER_ASSIGN_OR_RETURN(entry.bound, binder_.BindExpression(entry.expression, scope));
  // A name that stands for a function without parentheses is no column.
  const auto* attribute = entry.expression->As<plan::Attribute>();
  const auto* call = entry.bound->As<BoundCall>();
  const bool niladic = attribute != nullptr && attribute->parts.size() == 1 && call != nullptr &&
                       call->function != "grouping_id";
  if (niladic && entry.aliases.empty()) entry.name.clear();
  if (entry.name.empty()) entry.name = NameOf(entry);
  return CheckEntry(entry);
}

Status SelectBinder::CheckEntry(const Entry& entry) const {
  const BoundExpression& bound = *entry.bound;
  if (FindGenerator(bound) != nullptr) {
    return Error(ErrorClass::UNSUPPORTED_GENERATOR, {{"expression", QuotedExpression(bound)}},
                 "NESTED_IN_EXPRESSIONS");
  }
  const std::vector<ColumnId> used = ColumnsOf(bound);
  for (const Entry& other : entries_) {
    if (other.aliases.size() != 1 || other.generator || !Contains(used, other.id)) continue;
    const std::string name = QuotedIdentifier(other.aliases[0]);
    Error::Parameters parameters = {{"lca", name}};
    for (const BoundExpression* aggregate : AggregatesOf(bound)) {
      if (!Contains(ColumnsOf(*aggregate), other.id)) continue;
      parameters["aggFunc"] = QuotedExpression(*aggregate);
      return Error(ErrorClass::UNSUPPORTED_FEATURE, parameters,
                   "LATERAL_COLUMN_ALIAS_IN_AGGREGATE_FUNC");
    }
    const bool in_window = AnyNode(bound, [&](const BoundExpression& node) {
      if (node.As<BoundWindow>() == nullptr || !Contains(ColumnsOf(node), other.id)) return false;
      parameters["windowExpr"] = QuotedExpression(node);
      return true;
    });
    if (in_window)
      return Error(ErrorClass::UNSUPPORTED_FEATURE, parameters, "LATERAL_COLUMN_ALIAS_IN_WINDOW");
  }
  return Status::Ok();
}

Status SelectBinder::BindGenerator(Entry& entry) {
  ExpressionScope scope{.scopes = {&input_->scope}};
  scope.operator_name = "Generate";
  scope.aliases = [this](const std::vector<std::string>& parts, const plan::Origin& origin) {
    return FindGenerated(parts, origin);
  };
  MERGANSER_ASSIGN_OR_RETURN(Binder::Generator generator,
                             binder_.BindGenerator(entry.expression, scope));
  if (!entry.aliases.empty()) {
    MERGANSER_RETURN_IF_ERROR(binder_.NameGenerated(generator, entry.aliases, {}));
  }
  for (const BoundExpressionPtr& argument : generator.arguments) {
    if (FindGenerator(*argument) != nullptr) {
      return Error(
          ErrorClass::UNSUPPORTED_GENERATOR,
          {{"expression", "\"" + generator.function + "(" + GeneratedName(*argument) + ")\""}},
          "NESTED_IN_EXPRESSIONS");
    }
  }
  entry.generated = generator.columns;
  generators_.push_back({std::move(generator.function), std::move(generator.arguments),
                         generator.outer, std::move(generator.columns)});
  return Status::Ok();
}

Status SelectBinder::BindEntries() {
  // Generators run below the list, so the list may use what they give whatever the order.
  for (Entry& entry : entries_) {
    if (entry.generator) MERGANSER_RETURN_IF_ERROR(BindGenerator(entry));
  }
  for (size_t i = 0; i < entries_.size(); ++i) MERGANSER_RETURN_IF_ERROR(BindEntry(i));
  return Status::Ok();
}

Status SelectBinder::NoGroupBy(bool has_having) {
  MERGANSER_RETURN_IF_ERROR(BindEntries());
  bool aggregate = has_having;
  for (const Entry& entry : entries_) {
    aggregate = aggregate || (entry.bound != nullptr && FindAggregate(*entry.bound) != nullptr);
  }
  for (const SelectGenerator& generator : generators_) {
    for (const BoundExpressionPtr& argument : generator.arguments) {
      aggregate = aggregate || FindAggregate(*argument) != nullptr;
    }
  }
  for (const Entry& entry : entries_) {
    plan::Origin place;
    const bool grouping = !aggregate && entry.bound != nullptr &&
                          AnyNode(*entry.bound, [&place](const BoundExpression& node) {
                            const auto* call = node.As<BoundCall>();
                            place = node.origin;
                            return call != nullptr && (call->function == "grouping" ||
                                                       call->function == "grouping_id");
                          });
    if (grouping) return binder_.At(Error(ErrorClass::UNSUPPORTED_GROUPING_EXPRESSION), place);
  }
  if (aggregate) aggregation_.emplace();
  return LiftItems();
}

Error SelectBinder::Ungrouped(const BoundExpression& column) const {
  if (aggregation_->group_by.empty())
    return binder_.At(Error(ErrorClass::MISSING_GROUP_BY), origin_);
  const std::string name = GeneratedName(column);
  return Error(
      ErrorClass::MISSING_AGGREGATION,
      {{"expression", "\"" + name + "\""}, {"expressionAnyValue", "\"any_value(" + name + ")\""}});
}

void SelectBinder::AddItem(std::string name, BoundExpressionPtr expression, ColumnId id) {
  SelectItem item{
      .name = std::move(name), .expression = std::move(expression), .id = id, .identity = id};
  if (const auto* column = item.expression->As<BoundColumnRef>()) {
    if (const ScopeColumn* source = FindById(input_->scope, column->id)) {
      item.metadata = source->column.metadata;
      item.identity = source->identity;
    }
  }
  block_.items.push_back(std::move(item));
}

Status SelectBinder::LiftItems() {
  block_.input = input_;
  block_.generators = generators_;
  block_.aggregation = aggregation_;
  std::optional<AggregateLift> lift;
  if (block_.aggregation) {
    lift.emplace(binder_, *input_->relation, *block_.aggregation,
                 [this](const BoundExpression& column) { return Ungrouped(column); });
    lift->RefuseCorrelatedScalars();
    lift->RefuseOuter();
    for (SelectGenerator& generator : block_.generators) {
      for (BoundExpressionPtr& argument : generator.arguments) {
        MERGANSER_ASSIGN_OR_RETURN(argument, lift->Lift(argument));
      }
    }
  }
  for (Entry& entry : entries_) {
    if (entry.generator) {
      for (const BoundColumn& column : entry.generated) {
        AddItem(column.name, ReferTo(column), column.id);
      }
      continue;
    }
    BoundExpressionPtr expression = entry.bound;
    if (lift) {
      MERGANSER_ASSIGN_OR_RETURN(expression, lift->Lift(expression));
    }
    // A plain column stays the column it is; anything else, a second mention of it included, is a
    // new one.
    const auto* column = entry.aliases.empty() ? expression->As<BoundColumnRef>() : nullptr;
    const auto* source = entry.aliases.empty() ? entry.bound->As<BoundColumnRef>() : nullptr;
    const bool same = column != nullptr && source != nullptr && column->id == source->id &&
                      FindById(input_->scope, column->id) != nullptr && !block_.HasItem(column->id);
    if (same) entry.id = column->id;
    AddItem(entry.name, std::move(expression), entry.id);
    if (source != nullptr) block_.items.back().qualifier = source->qualifier;
    if (entry.metadata) block_.items.back().metadata = *std::move(entry.metadata);
  }
  return Status::Ok();
}

Result<Binding> SelectBinder::Finish() {
  auto block = std::make_shared<SelectBlock>(std::move(block_));
  const BoundRelationPtr relation = BuildSelect(*block, binder_.typing().next_id);
  Scope scope = block->OutputScope();
  return Binding{.relation = relation, .scope = std::move(scope), .select = std::move(block)};
}

}  // namespace merganser
