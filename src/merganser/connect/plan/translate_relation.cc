#include <string>
#include <utility>

#include "merganser/connect/plan/refusal.h"
#include "merganser/connect/plan/relation_parts.h"
#include "merganser/connect/plan/relation_translator.h"
#include "merganser/connect/plan/translate.h"
#include "merganser/connect/plan/translate_statistics.h"

namespace merganser::connect {
namespace {

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
    if (!parameters.empty() || !statement.routines.empty()) {
      relation = plan::MakeRelation(
          plan::Parameterized{relation, std::move(parameters), std::move(statement.routines)});
    }
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
