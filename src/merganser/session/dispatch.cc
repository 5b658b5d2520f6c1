#include "merganser/session/dispatch.h"

#include "merganser/commands/create_table.h"
#include "merganser/commands/insert.h"
#include "merganser/commands/query.h"

namespace merganser {
namespace {

/// One overload a command; the compiler picks.
struct Runner {
  StatementContext& context;

  Result<ResultSet> operator()(const plan::CreateTable& command) const { return RunCreateTable(context, command); }
  Result<ResultSet> operator()(const plan::InsertInto& command) const { return RunInsert(context, command); }

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
