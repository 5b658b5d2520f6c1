#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_translator.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {

Result<plan::RelationPtr> RelationTranslator::Read(const proto::Read& read) {
  if (read.is_streaming()) {
    if (!context_.streaming_source) return InvalidPlan("a stream cannot be read here");
    return context_.streaming_source(read);
  }
  if (read.has_named_table()) {
    plan::TableReference table;
    MERGANSER_ASSIGN_OR_RETURN(
        table.name, ParseMultipartName(read.named_table().unparsed_identifier(), context_.parser));
    table.options = ToOptions(read.named_table().options());
    return plan::MakeRelation(std::move(table));
  }
  if (!read.has_data_source()) return RefuseOneof(read, "read_type");
  const proto::Read::DataSource& source = read.data_source();
  plan::FileSource files;
  if (source.has_format()) files.format = source.format();
  if (!source.predicates().empty()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"format", files.format}},
                 "PREDICATES_NOT_SUPPORTED_FOR_DATA_SOURCE");
  }
  files.paths.assign(source.paths().begin(), source.paths().end());
  files.options = ToOptions(source.options());
  if (files.paths.empty()) {
    if (const auto path = files.options.find("path"); path != files.options.end())
      files.paths.push_back(path->second);
  }
  if (source.has_schema() && !source.schema().empty()) {
    MERGANSER_ASSIGN_OR_RETURN(files.schema, ReadSchema(source.schema()));
  }
  return plan::MakeRelation(std::move(files));
}

Result<plan::RelationPtr> RelationTranslator::Parse(const proto::Parse& parse) {
  plan::FileSource records;
  switch (parse.format()) {
    case proto::Parse::PARSE_FORMAT_CSV:
      records.format = "csv";
      break;
    case proto::Parse::PARSE_FORMAT_JSON:
      records.format = "json";
      break;
    case proto::Parse::PARSE_FORMAT_XML:
      return Error(ErrorClass::DATA_SOURCE_NOT_FOUND, {{"provider", "xml"}});
    default:
      return RefuseEnum(parse, "format");
  }
  records.options = ToOptions(parse.options());
  if (parse.has_schema()) {
    MERGANSER_ASSIGN_OR_RETURN(records.schema, FieldsOf(parse.schema()));
  }
  MERGANSER_ASSIGN_OR_RETURN(records.records, Input(parse));
  return plan::MakeRelation(std::move(records));
}

Result<plan::RelationPtr> RelationTranslator::TableFunction(
    const proto::UnresolvedTableValuedFunction& function) {
  plan::TableFunction translated;
  translated.name = {function.function_name()};
  MERGANSER_ASSIGN_OR_RETURN(translated.arguments, Expressions(function.arguments()));
  return plan::MakeRelation(std::move(translated));
}

Result<plan::RelationPtr> RelationTranslator::Local(const proto::LocalRelation& local) {
  std::vector<std::string_view> streams;
  if (local.has_data() && !local.data().empty()) streams.emplace_back(local.data());
  std::optional<std::string_view> schema;
  if (local.has_schema() && !local.schema().empty()) schema = local.schema();
  if (streams.empty() && !schema)
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "SCHEMA_REQUIRED_FOR_LOCAL_RELATION");
  return context_.local_rows(streams, schema);
}

Result<plan::RelationPtr> RelationTranslator::CachedLocal(
    const proto::CachedLocalRelation& cached) {
  MERGANSER_ASSIGN_OR_RETURN(const std::string_view bytes,
                             context_.artifact("cache/" + cached.hash()));
  proto::LocalRelation local;
  if (!local.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"errorMsg", "the uploaded relation is damaged"}}, "CANNOT_PARSE");
  }
  return Local(local);
}

Result<plan::RelationPtr> RelationTranslator::ChunkedLocal(
    const proto::ChunkedCachedLocalRelation& chunked) {
  if (chunked.datahashes().empty()) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                 "CHUNKED_CACHED_LOCAL_RELATION_WITHOUT_DATA");
  }
  std::vector<std::string_view> streams;
  for (const std::string& hash : chunked.datahashes()) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string_view bytes, context_.artifact("cache/" + hash));
    streams.push_back(bytes);
  }
  std::optional<std::string_view> schema;
  if (chunked.has_schemahash() && !chunked.schemahash().empty()) {
    MERGANSER_ASSIGN_OR_RETURN(schema, context_.artifact("cache/" + chunked.schemahash()));
  }
  return context_.local_rows(streams, schema);
}

Result<StructType> RelationTranslator::FieldsOf(const proto::DataType& schema) const {
  MERGANSER_ASSIGN_OR_RETURN(const DataType type, TranslateType(schema, context_.parser));
  if (!type.is(TypeId::kStruct)) {
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"inputSchema", "schema"}, {"dataType", type.SqlString()}},
                 "INVALID_SCHEMA_NON_STRUCT_TYPE");
  }
  return type.fields();
}

Result<StructType> RelationTranslator::ReadSchema(const std::string& text) const {
  const size_t first = text.find_first_not_of(" \t\r\n");
  if (first != std::string::npos && text[first] == '{') return ParseSchemaJson(text);
  return ParseTableSchema(text, context_.parser);
}

}  // namespace merganser::connect
