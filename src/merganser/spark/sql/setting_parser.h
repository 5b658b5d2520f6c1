#pragma once

#include "merganser/spark/plan/command.h"
#include "merganser/spark/sql/token_stream.h"

namespace merganser {

/// SET at the cursor: a setting, SET TIME ZONE or SET CATALOG.
///
/// The value of a setting is all the text behind `=`, without blanks around it. Fails with
/// INVALID_SET_SYNTAX, and INVALID_INTERVAL_FORMAT.TIMEZONE_INTERVAL_OUT_OF_RANGE for a zone beyond
/// 18 hours.
Result<plan::Command> ParseSet(TokenStream& in);

/// `RESET [key]`. Fails with INVALID_RESET_COMMAND_FORMAT.
Result<plan::ResetConf> ParseReset(TokenStream& in);

}  // namespace merganser
