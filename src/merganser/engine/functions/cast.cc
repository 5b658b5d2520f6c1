#include "merganser/engine/functions/cast.h"

#include <utility>

#include <duckdb/transaction/meta_transaction.hpp>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/nested_vectors.h"
#include "merganser/engine/functions/spark_text.h"
#include "merganser/engine/logical_type.h"

namespace merganser::engine {
namespace {

CastKernel NullKernel() {
  return [](duckdb::Vector&, duckdb::Vector& result, duckdb::idx_t) {
    result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
    duckdb::ConstantVector::SetNull(result, true);
  };
}

/// Converts the elements that rows refer to, and nothing else the child vector may hold.
CastKernel ArrayKernel(CastKernel element) {
  return [element = std::move(element)](duckdb::Vector& source, duckdb::Vector& result,
                                        duckdb::idx_t count) {
    CompactLists lists(source, count);
    lists.WriteEntries(result);
    auto converted =
        MakeVector(duckdb::ListType::GetChildType(result.GetType()), lists.child_count());
    if (lists.child_count() > 0) element(lists.child(), converted, lists.child_count());
    SetListChild(result, std::move(converted), lists.child_count());
  };
}

CastKernel MapKernel(CastKernel key, CastKernel value) {
  return [key = std::move(key), value = std::move(value)](
             duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t count) {
    CompactLists lists(source, count);
    lists.WriteEntries(result);
    const duckdb::idx_t n = lists.child_count();
    auto converted = MakeVector(duckdb::ListType::GetChildType(result.GetType()), n);
    if (n > 0) {
      lists.child().Flatten(n);
      auto& from = duckdb::StructVector::GetEntries(lists.child());
      auto& to = duckdb::StructVector::GetEntries(converted);
      key(*from[0], *to[0], n);
      value(*from[1], *to[1], n);
      for (auto& part : to) part->Flatten(n);
    }
    SetListChild(result, std::move(converted), n);
  };
}

CastKernel StructKernel(std::vector<CastKernel> fields) {
  return [fields = std::move(fields)](duckdb::Vector& source, duckdb::Vector& result,
                                      duckdb::idx_t count) {
    const bool constant = source.GetVectorType() == duckdb::VectorType::CONSTANT_VECTOR;
    if (constant) count = std::min<duckdb::idx_t>(count, 1);
    duckdb::Vector flat(source.GetType());
    flat.Reference(source);
    flat.Flatten(count);
    MaskStructChildren(flat, count);
    auto& from = duckdb::StructVector::GetEntries(flat);
    auto& to = duckdb::StructVector::GetEntries(result);
    for (size_t i = 0; i < fields.size(); ++i) {
      fields[i](*from[i], *to[i], count);
      to[i]->Flatten(count);
    }
    result.SetVectorType(duckdb::VectorType::FLAT_VECTOR);
    duckdb::FlatVector::Validity(result) = duckdb::FlatVector::Validity(flat);
    if (constant) result.SetVectorType(duckdb::VectorType::CONSTANT_VECTOR);
  };
}

CastKernel MakeNestedCast(const DataType& from, const DataType& to,
                          const CastSettingsPtr& settings) {
  if (from.is(TypeId::kArray) && to.is(TypeId::kArray)) {
    auto element = MakeCast(from.element(), to.element(), settings);
    return element ? ArrayKernel(std::move(element)) : nullptr;
  }
  if (from.is(TypeId::kMap) && to.is(TypeId::kMap)) {
    auto key = MakeCast(from.key(), to.key(), settings);
    auto value = MakeCast(from.value(), to.value(), settings);
    return key && value ? MapKernel(std::move(key), std::move(value)) : nullptr;
  }
  if (from.is(TypeId::kStruct) && to.is(TypeId::kStruct) &&
      from.fields().size() == to.fields().size()) {
    std::vector<CastKernel> fields;
    for (size_t i = 0; i < to.fields().size(); ++i) {
      fields.push_back(MakeCast(from.fields()[i].type, to.fields()[i].type, settings));
      if (!fields.back()) return nullptr;
    }
    return StructKernel(std::move(fields));
  }
  return nullptr;
}

int64_t StatementStart(duckdb::ClientContext& context) {
  return duckdb::MetaTransaction::Get(context).start_timestamp.value;
}

ScalarKernel BindCast(ScalarCall& call, const DataType& from, const DataType& to, CallSite site,
                      std::shared_ptr<const TimeZone> zone) {
  auto settings = std::make_shared<CastSettings>();
  settings->site = std::move(site);
  settings->zone = std::move(zone);
  settings->now_micros = StatementStart(call.context());
  auto kernel = MakeCast(from, to, settings);
  if (!kernel)
    ThrowError(Error::Internal("no cast from " + from.SqlString() + " to " + to.SqlString()));
  if (settings->site.mode != EvalMode::kAnsi) call.NeverFails();
  call.Expect(0, ToLogicalType(from));
  call.Returns(ToLogicalType(to));
  call.KeepArguments(1);
  return [kernel = std::move(kernel)](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    kernel(arguments.data[0], result, arguments.size());
  };
}

}  // namespace

CastKernel ShareKernel() {
  return [](duckdb::Vector& source, duckdb::Vector& result, duckdb::idx_t) {
    result.Reinterpret(source);
  };
}

void CastSettings::Overflow(std::string value, const DataType& source,
                            const DataType& target) const {
  site.Throw(Error(ErrorClass::CAST_OVERFLOW, {{"value", std::move(value)},
                                               {"sourceType", QuotedType(source)},
                                               {"targetType", QuotedType(target)},
                                               {"ansiConfig", kAnsiConfig}}));
}

void CastSettings::OutOfPrecision(std::string value, const DataType& target) const {
  site.Throw(Error(ErrorClass::NUMERIC_VALUE_OUT_OF_RANGE,
                   {{"value", std::move(value)},
                    {"precision", std::to_string(target.precision())},
                    {"scale", std::to_string(target.scale())},
                    {"config", kAnsiConfig}},
                   "WITH_SUGGESTION"));
}

void CastSettings::InvalidInput(std::string value, const DataType& source,
                                const DataType& target) const {
  site.Throw(Error(ErrorClass::CAST_INVALID_INPUT, {{"expression", std::move(value)},
                                                    {"sourceType", QuotedType(source)},
                                                    {"targetType", QuotedType(target)},
                                                    {"ansiConfig", kAnsiConfig}}));
}

CastKernel MakeCast(const DataType& from, const DataType& to, const CastSettingsPtr& settings) {
  if (from.is(TypeId::kNull)) return NullKernel();
  if (from.is(TypeId::kVariant) || to.is(TypeId::kVariant))
    return MakeVariantCast(from, to, settings);
  if (from.SameType(to) && !from.is_interval()) return ShareKernel();
  if (auto kernel = MakeTextCast(from, to, settings)) return kernel;
  if (from.is_string()) return MakeTextParse(from, to, settings);
  if (auto kernel = MakeTimeCast(from, to, settings)) return kernel;
  if (auto kernel = MakeNumericCast(from, to, settings)) return kernel;
  if (auto kernel = MakeNestedCast(from, to, settings)) return kernel;
  if (from.is(TypeId::kCalendarInterval) && to.is(TypeId::kCalendarInterval)) return ShareKernel();
  // What only the legacy mode lets through: a date has no number, a wall clock no instant.
  if (settings->site.legacy() && (to.is_numeric() || to.is(TypeId::kBoolean))) return NullKernel();
  return nullptr;
}

void RegisterCastFunctions(FunctionRegistry& registry) {
  registry.Add("mg_cast", [](ScalarCall& call) {
    return BindCast(call, call.SparkType(1), call.SparkType(2), call.Site(3, 5), call.Zone(4));
  });
  registry.Add("mg_to_string", [](ScalarCall& call) {
    return BindCast(call, call.SparkType(1), DataType::String(), CallSite{}, call.Zone(2));
  });
}

}  // namespace merganser::engine
