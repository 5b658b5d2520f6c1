#include <gtest/gtest.h>

#include "merganser/engine/functions/evaluation_for_test.h"

namespace merganser::engine {
namespace {

TEST(MathFunctionsTest, ExactPoints) {
  ExpectAll({
      {"mg_sin(0::DOUBLE), mg_cos(0::DOUBLE), mg_tan(0::DOUBLE)", "0.0 | 1.0 | 0.0"},
      {"mg_sinh(0::DOUBLE), mg_cosh(0::DOUBLE), mg_tanh(0::DOUBLE)", "0.0 | 1.0 | 0.0"},
      {"mg_asin(0::DOUBLE), mg_atan(0::DOUBLE), mg_atan2(0::DOUBLE, 1::DOUBLE)", "0.0 | 0.0 | 0.0"},
      {"mg_asinh(0::DOUBLE), mg_acosh(1::DOUBLE), mg_atanh(0::DOUBLE)", "0.0 | 0.0 | 0.0"},
      {"mg_sec(0::DOUBLE), mg_csc(0::DOUBLE), mg_cot(0::DOUBLE)", "1.0 | inf | inf"},
      {"mg_exp(0::DOUBLE), mg_expm1(0::DOUBLE)", "1.0 | 0.0"},
      {"mg_pow(2::DOUBLE, 10::DOUBLE), mg_cbrt(27::DOUBLE)", "1024.0 | 3.0"},
      {"mg_hypot(3::DOUBLE, 4::DOUBLE), mg_rint(2.5::DOUBLE)", "5.0 | 2.0"},
      {"mg_signum((-3.5)::DOUBLE), mg_degrees(0::DOUBLE), mg_radians(0::DOUBLE)",
       "-1.0 | 0.0 | 0.0"},
  });
}

TEST(MathFunctionsTest, LogarithmsOutsideTheirDomainAreNull) {
  ExpectAll({
      {"mg_log2(8::DOUBLE), mg_log10(100::DOUBLE), mg_log1p(0::DOUBLE)", "3.0 | 2.0 | 0.0"},
      {"mg_log2(0::DOUBLE), mg_log10((-1)::DOUBLE), mg_log1p((-1)::DOUBLE)", "NULL | NULL | NULL"},
  });
}

TEST(MathFunctionsTest, OthersGiveNaN) {
  ExpectAll({{"mg_asin(2::DOUBLE), mg_acosh(0::DOUBLE), mg_atanh(2::DOUBLE)", "nan | nan | nan"}});
}

TEST(ModeTest, TheFirstOfSparksTable) {
  ExpectAll({
      {"mg_pick_mode(histogram(x)) FROM (VALUES (-10), (0), (10)) t(x)", "0"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES (10), (30)) t(x)", "30"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES (10), (10), (30)) t(x)", "10"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES (NULL::INTEGER)) t(x)", "NULL"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES ('b'), ('b'), ('a')) t(x)", "b"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES (true), (true), (false)) t(x)", "true"},
      {"mg_pick_mode(histogram(x)) FROM (VALUES (1.5), (2.5), (2.5)) t(x)", "2.5"},
  });
}

}  // namespace
}  // namespace merganser::engine
