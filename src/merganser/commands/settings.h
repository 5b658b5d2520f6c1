#pragma once

#include "merganser/base/result.h"
#include "merganser/commands/result_set.h"
#include "merganser/commands/statement_context.h"
#include "merganser/spark/plan/command.h"

namespace merganser {

/// SET, SET key, SET key = value: rows of key and value. Fails as SessionConf::Set.
Result<ResultSet> RunSet(StatementContext& context, const plan::SetConf& command);

/// RESET and RESET key. Fails as SessionConf::Unset.
Result<ResultSet> RunReset(StatementContext& context, const plan::ResetConf& command);

}  // namespace merganser
