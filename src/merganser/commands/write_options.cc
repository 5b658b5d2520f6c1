#include "merganser/commands/write_options.h"

#include <charconv>
#include <utility>

#include "merganser/base/letter_case.h"
#include "merganser/spark/analysis/find_option.h"

namespace merganser {
namespace {

std::optional<std::string> OptionText(const plan::Options& options, std::string_view key) {
  const std::string* value = FindOption(options, key);
  return value == nullptr ? std::nullopt : std::optional(*value);
}

Result<bool> Flag(const plan::Options& options, std::string_view key, bool otherwise) {
  const auto value = OptionText(options, key);
  if (!value) return otherwise;
  if (EqualsIgnoringCase(*value, "true")) return true;
  if (EqualsIgnoringCase(*value, "false")) return false;
  return Error(
      ErrorClass::DELTA_ILLEGAL_OPTION,
      {{"input", *value}, {"name", std::string(key)}, {"explain", "must be 'true' or 'false'"}});
}

Result<std::optional<SetTransaction>> Application(const StatementContext& context,
                                                  const plan::Options& options) {
  auto app_id = OptionText(options, "txnAppId");
  auto version_text = OptionText(options, "txnVersion");
  const char* incomplete = "MISSING_DATAFRAME_WRITE_OPTIONS";
  if (!app_id && !version_text) {
    app_id = context.conf.txn_app_id();
    version_text = context.conf.Find("spark.databricks.delta.write.txnVersion");
    incomplete = "MISSING_SESSION_CONFS";
  }
  if (!app_id && !version_text) return std::optional<SetTransaction>();
  if (!app_id || !version_text)
    return Error(ErrorClass::DELTA_INVALID_IDEMPOTENT_WRITES_OPTIONS, {}, incomplete);
  SetTransaction application;
  const auto [end, code] = std::from_chars(
      version_text->data(), version_text->data() + version_text->size(), application.version);
  if (code != std::errc() || end != version_text->data() + version_text->size() ||
      application.version < 0) {
    return Error(ErrorClass::DELTA_ILLEGAL_OPTION,
                 {{"input", *version_text},
                  {"name", "txnVersion"},
                  {"explain", "must be a number that is not negative"}});
  }
  application.app_id = *std::move(app_id);
  application.last_updated = context.clock.NowMillis();
  return std::optional(std::move(application));
}

}  // namespace

Result<WriteOptions> ReadWriteOptions(const StatementContext& context,
                                      const plan::Options& options) {
  WriteOptions result;
  MERGANSER_ASSIGN_OR_RETURN(result.merge_schema,
                             Flag(options, "mergeSchema", context.conf.schema_auto_merge()));
  MERGANSER_ASSIGN_OR_RETURN(result.overwrite_schema, Flag(options, "overwriteSchema", false));
  MERGANSER_ASSIGN_OR_RETURN(result.data_change, Flag(options, "dataChange", true));
  result.dynamic_partition_overwrite = context.conf.dynamic_partition_overwrite();
  if (const auto mode = OptionText(options, "partitionOverwriteMode")) {
    result.dynamic_partition_overwrite = EqualsIgnoringCase(*mode, "dynamic");
    if (!result.dynamic_partition_overwrite && !EqualsIgnoringCase(*mode, "static")) {
      return Error(ErrorClass::DELTA_ILLEGAL_OPTION, {{"input", *mode},
                                                      {"name", "partitionOverwriteMode"},
                                                      {"explain", "must be STATIC or DYNAMIC"}});
    }
  }
  result.replace_where = OptionText(options, "replaceWhere");
  result.user_metadata = OptionText(options, "userMetadata");
  MERGANSER_ASSIGN_OR_RETURN(result.application, Application(context, options));
  return result;
}

bool IsWrittenAlready(const WriteOptions& options, Transaction& transaction) {
  if (!options.application) return false;
  const auto known = transaction.ReadApplicationVersion(options.application->app_id);
  if (known && *known >= options.application->version) return true;
  transaction.SetApplicationVersion(*options.application);
  return false;
}

}  // namespace merganser
