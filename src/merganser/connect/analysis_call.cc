#include "merganser/connect/analysis_call.h"

#include <functional>
#include <memory>
#include <utility>

#include "merganser/arrow/column.h"
#include "merganser/commands/input_files.h"
#include "merganser/connect/plan_compression.h"
#include "merganser/connect/plan_identity.h"
#include "merganser/connect/roomy_thread.h"
#include "merganser/connect/schema_text.h"
#include "merganser/connect/stream_plan.h"
#include "merganser/connect/stream_source.h"
#include "merganser/delta/schema/schema_json.h"

namespace merganser::connect {
namespace {

using spark::connect::AnalyzePlanRequest;
using spark::connect::AnalyzePlanResponse;
using spark::connect::Plan;

/// The version of Spark whose protocol and answers these are.
constexpr const char* kSparkVersion = "4.2.0";

class Analysis {
 public:
  Analysis(ServerSession& session, AnalyzePlanResponse* response)
      : session_(session), context_(session.translation()), response_(response) {
    context_.streaming_source =
        [this](const spark::connect::Read& read) -> Result<plan::RelationPtr> {
      MERGANSER_ASSIGN_OR_RETURN(DeltaSource source, FindStreamSource(session_, read));
      return source.NoRows();
    };
  }

  Status Run(const AnalyzePlanRequest& request) {
    switch (request.analyze_case()) {
      case AnalyzePlanRequest::kSchema: {
        MERGANSER_ASSIGN_OR_RETURN(const StructType schema, SchemaOf(request.schema().plan()));
        WriteType(schema, response_->mutable_schema()->mutable_schema());
        return Status::Ok();
      }
      case AnalyzePlanRequest::kTreeString: {
        MERGANSER_ASSIGN_OR_RETURN(const StructType schema, SchemaOf(request.tree_string().plan()));
        response_->mutable_tree_string()->set_tree_string(
            TreeText(schema, request.tree_string().level()));
        return Status::Ok();
      }
      case AnalyzePlanRequest::kExplain:
        return Explain(request.explain());
      case AnalyzePlanRequest::kIsLocal: {
        MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement,
                                   StatementOf(request.is_local().plan()));
        MERGANSER_RETURN_IF_ERROR(session_.session().SchemaOf(statement));
        response_->mutable_is_local()->set_is_local(IsLocal(statement));
        return Status::Ok();
      }
      case AnalyzePlanRequest::kIsStreaming:
        response_->mutable_is_streaming()->set_is_streaming(
            ReadsStream(request.is_streaming().plan()));
        return Status::Ok();
      case AnalyzePlanRequest::kInputFiles:
        return InputFiles(request.input_files().plan());
      case AnalyzePlanRequest::kSparkVersion:
        response_->mutable_spark_version()->set_version(kSparkVersion);
        return Status::Ok();
      case AnalyzePlanRequest::kDdlParse: {
        MERGANSER_ASSIGN_OR_RETURN(const DataType type,
                                   ParseDdlText(request.ddl_parse().ddl_string(), context_.parser));
        WriteType(type, response_->mutable_ddl_parse()->mutable_parsed());
        return Status::Ok();
      }
      case AnalyzePlanRequest::kJsonToDdl: {
        MERGANSER_ASSIGN_OR_RETURN(const StructType schema,
                                   ParseSchemaJson(request.json_to_ddl().json_string()));
        std::string text;
        for (const StructField& field : schema) {
          text += (text.empty() ? "" : ",") + DdlName(field.name) + " " + field.type.SqlString() +
                  (field.nullable ? "" : " NOT NULL");
        }
        response_->mutable_json_to_ddl()->set_ddl_string(text);
        return Status::Ok();
      }
      case AnalyzePlanRequest::kSameSemantics:
        response_->mutable_same_semantics()->set_result(
            PlanMeaning(request.same_semantics().target_plan()) ==
            PlanMeaning(request.same_semantics().other_plan()));
        return Status::Ok();
      case AnalyzePlanRequest::kSemanticHash:
        response_->mutable_semantic_hash()->set_result(static_cast<int32_t>(
            std::hash<std::string>()(PlanMeaning(request.semantic_hash().plan()))));
        return Status::Ok();
      // Nothing is kept: tables are read anew each time.
      case AnalyzePlanRequest::kPersist:
        response_->mutable_persist();
        return Status::Ok();
      case AnalyzePlanRequest::kUnpersist:
        response_->mutable_unpersist();
        return Status::Ok();
      case AnalyzePlanRequest::kGetStorageLevel:
        response_->mutable_get_storage_level()->mutable_storage_level()->set_replication(1);
        return Status::Ok();
      default:
        return Error(ErrorClass::CONNECT_INVALID_PLAN, {{"other", "ANALYZE_NOT_SET"}},
                     "UNKNOWN_ANALYZE_METHOD");
    }
  }

 private:
  static std::string DdlName(const std::string& name) {
    if (name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_") ==
        std::string::npos) {
      return name;
    }
    return "`" + name + "`";
  }

  Result<plan::Statement> StatementOf(const Plan& plan) {
    if (plan.has_compressed_operation()) {
      MERGANSER_ASSIGN_OR_RETURN(const Plan expanded, Uncompressed(plan));
      return StatementOf(expanded);
    }
    if (plan.has_root()) return TranslateStatement(plan.root(), context_);
    return Error(ErrorClass::CONNECT_INVALID_PLAN,
                 {{"fullName", "spark.connect.Plan"}, {"name", "root"}},
                 "INVALID_ONE_OF_FIELD_NOT_SET");
  }

  Result<StructType> SchemaOf(const Plan& plan) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, StatementOf(plan));
    return session_.session().SchemaOf(statement);
  }

  Status Explain(const AnalyzePlanRequest::Explain& explain) {
    MERGANSER_ASSIGN_OR_RETURN(plan::Statement statement, StatementOf(explain.plan()));
    plan::Explain command;
    const int mode = explain.explain_mode();
    if (mode >= AnalyzePlanRequest::Explain::EXPLAIN_MODE_SIMPLE)
      command.mode = static_cast<plan::ExplainMode>(mode - 1);
    command.statement = std::make_shared<const plan::Statement>(std::move(statement));
    MERGANSER_ASSIGN_OR_RETURN(ResultSet rows,
                               session_.session().Execute({plan::Command(std::move(command)), {}}));
    MERGANSER_ASSIGN_OR_RETURN(*response_->mutable_explain()->mutable_explain_string(),
                               FirstText(rows));
    return Status::Ok();
  }

  Status InputFiles(const Plan& plan) {
    MERGANSER_ASSIGN_OR_RETURN(const plan::Statement statement, StatementOf(plan));
    auto* files = response_->mutable_input_files();
    // A command's answer comes from no files.
    if (statement.query() == nullptr) {
      MERGANSER_RETURN_IF_ERROR(session_.session().SchemaOf(statement));
      return Status::Ok();
    }
    MERGANSER_ASSIGN_OR_RETURN(const BoundRelationPtr query, session_.session().Analyze(statement));
    MERGANSER_ASSIGN_OR_RETURN(const auto paths,
                               ListInputFiles(*query, session_.session().catalog().file_systems()));
    for (const std::string& path : paths) files->add_files(path);
    return Status::Ok();
  }

  /// Are all rows there without a job: those of the client, or of a command?
  static bool IsLocal(const plan::Statement& statement) {
    const plan::RelationPtr* query = statement.query();
    if (query == nullptr) return true;
    return (*query)->As<plan::LocalRelation>() != nullptr ||
           (*query)->As<plan::CommandRows>() != nullptr;
  }

  /// The text in the first row and column.
  static Result<std::string> FirstText(ResultSet& rows) {
    MERGANSER_ASSIGN_OR_RETURN(const ArrowSchemaOwner schema, rows.ExportSchema());
    MERGANSER_ASSIGN_OR_RETURN(const auto batch, rows.Next());
    if (!batch) return std::string();
    MERGANSER_ASSIGN_OR_RETURN(
        const ArrowColumn column,
        ArrowColumn::Make(*schema.get().children[0], batch->column(0), rows.schema()[0].type));
    return std::string(column.Bytes(0));
  }

  ServerSession& session_;
  TranslationContext context_;
  AnalyzePlanResponse* response_;
};

}  // namespace

Status Analyze(ServerSession& session, const AnalyzePlanRequest& request,
               AnalyzePlanResponse* response) {
  return RunWithRoom([&] {
    const auto lock = session.statement_lock();
    return Analysis(session, response).Run(request);
  });
}

}  // namespace merganser::connect
