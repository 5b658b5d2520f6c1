#include "merganser/engine/functions/register.h"

#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/scalar_call.h"

namespace merganser::engine {

void RegisterScalarFunctions(duckdb::DatabaseInstance& database) {
  FunctionRegistry registry(database);
  RegisterAggregateFunctions(registry);
  RegisterArrayFunctions(registry);
  RegisterBitmapFunctions(registry);
  RegisterCastFunctions(registry);
  RegisterCsvFunctions(registry);
  RegisterDatetimeArithmetic(registry);
  RegisterDatetimeFunctions(registry);
  RegisterDecimalFunctions(registry);
  RegisterEncodingFunctions(registry);
  RegisterDistinctCount(registry);
  RegisterErrorFunctions(registry);
  RegisterFormatFunctions(registry);
  RegisterHashFunctions(registry);
  RegisterIntegerFunctions(registry);
  RegisterIntervalFunctions(registry);
  RegisterJsonFunctions(registry);
  RegisterMapFunctions(registry);
  RegisterMathFunctions(registry);
  RegisterMomentFunctions(registry);
  RegisterRandomFunctions(registry);
  RegisterRangeFunctions(registry);
  RegisterRegexpFunctions(registry);
  RegisterStringFunctions(registry);
  RegisterTextListFunctions(registry);
  RegisterVariantFunctions(registry);
  RegisterVectorFunctions(registry);
}

}  // namespace merganser::engine
