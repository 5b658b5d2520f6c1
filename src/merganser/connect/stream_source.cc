#include "merganser/connect/stream_source.h"

#include <utility>
#include <variant>

#include "merganser/arrow/column.h"
#include "merganser/connect/stream_plan.h"
#include "merganser/session/local_relation.h"

namespace merganser::connect {
namespace {

/// The instant of a timestamp's text in the session's time zone.
Result<int64_t> MillisOf(ServerSession& session, const std::string& text) {
  plan::Call millis;
  millis.name = {"unix_millis"};
  millis.arguments = {plan::MakeExpression(plan::Cast{
      plan::MakeExpression(plan::Literal{DataType::String(), text}), DataType::Timestamp()})};
  plan::Statement statement;
  statement.body = plan::MakeRelation(plan::Project{
      plan::MakeRelation(plan::OneRow{}),
      {plan::MakeExpression(plan::Alias{plan::MakeExpression(std::move(millis)), {"millis"}})}});
  MERGANSER_ASSIGN_OR_RETURN(ResultSet rows, session.session().Execute(statement));
  MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, rows.ExportSchema());
  MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows.Next());
  MERGANSER_ASSIGN_OR_RETURN(
      const ArrowColumn column,
      ArrowColumn::Make(*schema.get().children[0], batch->column(0), DataType::Long()));
  return column.Int64(0);
}

}  // namespace

Result<DeltaSource> FindStreamSource(ServerSession& session, const spark::connect::Read& read) {
  TranslationContext context = session.translation();
  spark::connect::Relation once;
  *once.mutable_read() = read;
  once.mutable_read()->set_is_streaming(false);
  MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr relation, TranslateRelation(once, context));
  Session& inner = session.session();
  TableCatalog& catalog = inner.catalog();
  plan::Options options;
  FileLocation location;
  if (const auto* source = relation->As<plan::FileSource>()) {
    options = source->options;
    if (source->format != "delta" || source->paths.size() != 1)
      return UnsupportedStream("reading anything but a Delta table");
    MERGANSER_ASSIGN_OR_RETURN(location, catalog.file_systems().Resolve(source->paths[0]));
  } else {
    const auto* reference = relation->As<plan::TableReference>();
    if (reference == nullptr) return UnsupportedStream("reading anything but a table");
    options = reference->options;
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, catalog.Find(reference->name.parts));
    const auto* table = entry ? std::get_if<CatalogTable>(&*entry) : nullptr;
    if (table == nullptr || !table->is_delta()) {
      // Says so in the words of a query, if there is nothing of that name.
      plan::TableReference plain{reference->name, std::nullopt, {}};
      MERGANSER_RETURN_IF_ERROR(inner.SchemaOf({plan::MakeRelation(std::move(plain)), {}}));
      return UnsupportedStream("reading a view or a table that is not Delta's");
    }
    location = table->location;
  }
  MERGANSER_ASSIGN_OR_RETURN(const DeltaSourceOptions read_options,
                             DeltaSourceOptions::Read(options, [&session](const std::string& text) {
                               return MillisOf(session, text);
                             }));
  return DeltaSource(std::move(relation), std::move(location), read_options,
                     inner.runtime().snapshots());
}

}  // namespace merganser::connect
