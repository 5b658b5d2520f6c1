#include "merganser/commands/statement_context.h"

#include "merganser/commands/constant_value.h"
#include "merganser/commands/file_schema.h"
#include "merganser/commands/statement_scans.h"
#include "merganser/engine/functions/time_zone.h"

namespace merganser {

TypingContext StatementContext::typing() const {
  TypingContext typing;
  typing.ansi = conf.ansi_enabled();
  typing.case_sensitive = conf.case_sensitive();
  typing.session_time_zone = conf.session_time_zone();
  typing.current_timestamp_us = start_us;
  typing.current_user = user_name;
  typing.current_schema = catalog.current_schema();
  return typing;
}

std::unique_ptr<Analyzer> StatementContext::MakeAnalyzer() {
  AnalysisServices services;
  services.evaluate = [this](const BoundExpression& expression) {
    return EvaluateConstant(*this, expression);
  };
  services.values = [this](const BoundRelationPtr& relation) -> Result<std::vector<plan::Literal>> {
    StatementScans scans(*this);
    MERGANSER_ASSIGN_OR_RETURN(const std::string sql, LowerRelation(*relation, scans.lowering()));
    MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable table, connection->QueryTable(sql));
    std::vector<plan::Literal> values;
    for (int64_t row = 0; row < table.num_rows(); ++row) {
      MERGANSER_ASSIGN_OR_RETURN(plan::Literal value,
                                 ConstantValue(table, relation->columns[0].type, row));
      values.push_back(std::move(value));
    }
    return values;
  };
  services.pivot_limit = conf.GetInteger("spark.sql.pivotMaxValues");
  services.transpose_limit = conf.GetInteger("spark.sql.transposeMaxValues");
  services.local_table = local_table;
  services.command_rows = command_rows;
  services.infer_schema = [this](const std::string& format, const std::vector<std::string>& paths,
                                 const plan::Options& options) {
    return InferFileSchema(*this, format, paths, options);
  };
  services.infer_record_schema = [this](const std::string& format, const BoundRelationPtr& records,
                                        const plan::Options& options) {
    return InferRecordSchema(*this, format, records, options);
  };
  services.default_source = conf.default_source();
  if (const auto zone = engine::TimeZone::Find(conf.session_time_zone()); zone && !zone->is_utc()) {
    services.name_format.utc_offset_seconds = [zone](int64_t micros) {
      return (zone->ToLocalMicros(micros) - micros) / 1'000'000;
    };
  }
  services.instant_of = [](const std::string& id, int64_t local_micros) -> std::optional<int64_t> {
    const auto zone = engine::TimeZone::Find(id);
    if (!zone) return std::nullopt;
    return zone->ToUtcMicros(local_micros);
  };
  return std::make_unique<Analyzer>(catalog, typing(), std::move(services), parameters);
}

TransactionOptions StatementContext::transaction_options() const {
  TransactionOptions options;
  options.clock = &clock;
  options.user_metadata = conf.Find("spark.databricks.delta.commitInfo.userMetadata");
  options.max_attempts = static_cast<int>(conf.max_commit_attempts());
  options.write_checksum = conf.write_checksum_file();
  options.checkpoint.part_size = conf.checkpoint_part_size();
  options.checkpoint.json_main_file = conf.json_checkpoint_main_file();
  return options;
}

Result<plan::Literal> EvaluateConstant(StatementContext& context,
                                       const BoundExpression& expression) {
  if (auto literal = FoldLiteral(expression)) return *std::move(literal);
  StatementScans scans(context);
  MERGANSER_ASSIGN_OR_RETURN(const std::string value,
                             LowerExpression(expression, scans.lowering()));
  // A connection of its own: the statement's may be busy with a query.
  MERGANSER_ASSIGN_OR_RETURN(const auto connection,
                             engine::Connection::Open(context.connection->database()));
  MERGANSER_ASSIGN_OR_RETURN(const engine::RowTable table,
                             connection->QueryTable("SELECT " + value + " AS v"));
  return ConstantValue(table, expression.type);
}

}  // namespace merganser
