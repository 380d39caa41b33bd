// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One line for a library function: ADZE_TEST_CALL1(sin, ADZE_AT(0.1, 2.0)) tests sin against
// differences, ADZE_TEST_FLOAT1 the float variant against differences of the long double
// one, ADZE_TEST_LDOUBLE1 the long double variant, ADZE_TEST_ALL1 all three.
#ifndef ADZE_TEST_NUMERIC_FUNCTIONS_H
#define ADZE_TEST_NUMERIC_FUNCTIONS_H

#include "check.h"
#include <math.h>

#define ADZE_TEST_CALL1(fn, AT, ...)                                                     \
  double test_##fn(double x) { return fn(x); }                                           \
  ADZE_TEST_SCALAR1_T(double, test_##fn, ADZE_ID_(AT), __VA_ARGS__)
#define ADZE_TEST_CALL2(fn, AT, ...)                                                     \
  double test_##fn(double x, double y) { return fn(x, y); }                              \
  ADZE_TEST_SCALAR2_T(double, test_##fn, ADZE_ID_(AT), __VA_ARGS__)

#define ADZE_TEST_FLOAT1(fn, AT, ...)                                                    \
  float test_##fn##f(float x) { return fn##f(x); }                                       \
  static void twin_##fn##f(const long double *x, long double *y) { *y = fn##l(*x); }     \
  ADZE_TEST_SCALAR1_T(float, test_##fn##f, ADZE_ID_(AT), .twin = twin_##fn##f,           \
                      .tolerance = 2e-5, __VA_ARGS__)
#define ADZE_TEST_FLOAT2(fn, AT, ...)                                                    \
  float test_##fn##f(float x, float y) { return fn##f(x, y); }                           \
  static void twin_##fn##f(const long double *x, long double *y) {                       \
    *y = fn##l(x[0], x[1]);                                                              \
  }                                                                                      \
  ADZE_TEST_SCALAR2_T(float, test_##fn##f, ADZE_ID_(AT), .twin = twin_##fn##f,           \
                      .tolerance = 2e-5, __VA_ARGS__)

#define ADZE_TEST_LDOUBLE1(fn, AT, ...)                                                  \
  ldouble test_##fn##l(ldouble x) { return fn##l(x); }                                   \
  ADZE_TEST_SCALAR1_T(ldouble, test_##fn##l, ADZE_ID_(AT), __VA_ARGS__)
#define ADZE_TEST_LDOUBLE2(fn, AT, ...)                                                  \
  ldouble test_##fn##l(ldouble x, ldouble y) { return fn##l(x, y); }                     \
  ADZE_TEST_SCALAR2_T(ldouble, test_##fn##l, ADZE_ID_(AT), __VA_ARGS__)

#define ADZE_TEST_ALL1(fn, AT, ...)                                                      \
  ADZE_TEST_CALL1(fn, ADZE_ID_(AT), __VA_ARGS__)                                         \
  ADZE_TEST_FLOAT1(fn, ADZE_ID_(AT), __VA_ARGS__)                                        \
  ADZE_TEST_LDOUBLE1(fn, ADZE_ID_(AT), __VA_ARGS__)
#define ADZE_TEST_ALL2(fn, AT, ...)                                                      \
  ADZE_TEST_CALL2(fn, ADZE_ID_(AT), __VA_ARGS__)                                         \
  ADZE_TEST_FLOAT2(fn, ADZE_ID_(AT), __VA_ARGS__)                                        \
  ADZE_TEST_LDOUBLE2(fn, ADZE_ID_(AT), __VA_ARGS__)

#endif
