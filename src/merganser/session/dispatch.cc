#include "merganser/session/dispatch.h"

#include "merganser/commands/create_table.h"
#include "merganser/commands/delete.h"
#include "merganser/commands/insert.h"
#include "merganser/commands/merge/merge.h"
#include "merganser/commands/update.h"

namespace merganser {
namespace {

/// One overload a command; the compiler picks.
struct Runner {
  StatementContext& context;

  Result<ResultSet> operator()(const plan::CreateTable& command) const { return RunCreateTable(context, command); }
  Result<ResultSet> operator()(const plan::InsertInto& command) const { return RunInsert(context, command); }
  Result<ResultSet> operator()(const plan::MergeInto& command) const { return RunMerge(context, command); }
  Result<ResultSet> operator()(const plan::Update& command) const { return RunUpdate(context, command); }
  Result<ResultSet> operator()(const plan::Delete& command) const { return RunDelete(context, command); }

  template <typename Command>
  Result<ResultSet> operator()(const Command&) const {
    return Error(ErrorClass::UNSUPPORTED_FEATURE, {{"statement", context.text}}, "STATEMENT");
  }
};

}  // namespace

Result<ResultSet> RunCommand(StatementContext& context, const plan::Command& command) {
  return std::visit(Runner{context}, command);
}

}  // namespace merganser
