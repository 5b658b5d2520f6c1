#pragma once

namespace merganser::engine {

class FunctionRegistry;

// One function per source file of functions.
void RegisterAggregateFunctions(FunctionRegistry& registry);
void RegisterArrayFunctions(FunctionRegistry& registry);
void RegisterBitmapFunctions(FunctionRegistry& registry);
void RegisterCastFunctions(FunctionRegistry& registry);
void RegisterCsvFunctions(FunctionRegistry& registry);
void RegisterDatetimeArithmetic(FunctionRegistry& registry);
void RegisterDatetimeFunctions(FunctionRegistry& registry);
void RegisterDecimalFunctions(FunctionRegistry& registry);
void RegisterEncodingFunctions(FunctionRegistry& registry);
void RegisterDistinctCount(FunctionRegistry& registry);
void RegisterErrorFunctions(FunctionRegistry& registry);
void RegisterFormatFunctions(FunctionRegistry& registry);
void RegisterHashFunctions(FunctionRegistry& registry);
void RegisterIntegerFunctions(FunctionRegistry& registry);
void RegisterIntervalFunctions(FunctionRegistry& registry);
void RegisterJsonFunctions(FunctionRegistry& registry);
void RegisterMapFunctions(FunctionRegistry& registry);
void RegisterMathFunctions(FunctionRegistry& registry);
void RegisterMomentFunctions(FunctionRegistry& registry);
void RegisterRandomFunctions(FunctionRegistry& registry);
void RegisterRangeFunctions(FunctionRegistry& registry);
void RegisterRegexpFunctions(FunctionRegistry& registry);
void RegisterStringFunctions(FunctionRegistry& registry);
void RegisterTextListFunctions(FunctionRegistry& registry);
void RegisterVariantFunctions(FunctionRegistry& registry);
void RegisterVectorFunctions(FunctionRegistry& registry);

}  // namespace merganser::engine
