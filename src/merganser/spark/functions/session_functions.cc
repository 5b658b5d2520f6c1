#include "merganser/base/quoted_identifier.h"
#include "merganser/spark/functions/call_binder.h"
#include "merganser/spark/functions/registry.h"

/// The session, the running statement, and errors raised on purpose.
namespace merganser {
namespace {

constexpr const char* kSparkVersion = "4.2.0";

BoundExpressionPtr Text(const CallBinder& call, std::string text) {
  return call.Constant(plan::Literal{DataType::String(), std::move(text)});
}

/// Functions that name something of the session: constants of the statement.
Result<BoundExpressionPtr> ResolveSessionName(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(0, 0));
  const TypingContext& context = call.context();
  const std::string_view name = call.entry().name;
  if (name == "current_catalog") return call.Replace(Text(call, context.current_catalog));
  if (name == "current_database" || name == "current_schema")
    return call.Replace(Text(call, context.current_schema));
  if (name == "current_timezone") return call.Replace(Text(call, context.session_time_zone));
  if (name == "version") return call.Replace(Text(call, kSparkVersion));
  if (name == "current_path") {
    return call.Replace(Text(call, "system.builtin,system.session," +
                                       QuotedIfNeeded(context.current_catalog) + "." +
                                       QuotedIfNeeded(context.current_schema)));
  }
  return call.Replace(Text(call, context.current_user));
}

/// assert_true(condition [, message]).
Result<BoundExpressionPtr> ResolveAssertTrue(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 2));
  if (!call.type(0).is(TypeId::kBoolean) && !call.type(0).is(TypeId::kNull))
    return call.UnexpectedInput(0, "\"BOOLEAN\"");
  if (call.size() == 1) {
    call.arguments().push_back(
        Text(call, "'" + GeneratedName(*call.argument(0)) + "' is not true!"));
  }
  return call.ApplyAndFinish("boolean, string -> void?");
}

/// raise_error(message); the form with an error class takes a map of parameters.
Result<BoundExpressionPtr> ResolveRaiseError(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.RequireArguments(1, 1));
  return call.ApplyAndFinish("string -> void?");
}

std::string PrintRaiseError(const BoundCall&, const std::vector<std::string>& arguments) {
  return "raise_error(USER_RAISED_EXCEPTION, map(errorMessage, " + arguments[0] + "))";
}

/// All strings are of one collation.
Result<BoundExpressionPtr> ResolveCollation(CallBinder& call) {
  MERGANSER_RETURN_IF_ERROR(call.Apply("string -> string"));
  return call.Replace(Text(call, "SYSTEM.BUILTIN.UTF8_BINARY"));
}

constexpr FunctionEntry kSessionFunctions[] = {
    {.name = "assert_true", .resolve = &ResolveAssertTrue},
    {.name = "collation", .resolve = &ResolveCollation},
    {.name = "current_catalog", .resolve = &ResolveSessionName},
    {.name = "current_database", .resolve = &ResolveSessionName, .printed = "current_schema"},
    {.name = "current_path", .resolve = &ResolveSessionName},
    {.name = "current_schema", .resolve = &ResolveSessionName},
    {.name = "current_timezone", .resolve = &ResolveSessionName},
    {.name = "current_user", .resolve = &ResolveSessionName},
    {.name = "input_file_block_length", .signature = "-> bigint!", .deterministic = false},
    {.name = "input_file_block_start", .signature = "-> bigint!", .deterministic = false},
    {.name = "input_file_name", .signature = "-> string!", .deterministic = false},
    {.name = "monotonically_increasing_id", .signature = "-> bigint!", .deterministic = false},
    {.name = "raise_error", .resolve = &ResolveRaiseError, .print = &PrintRaiseError},
    {.name = "session_user", .resolve = &ResolveSessionName},
    {.name = "spark_partition_id",
     .signature = "-> int!",
     .printed = "SPARK_PARTITION_ID",
     .deterministic = false},
    {.name = "user", .resolve = &ResolveSessionName},
    {.name = "uuid", .signature = "-> string!", .deterministic = false},
    {.name = "version", .resolve = &ResolveSessionName},
};

}  // namespace

std::span<const FunctionEntry> SessionFunctions() { return kSessionFunctions; }

}  // namespace merganser
