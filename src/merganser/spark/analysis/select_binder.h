#pragma once

#include <memory>
#include <string>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/spark/analysis/aggregate_lift.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/select_block.h"

namespace merganser {

/// Binds one SELECT: its list, GROUP BY, HAVING and QUALIFY. Call Input, Items, then what the query
/// has of GroupBy, Having and Qualify in that order, then Finish.
class SelectBinder {
 public:
  /// `origin` is the place of the SELECT, for errors about the query as a whole.
  SelectBinder(Binder& binder, const plan::Origin& origin) : binder_(binder), origin_(origin) {}

  Status Input(const plan::RelationPtr& child);
  /// Use a bound input (the rows of a PIVOT, for example).
  void Input(Binding input) { input_ = std::make_shared<Binding>(std::move(input)); }
  /// Add an item that is bound already, over the input.
  void Item(StarColumn item);
  /// Expand and name the SELECT list; nothing is bound yet.
  Status Items(const std::vector<plan::ExpressionPtr>& expressions);
  /// Bind GROUP BY, then the list.
  Status GroupBy(const plan::Aggregate& aggregate);
  /// Bind the list of a SELECT without GROUP BY; it is a global aggregate if it has aggregate
  /// functions or `has_having`.
  Status NoGroupBy(bool has_having);
  Status Having(const plan::ExpressionPtr& condition);
  Status Qualify(const plan::ExpressionPtr& condition);
  Result<Binding> Finish();

 private:
  /// An entry of the SELECT list with stars expanded.
  struct Entry {
    plan::ExpressionPtr expression = nullptr;  ///< Without its alias; null for a column of a star.
    std::vector<std::string> aliases = {};
    std::string name = {};                       ///< Of a plain column or alias; empty: generated.
    std::optional<FieldMetadata> metadata = {};  ///< That the alias gives.
    bool generator = false;
    BoundExpressionPtr bound = nullptr;       ///< Null while not bound.
    std::vector<BoundColumn> generated = {};  ///< Columns of a generator.
    ColumnId id = 0;
    bool binding = false;  ///< While its expression is being bound.
  };

  Status BindEntries();
  Status BindGenerator(Entry& entry);
  std::string NameOf(const Entry& entry) const;
  Status BindEntry(size_t position);
  Status CheckEntry(const Entry& entry) const;
  Result<BoundExpressionPtr> FindAlias(const std::vector<std::string>& parts,
                                       const plan::Origin& origin, size_t before);
  Result<BoundExpressionPtr> FindGenerated(const std::vector<std::string>& parts,
                                           const plan::Origin& origin);
  Result<BoundExpressionPtr> BindGroupingExpression(const plan::ExpressionPtr& expression);
  Result<BoundExpressionPtr> GroupingOrdinal(int64_t position, const plan::Origin& origin);
  Status AddGroupingSets(const plan::Aggregate& aggregate);
  size_t AddGroupingExpression(BoundExpressionPtr expression, bool keep_duplicate);
  /// Item expressions put in for references to items.
  BoundExpressionPtr Inline(const BoundExpressionPtr& expression) const;
  Scope OutputNames() const;
  Result<BoundExpressionPtr> BindOverGroups(const plan::ExpressionPtr& condition,
                                            const char* clause, bool inline_items);
  Status LiftItems();
  Error Ungrouped(const BoundExpression& column) const;
  void AddItem(std::string name, BoundExpressionPtr expression, ColumnId id);
  Status AddHiddenColumns(const BoundExpression& expression);

  Binder& binder_;
  plan::Origin origin_;
  std::shared_ptr<Binding> input_;
  std::vector<Entry> entries_;
  std::vector<SelectGenerator> generators_;
  std::optional<SelectAggregation> aggregation_;
  SelectBlock block_;
};

}  // namespace merganser
