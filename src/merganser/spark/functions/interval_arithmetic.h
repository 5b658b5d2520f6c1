#pragma once

#include "merganser/spark/functions/call_binder.h"

/// Arithmetic with dates, timestamps and intervals: `+`, `-`, `*` and `/` become calls of their
/// own.
namespace merganser {

/// The call that `op` means for the two arguments of `call`; null if it is arithmetic of numbers,
/// or of two intervals of one kind.
Result<BoundExpressionPtr> ResolveIntervalArithmetic(CallBinder& call, char op);

Result<BoundExpressionPtr> ResolveSubtractDates(CallBinder& call);
Result<BoundExpressionPtr> ResolveSubtractTimestamps(CallBinder& call);
/// An interval times or by a number.
Result<BoundExpressionPtr> ResolveScaledInterval(CallBinder& call);
/// Its name: an operator's, but for calendar intervals that of a function.
std::string PrintScaledInterval(const BoundCall& call, const std::vector<std::string>& arguments);

}  // namespace merganser
