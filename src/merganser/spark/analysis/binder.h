#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/result.h"
#include "merganser/base/version.h"
#include "merganser/spark/analysis/analyzer.h"
#include "merganser/spark/analysis/bound_relation.h"
#include "merganser/spark/analysis/expression_scope.h"
#include "merganser/spark/analysis/file_metadata.h"
#include "merganser/spark/analysis/scope.h"
#include "merganser/spark/analysis/select_block.h"
#include "merganser/spark/catalog/table_catalog.h"
#include "merganser/spark/functions/resolve.h"
#include "merganser/spark/plan/expression.h"
#include "merganser/spark/plan/relation.h"

namespace merganser {

/// A bound relation on its way up the plan.
///
/// The scope's columns are among the relation's, in the order that `*` gives; the relation may have
/// more (hidden ones) and in another order. Binder::Finish makes the two agree.
struct Binding {
  BoundRelationPtr relation;
  Scope scope;
  /// Set for a SELECT list: ORDER BY above it may use what the list leaves out.
  std::shared_ptr<const SelectBlock> select = nullptr;
  /// Set for relations that pass their only input's columns through (filter, sort, limit): what
  /// missing columns are fetched from.
  std::shared_ptr<const Binding> below = nullptr;
};

/// What the binders of one statement share: those of views have a text of their own.
struct StatementState {
  std::map<std::string, SnapshotRef> snapshots;  ///< By table location.
  /// Those that the statement itself names, not the views inside of them.
  std::vector<std::string> temporary_views;
  int view_depth = 0;
  bool reads_stored_view = false;  ///< A stored view was bound, at any depth.
  int relation_depth = 0;  ///< Relations around the one that is bound, those of views included.
  bool with_file_metadata = false;   ///< Tables have their hidden column `_metadata`.
  bool wants_file_metadata = false;  ///< Something named it, and there was none.
};

/// Binds relations and expressions; one member function a kind of node, one file a topic.
///
/// Scopes of enclosing queries are kept in `outer_` while a subquery is bound.
class Binder {
 public:
  Binder(const TableCatalog& catalog, TypingContext typing, AnalysisServices services,
         StatementParameters parameters, std::shared_ptr<StatementState> state);

  const TypingContext& typing() const { return typing_; }
  const TableCatalog& catalog() const { return catalog_; }
  const AnalysisServices& services() const { return services_; }
  ColumnId NextId() const { return typing_.next_id(); }
  bool case_sensitive() const { return typing_.case_sensitive; }
  /// `error` with the query context of `origin`; unchanged inside a view, whose text is another
  /// one.
  Error At(Error error, const plan::Origin& origin) const;

  // ---- relations ----------------------------------------------------------------------------
  Result<Binding> BindRelation(const plan::RelationPtr& relation);
  /// A whole query: finished, with the WITH tables that it shares.
  Result<Binding> BindTopLevel(const plan::RelationPtr& relation);
  /// The relation with exactly the scope's visible columns, in its order.
  BoundRelationPtr Finish(const Binding& binding) const;
  /// A finished binding: hidden columns are gone.
  Binding Finished(Binding binding) const;
  /// The relation with the columns `ids`, which its inputs have, added below it. False if they are
  /// out of reach.
  bool AddMissing(Binding& binding, const std::set<ColumnId>& ids) const;
  /// Bind a query inside an expression or a LATERAL; names may reach the scopes of `scope` and
  /// beyond. The columns of enclosing queries that it uses are added to `outer_references`.
  Result<Binding> BindSubqueryRelation(const plan::RelationPtr& query, const ExpressionScope& scope,
                                       std::vector<BoundColumnRef>* outer_references);
  Status AddCommonTables(const std::vector<plan::CommonTable>& tables, bool recursive);

  // ---- tables -------------------------------------------------------------------------------
  Result<std::vector<std::string>> NameParts(const plan::MultipartName& name);
  Result<CatalogEntry> FindTable(const plan::MultipartName& name,
                                 const std::vector<std::string>& parts);
  Result<SnapshotRef> SnapshotOf(const CatalogTable& table, const plan::MultipartName& name,
                                 const std::vector<std::string>& parts);
  Result<SnapshotRef> SnapshotAsOf(const CatalogTable& table, const plan::TimeTravel& time_travel,
                                   const plan::MultipartName& name,
                                   const std::vector<std::string>& parts);
  void PinSnapshot(const SnapshotRef& snapshot);
  const std::vector<std::string>& temporary_views() const { return state_->temporary_views; }
  StatementState& state() { return *state_; }
  /// Where functions and relations without a qualifier are looked for, as messages show it.
  std::string SearchPath() const;
  Status LookUpRoutines(const std::vector<plan::CalledRoutine>& routines) const;
  Error TableNotFound(const std::vector<std::string>& parts, const plan::Origin& origin) const;

  // ---- expressions --------------------------------------------------------------------------
  Result<BoundExpressionPtr> BindExpression(const plan::ExpressionPtr& expression,
                                            ExpressionScope& scope);
  /// Bind over the columns of `scope` and its outer scopes.
  Result<BoundExpressionPtr> BindOver(const plan::ExpressionPtr& expression, const Scope& scope);
  /// A column or field of `scope` alone, or null. `quiet`: an ambiguous name counts as unknown.
  Result<BoundExpressionPtr> FindColumn(const std::vector<std::string>& parts, const Scope& scope,
                                        const plan::Origin& origin, bool quiet = false);
  Error UnresolvedColumn(const std::vector<std::string>& parts,
                         const std::vector<ScopeColumn>& candidates,
                         const plan::Origin& origin) const;
  /// True if `id` is a column of a query around the one being bound.
  bool IsOuter(ColumnId id) const;
  /// UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY.CORRELATED_REFERENCE for an expression of a subquery
  /// that may not use the enclosing query.
  Error CorrelatedReference(const BoundExpression& expression) const;
  Result<std::vector<StarColumn>> ExpandStar(const plan::Star& star, const Scope& scope,
                                             const plan::Origin& origin);
  Result<plan::Literal> EvaluateConstant(const BoundExpression& expression);
  Result<std::vector<BoundSortOrder>> BindSortOrders(const std::vector<plan::ExpressionPtr>& orders,
                                                     ExpressionScope& scope);
  /// DATATYPE_MISMATCH.INVALID_ORDERING_TYPE if the values have no order.
  Status CheckOrderable(const BoundSortOrder& order) const;

 private:
  friend class SelectBinder;

  // Relations, by kind.
  Result<Binding> BindRelationNode(const plan::Relation& relation);
  Result<Binding> Bind(const plan::TableReference& table, const plan::Relation& relation);
  Result<Binding> Bind(const plan::FileSource& source, const plan::Relation& relation);
  Result<Binding> Bind(const plan::TableFunction& function, const plan::Relation& relation);
  Result<Binding> Bind(const plan::InlineTable& table, const plan::Relation& relation);
  Result<Binding> Bind(const plan::LocalRelation& local, const plan::Relation& relation);
  Result<Binding> Bind(const plan::OneRow& row, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Project& project, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Filter& filter, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Aggregate& aggregate, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Having& having, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Qualify& qualify, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Sort& sort, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Limit& limit, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Distinct& distinct, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Join& join, const plan::Relation& relation);
  Result<Binding> Bind(const plan::SetOperation& operation, const plan::Relation& relation);
  Result<Binding> Bind(const plan::SubqueryAlias& alias, const plan::Relation& relation);
  Result<Binding> Bind(const plan::With& with, const plan::Relation& relation);
  Result<Binding> Bind(const plan::NamedWindows& windows, const plan::Relation& relation);
  Result<Binding> Bind(const plan::LateralView& view, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Pivot& pivot, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Unpivot& unpivot, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Sample& sample, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Deduplicate& deduplicate, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Hint& hint, const plan::Relation& relation);
  Result<Binding> Bind(const plan::CommandRows& rows, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Parameterized& query, const plan::Relation& relation);
  Result<Binding> Bind(const plan::WithColumns& columns, const plan::Relation& relation);
  Result<Binding> Bind(const plan::WithColumnsRenamed& renamed, const plan::Relation& relation);
  Result<Binding> Bind(const plan::DropColumns& drop, const plan::Relation& relation);
  Result<Binding> Bind(const plan::ToDataFrame& names, const plan::Relation& relation);
  Result<Binding> Bind(const plan::ToSchema& schema, const plan::Relation& relation);
  Result<Binding> Bind(const plan::FillNulls& fill, const plan::Relation& relation);
  Result<Binding> Bind(const plan::DropNulls& drop, const plan::Relation& relation);
  Result<Binding> Bind(const plan::ReplaceValues& replace, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Summary& summary, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Tail& tail, const plan::Relation& relation);
  Result<Binding> Bind(const plan::Transpose& transpose, const plan::Relation& relation);
  Result<Binding> Bind(const plan::DeltaFiles& files, const plan::Relation& relation);

  // What a DataFrame's methods do beyond SQL.
  /// Columns called `name`; UNRESOLVED_COLUMN if there is none.
  Result<std::vector<size_t>> ColumnsCalled(const Scope& scope, const std::string& name,
                                            const plan::Origin& origin) const;
  /// Positions of the columns called so; of all visible columns if no name is given.
  Result<std::vector<size_t>> ColumnsCalled(const Scope& scope,
                                            const std::vector<std::string>& names,
                                            const plan::Origin& origin) const;
  /// A call of a built-in function over bound arguments.
  Result<BoundExpressionPtr> CallOf(const char* name,
                                    std::vector<BoundExpressionPtr> arguments) const;
  /// `child` with some columns, by position in its scope, computed anew under their names.
  Result<Binding> Recomputed(Binding child, const std::map<size_t, BoundExpressionPtr>& values,
                             const plan::Origin& origin);
  Binding BindEngineRows(std::string engine_name, const StructType& schema) const;

  // Tables, views and WITH.
  struct CommonTableFrame;
  class DefinitionScope;
  Result<Binding> BindCatalogTable(const CatalogTable& table,
                                   const std::optional<plan::TimeTravel>& clause,
                                   const plan::Options& options, const plan::MultipartName& name,
                                   const std::vector<std::string>& parts);
  Result<Binding> BindDeltaTable(const SnapshotRef& snapshot,
                                 const std::vector<std::string>& qualifier);
  Binding BindFileScan(BoundFileScan scan, const StructType& fields,
                       const std::vector<std::string>& qualifier) const;
  Result<Binding> BindRecords(const plan::FileSource& source, const std::string& format);
  Result<Binding> BindFiles(std::string format, std::vector<std::string> paths,
                            plan::Options options, const std::optional<StructType>& schema,
                            const std::vector<std::string>& qualifier);
  Result<Binding> BindView(const CatalogView& view, const std::vector<std::string>& qualifier);
  /// The columns that a stored view keeps, out of those that its query gives. Fails with
  /// INCOMPATIBLE_VIEW_SCHEMA_CHANGE, CANNOT_UP_CAST_DATATYPE and as ResolveCast.
  Result<Binding> PickViewColumns(const Binding& query, const WarehouseEntry& view,
                                  const std::vector<std::string>& name) const;
  Result<Binding> RenameColumns(Binding binding, const std::vector<std::string>& names,
                                const plan::Origin& origin) const;
  /// The WITH table called `name`, or nullopt.
  Result<std::optional<Binding>> BindCommonTable(const std::string& name);
  Result<std::shared_ptr<CommonTableFrame>> PushFrame(const std::vector<plan::CommonTable>& tables,
                                                      bool recursive, const plan::Origin& origin);
  Result<Binding> BindDefinition(const std::shared_ptr<CommonTableFrame>& frame, size_t position);
  Result<Binding> BindDefinitionWithSelf(const std::shared_ptr<CommonTableFrame>& frame,
                                         size_t position, const plan::RelationPtr& query);
  Status BindRecursion(const std::shared_ptr<CommonTableFrame>& frame, size_t position,
                       bool* recursive);
  Binding ReferToShared(int64_t table, const BoundRelationPtr& definition,
                        const std::string& name) const;
  Binding WrapShared(Binding child, const CommonTableFrame& frame) const;
  Binding WithSharedTables(Binding binding) const;
  /// An instant (milliseconds since the epoch) in the session's zone, as Delta's messages show it.
  std::string FormatInstant(int64_t milliseconds) const;
  Result<int64_t> TimestampMillis(const plan::ExpressionPtr& expression);

  // The change feed.
  struct ChangeBound {
    Version version = Version::None();
    std::optional<int64_t> milliseconds;  ///< Set if a time is given.
  };
  Result<ChangeBound> ChangeBoundOf(const plan::ExpressionPtr& expression, const char* side);
  Result<std::pair<Version, Version>> ChangeRange(const Snapshot& latest, const ChangeBound& start,
                                                  const std::optional<ChangeBound>& end) const;
  Binding BindChanges(const Snapshot& latest, Version start, Version end,
                      const std::vector<std::string>& qualifier) const;
  Result<Binding> BindTableChanges(const plan::TableFunction& function,
                                   const std::string& function_name, const plan::Origin& origin);
  Result<Binding> BindChangeFeed(const CatalogTable& table, const plan::Options& options,
                                 const plan::MultipartName& name,
                                 const std::vector<std::string>& parts,
                                 const std::vector<std::string>& qualifier);

  // Table functions and generators.
  Result<Binding> BindRange(const plan::TableFunction& function, const plan::Origin& origin);
  /// The distinct values of `column` of `child`, sorted: what a pivot without values turns into
  /// columns. Fails with INVALID_PARAMETER_VALUE if there are more than 10000.
  Result<std::vector<plan::ExpressionPtr>> PivotValues(const BoundRelationPtr& child,
                                                       const BoundExpressionPtr& column);
  /// Fails with TRANSPOSE_EXCEED_ROW_LIMIT.
  Status CheckTransposedRows(const BoundRelationPtr& child);
  Result<std::string> PivotValueName(const BoundExpression& value);
  struct Generator {
    std::string function;
    std::vector<BoundExpressionPtr> arguments;
    bool outer = false;
    std::vector<BoundColumn> columns;
  };
  Result<Generator> BindGenerator(const plan::ExpressionPtr& call, ExpressionScope& scope);
  Result<Generator> MakeGenerator(const BoundExpression& call) const;
  /// `child` with the generator's columns beside its own.
  Binding AddGenerator(Binding child, Generator generator,
                       const std::vector<std::string>& qualifier) const;
  Status NameGenerated(Generator& generator, const std::vector<std::string>& names,
                       const plan::Origin& origin) const;
  Result<Binding> BindInlineTable(const plan::InlineTable& table,
                                  const std::vector<std::string>& names,
                                  const plan::Origin& origin);

  // Joins and set operations.
  Result<Binding> BindUsing(const plan::Join& join, Binding left, Binding right,
                            const std::vector<std::string>& names, const plan::Origin& origin);
  Binding FinishJoin(const plan::Join& join, Binding left, Binding right,
                     BoundExpressionPtr condition) const;
  Status CheckJoinCondition(const BoundExpression& condition, const plan::Origin& origin) const;
  Result<std::optional<Binding>> BindLateralGenerator(const plan::Join& join, const Binding& left);
  Result<std::vector<int>> MatchColumnsByName(const plan::SetOperation& operation,
                                              const BoundRelation& left,
                                              const BoundRelation& right) const;

  // SELECT lists and conditions.
  struct SelectClauses {
    const plan::Project* project = nullptr;
    const plan::Aggregate* aggregate = nullptr;
    const plan::Having* having = nullptr;
    const plan::Qualify* qualify = nullptr;
  };
  Result<Binding> BindSelect(SelectClauses clauses, const plan::Origin& outermost);
  Result<Binding> BindConditionOver(const SelectClauses& clauses, const plan::RelationPtr& child,
                                    const plan::Origin& origin);
  /// Give the input of `select` the time windows that its list or GROUP BY calls for.
  Status AddTimeWindow(plan::Aggregate& select);
  static bool HasGroupBy(const plan::Aggregate& aggregate);
  /// Scopes that an operator above `binding` may name columns from: its own first, then those below
  /// its SELECT list, filters and the like.
  std::vector<const Scope*> ReachableScopes(const Binding& binding) const;
  /// Fetch the columns of `expression` that are below `binding`.
  Status Reach(Binding& binding, const BoundExpression& expression) const;
  Result<BoundExpressionPtr> SortOrdinal(const Scope& scope, int64_t position,
                                         const plan::Origin& origin) const;
  /// UNSUPPORTED_FEATURE.SET_OPERATION_ON_MAP_TYPE if rows with such a column cannot be compared.
  Status CheckComparable(const BoundColumn& column, const plan::Origin& origin) const;
  Status CheckSortKey(const BoundSortOrder& order, const plan::Origin& origin) const;
  Status CheckCondition(const BoundExpression& condition, const char* clause,
                        const plan::Origin& origin) const;
  Result<int64_t> BindLimitValue(const plan::ExpressionPtr& expression, const char* name,
                                 const plan::Origin& origin);

  // Expressions, by kind.
  std::optional<int64_t> InstantOf(const plan::Cast& literal) const;
  Result<BoundExpressionPtr> BindNode(const plan::Attribute& attribute,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::IdentifierAttribute& name,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Literal& literal,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Star& star, const plan::Expression& expression,
                                      ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Call& call, const plan::Expression& expression,
                                      ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Cast& cast, const plan::Expression& expression,
                                      ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Alias& alias, const plan::Expression& expression,
                                      ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::ExtractValue& extract,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::UpdateFields& update,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Lambda& lambda,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Subquery& subquery,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::SortOrder& order,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Window& window,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::Parameter& parameter,
                                      const plan::Expression& expression, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindNode(const plan::DefaultValue& value,
                                      const plan::Expression& expression, ExpressionScope& scope);

  // Names.
  Result<BoundExpressionPtr> BindName(const std::vector<std::string>& parts,
                                      const plan::Origin& origin, ExpressionScope& scope);
  Result<BoundExpressionPtr> BindPlanColumn(const plan::Attribute& attribute,
                                            const plan::Origin& origin, ExpressionScope& scope);
  BoundExpressionPtr FindLambdaParameter(const std::vector<std::string>& parts,
                                         const ExpressionScope& scope,
                                         const plan::Origin& origin) const;
  /// Note in the subqueries between here and the query that has `column`, `depth` levels up, that
  /// they use it.
  void RememberOuter(const BoundColumnRef& column, size_t depth);
  Result<BoundExpressionPtr> FindOuter(const std::vector<std::string>& parts,
                                       const plan::Origin& origin);
  Result<BoundExpressionPtr> ExtractFields(BoundExpressionPtr base,
                                           const std::vector<std::string>& fields,
                                           const plan::Origin& origin) const;
  Result<BoundExpressionPtr> BindNiladicFunction(const std::vector<std::string>& parts,
                                                 const plan::Origin& origin) const;

  /// The columns whose whole name the Java pattern matches.
  Result<std::vector<StarColumn>> MatchingColumns(std::vector<StarColumn> columns,
                                                  const std::string& pattern);
  Result<std::vector<StarColumn>> WithReplacements(std::vector<StarColumn> columns,
                                                   const plan::Star& star, const Scope& scope,
                                                   const plan::Origin& origin);
  Result<std::vector<StarColumn>> WithoutColumns(std::vector<StarColumn> columns,
                                                 const plan::Star& star, const Scope& scope,
                                                 const plan::Origin& origin);

  // Calls.
  Error UnresolvedRoutine(const std::vector<std::string>& name, const plan::Origin& origin) const;
  Result<std::string> FunctionName(const std::vector<std::string>& parts,
                                   const plan::Origin& origin) const;
  Result<BoundExpressionPtr> BindCall(const plan::Call& call, const plan::Origin& origin,
                                      ExpressionScope& scope, bool in_window);
  Status BindArguments(const plan::Call& call, ExpressionScope& scope, CallRequest* request);
  Error MisplacedGenerator(const BoundExpression& expression, const ExpressionScope& scope) const;
  Result<BoundExpressionPtr> BindGrouping(const plan::Call& call, const std::string& name,
                                          const plan::Origin& origin, ExpressionScope& scope);
  Status CheckAggregate(const BoundExpression& call, const plan::Origin& origin,
                        bool in_window) const;
  Result<BoundExpressionPtr> BindLambda(const plan::Lambda& lambda,
                                        const std::vector<DataType>& types,
                                        const std::vector<bool>& nullable, ExpressionScope& scope,
                                        const plan::Origin& origin);

  // Windows.
  Result<plan::WindowSpec> ResolveWindowSpec(const plan::WindowSpec& spec) const;
  Status BindFrame(const plan::WindowFrame& frame, BoundWindow* window, ExpressionScope& scope,
                   const plan::Origin& origin);
  Status CheckFrame(const BoundWindow& window, const plan::Origin& origin) const;
  Status CheckRangeFrame(const BoundWindow& window, const plan::Origin& origin) const;

  // Subqueries.
  Result<BoundExpressionPtr> FinishInSubquery(BoundSubquery subquery,
                                              const plan::Origin& origin) const;

  const TableCatalog& catalog_;
  TypingContext typing_;
  AnalysisServices services_;
  StatementParameters parameters_;
  std::shared_ptr<StatementState> state_;
  std::string view_schema_;  ///< Inside a stored view: where its one-part names are.

  std::shared_ptr<const Scope> outer_;
  /// One a subquery being bound, innermost last: the outer columns it has used.
  std::vector<std::vector<BoundColumnRef>*> outer_uses_;
  /// Innermost last.
  std::vector<std::shared_ptr<CommonTableFrame>> common_tables_;
  std::vector<const std::vector<std::pair<std::string, plan::WindowSpec>>*> named_windows_;
};

}  // namespace merganser
