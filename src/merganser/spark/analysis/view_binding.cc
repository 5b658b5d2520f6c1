#include <string>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/relation_walk.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {

namespace {

/// spark.sql.view.maxNestedViewDepth.
constexpr int kMaxViewDepth = 100;

}  // namespace

Result<Binding> Binder::BindView(const CatalogView& view,
                                 const std::vector<std::string>& qualifier) {
  if (state_->view_depth >= kMaxViewDepth) {
    return Error(ErrorClass::VIEW_EXCEED_MAX_NESTED_DEPTH,
                 {{"viewName", QuotedIdentifier(qualifier)},
                  {"maxNestedDepth", std::to_string(kMaxViewDepth)}});
  }
  plan::RelationPtr query = view.query;
  if (query == nullptr) {
    ParserOptions options = services_.parser;
    options.session_time_zone = typing_.session_time_zone;
    options.ansi = typing_.ansi;
    options.object_type = "VIEW";
    options.object_name = fmt::format("{}", fmt::join(qualifier, "."));
    MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, ParseStatement(view.text, options));
    if (statement.query() == nullptr) return Error::Internal("the text of a view is no query");
    query = *statement.query();
  }
  // A view knows nothing of the statement around it, neither its WITH tables nor its parameters.
  Binder binder(catalog_, typing_, services_, {}, state_);
  if (!view.temporary) {
    binder.view_schema_ = view.schema;
    state_->reads_stored_view = true;
  }
  ++state_->view_depth;
  auto bound = binder.BindRelation(query);
  --state_->view_depth;
  if (!bound.ok()) return std::move(bound).error();
  Binding binding = binder.Finished(*std::move(bound));
  MERGANSER_ASSIGN_OR_RETURN(
      binding, view.entry.schema ? binder.PickViewColumns(binding, view.entry, qualifier)
                                 : binder.RenameColumns(std::move(binding), view.columns, {}));
  return Binding{.relation = binding.relation, .scope = binding.scope.Requalified(qualifier)};
}

}  // namespace merganser
