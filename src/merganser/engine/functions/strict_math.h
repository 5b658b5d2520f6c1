// The elementary functions with the last bit of Java's StrictMath, which Spark computes with.
//
// The C library rounds up to a fifth of all arguments otherwise. Java prescribes the algorithms of
// fdlibm 5.3 (Sun Microsystems, 1995) for each function: argument reductions, polynomials and the
// order of operations decide the last bit, so they are those. Special values follow C's functions
// of the same names, but for StrictPow. sin, cos and tan are the processor's own in Java, within
// an ulp, and have no counterpart here.
#pragma once

namespace merganser::engine {

double StrictExp(double x);
double StrictExpm1(double x);
double StrictLog(double x);
double StrictLog10(double x);
double StrictLog1p(double x);

/// NaN also where C gives 1: for a base of 1 with an exponent of NaN, and for 1 and -1 with an
/// infinite one.
double StrictPow(double base, double exponent);

double StrictSinh(double x);
double StrictCosh(double x);
double StrictTanh(double x);

/// Not in Java; Spark computes them as fdlibm does, from the functions above.
double StrictAsinh(double x);
double StrictAcosh(double x);
double StrictAtanh(double x);

double StrictAsin(double x);
double StrictAcos(double x);
double StrictAtan(double x);
double StrictAtan2(double y, double x);

double StrictCbrt(double x);
double StrictHypot(double x, double y);

}  // namespace merganser::engine
