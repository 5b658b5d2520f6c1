#include "merganser/commands/settings.h"

#include "merganser/commands/command_rows.h"

namespace merganser {
namespace {

StructType KeyValueSchema() {
  return StructType(
      {{"key", DataType::String(), false, {}}, {"value", DataType::String(), false, {}}});
}

}  // namespace

Result<ResultSet> RunSet(StatementContext& context, const plan::SetConf& command) {
  if (!command.key) {
    std::vector<std::vector<CommandCell>> rows;
    for (const auto& [key, value] : context.conf.explicit_values()) rows.push_back({key, value});
    return CommandResult(context, KeyValueSchema(), rows);
  }
  if (command.value) {
    MERGANSER_RETURN_IF_ERROR(context.conf.Set(*command.key, *command.value));
    return CommandResult(context, KeyValueSchema(), {{*command.key, *command.value}});
  }
  return CommandResult(context, KeyValueSchema(),
                       {{*command.key, context.conf.Find(*command.key).value_or("<undefined>")}});
}

Result<ResultSet> RunReset(StatementContext& context, const plan::ResetConf& command) {
  if (command.key) {
    MERGANSER_RETURN_IF_ERROR(context.conf.Unset(*command.key));
  } else {
    context.conf.Reset();
  }
  return ResultSet();
}

}  // namespace merganser
