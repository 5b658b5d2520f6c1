#include <optional>
#include <string>
#include <utility>

#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"

namespace merganser::connect {
namespace {

namespace proto = spark::connect;
using plan::CatalogCallKind;

plan::Command Call(CatalogCallKind kind, std::string name = {},
                   std::optional<std::string> schema = std::nullopt,
                   std::optional<std::string> pattern = std::nullopt) {
  return plan::CatalogCall{.kind = kind,
                           .name = std::move(name),
                           .schema = std::move(schema),
                           .pattern = std::move(pattern)};
}

template <typename Message>
std::optional<std::string> SchemaOf(const Message& message) {
  return message.has_db_name() ? std::optional(message.db_name()) : std::nullopt;
}

template <typename Message>
std::optional<std::string> PatternOf(const Message& message) {
  return message.has_pattern() ? std::optional(message.pattern()) : std::nullopt;
}

Result<plan::Command> Create(const std::string& name, const std::optional<std::string>& path,
                             const std::optional<std::string>& source,
                             const std::optional<std::string>& description,
                             const proto::DataType* schema, plan::Options options,
                             TranslationContext& context) {
  plan::CreateTable create;
  MERGANSER_ASSIGN_OR_RETURN(create.name, ParseMultipartName(name, context.parser));
  create.location = path;
  create.provider = source;
  create.comment = description;
  if (schema != nullptr) {
    MERGANSER_ASSIGN_OR_RETURN(const DataType type, TranslateType(*schema, context.parser));
    if (!type.is(TypeId::kStruct)) return InvalidPlan("the schema of a table is no struct");
    for (const StructField& field : type.fields()) {
      plan::ColumnDefinition column;
      column.name = {field.name};
      column.type = field.type;
      column.nullable = field.nullable;
      create.columns.push_back(std::move(column));
    }
  }
  create.options = std::move(options);
  return plan::Command(std::move(create));
}

template <typename Command>
Result<plan::Command> Named(Command command, const std::string& name,
                            const TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(command.name, ParseMultipartName(name, context.parser));
  return plan::Command(std::move(command));
}

Result<plan::Command> Show(plan::ShowKind kind, const std::string& name,
                           const TranslationContext& context) {
  return Named(plan::Show{.kind = kind, .name = {}, .pattern = {}, .property = {}}, name, context);
}

}  // namespace

Result<plan::Command> TranslateCatalog(const proto::Catalog& catalog, TranslationContext& context) {
  switch (catalog.cat_type_case()) {
    case proto::Catalog::kCurrentDatabase:
      return Call(CatalogCallKind::kCurrentSchema);
    case proto::Catalog::kSetCurrentDatabase:
      return Named(plan::UseSchema{}, catalog.set_current_database().db_name(), context);
    case proto::Catalog::kCurrentCatalog:
      return Call(CatalogCallKind::kCurrentCatalog);
    case proto::Catalog::kSetCurrentCatalog: {
      plan::UseSchema use;
      use.catalog = true;
      return Named(std::move(use), catalog.set_current_catalog().catalog_name(), context);
    }
    case proto::Catalog::kListCatalogs:
      return Call(CatalogCallKind::kListCatalogs, {}, {}, PatternOf(catalog.list_catalogs()));
    case proto::Catalog::kListDatabases:
      return Call(CatalogCallKind::kListSchemas, {}, {}, PatternOf(catalog.list_databases()));
    case proto::Catalog::kListTables:
      return Call(CatalogCallKind::kListTables, {}, SchemaOf(catalog.list_tables()),
                  PatternOf(catalog.list_tables()));
    case proto::Catalog::kListViews:
      return Call(CatalogCallKind::kListViews, {}, SchemaOf(catalog.list_views()),
                  PatternOf(catalog.list_views()));
    case proto::Catalog::kListFunctions:
      return Call(CatalogCallKind::kListFunctions, {}, SchemaOf(catalog.list_functions()),
                  PatternOf(catalog.list_functions()));
    case proto::Catalog::kListColumns:
      return Call(CatalogCallKind::kListColumns, catalog.list_columns().table_name(),
                  SchemaOf(catalog.list_columns()));
    case proto::Catalog::kGetDatabase:
      return Call(CatalogCallKind::kGetSchema, catalog.get_database().db_name());
    case proto::Catalog::kGetTable:
      return Call(CatalogCallKind::kGetTable, catalog.get_table().table_name(),
                  SchemaOf(catalog.get_table()));
    case proto::Catalog::kGetFunction:
      return Call(CatalogCallKind::kGetFunction, catalog.get_function().function_name(),
                  SchemaOf(catalog.get_function()));
    case proto::Catalog::kDatabaseExists:
      return Call(CatalogCallKind::kSchemaExists, catalog.database_exists().db_name());
    case proto::Catalog::kTableExists:
      return Call(CatalogCallKind::kTableExists, catalog.table_exists().table_name(),
                  SchemaOf(catalog.table_exists()));
    case proto::Catalog::kFunctionExists:
      return Call(CatalogCallKind::kFunctionExists, catalog.function_exists().function_name(),
                  SchemaOf(catalog.function_exists()));
    case proto::Catalog::kCreateExternalTable: {
      const auto& create = catalog.create_external_table();
      return Create(
          create.table_name(), create.has_path() ? std::optional(create.path()) : std::nullopt,
          create.has_source() ? std::optional(create.source()) : std::nullopt, std::nullopt,
          create.has_schema() ? &create.schema() : nullptr, ToOptions(create.options()), context);
    }
    case proto::Catalog::kCreateTable: {
      const auto& create = catalog.create_table();
      return Create(
          create.table_name(), create.has_path() ? std::optional(create.path()) : std::nullopt,
          create.has_source() ? std::optional(create.source()) : std::nullopt,
          create.has_description() ? std::optional(create.description()) : std::nullopt,
          create.has_schema() ? &create.schema() : nullptr, ToOptions(create.options()), context);
    }
    case proto::Catalog::kDropTempView:
      return Call(CatalogCallKind::kDropTemporaryView, catalog.drop_temp_view().view_name());
    case proto::Catalog::kDropGlobalTempView:
      return Call(CatalogCallKind::kDropTemporaryView, catalog.drop_global_temp_view().view_name());
    case proto::Catalog::kIsCached:
      return Call(CatalogCallKind::kIsCached, catalog.is_cached().table_name());
    case proto::Catalog::kRecoverPartitions:
    case proto::Catalog::kCacheTable:
    case proto::Catalog::kUncacheTable:
    case proto::Catalog::kClearCache:
    case proto::Catalog::kRefreshTable:
    case proto::Catalog::kRefreshByPath:
    case proto::Catalog::kAnalyzeTable:
      return plan::Command(plan::NoOperation{.name = "catalog call", .table = std::nullopt});
    case proto::Catalog::kDropTable: {
      plan::DropTable drop;
      drop.if_exists = catalog.drop_table().if_exists();
      drop.purge = catalog.drop_table().purge();
      return Named(std::move(drop), catalog.drop_table().table_name(), context);
    }
    case proto::Catalog::kDropView: {
      plan::DropView drop;
      drop.if_exists = catalog.drop_view().if_exists();
      return Named(std::move(drop), catalog.drop_view().view_name(), context);
    }
    case proto::Catalog::kCreateDatabase: {
      plan::CreateSchema create;
      create.if_not_exists = catalog.create_database().if_not_exists();
      create.properties = ToOptions(catalog.create_database().properties());
      return Named(std::move(create), catalog.create_database().db_name(), context);
    }
    case proto::Catalog::kDropDatabase: {
      plan::DropSchema drop;
      drop.if_exists = catalog.drop_database().if_exists();
      drop.cascade = catalog.drop_database().cascade();
      return Named(std::move(drop), catalog.drop_database().db_name(), context);
    }
    case proto::Catalog::kListPartitions:
      return Show(plan::ShowKind::kPartitions, catalog.list_partitions().table_name(), context);
    case proto::Catalog::kGetTableProperties:
      return Show(plan::ShowKind::kTableProperties, catalog.get_table_properties().table_name(),
                  context);
    case proto::Catalog::kGetCreateTableString:
      return Show(plan::ShowKind::kCreateTable, catalog.get_create_table_string().table_name(),
                  context);
    case proto::Catalog::kTruncateTable:
      return Named(plan::TruncateTable{}, catalog.truncate_table().table_name(), context);
    default:
      return RefuseOneof(catalog, "cat_type");
  }
}

}  // namespace merganser::connect
