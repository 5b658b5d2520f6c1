#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/analysis/binder.h"
#include "merganser/spark/analysis/find_option.h"
#include "merganser/spark/catalog/data_source_name.h"

namespace merganser {

namespace {

/// Spark's name for a subquery without one. It qualifies nothing.
constexpr std::string_view kUnnamedSubquery = "__auto_generated_subquery_name";

/// What a query's columns keep of a field's metadata; the rest is the table's own bookkeeping.
FieldMetadata ColumnMetadata(const FieldMetadata& metadata) {
  FieldMetadata kept = metadata;
  std::erase_if(kept, [](const auto& entry) {
    return entry.first.starts_with("delta.") || entry.first == "CURRENT_DEFAULT" ||
           entry.first == "EXISTS_DEFAULT";
  });
  return kept;
}

/// A column's type, its fields with what ColumnMetadata keeps.
DataType ColumnType(const DataType& type) {
  switch (type.id()) {
    case TypeId::kStruct: {
      StructType fields = type.fields();
      for (StructField& field : fields.fields()) {
        field.type = ColumnType(field.type);
        field.metadata = ColumnMetadata(field.metadata);
      }
      return DataType::Struct(std::move(fields));
    }
    case TypeId::kArray:
      return DataType::Array(ColumnType(type.element()), type.contains_null());
    case TypeId::kMap:
      return DataType::Map(ColumnType(type.key()), ColumnType(type.value()), type.contains_null());
    default:
      return type;
  }
}

plan::ExpressionPtr TextLiteral(const std::string& text) {
  return plan::MakeExpression(plan::Literal{DataType::String(), text});
}

std::optional<plan::TimeTravel> TimeTravelOf(const std::optional<plan::TimeTravel>& clause,
                                             const plan::Options& options) {
  if (clause) return clause;
  plan::TimeTravel travel;
  if (const std::string* version = FindOption(options, "versionAsOf"))
    travel.version = TextLiteral(*version);
  if (const std::string* timestamp = FindOption(options, "timestampAsOf"))
    travel.timestamp = TextLiteral(*timestamp);
  if (travel.version == nullptr && travel.timestamp == nullptr) return std::nullopt;
  return travel;
}

std::vector<std::string> PathQualifier(const std::string& format, const std::string& path) {
  return {std::string(kSparkCatalog), format, path};
}

Binding NoRowsNoColumns() {
  Binding binding;
  binding.relation = MakeBoundRelation(BoundValues{}, {});
  return binding;
}

}  // namespace

std::string Binder::SearchPath() const {
  return "[`system`.`builtin`, `system`.`session`, " + QuotedIdentifier(typing_.current_catalog) +
         "." + QuotedIdentifier(typing_.current_schema) + "]";
}

Error Binder::TableNotFound(const std::vector<std::string>& parts,
                            const plan::Origin& origin) const {
  return At(Error(ErrorClass::TABLE_OR_VIEW_NOT_FOUND,
                  {{"relationName", QuotedIdentifier(parts)}, {"searchPath", SearchPath()}}),
            origin);
}

Result<CatalogEntry> Binder::FindTable(const plan::MultipartName& name,
                                       const std::vector<std::string>& parts) {
  std::vector<std::string> path = parts;
  // The names inside a stored view mean what they meant when it was made.
  if (!view_schema_.empty() && path.size() == 1) path.insert(path.begin(), view_schema_);
  MERGANSER_ASSIGN_OR_RETURN(std::optional<CatalogEntry> found, catalog_.Find(path));
  if (found) return *std::move(found);
  const bool in_catalog = parts.size() == 3 && catalog_.Identify(parts).ok();
  if (parts.size() > 2 && !in_catalog) {
    return Error(
        ErrorClass::REQUIRES_SINGLE_PART_NAMESPACE,
        {{"sessionCatalog", std::string(kSparkCatalog)}, {"identifier", QuotedIdentifier(parts)}});
  }
  return TableNotFound(parts, name.origin);
}

Result<Binding> Binder::Bind(const plan::TableReference& table, const plan::Relation& relation) {
  MERGANSER_ASSIGN_OR_RETURN(const std::vector<std::string> parts, NameParts(table.name));
  plan::MultipartName name = table.name;
  if (!name.origin.known()) name.origin = relation.origin;
  const bool travels = table.time_travel.has_value();
  const auto no_time_travel = [&](const std::string& id) {
    return Error(ErrorClass::UNSUPPORTED_FEATURE, {{"relationId", id}}, "TIME_TRAVEL");
  };
  if (parts.size() == 1) {
    MERGANSER_ASSIGN_OR_RETURN(std::optional<Binding> common, BindCommonTable(parts[0]));
    if (common && travels) return no_time_travel(QuotedIdentifier(parts));
    if (common) return *std::move(common);
  }
  MERGANSER_ASSIGN_OR_RETURN(const CatalogEntry entry, FindTable(name, parts));
  if (const auto* view = std::get_if<CatalogView>(&entry)) {
    const TableIdentifier identifier{
        .schema =
            AsciiLowerCase(parts.size() > 1 ? parts[parts.size() - 2] : catalog_.current_schema()),
        .table = AsciiLowerCase(parts.back())};
    if (travels)
      return no_time_travel(view->temporary ? QuotedIdentifier(parts) : identifier.Quoted());
    if (view->temporary && view_schema_.empty()) state_->temporary_views.push_back(view->name);
    return BindView(*view,
                    view->temporary ? std::vector<std::string>{view->name} : identifier.parts());
  }
  const CatalogTable& found = std::get<CatalogTable>(entry);
  if (!found.is_delta() && travels) {
    return no_time_travel(found.identifier ? found.identifier->Quoted() : QuotedIdentifier(parts));
  }
  return BindCatalogTable(found, table.time_travel, table.options, name, parts);
}

Result<Binding> Binder::BindCatalogTable(const CatalogTable& table,
                                         const std::optional<plan::TimeTravel>& clause,
                                         const plan::Options& options,
                                         const plan::MultipartName& name,
                                         const std::vector<std::string>& parts) {
  const std::vector<std::string> qualifier =
      table.identifier ? table.identifier->parts() : PathQualifier(table.provider, parts.back());
  if (!table.is_delta()) {
    plan::Options all = table.entry.options;
    for (const auto& [key, value] : options) all[key] = value;
    return BindFiles(table.provider, {table.location.uri}, std::move(all), table.entry.schema,
                     qualifier);
  }
  if (const std::string* changes = FindOption(options, "readChangeFeed"); changes == nullptr) {
    if (const std::string* old_name = FindOption(options, "readChangeData")) changes = old_name;
    if (changes != nullptr && AsciiLowerCase(*changes) == "true")
      return BindChangeFeed(table, options, name, parts, qualifier);
  } else if (AsciiLowerCase(*changes) == "true") {
    return BindChangeFeed(table, options, name, parts, qualifier);
  }
  if (const std::optional<plan::TimeTravel> travel = TimeTravelOf(clause, options)) {
    MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                               SnapshotAsOf(table, *travel, name, parts));
    return BindDeltaTable(snapshot, qualifier);
  }
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot, SnapshotOf(table, name, parts));
  return BindDeltaTable(snapshot, qualifier);
}

Result<Binding> Binder::BindDeltaTable(const SnapshotRef& snapshot,
                                       const std::vector<std::string>& qualifier) {
  BoundScan scan{.snapshot = snapshot, .columns = {}};
  std::vector<BoundColumn> columns;
  for (const StructField& field : snapshot->schema()) {
    scan.columns.push_back(field.name);
    columns.push_back({.id = NextId(),
                       .name = field.name,
                       .type = ColumnType(field.type),
                       .nullable = field.nullable,
                       .metadata = ColumnMetadata(field.metadata)});
  }
  const bool has_metadata = state_->with_file_metadata;
  if (has_metadata) {
    scan.file_metadata = true;
    columns.push_back({.id = NextId(),
                       .name = std::string(kFileMetadataColumn),
                       .type = FileMetadataType(*snapshot),
                       .nullable = false});
  }
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(scan), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, qualifier);
  if (has_metadata) {
    binding.scope.columns().back().hidden = true;
    binding.scope.columns().back().metadata = true;
  }
  return binding;
}

Result<Binding> Binder::Bind(const plan::DeltaFiles& files, const plan::Relation&) {
  MERGANSER_ASSIGN_OR_RETURN(const FileLocation table,
                             catalog_.file_systems().Resolve(files.table));
  MERGANSER_ASSIGN_OR_RETURN(const SnapshotRef snapshot,
                             catalog_.snapshots().At(table, Version(files.version)));
  // Rows of a stream do not show where they come from.
  const bool with_file_metadata = std::exchange(state_->with_file_metadata, false);
  auto bound = BindDeltaTable(snapshot, {});
  state_->with_file_metadata = with_file_metadata;
  MERGANSER_ASSIGN_OR_RETURN(Binding binding, std::move(bound));
  BoundScan scan = *binding.relation->As<BoundScan>();
  scan.files = std::static_pointer_cast<const std::vector<AddFile>>(files.files);
  binding.relation = MakeBoundRelation(std::move(scan), binding.relation->columns);
  return binding;
}

Result<Binding> Binder::BindFiles(std::string format, std::vector<std::string> paths,
                                  plan::Options options, const std::optional<StructType>& schema,
                                  const std::vector<std::string>& qualifier) {
  StructType fields;
  if (schema) {
    fields = *schema;
  } else {
    if (!services_.infer_schema)
      return Error::Internal("nothing reads the schema of " + format + " files");
    MERGANSER_ASSIGN_OR_RETURN(fields, services_.infer_schema(format, paths, options));
  }
  return BindFileScan({.format = std::move(format),
                       .paths = std::move(paths),
                       .options = std::move(options),
                       .columns = {},
                       .declared = schema.has_value()},
                      fields, qualifier);
}

Binding Binder::BindFileScan(BoundFileScan scan, const StructType& fields,
                             const std::vector<std::string>& qualifier) const {
  std::vector<BoundColumn> columns;
  for (const StructField& field : fields) {
    scan.columns.push_back(field.name);
    // Files promise nothing about NULLs.
    columns.push_back({.id = NextId(),
                       .name = field.name,
                       .type = ColumnType(field.type),
                       .nullable = true,
                       .metadata = ColumnMetadata(field.metadata)});
  }
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(scan), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, qualifier);
  return binding;
}

Result<Binding> Binder::BindRecords(const plan::FileSource& source, const std::string& format) {
  MERGANSER_ASSIGN_OR_RETURN(Binding records, BindRelation(source.records));
  records = Finished(std::move(records));
  const auto& columns = records.relation->columns;
  if (columns.size() != 1) {
    return Error(ErrorClass::DATAFRAME_INPUT_NOT_SINGLE_COLUMN,
                 {{"numColumns", std::to_string(columns.size())}});
  }
  if (!columns[0].type.is_string()) {
    return Error(ErrorClass::DATAFRAME_INPUT_NOT_STRING_TYPE,
                 {{"dataType", "\"" + columns[0].type.SqlString() + "\""}});
  }
  StructType fields;
  if (source.schema) {
    fields = *source.schema;
  } else {
    if (!services_.infer_record_schema)
      return Error::Internal("nothing reads the schema of " + format + " records");
    MERGANSER_ASSIGN_OR_RETURN(
        fields, services_.infer_record_schema(format, records.relation, source.options));
  }
  return BindFileScan({.format = format,
                       .paths = {},
                       .options = source.options,
                       .columns = {},
                       .declared = source.schema.has_value(),
                       .records = records.relation},
                      fields, {});
}

Result<Binding> Binder::Bind(const plan::FileSource& source, const plan::Relation& relation) {
  static constexpr std::array kFormats = {"parquet", "csv", "json", "text"};
  const std::string format =
      DataSourceName(source.format.empty() ? services_.default_source : source.format);
  if (source.records != nullptr) return BindRecords(source, format);
  if (format == "delta") {
    if (source.paths.size() != 1) {
      return Error(ErrorClass::DELTA_OPERATION_MISSING_PATH, {{"operation", "load"}});
    }
    const std::vector<std::string> parts = {"delta", source.paths[0]};
    MERGANSER_ASSIGN_OR_RETURN(FileLocation location,
                               catalog_.file_systems().Resolve(source.paths[0]));
    CatalogTable table;
    table.location = std::move(location);
    MERGANSER_ASSIGN_OR_RETURN(Binding binding,
                               BindCatalogTable(table, std::nullopt, source.options,
                                                {parts, nullptr, relation.origin}, parts));
    binding.scope = binding.scope.Requalified({});
    return binding;
  }
  if (std::find(kFormats.begin(), kFormats.end(), format) == kFormats.end()) {
    return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", source.format}});
  }
  return BindFiles(format, source.paths, source.options, source.schema, {});
}

Binding Binder::BindEngineRows(std::string engine_name, const StructType& schema) const {
  BoundEngineTable table{.engine_name = std::move(engine_name), .columns = {}, .casts = true};
  std::vector<BoundColumn> columns;
  for (const StructField& field : schema) {
    table.columns.push_back("c" + std::to_string(columns.size()));
    columns.push_back({.id = NextId(),
                       .name = field.name,
                       .type = field.type,
                       .nullable = field.nullable,
                       .metadata = field.metadata});
  }
  Binding binding;
  binding.relation = MakeBoundRelation(std::move(table), std::move(columns));
  binding.scope = ScopeOf(*binding.relation, {});
  return binding;
}

Result<Binding> Binder::Bind(const plan::LocalRelation& local, const plan::Relation&) {
  if (local.schema.empty()) return NoRowsNoColumns();
  if (!services_.local_table) return Error::Internal("nothing keeps local relations");
  MERGANSER_ASSIGN_OR_RETURN(std::string engine_name, services_.local_table(local));
  Binding binding = BindEngineRows(std::move(engine_name), local.schema);
  BoundEngineTable table = *binding.relation->As<BoundEngineTable>();
  table.range = {0, local.num_rows};
  binding.relation = MakeBoundRelation(std::move(table), binding.relation->columns);
  return binding;
}

Result<Binding> Binder::Bind(const plan::CommandRows& rows, const plan::Relation&) {
  if (!services_.command_rows) return Error::Internal("nothing runs commands inside of queries");
  MERGANSER_ASSIGN_OR_RETURN(EngineRows result, services_.command_rows(rows));
  if (result.schema.empty()) return NoRowsNoColumns();
  return BindEngineRows(std::move(result.engine_name), result.schema);
}

Result<Binding> Binder::RenameColumns(Binding binding, const std::vector<std::string>& names,
                                      const plan::Origin& origin) const {
  if (names.empty()) return binding;
  binding = Finished(std::move(binding));
  if (names.size() != binding.relation->columns.size()) {
    return At(Error(ErrorClass::ASSIGNMENT_ARITY_MISMATCH,
                    {{"numExpr", std::to_string(names.size())},
                     {"numTarget", std::to_string(binding.relation->columns.size())}}),
              origin);
  }
  for (size_t i = 0; i < names.size(); ++i) binding.scope.columns()[i].column.name = names[i];
  return binding;
}

Result<Binding> Binder::Bind(const plan::SubqueryAlias& alias, const plan::Relation& relation) {
  Binding binding;
  if (const auto* table = alias.child->As<plan::InlineTable>();
      table != nullptr && !alias.columns.empty()) {
    MERGANSER_ASSIGN_OR_RETURN(binding, BindInlineTable(*table, alias.columns, relation.origin));
  } else {
    MERGANSER_ASSIGN_OR_RETURN(binding, BindRelation(alias.child));
    MERGANSER_ASSIGN_OR_RETURN(binding,
                               RenameColumns(std::move(binding), alias.columns, relation.origin));
  }
  std::vector<std::string> qualifier;
  if (!alias.name.empty() && alias.name != kUnnamedSubquery) qualifier.push_back(alias.name);
  return Binding{.relation = binding.relation, .scope = binding.scope.Requalified(qualifier)};
}

}  // namespace merganser
