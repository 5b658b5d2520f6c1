#include <cmath>
#include <string>
#include <utility>

#include "merganser/connect/plan/literal.h"
#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/connect/plan/translate_statistics.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {
namespace {

namespace proto = spark::connect;

// randomSplit adds up the weights that it is given.
constexpr double kSampleTolerance = 1e-6;

/// Translates one relation; its inputs by way of TranslateRelation.
class RelationTranslator {
 public:
  explicit RelationTranslator(TranslationContext& context) : context_(context) {}

  Result<plan::RelationPtr> Read(const proto::Read& read) {
    if (read.is_streaming()) {
      if (!context_.streaming_source) return InvalidPlan("a stream cannot be read here");
      return context_.streaming_source(read);
    }
    if (read.has_named_table()) {
      plan::TableReference table;
      MERGANSER_ASSIGN_OR_RETURN(
          table.name,
          ParseMultipartName(read.named_table().unparsed_identifier(), context_.parser));
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

  Result<plan::RelationPtr> Parse(const proto::Parse& parse) {
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

  Result<plan::RelationPtr> Project(const proto::Project& project) {
    MERGANSER_ASSIGN_OR_RETURN(auto expressions, Expressions(project.expressions()));
    plan::RelationPtr child = plan::MakeRelation(plan::OneRow{});
    if (project.has_input()) {
      MERGANSER_ASSIGN_OR_RETURN(child, Input(project));
    }
    return plan::MakeRelation(plan::Project{std::move(child), std::move(expressions)});
  }

  Result<plan::RelationPtr> Filter(const proto::Filter& filter) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(filter));
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr condition,
                               TranslateExpression(filter.condition(), context_));
    return plan::MakeRelation(plan::Filter{std::move(child), std::move(condition)});
  }

  template <typename Message>
  static Result<plan::JoinType> JoinKind(const Message& join) {
    switch (join.join_type()) {
      case proto::Join::JOIN_TYPE_INNER:
        return plan::JoinType::kInner;
      case proto::Join::JOIN_TYPE_FULL_OUTER:
        return plan::JoinType::kFull;
      case proto::Join::JOIN_TYPE_LEFT_OUTER:
        return plan::JoinType::kLeft;
      case proto::Join::JOIN_TYPE_RIGHT_OUTER:
        return plan::JoinType::kRight;
      case proto::Join::JOIN_TYPE_LEFT_ANTI:
        return plan::JoinType::kLeftAnti;
      case proto::Join::JOIN_TYPE_LEFT_SEMI:
        return plan::JoinType::kLeftSemi;
      case proto::Join::JOIN_TYPE_CROSS:
        return plan::JoinType::kCross;
      default:
        return RefuseEnum(join, "join_type");
    }
  }

  Result<plan::RelationPtr> Join(const proto::Join& join) {
    if (join.has_join_condition() && !join.using_columns().empty()) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                   "USING_COLUMNS_OR_JOIN_CONDITION_SET_IN_JOIN");
    }
    plan::Join translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.type, JoinKind(join));
    MERGANSER_ASSIGN_OR_RETURN(translated.left, TranslateRelation(join.left(), context_));
    MERGANSER_ASSIGN_OR_RETURN(translated.right, TranslateRelation(join.right(), context_));
    translated.using_columns.assign(join.using_columns().begin(), join.using_columns().end());
    if (join.has_join_condition()) {
      MERGANSER_ASSIGN_OR_RETURN(translated.condition,
                                 TranslateExpression(join.join_condition(), context_));
    }
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> LateralJoin(const proto::LateralJoin& join) {
    plan::Join translated;
    translated.lateral = true;
    MERGANSER_ASSIGN_OR_RETURN(translated.type, JoinKind(join));
    MERGANSER_ASSIGN_OR_RETURN(translated.left, TranslateRelation(join.left(), context_));
    MERGANSER_ASSIGN_OR_RETURN(translated.right, TranslateRelation(join.right(), context_));
    if (join.has_join_condition()) {
      MERGANSER_ASSIGN_OR_RETURN(translated.condition,
                                 TranslateExpression(join.join_condition(), context_));
    }
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> SetOperation(const proto::SetOperation& operation) {
    if (!operation.has_left_input() || !operation.has_right_input())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "SET_OPERATION_MUST_HAVE_TWO_INPUTS");
    plan::SetOperation translated;
    translated.all = operation.is_all();
    translated.by_name = operation.by_name();
    translated.allow_missing_columns = operation.allow_missing_columns();
    switch (operation.set_op_type()) {
      case proto::SetOperation::SET_OP_TYPE_UNION:
        translated.op = plan::SetOperator::kUnion;
        if (translated.allow_missing_columns && !translated.by_name) {
          return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                       "UNION_BY_NAME_ALLOW_MISSING_COL_REQUIRES_BY_NAME");
        }
        break;
      case proto::SetOperation::SET_OP_TYPE_INTERSECT:
        translated.op = plan::SetOperator::kIntersect;
        if (translated.by_name) {
          return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                       "INTERSECT_DOES_NOT_SUPPORT_UNION_BY_NAME");
        }
        break;
      case proto::SetOperation::SET_OP_TYPE_EXCEPT:
        translated.op = plan::SetOperator::kExcept;
        if (translated.by_name) {
          return Error(ErrorClass::CONNECT_INVALID_PLAN, {},
                       "EXCEPT_DOES_NOT_SUPPORT_UNION_BY_NAME");
        }
        break;
      default:
        return RefuseEnum(operation, "set_op_type");
    }
    MERGANSER_ASSIGN_OR_RETURN(translated.left,
                               TranslateRelation(operation.left_input(), context_));
    MERGANSER_ASSIGN_OR_RETURN(translated.right,
                               TranslateRelation(operation.right_input(), context_));
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Sort(const proto::Sort& sort) {
    plan::Sort translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(sort));
    for (const proto::Expression::SortOrder& order : sort.order()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateOrder(order, context_));
      translated.order_by.push_back(std::move(one));
    }
    translated.global = !sort.has_is_global() || sort.is_global();
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Aggregate(const proto::Aggregate& aggregate) {
    if (!aggregate.has_input())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "AGGREGATE_NEEDS_PLAN_INPUT");
    MERGANSER_ASSIGN_OR_RETURN(auto keys, Expressions(aggregate.grouping_expressions()));
    MERGANSER_ASSIGN_OR_RETURN(auto values, Expressions(aggregate.aggregate_expressions()));
    if (aggregate.group_type() == proto::Aggregate::GROUP_TYPE_PIVOT)
      return Pivot(aggregate, std::move(keys), std::move(values));
    plan::Aggregate translated;
    switch (aggregate.group_type()) {
      case proto::Aggregate::GROUP_TYPE_GROUPBY:
        translated.kind = plan::GroupingKind::kGroupBy;
        break;
      case proto::Aggregate::GROUP_TYPE_ROLLUP:
        translated.kind = plan::GroupingKind::kRollup;
        break;
      case proto::Aggregate::GROUP_TYPE_CUBE:
        translated.kind = plan::GroupingKind::kCube;
        break;
      case proto::Aggregate::GROUP_TYPE_GROUPING_SETS:
        translated.kind = plan::GroupingKind::kGroupingSets;
        break;
      default:
        return RefuseEnum(aggregate, "group_type");
    }
    if (keys.empty() && translated.kind != plan::GroupingKind::kGroupingSets)
      translated.kind = plan::GroupingKind::kGroupBy;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(aggregate));
    for (const auto& set : aggregate.grouping_sets()) {
      MERGANSER_ASSIGN_OR_RETURN(auto members, Expressions(set.grouping_set()));
      translated.grouping_sets.push_back(std::move(members));
    }
    for (const plan::ExpressionPtr& key : keys) {
      const auto* alias = key->As<plan::Alias>();
      translated.group_by.push_back(alias == nullptr ? key : alias->child);
    }
    translated.expressions = std::move(keys);
    translated.expressions.insert(translated.expressions.end(), values.begin(), values.end());
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Deduplicate(const proto::Deduplicate& deduplicate) {
    if (deduplicate.all_columns_as_keys() && !deduplicate.column_names().empty())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "DEDUPLICATE_ALL_COLUMNS_AND_SUBSET");
    if (!deduplicate.all_columns_as_keys() && deduplicate.column_names().empty())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "DEDUPLICATE_REQUIRES_COLUMNS_OR_ALL");
    plan::Deduplicate translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(deduplicate));
    translated.columns.assign(deduplicate.column_names().begin(), deduplicate.column_names().end());
    return plan::MakeRelation(std::move(translated));
  }

  static Result<plan::RelationPtr> Range(const proto::Range& range) {
    plan::TableFunction function;
    function.name = {"range"};
    function.arguments = {MakeLong(range.start()), MakeLong(range.end()), MakeLong(range.step())};
    return plan::MakeRelation(std::move(function));
  }

  Result<plan::RelationPtr> Sample(const proto::Sample& sample) {
    const double fraction = sample.upper_bound() - sample.lower_bound();
    // Written so that a bound which is no number fails too.
    const bool fits = sample.lower_bound() >= 0 && fraction >= 0 &&
                      (sample.with_replacement() ? std::isfinite(fraction)
                                                 : sample.upper_bound() <= 1 + kSampleTolerance);
    if (!fits) {
      return InvalidPlan(sample.with_replacement()
                             ? "a sampling fraction must not be negative"
                             : "a sampling fraction lies between 0 and 1, without replacement");
    }
    plan::Sample translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(sample));
    translated.lower = sample.lower_bound();
    translated.upper = sample.upper_bound();
    translated.with_replacement = sample.with_replacement();
    if (sample.has_seed()) translated.seed = sample.seed();
    translated.repeatable = sample.deterministic_order();
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> WithColumns(const proto::WithColumns& with) {
    plan::WithColumns translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(with));
    for (const proto::Expression::Alias& alias : with.aliases()) {
      if (alias.name_size() != 1) {
        std::string names;
        for (const std::string& name : alias.name()) names += (names.empty() ? "" : ", ") + name;
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"got", names}},
                     "WITH_COLUMNS_REQUIRE_SINGLE_NAME_PART");
      }
      MERGANSER_ASSIGN_OR_RETURN(plan::Alias column, TranslateAlias(alias, context_));
      translated.columns.push_back(std::move(column));
    }
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> WithColumnsRenamed(const proto::WithColumnsRenamed& renamed) {
    plan::WithColumnsRenamed translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(renamed));
    for (const auto& rename : renamed.renames())
      translated.names.emplace_back(rename.col_name(), rename.new_col_name());
    if (renamed.renames().empty()) {
      for (const auto& [from, to] : ToOptions(renamed.rename_columns_map()))
        translated.names.emplace_back(from, to);
    }
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Drop(const proto::Drop& drop) {
    plan::DropColumns translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(drop));
    translated.names.assign(drop.column_names().begin(), drop.column_names().end());
    MERGANSER_ASSIGN_OR_RETURN(translated.columns, Expressions(drop.columns()));
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> ToDF(const proto::ToDF& frame) {
    plan::ToDataFrame translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(frame));
    translated.names.assign(frame.column_names().begin(), frame.column_names().end());
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> ToSchema(const proto::ToSchema& to) {
    plan::ToSchema translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(to));
    MERGANSER_ASSIGN_OR_RETURN(translated.schema, FieldsOf(to.schema()));
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Unpivot(const proto::Unpivot& unpivot) {
    plan::Unpivot translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(unpivot));
    MERGANSER_ASSIGN_OR_RETURN(translated.ids, Expressions(unpivot.ids()));
    if (unpivot.has_values()) {
      MERGANSER_ASSIGN_OR_RETURN(auto values, Expressions(unpivot.values().values()));
      for (plan::ExpressionPtr& value : values) translated.values.push_back({std::move(value)});
    } else {
      plan::Star others;
      for (const plan::ExpressionPtr& id : *translated.ids) {
        if (const auto* column = id->As<plan::Attribute>()) others.except.push_back(column->parts);
      }
      translated.values.push_back({plan::MakeExpression(std::move(others))});
    }
    translated.variable_column = unpivot.variable_column_name();
    translated.value_columns = {unpivot.value_column_name()};
    translated.include_nulls = true;
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> FillNulls(const proto::NAFill& fill) {
    if (fill.values().empty())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "NA_FILL_VALUES_EMPTY");
    if (fill.values_size() > 1 && fill.values_size() != fill.cols_size())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "NA_FILL_VALUES_LENGTH_MISMATCH");
    plan::FillNulls translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(fill));
    translated.columns.assign(fill.cols().begin(), fill.cols().end());
    for (const auto& value : fill.values()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::Literal literal, TranslateScalar(value, context_.parser));
      translated.values.push_back(std::move(literal));
    }
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> DropNulls(const proto::NADrop& drop) {
    plan::DropNulls translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(drop));
    translated.columns.assign(drop.cols().begin(), drop.cols().end());
    if (drop.has_min_non_nulls()) translated.least = drop.min_non_nulls();
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> ReplaceValues(const proto::NAReplace& replace) {
    plan::ReplaceValues translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(replace));
    translated.columns.assign(replace.cols().begin(), replace.cols().end());
    for (const auto& pair : replace.replacements()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::Literal from,
                                 TranslateScalar(pair.old_value(), context_.parser));
      MERGANSER_ASSIGN_OR_RETURN(plan::Literal to,
                                 TranslateScalar(pair.new_value(), context_.parser));
      translated.replacements.emplace_back(std::move(from), std::move(to));
    }
    return plan::MakeRelation(std::move(translated));
  }

  template <typename Message>
  Result<plan::RelationPtr> Summary(const Message& message, std::vector<std::string> columns,
                                    std::vector<std::string> statistics) {
    plan::Summary translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(message));
    translated.columns = std::move(columns);
    translated.statistics = std::move(statistics);
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> TableFunction(const proto::UnresolvedTableValuedFunction& function) {
    plan::TableFunction translated;
    translated.name = {function.function_name()};
    MERGANSER_ASSIGN_OR_RETURN(translated.arguments, Expressions(function.arguments()));
    return plan::MakeRelation(std::move(translated));
  }

  Result<plan::RelationPtr> Local(const proto::LocalRelation& local) {
    std::vector<std::string_view> streams;
    if (local.has_data() && !local.data().empty()) streams.emplace_back(local.data());
    std::optional<std::string_view> schema;
    if (local.has_schema() && !local.schema().empty()) schema = local.schema();
    if (streams.empty() && !schema)
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "SCHEMA_REQUIRED_FOR_LOCAL_RELATION");
    return context_.local_rows(streams, schema);
  }

  Result<plan::RelationPtr> CachedLocal(const proto::CachedLocalRelation& cached) {
    MERGANSER_ASSIGN_OR_RETURN(const std::string_view bytes,
                               context_.artifact("cache/" + cached.hash()));
    proto::LocalRelation local;
    if (!local.ParseFromArray(bytes.data(), static_cast<int>(bytes.size()))) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN,
                   {{"errorMsg", "the uploaded relation is damaged"}}, "CANNOT_PARSE");
    }
    return Local(local);
  }

  Result<plan::RelationPtr> ChunkedLocal(const proto::ChunkedCachedLocalRelation& chunked) {
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

  Result<plan::RelationPtr> Transpose(const proto::Transpose& transpose) {
    if (transpose.index_columns_size() > 1)
      return InvalidPlan("a transposition takes its names from one column");
    plan::Transpose translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(transpose));
    if (transpose.index_columns_size() == 1) {
      MERGANSER_ASSIGN_OR_RETURN(translated.index,
                                 TranslateExpression(transpose.index_columns(0), context_));
    }
    return plan::MakeRelation(std::move(translated));
  }

  template <typename Message>
  Result<plan::RelationPtr> Input(const Message& message) {
    return TranslateRelation(message.input(), context_);
  }

  template <typename Message>
  Result<plan::RelationPtr> PassThrough(const Message& message, std::string name) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(message));
    return plan::MakeRelation(plan::Hint{std::move(child), std::move(name)});
  }
  Result<plan::RelationPtr> Repartition(const proto::Repartition& parts) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(parts));
    const bool shuffles = !parts.has_shuffle() || parts.shuffle();
    return plan::MakeRelation(plan::Hint{std::move(child), shuffles ? "repartition" : "coalesce",
                                         parts.num_partitions()});
  }
  Result<plan::RelationPtr> Repartition(const proto::RepartitionByExpression& parts) {
    MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, Input(parts));
    return plan::MakeRelation(plan::Hint{std::move(child), "repartition", parts.num_partitions()});
  }

 private:
  Result<std::vector<plan::ExpressionPtr>> Expressions(
      const google::protobuf::RepeatedPtrField<proto::Expression>& expressions) {
    std::vector<plan::ExpressionPtr> translated;
    for (const proto::Expression& expression : expressions) {
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one,
                                 TranslateExpression(expression, context_));
      translated.push_back(std::move(one));
    }
    return translated;
  }

  Result<plan::RelationPtr> Pivot(const proto::Aggregate& aggregate,
                                  std::vector<plan::ExpressionPtr> keys,
                                  std::vector<plan::ExpressionPtr> values) {
    if (!aggregate.has_pivot())
      return Error(ErrorClass::CONNECT_INVALID_PLAN, {}, "AGGREGATE_WITH_PIVOT_REQUIRES_PIVOT");
    plan::Pivot translated;
    MERGANSER_ASSIGN_OR_RETURN(translated.child, Input(aggregate));
    translated.aggregates = std::move(values);
    MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr column,
                               TranslateExpression(aggregate.pivot().col(), context_));
    translated.columns.push_back(std::move(column));
    for (const auto& value : aggregate.pivot().values()) {
      MERGANSER_ASSIGN_OR_RETURN(plan::ExpressionPtr one, TranslateLiteral(value, context_.parser));
      translated.values.push_back(std::move(one));
    }
    translated.group_by = std::move(keys);
    return plan::MakeRelation(std::move(translated));
  }

  /// The fields of a struct type.
  Result<StructType> FieldsOf(const proto::DataType& schema) const {
    MERGANSER_ASSIGN_OR_RETURN(const DataType type, TranslateType(schema, context_.parser));
    if (!type.is(TypeId::kStruct)) {
      return Error(ErrorClass::CONNECT_INVALID_PLAN,
                   {{"inputSchema", "schema"}, {"dataType", type.SqlString()}},
                   "INVALID_SCHEMA_NON_STRUCT_TYPE");
    }
    return type.fields();
  }

  Result<StructType> ReadSchema(const std::string& text) const {
    const size_t first = text.find_first_not_of(" \t\r\n");
    if (first != std::string::npos && text[first] == '{') return ParseSchemaJson(text);
    return ParseTableSchema(text, context_.parser);
  }

  TranslationContext& context_;
};

plan::Command ShownRows(plan::RelationPtr query, int32_t num_rows, int32_t truncate, bool vertical,
                        bool html) {
  plan::ShowRows show;
  show.query = std::move(query);
  show.num_rows = num_rows;
  show.truncate = truncate;
  show.vertical = vertical;
  show.html = html;
  return show;
}

/// The relation's own part, without its plan id.
Result<plan::Statement> TranslateNode(const proto::Relation& relation,
                                      TranslationContext& context) {
  RelationTranslator translator(context);
  const auto query = [](Result<plan::RelationPtr> translated) -> Result<plan::Statement> {
    if (!translated.ok()) return std::move(translated).error();
    return plan::Statement{.body = *std::move(translated)};
  };
  switch (relation.rel_type_case()) {
    case proto::Relation::kRead:
      return query(translator.Read(relation.read()));
    case proto::Relation::kProject:
      return query(translator.Project(relation.project()));
    case proto::Relation::kFilter:
      return query(translator.Filter(relation.filter()));
    case proto::Relation::kJoin:
      return query(translator.Join(relation.join()));
    case proto::Relation::kLateralJoin:
      return query(translator.LateralJoin(relation.lateral_join()));
    case proto::Relation::kSetOp:
      return query(translator.SetOperation(relation.set_op()));
    case proto::Relation::kSort:
      return query(translator.Sort(relation.sort()));
    case proto::Relation::kLimit: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(relation.limit()));
      return query(plan::MakeRelation(
          plan::Limit{std::move(child), MakeInteger(relation.limit().limit()), nullptr}));
    }
    case proto::Relation::kOffset: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(relation.offset()));
      return query(plan::MakeRelation(
          plan::Limit{std::move(child), nullptr, MakeInteger(relation.offset().offset())}));
    }
    case proto::Relation::kTail: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(relation.tail()));
      return query(plan::MakeRelation(plan::Tail{std::move(child), relation.tail().limit()}));
    }
    case proto::Relation::kAggregate:
      return query(translator.Aggregate(relation.aggregate()));
    case proto::Relation::kSql:
      return TranslateSqlText(relation.sql(), {}, context);
    case proto::Relation::kLocalRelation:
      return query(translator.Local(relation.local_relation()));
    case proto::Relation::kCachedLocalRelation:
      return query(translator.CachedLocal(relation.cached_local_relation()));
    case proto::Relation::kChunkedCachedLocalRelation:
      return query(translator.ChunkedLocal(relation.chunked_cached_local_relation()));
    case proto::Relation::kCachedRemoteRelation:
      return query(context.remote_relation(relation.cached_remote_relation().relation_id()));
    case proto::Relation::kSample:
      return query(translator.Sample(relation.sample()));
    case proto::Relation::kSampleBy: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(relation.sample_by()));
      return query(SampleByValue(std::move(child), relation.sample_by(), context));
    }
    case proto::Relation::kDeduplicate:
      return query(translator.Deduplicate(relation.deduplicate()));
    case proto::Relation::kRange:
      return query(RelationTranslator::Range(relation.range()));
    case proto::Relation::kSubqueryAlias: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child,
                                 translator.Input(relation.subquery_alias()));
      return query(plan::MakeRelation(
          plan::SubqueryAlias{std::move(child), relation.subquery_alias().alias(), {}}));
    }
    case proto::Relation::kRepartition:
      return query(translator.Repartition(relation.repartition()));
    case proto::Relation::kRepartitionByExpression:
      return query(translator.Repartition(relation.repartition_by_expression()));
    case proto::Relation::kHint:
      return query(translator.PassThrough(relation.hint(), relation.hint().name()));
    case proto::Relation::kCollectMetrics:
      return query(translator.PassThrough(relation.collect_metrics(), "observe"));
    case proto::Relation::kToDf:
      return query(translator.ToDF(relation.to_df()));
    case proto::Relation::kWithColumns:
      return query(translator.WithColumns(relation.with_columns()));
    case proto::Relation::kWithColumnsRenamed:
      return query(translator.WithColumnsRenamed(relation.with_columns_renamed()));
    case proto::Relation::kDrop:
      return query(translator.Drop(relation.drop()));
    case proto::Relation::kUnpivot:
      return query(translator.Unpivot(relation.unpivot()));
    case proto::Relation::kParse:
      return query(translator.Parse(relation.parse()));
    case proto::Relation::kToSchema:
      return query(translator.ToSchema(relation.to_schema()));
    case proto::Relation::kFillNa:
      return query(translator.FillNulls(relation.fill_na()));
    case proto::Relation::kDropNa:
      return query(translator.DropNulls(relation.drop_na()));
    case proto::Relation::kReplace:
      return query(translator.ReplaceValues(relation.replace()));
    case proto::Relation::kSummary: {
      std::vector<std::string> statistics(relation.summary().statistics().begin(),
                                          relation.summary().statistics().end());
      if (statistics.empty())
        statistics = {"count", "mean", "stddev", "min", "25%", "50%", "75%", "max"};
      return query(translator.Summary(relation.summary(), {}, std::move(statistics)));
    }
    case proto::Relation::kDescribe:
      return query(
          translator.Summary(relation.describe(),
                             {relation.describe().cols().begin(), relation.describe().cols().end()},
                             {"count", "mean", "stddev", "min", "max"}));
    case proto::Relation::kCov: {
      const proto::StatCov& cov = relation.cov();
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(cov));
      return query(OfTwoColumns(std::move(child), cov.col1(), cov.col2(), "covar_samp", "cov"));
    }
    case proto::Relation::kCorr: {
      const proto::StatCorr& corr = relation.corr();
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(corr));
      return query(OfTwoColumns(std::move(child), corr.col1(), corr.col2(), "corr", "corr"));
    }
    case proto::Relation::kApproxQuantile: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child,
                                 translator.Input(relation.approx_quantile()));
      return query(Quantiles(std::move(child), relation.approx_quantile()));
    }
    case proto::Relation::kCrosstab: {
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(relation.crosstab()));
      return query(CrossTable(std::move(child), relation.crosstab()));
    }
    case proto::Relation::kFreqItems: {
      MERGANSER_ASSIGN_OR_RETURN(const plan::RelationPtr child,
                                 translator.Input(relation.freq_items()));
      return query(FrequentItems(child, relation.freq_items()));
    }
    case proto::Relation::kTranspose:
      return query(translator.Transpose(relation.transpose()));
    // Rows of a table are never late.
    case proto::Relation::kWithWatermark:
      return query(translator.PassThrough(relation.with_watermark(), "watermark"));
    case proto::Relation::kUnresolvedTableValuedFunction:
      return query(translator.TableFunction(relation.unresolved_table_valued_function()));
    case proto::Relation::kShowString: {
      const proto::ShowString& show = relation.show_string();
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(show));
      return plan::Statement{ShownRows(std::move(child), show.num_rows(), show.truncate(),
                                       show.vertical(), /*html=*/false),
                             {}};
    }
    case proto::Relation::kHtmlString: {
      const proto::HtmlString& show = relation.html_string();
      MERGANSER_ASSIGN_OR_RETURN(plan::RelationPtr child, translator.Input(show));
      return plan::Statement{ShownRows(std::move(child), show.num_rows(), show.truncate(),
                                       /*vertical=*/false, /*html=*/true),
                             {}};
    }
    case proto::Relation::kWithRelations:
      return TranslateSqlWithRelations(relation.with_relations(), context);
    case proto::Relation::kCatalog: {
      MERGANSER_ASSIGN_OR_RETURN(plan::Command command,
                                 TranslateCatalog(relation.catalog(), context));
      return plan::Statement{std::move(command)};
    }
    case proto::Relation::kExtension:
      return TranslateDeltaRelation(relation.extension(), context);
    default:
      return RefuseOneof(relation, "rel_type");
  }
}

/// The same relation under the client's plan id.
plan::RelationPtr WithPlanId(const plan::RelationPtr& relation, const proto::Relation& message) {
  if (!message.common().has_plan_id()) return relation;
  plan::Relation known = *relation;
  known.plan_id = message.common().plan_id();
  return std::make_shared<const plan::Relation>(std::move(known));
}

}  // namespace

plan::RelationPtr AsRelation(plan::Statement statement) {
  plan::RelationPtr relation;
  plan::ParameterValues parameters = std::move(statement.parameters);
  if (const plan::RelationPtr* query = statement.query()) {
    relation = *query;
    if (!parameters.empty())
      relation = plan::MakeRelation(plan::Parameterized{relation, std::move(parameters)});
    return relation;
  }
  statement.parameters = std::move(parameters);
  return plan::MakeRelation(
      plan::CommandRows{std::make_shared<const plan::Statement>(std::move(statement))});
}

Result<plan::RelationPtr> TranslateRelation(const proto::Relation& relation,
                                            TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement, TranslateNode(relation, context));
  return WithPlanId(AsRelation(std::move(statement)), relation);
}

Result<plan::Statement> TranslateStatement(const proto::Relation& root,
                                           TranslationContext& context) {
  MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement, TranslateNode(root, context));
  if (const plan::RelationPtr* query = statement.query()) statement.body = WithPlanId(*query, root);
  return statement;
}

}  // namespace merganser::connect
