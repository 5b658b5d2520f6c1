#include "merganser/commands/catalog_call.h"

#include <algorithm>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/commands/command_rows.h"
#include "merganser/commands/name_pattern.h"
#include "merganser/spark/functions/resolve.h"
#include "merganser/spark/sql/parser.h"

namespace merganser {
namespace {

using plan::CatalogCallKind;
using CatalogRows = std::vector<std::vector<CommandCell>>;

StructField TextField(const char* name) { return {name, DataType::String(), true, {}}; }
StructField FlagField(const char* name) { return {name, DataType::Boolean(), false, {}}; }

StructType TableSchema() {
  return StructType({TextField("name"),
                     TextField("catalog"),
                     {"namespace", DataType::Array(DataType::String()), true, {}},
                     TextField("description"),
                     TextField("tableType"),
                     FlagField("isTemporary")});
}

StructType NamespaceSchema() {
  return StructType({TextField("name"), TextField("catalog"), TextField("description"),
                     TextField("locationUri")});
}

StructType FunctionSchema() {
  return StructType({TextField("name"),
                     TextField("catalog"),
                     {"namespace", DataType::Array(DataType::String()), true, {}},
                     TextField("description"),
                     TextField("className"),
                     FlagField("isTemporary")});
}

class CatalogAnswer {
 public:
  CatalogAnswer(StatementContext& context, const plan::CatalogCall& call)
      : context_(context), call_(call) {}

  Result<ResultSet> Run() {
    switch (call_.kind) {
      case CatalogCallKind::kCurrentSchema:
        return Value(context_.catalog.current_schema());
      case CatalogCallKind::kCurrentCatalog:
        return Value(std::string(kSparkCatalog));
      case CatalogCallKind::kListCatalogs:
        return ListCatalogs();
      case CatalogCallKind::kListSchemas:
        return ListSchemas();
      case CatalogCallKind::kListTables:
        return ListTables(/*views_only=*/false);
      case CatalogCallKind::kListViews:
        return ListTables(/*views_only=*/true);
      case CatalogCallKind::kListColumns:
        return ListColumns();
      case CatalogCallKind::kListFunctions:
        return ListFunctions();
      case CatalogCallKind::kGetSchema:
        return GetSchema();
      case CatalogCallKind::kGetTable:
        return GetTable();
      case CatalogCallKind::kGetFunction:
        return GetFunction();
      case CatalogCallKind::kSchemaExists:
        return SchemaExists();
      case CatalogCallKind::kTableExists:
        return TableIsThere();
      case CatalogCallKind::kFunctionExists:
        return Flag(FindFunction(call_.name).has_value());
      case CatalogCallKind::kIsCached:
        return IsCached();
      case CatalogCallKind::kDropTemporaryView:
        return Flag(context_.catalog.DropView(call_.name));
    }
    return Error::Internal("a catalog call of an unknown kind");
  }

 private:
  Result<ResultSet> Value(std::string text) {
    return CommandResult(context_, StructType({TextField("value")}), {{std::move(text)}});
  }
  Result<ResultSet> Flag(bool value) {
    return CommandResult(context_, StructType({FlagField("value")}), {{value}});
  }

  /// The parts of the name, below the schema that the call names.
  Result<std::vector<std::string>> Name() const {
    MERGANSER_ASSIGN_OR_RETURN(const plan::MultipartName name, ParseMultipartName(call_.name));
    if (!call_.schema || name.parts.size() > 1) return name.parts;
    MERGANSER_ASSIGN_OR_RETURN(const plan::MultipartName schema, ParseMultipartName(*call_.schema));
    std::vector<std::string> parts = schema.parts;
    parts.push_back(name.parts.back());
    return parts;
  }

  /// The schema that the call names in `text`, or the current one.
  Result<std::string> Schema(const std::optional<std::string>& text) const {
    std::vector<std::string> parts;
    if (text) {
      MERGANSER_ASSIGN_OR_RETURN(plan::MultipartName name, ParseMultipartName(*text));
      parts = std::move(name.parts);
    }
    MERGANSER_ASSIGN_OR_RETURN(std::string schema, context_.catalog.IdentifySchema(parts));
    MERGANSER_ASSIGN_OR_RETURN(const bool exists,
                               context_.catalog.warehouse().SchemaExists(schema));
    if (exists) return schema;
    return Error(ErrorClass::SCHEMA_NOT_FOUND,
                 {{"schemaName", QuotedIdentifier(std::vector<std::string>{
                                     std::string(kSparkCatalog), schema})}});
  }

  Result<ResultSet> ListCatalogs() {
    CatalogRows rows;
    if (MatchesPattern(call_.pattern, std::string(kSparkCatalog)))
      rows.push_back({std::string(kSparkCatalog), CommandCell()});
    return CommandResult(context_, StructType({TextField("name"), TextField("description")}), rows);
  }

  static std::vector<CommandCell> SchemaRow(const SchemaEntry& schema) {
    return {schema.name, std::string(kSparkCatalog), schema.comment, schema.location};
  }

  Result<ResultSet> ListSchemas() {
    MERGANSER_ASSIGN_OR_RETURN(const auto schemas, context_.catalog.warehouse().ListSchemas());
    CatalogRows rows;
    for (const SchemaEntry& schema : schemas) {
      if (MatchesPattern(call_.pattern, schema.name)) rows.push_back(SchemaRow(schema));
    }
    return CommandResult(context_, NamespaceSchema(), rows);
  }

  Result<ResultSet> GetSchema() {
    MERGANSER_ASSIGN_OR_RETURN(const std::string name, Schema(call_.name));
    MERGANSER_ASSIGN_OR_RETURN(const SchemaEntry schema,
                               context_.catalog.warehouse().GetSchema(name));
    return CommandResult(context_, NamespaceSchema(), {SchemaRow(schema)});
  }

  Result<ResultSet> SchemaExists() {
    const auto schema = Schema(call_.name);
    if (schema.ok()) return Flag(true);
    if (schema.error().error_class() == ErrorClass::SCHEMA_NOT_FOUND) return Flag(false);
    return schema.error();
  }

  static std::vector<CommandCell> ViewRow(const std::string& name) {
    return {name, CommandCell(), CommandList(), CommandCell(), "TEMPORARY", true};
  }

  Result<std::vector<CommandCell>> TableRow(const TableIdentifier& table) {
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, context_.catalog.warehouse().Find(table));
    const char* type = "EXTERNAL";
    if (entry && entry->provider == "view") type = "VIEW";
    if (entry && entry->managed) type = "MANAGED";
    CommandCell comment;
    if (entry && entry->provider == "delta") {
      MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                                 context_.catalog.file_systems().Resolve(entry->location));
      MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                                 context_.catalog.snapshots().Latest(location));
      if (snapshot != nullptr) comment = CommandCell(snapshot->metadata().description);
    }
    return std::vector<CommandCell>{table.table,
                                    std::string(kSparkCatalog),
                                    CommandList{{CommandCell(table.schema)}},
                                    std::move(comment),
                                    type,
                                    false};
  }

  Result<ResultSet> ListTables(bool views_only) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string schema, Schema(call_.schema));
    MERGANSER_ASSIGN_OR_RETURN(const auto names, context_.catalog.warehouse().ListTables(schema));
    CatalogRows rows;
    for (const std::string& name : names) {
      if (!MatchesPattern(call_.pattern, name)) continue;
      MERGANSER_ASSIGN_OR_RETURN(auto row, TableRow({schema, name}));
      const auto* type = std::get_if<std::string>(&row[4].value);
      if (!views_only || (type != nullptr && *type == "VIEW")) rows.push_back(std::move(row));
    }
    for (const std::string& view : context_.catalog.temporary_views()) {
      if (MatchesPattern(call_.pattern, view)) rows.push_back(ViewRow(view));
    }
    return CommandResult(context_, TableSchema(), rows);
  }

  Error NotFound(const std::vector<std::string>& name) const {
    return Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND, {{"relationName", QuotedIdentifier(name)}});
  }

  Result<ResultSet> GetTable() {
    MERGANSER_ASSIGN_OR_RETURN(const auto name, Name());
    MERGANSER_ASSIGN_OR_RETURN(const auto entry, context_.catalog.Find(name));
    if (!entry) return NotFound(name);
    const auto* view = std::get_if<CatalogView>(&*entry);
    if (view != nullptr && view->temporary)
      return CommandResult(context_, TableSchema(), {ViewRow(view->name)});
    MERGANSER_ASSIGN_OR_RETURN(const TableIdentifier table, context_.catalog.Identify(name));
    MERGANSER_ASSIGN_OR_RETURN(auto row, TableRow(table));
    return CommandResult(context_, TableSchema(), {std::move(row)});
  }

  Result<ResultSet> TableIsThere() {
    MERGANSER_ASSIGN_OR_RETURN(const auto name, Name());
    const auto entry = context_.catalog.Find(name);
    if (!entry.ok()) {
      if (entry.error().error_class() == ErrorClass::SCHEMA_NOT_FOUND) return Flag(false);
      return entry.error();
    }
    const auto* table = *entry ? std::get_if<CatalogTable>(&**entry) : nullptr;
    if (table == nullptr || !table->is_delta()) return Flag(entry->has_value());
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               context_.catalog.snapshots().Latest(table->location));
    return Flag(snapshot != nullptr);
  }

  /// Nothing is kept, but the table has to be there.
  Result<ResultSet> IsCached() {
    MERGANSER_ASSIGN_OR_RETURN(const auto name, Name());
    const plan::MultipartName reference{name, nullptr, {}};
    const auto found = context_.MakeAnalyzer()->FindTable(reference);
    return found.ok() ? Flag(false) : found.error();
  }

  Result<ResultSet> ListColumns() {
    MERGANSER_ASSIGN_OR_RETURN(const auto name, Name());
    const auto analyzer = context_.MakeAnalyzer();
    const plan::MultipartName reference{name, nullptr, {}};
    MERGANSER_ASSIGN_OR_RETURN(const AnalyzedRelation relation,
                               analyzer->BindRelation(plan::MakeRelation(
                                   plan::TableReference{reference, std::nullopt, {}})));
    std::vector<std::string> partitions;
    MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, analyzer->FindTable(reference));
    if (const auto* table = std::get_if<CatalogTable>(&entry)) {
      partitions = table->entry.partition_columns;
      if (table->is_delta()) {
        MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                                   analyzer->SnapshotOf(*table, reference));
        partitions = snapshot->partition_columns();
      }
    }
    CatalogRows rows;
    for (const BoundColumn& column : relation.relation->columns) {
      const bool is_partition = std::ranges::find(partitions, column.name) != partitions.end();
      const auto comment = column.metadata.find("comment");
      CommandCell description;
      if (comment != column.metadata.end() && comment->second.size() >= 2)
        description = CommandCell(comment->second.substr(1, comment->second.size() - 2));
      rows.push_back({column.name, std::move(description), column.type.CatalogString(),
                      column.nullable, is_partition, false, false});
    }
    return CommandResult(
        context_,
        StructType({TextField("name"), TextField("description"), TextField("dataType"),
                    FlagField("nullable"), FlagField("isPartition"), FlagField("isBucket"),
                    FlagField("isCluster")}),
        rows);
  }

  static std::vector<CommandCell> FunctionRow(const std::string& name) {
    return {name, CommandCell(), CommandCell(), CommandCell(), "", true};
  }

  Result<ResultSet> ListFunctions() {
    CatalogRows rows;
    for (const std::string& name : FunctionNames()) {
      if (MatchesPattern(call_.pattern, name)) rows.push_back(FunctionRow(name));
    }
    return CommandResult(context_, FunctionSchema(), rows);
  }

  Result<ResultSet> GetFunction() {
    if (!FindFunction(call_.name)) {
      return Error(ErrorClass::UNRESOLVED_ROUTINE,
                   {{"routineName", QuotedIdentifier(call_.name)}, {"searchPath", ""}});
    }
    return CommandResult(context_, FunctionSchema(), {FunctionRow(AsciiLowerCase(call_.name))});
  }

  StatementContext& context_;
  const plan::CatalogCall& call_;
};

}  // namespace

Result<ResultSet> RunCatalogCall(StatementContext& context, const plan::CatalogCall& command) {
  return CatalogAnswer(context, command).Run();
}

Result<ResultSet> RunIsDeltaTable(StatementContext& context, const plan::IsDeltaTable& command) {
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation location,
                             context.catalog.file_systems().Resolve(command.path));
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                             context.catalog.snapshots().Latest(location));
  return CommandResult(context, StructType({FlagField("value")}), {{snapshot != nullptr}});
}

}  // namespace merganser
