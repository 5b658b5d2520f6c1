// Arithmetic on whole numbers, floats and intervals, with Spark's overflow and zero-division rules.
#include <cmath>
#include <limits>
#include <string>
#include <type_traits>

#include "merganser/engine/duckdb_error.h"
#include "merganser/engine/functions/arithmetic_errors.h"
#include "merganser/engine/functions/families.h"
#include "merganser/engine/functions/rows.h"
#include "merganser/engine/functions/scalar_call.h"
#include "merganser/engine/functions/spark_text.h"

namespace merganser::engine {
namespace {

using duckdb::LogicalType;
using duckdb::LogicalTypeId;

struct Addition {
  static constexpr const char* kSymbol = "+";
  static constexpr const char* kTry = "try_add";
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_add_overflow(a, b, out);
  }
  template <typename T>
  static T Floating(T a, T b) {
    return a + b;
  }
};
struct Subtraction {
  static constexpr const char* kSymbol = "-";
  static constexpr const char* kTry = "try_subtract";
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_sub_overflow(a, b, out);
  }
  template <typename T>
  static T Floating(T a, T b) {
    return a - b;
  }
};
struct Multiplication {
  static constexpr const char* kSymbol = "*";
  static constexpr const char* kTry = "try_multiply";
  template <typename T>
  static bool Overflows(T a, T b, T* out) {
    return __builtin_mul_overflow(a, b, out);
  }
  template <typename T>
  static T Floating(T a, T b) {
    return a * b;
  }
};

template <typename Op, typename T>
[[noreturn, gnu::cold]] void ThrowBinaryOverflow(const CallSite& site, T a, T b) {
  if constexpr (sizeof(T) <= 2) {
    site.Throw(
        Error(ErrorClass::BINARY_ARITHMETIC_OVERFLOW, {{"value1", std::to_string(a) + "S"},
                                                       {"symbol", Op::kSymbol},
                                                       {"value2", std::to_string(b) + "S"},
                                                       {"functionName", QuotedId(Op::kTry)}}));
  } else {
    ThrowArithmeticOverflow(site, "overflow", Op::kTry);
  }
}

template <typename Op, typename T>
ScalarKernel IntegerKernel(const CallSite& site) {
  if (site.mode == EvalMode::kAnsi) {
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      duckdb::BinaryExecutor::Execute<T, T, T>(arguments.data[0], arguments.data[1], result,
                                               arguments.size(), [&](T a, T b) {
                                                 T out;
                                                 if (Op::Overflows(a, b, &out))
                                                   ThrowBinaryOverflow<Op, T>(site, a, b);
                                                 return out;
                                               });
    };
  }
  if (site.mode == EvalMode::kTry) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      duckdb::BinaryExecutor::ExecuteWithNulls<T, T, T>(
          arguments.data[0], arguments.data[1], result, arguments.size(),
          [](T a, T b, duckdb::ValidityMask& mask, duckdb::idx_t row) {
            T out;
            if (Op::Overflows(a, b, &out)) mask.SetInvalid(row);
            return out;
          });
    };
  }
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::BinaryExecutor::Execute<T, T, T>(
        arguments.data[0], arguments.data[1], result, arguments.size(), [](T a, T b) {
          T out;
          static_cast<void>(Op::Overflows(a, b, &out));  // The builtin leaves the wrapped value.
          return out;
        });
  };
}

template <typename Op, typename T>
ScalarKernel BinaryKernel(const CallSite& site) {
  if constexpr (std::is_floating_point_v<T>) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      duckdb::BinaryExecutor::Execute<T, T, T>(arguments.data[0], arguments.data[1], result,
                                               arguments.size(),
                                               [](T a, T b) { return Op::Floating(a, b); });
    };
  } else {
    return IntegerKernel<Op, T>(site);
  }
}

/// Calls make<T>() for the C++ type of a numeric engine type.
template <typename Make>
ScalarKernel ForNumber(ScalarCall& call, Make make) {
  switch (call.type(0).id()) {
    case LogicalTypeId::TINYINT:
      return make.template operator()<int8_t>();
    case LogicalTypeId::SMALLINT:
      return make.template operator()<int16_t>();
    case LogicalTypeId::INTEGER:
      return make.template operator()<int32_t>();
    case LogicalTypeId::BIGINT:
      return make.template operator()<int64_t>();
    case LogicalTypeId::FLOAT:
      return make.template operator()<float>();
    case LogicalTypeId::DOUBLE:
      return make.template operator()<double>();
    default:
      ThrowError(Error::Internal(call.name() + ": no number: " + call.type(0).ToString()));
  }
}

/// A call on two numbers of one type that returns this type.
CallSite BindPair(ScalarCall& call) {
  CallSite site = call.Site(2);
  call.Expect(1, call.type(0));
  call.Returns(call.type(0));
  call.KeepArguments(2);
  if (site.mode != EvalMode::kAnsi) call.NeverFails();
  return site;
}

template <typename Op>
ScalarKernel BindBinary(ScalarCall& call) {
  const CallSite site = BindPair(call);
  return ForNumber(call, [&]<typename T>() { return BinaryKernel<Op, T>(site); });
}

template <typename T>
T Remainder(T a, T b) {
  if constexpr (std::is_floating_point_v<T>) {
    return std::fmod(a, b);
  } else {
    return b == -1 ? T{0} : static_cast<T>(a % b);  // The smallest value % -1 traps.
  }
}

template <typename T>
T PositiveModulo(T a, T b) {
  const T r = Remainder(a, b);
  if constexpr (std::is_floating_point_v<T>) {
    return r < 0 ? Remainder<T>(r + b, b) : r;
  } else {
    // r + b cannot overflow: the signs differ, or b is negative and wraps as in Java.
    return r < 0 ? Remainder<T>(static_cast<T>(static_cast<std::make_unsigned_t<T>>(r) +
                                               static_cast<std::make_unsigned_t<T>>(b)),
                                b)
                 : r;
  }
}

/// A kernel of an operation that a zero on the right makes undefined.
template <typename T, typename R, typename Compute, typename Fail>
ScalarKernel ZeroCheckedKernel(const CallSite& site, Compute compute, Fail fail) {
  return [=](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    duckdb::BinaryExecutor::ExecuteWithNulls<T, T, R>(
        arguments.data[0], arguments.data[1], result, arguments.size(),
        [&](T a, T b, duckdb::ValidityMask& mask, duckdb::idx_t row) {
          if (b == T{0}) [[unlikely]] {
            if (site.ansi()) fail(site);
            mask.SetInvalid(row);
            return R{};
          }
          return static_cast<R>(compute(a, b));
        });
  };
}

ScalarKernel BindRemainder(ScalarCall& call) {
  const CallSite site = BindPair(call);
  return ForNumber(call, [&]<typename T>() {
    return ZeroCheckedKernel<T, T>(
        site, [](T a, T b) { return Remainder(a, b); }, ThrowRemainderByZero);
  });
}

ScalarKernel BindPmod(ScalarCall& call) {
  const CallSite site = BindPair(call);
  return ForNumber(call, [&]<typename T>() {
    return ZeroCheckedKernel<T, T>(
        site, [](T a, T b) { return PositiveModulo(a, b); }, ThrowRemainderByZero);
  });
}

ScalarKernel BindDivide(ScalarCall& call) {
  const CallSite site = call.Site(2);
  call.Expect(0, LogicalType::DOUBLE);
  call.Expect(1, LogicalType::DOUBLE);
  call.Returns(LogicalType::DOUBLE);
  call.KeepArguments(2);
  if (site.mode != EvalMode::kAnsi) call.NeverFails();
  return ZeroCheckedKernel<double, double>(
      site, [](double a, double b) { return a / b; }, ThrowDivideByZero);
}

ScalarKernel BindIntegralDivide(ScalarCall& call) {
  const CallSite site = BindPair(call);
  call.Returns(LogicalType::BIGINT);
  return ForNumber(call, [&]<typename T>() -> ScalarKernel {
    if constexpr (std::is_floating_point_v<T>) {
      ThrowError(Error::Internal("div on floats"));
    } else {
      const auto divide = [site](T a, T b) -> int64_t {
        if (b != -1) return a / b;
        if constexpr (sizeof(T) == 8) {
          if (a == std::numeric_limits<T>::min()) {
            if (site.ansi())
              ThrowArithmeticOverflow(site, "Overflow in integral divide", "try_divide");
            return a;
          }
        }
        return -static_cast<int64_t>(a);
      };
      if (site.mode == EvalMode::kTry) {
        return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
          MapRows<T, T>(arguments, result, [](T a, T b) -> std::optional<int64_t> {
            if (b == 0 || (b == -1 && int64_t{a} == std::numeric_limits<int64_t>::min()))
              return std::nullopt;
            return int64_t{a} / int64_t{b};
          });
        };
      }
      return ZeroCheckedKernel<T, int64_t>(site, divide, ThrowDivideByZero);
    }
  });
}

/// Negation and absolute value; only the smallest whole number overflows.
template <bool kAbsolute>
ScalarKernel BindSign(ScalarCall& call) {
  const CallSite site = call.Site(1);
  call.Returns(call.type(0));
  call.KeepArguments(1);
  if (site.mode != EvalMode::kAnsi) call.NeverFails();
  if (call.type(0).id() == LogicalTypeId::DECIMAL) {
    return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<DecimalCell>(arguments, result, [](DecimalCell cell) {
        return DecimalCell{!kAbsolute || cell.unscaled < 0 ? -cell.unscaled : cell.unscaled};
      });
    };
  }
  return ForNumber(call, [&]<typename T>() -> ScalarKernel {
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<T>(arguments, result, [&](T value) -> std::optional<T> {
        if constexpr (std::is_floating_point_v<T>) {
          return kAbsolute ? std::abs(value) : -value;
        } else {
          if (kAbsolute && value >= 0) return value;
          T out;
          if (!__builtin_sub_overflow(T{0}, value, &out) || site.legacy()) return out;
          if (site.ansi()) {
            if constexpr (sizeof(T) <= 2) {
              ThrowArithmeticOverflow(site, "- " + std::to_string(value) + " caused overflow", "");
            } else {
              ThrowArithmeticOverflow(site, "overflow", "");
            }
          }
          return std::nullopt;
        }
      });
    };
  });
}

/// Sums of intervals: like integers, with the class that intervals have.
template <typename Op>
ScalarKernel BindIntervalBinary(ScalarCall& call) {
  const CallSite site = BindPair(call);
  const auto kernel = [&]<typename T>() -> ScalarKernel {
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<T, T>(arguments, result, [&](T a, T b) -> std::optional<T> {
        T out;
        if (!Op::Overflows(a, b, &out)) return out;
        if (site.mode != EvalMode::kTry) ThrowIntervalOverflow(site, Op::kTry);
        return std::nullopt;
      });
    };
  };
  return call.type(0).id() == LogicalTypeId::INTEGER ? kernel.template operator()<int32_t>()
                                                     : kernel.template operator()<int64_t>();
}

template <bool kAbsolute>
ScalarKernel BindIntervalSign(ScalarCall& call) {
  const CallSite site = call.Site(1);
  call.Returns(call.type(0));
  call.KeepArguments(1);
  const auto kernel = [&]<typename T>() -> ScalarKernel {
    return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<T>(arguments, result, [&](T value) -> std::optional<T> {
        if (kAbsolute && value >= 0) return value;
        T out;
        if (!__builtin_sub_overflow(T{0}, value, &out)) return out;
        if (site.mode != EvalMode::kTry) ThrowIntervalOverflow(site, "");
        return std::nullopt;
      });
    };
  };
  return call.type(0).id() == LogicalTypeId::INTEGER ? kernel.template operator()<int32_t>()
                                                     : kernel.template operator()<int64_t>();
}

template <typename Shift>
ScalarKernel BindShift(ScalarCall& call, Shift shift) {
  call.Expect(1, LogicalType::INTEGER);
  call.KeepArguments(2);
  call.NeverFails();
  if (call.type(0).id() == LogicalTypeId::BIGINT) {
    call.Returns(LogicalType::BIGINT);
    return [shift](duckdb::DataChunk& arguments, duckdb::Vector& result) {
      MapRows<int64_t, int32_t>(arguments, result,
                                [&](int64_t value, int32_t by) { return shift(value, by & 63); });
    };
  }
  call.Expect(0, LogicalType::INTEGER);
  call.Returns(LogicalType::INTEGER);
  return [shift](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int32_t, int32_t>(arguments, result,
                              [&](int32_t value, int32_t by) { return shift(value, by & 31); });
  };
}

ScalarKernel BindBitCount(ScalarCall& call) {
  // Java counts the bits of the value widened to a long.
  call.Expect(0, LogicalType::BIGINT);
  call.Returns(LogicalType::INTEGER);
  call.KeepArguments(1);
  call.NeverFails();
  return [](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t>(arguments, result, [](int64_t value) {
      return static_cast<int32_t>(__builtin_popcountll(static_cast<uint64_t>(value)));
    });
  };
}

ScalarKernel BindGetBit(ScalarCall& call) {
  int bits = 64;
  switch (call.type(0).id()) {
    case LogicalTypeId::TINYINT:
      bits = 8;
      break;
    case LogicalTypeId::SMALLINT:
      bits = 16;
      break;
    case LogicalTypeId::INTEGER:
      bits = 32;
      break;
    default:
      break;
  }
  const CallSite site = call.Context(2);
  call.Expect(0, LogicalType::BIGINT);
  call.Expect(1, LogicalType::INTEGER);
  call.Returns(LogicalType::TINYINT);
  call.KeepArguments(2);
  return [bits, site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<int64_t, int32_t>(arguments, result, [&](int64_t value, int32_t position) {
      if (position < 0 || position >= bits) {
        site.Throw(Error(ErrorClass::INVALID_PARAMETER_VALUE,
                         {{"parameter", QuotedId("pos")},
                          {"functionName", QuotedId("getbit")},
                          {"upper", std::to_string(bits)},
                          {"invalidValue", std::to_string(position)}},
                         "BIT_POSITION_RANGE"));
      }
      return static_cast<int8_t>((value >> position) & 1);
    });
  };
}

/// sum(BIGINT) is a HUGEINT in the engine.
ScalarKernel BindSumToLong(ScalarCall& call) {
  const CallSite site = call.Site(1);
  call.Expect(0, LogicalType::HUGEINT);
  call.Returns(LogicalType::BIGINT);
  call.KeepArguments(1);
  return [site](duckdb::DataChunk& arguments, duckdb::Vector& result) {
    MapRows<Int128>(arguments, result, [&](Int128 sum) -> std::optional<int64_t> {
      if (static_cast<int64_t>(sum) == sum || site.legacy()) return static_cast<int64_t>(sum);
      if (site.ansi()) ThrowArithmeticOverflow(site, "overflow", "try_add");
      return std::nullopt;
    });
  };
}

}  // namespace

void RegisterIntegerFunctions(FunctionRegistry& registry) {
  registry.Add("mg_add", BindBinary<Addition>);
  registry.Add("mg_subtract", BindBinary<Subtraction>);
  registry.Add("mg_multiply", BindBinary<Multiplication>);
  registry.Add("mg_remainder", BindRemainder);
  registry.Add("mg_pmod", BindPmod);
  registry.Add("mg_divide", BindDivide);
  registry.Add("mg_divide_integral", BindIntegralDivide);
  registry.Add("mg_negative", BindSign<false>);
  registry.Add("mg_abs", BindSign<true>);
  registry.Add("mg_interval_add", BindIntervalBinary<Addition>);
  registry.Add("mg_interval_subtract", BindIntervalBinary<Subtraction>);
  registry.Add("mg_interval_negative", BindIntervalSign<false>);
  registry.Add("mg_interval_abs", BindIntervalSign<true>);
  registry.Add("mg_sum_to_long", BindSumToLong);
  registry.Add("mg_shiftleft", [](ScalarCall& call) {
    return BindShift(call, []<typename T>(T value, int by) {
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value) << by);
    });
  });
  registry.Add("mg_shiftright", [](ScalarCall& call) {
    return BindShift(call, []<typename T>(T value, int by) { return static_cast<T>(value >> by); });
  });
  registry.Add("mg_shiftrightunsigned", [](ScalarCall& call) {
    return BindShift(call, []<typename T>(T value, int by) {
      return static_cast<T>(static_cast<std::make_unsigned_t<T>>(value) >> by);
    });
  });
  registry.Add("mg_bit_count", BindBitCount);
  registry.Add("mg_getbit", BindGetBit);
}

}  // namespace merganser::engine
