// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What a numeric test program says about itself. A program defines a function and names
// it in one of the ADZE_TEST_* macros below; check.c holds main(), which calls the
// gradient in reverse mode, the derivative in forward mode, and compares
//
//   <u, J v>  with  <J' u, v>     no step size, so the tolerance is rounding alone
//   J         with  a closed form, listed values, or extrapolated central differences
//
// Shapes (T is double, float, or one of the typedefs below):
//   ADZE_TEST_MAP      void f(const T *x, T *y)      N inputs, M outputs, all of y written
//   ADZE_TEST_INPLACE  void f(T *x)                  N values overwritten in place
//   ADZE_TEST_ARRAY    T f(const T *x, int n)        gradient of a returned scalar
//   ADZE_TEST_SCALAR1  T f(T)      ADZE_TEST_SCALAR2  T f(T, T)     ADZE_TEST_SCALAR3
//   ADZE_TEST_REVERSE / ADZE_TEST_FORWARD   a hand-written body with adze_near() checks
//
// The reverse and the forward call can be compiled apart (-DADZE_REVERSE=0 or
// -DADZE_FORWARD=0), so that one mode that does not compile does not hide the other. With
// -DADZE_PRIMAL_ONLY there is no marker at all and closed forms are checked against
// differences: this tests the tests.
#ifndef ADZE_TEST_NUMERIC_CHECK_H
#define ADZE_TEST_NUMERIC_CHECK_H

#ifdef ADZE_PRIMAL_ONLY
#undef ADZE_REVERSE
#undef ADZE_FORWARD
#define ADZE_REVERSE 0
#define ADZE_FORWARD 0
#endif
#ifndef ADZE_REVERSE
#define ADZE_REVERSE 1
#endif
#ifndef ADZE_FORWARD
#define ADZE_FORWARD 1
#endif

#include "adze/adze.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef long double ldouble;
#if defined(__x86_64__) && !defined(ADZE_NO_SMALL_FLOATS)
typedef _Float16 float16;
typedef __bf16 bfloat16;
typedef __float128 float128;
#endif

enum adze_type {
  ADZE_TYPE_double,
  ADZE_TYPE_float,
  ADZE_TYPE_ldouble,
  ADZE_TYPE_float16,
  ADZE_TYPE_bfloat16,
  ADZE_TYPE_float128
};

enum adze_flags {
  // Differences mean nothing here (a kink, a jump, an edge of the domain).
  ADZE_NO_DIFFERENCES = 1,
  // The function may return infinities or NaN at the listed points.
  ADZE_NONFINITE = 2,
  // Not every y is written, so the incoming adjoint is not always zeroed.
  ADZE_PARTIAL_Y = 4,
  // Threads add up in any order: what is repeated is the same up to rounding.
  ADZE_UNORDERED = 64,
  // Set by the shapes: one seed of 1, and no y to compare after the gradient.
  ADZE_UNIT_SEED = 8,
  // Set by the shapes: x is input and output.
  ADZE_IN_PLACE = 16,
  // Set by the shapes: the shadow of x is memory, to which the gradient is added.
  ADZE_HAS_SHADOW = 32
};

struct adze_case {
  const char *name;
  int type;
  int n, m, points;
  const double *at;
  unsigned shape_flags;
  void (*primal)(void *x, void *y);
  void (*reverse)(void *x, void *dx, void *y, void *dy);
  void (*forward)(void *x, void *dx, void *y, void *dy);
  // Optional, by name in the macros' tail (.jacobian = f, .tolerance = 1e-9 ...).
  unsigned flags;
  void (*jacobian)(const double *x, double *J);        // row-major, M rows of N
  double (*derivative)(double x);                      // N = M = 1
  void (*twin)(const long double *x, long double *y);  // differenced instead of f
  const double *expected;                              // per point M x N values
  const double *value;                                 // per point M primal values
  double tolerance;                                    // against differences
  double exact;                                        // against closed form and values
  double dot;                                          // of the two inner products
  double step;                                         // first step of the differences
  struct adze_case *next;
};

struct adze_custom {
  const char *name;
  void (*reverse)(void);
  void (*forward)(void);
  void (*primal)(void);
  struct adze_custom *next;
};

void adze_register(struct adze_case *c);
void adze_register_custom(struct adze_custom *c);
// Compares within tol * max(1, |want|); NaN equals NaN and infinities need the sign.
void adze_near(const char *what, long double got, long double want, double tol);
void adze_true(const char *what, int condition);

// Shadows of n values, one behind the other, `stride` bytes apart.
struct adze_wide {
  int type, n, scaled;
  void *first;
  unsigned char *at;
  size_t stride;
};
// The first of them is what lies at `first`, the others are multiples of it, or copies.
struct adze_wide adze_wide_begin(int type, void *first, int n, int scaled);
// The first of them goes back to where it came from.
void adze_wide_end(struct adze_wide *w);
// The n values of each direction, `stride` bytes apart.
void adze_wide_compare(int type, const void *lanes, size_t stride, int n, int scaled);

#ifdef __cplusplus
}
#endif

#define ADZE_AT(...) {__VA_ARGS__}

#if ADZE_REVERSE
#define ADZE_IF_REVERSE(...) __VA_ARGS__
#define ADZE_REVERSE_OF(f) f##_adze_reverse
#else
#define ADZE_IF_REVERSE(...)
#define ADZE_REVERSE_OF(f) 0
#endif
#if ADZE_FORWARD
#define ADZE_IF_FORWARD(...) __VA_ARGS__
#define ADZE_FORWARD_OF(f) f##_adze_forward
#else
#define ADZE_IF_FORWARD(...)
#define ADZE_FORWARD_OF(f) 0
#endif

#ifdef __cplusplus
#define ADZE_EXTERN extern "C"
#else
#define ADZE_EXTERN extern
#endif

#pragma clang diagnostic ignored "-Wmissing-field-initializers"
#ifdef __cplusplus
#pragma clang diagnostic ignored "-Wc++20-designator"
#pragma clang diagnostic ignored "-Wc99-designator"
#pragma clang diagnostic ignored "-Wreorder-init-list"
#pragma clang diagnostic ignored "-Wreturn-type-c-linkage"
#endif

ADZE_EXTERN void __enzyme_autodiff_void(void *, ...);
ADZE_EXTERN void __enzyme_fwddiff_void(void *, ...);

#define ADZE_CASE_(T, f, N, M, AT, SHAPE, ...)                                           \
  static const double f##_adze_at[] = AT;                                                \
  static struct adze_case f##_adze_case = {                                              \
      .name = #f,                                                                        \
      .type = ADZE_TYPE_##T,                                                             \
      .n = (N),                                                                          \
      .m = (M),                                                                          \
      .points = (int)(sizeof(f##_adze_at) / sizeof(double)) / (N),                       \
      .at = f##_adze_at,                                                                 \
      .shape_flags = (SHAPE),                                                            \
      .primal = f##_adze_primal,                                                         \
      .reverse = ADZE_REVERSE_OF(f),                                                     \
      .forward = ADZE_FORWARD_OF(f),                                                     \
      __VA_ARGS__};                                                                      \
  __attribute__((constructor)) static void f##_adze_register(void) {                     \
    adze_register(&f##_adze_case);                                                       \
  }

#define ADZE_PRIMAL_(f, ...)                                                             \
  static void f##_adze_primal(void *x, void *y) { __VA_ARGS__; }
#define ADZE_WRAP_(f, kind, ...)                                                         \
  static void f##_adze_##kind(void *x, void *dx, void *y, void *dy) {                    \
    (void)y, (void)dy;                                                                   \
    __VA_ARGS__;                                                                         \
  }

// How the markers are called: with ADZE_WIDTH, in so many directions at once.
#ifdef ADZE_WIDTH
#include "wide.h"
#else
#include "narrow.h"
#endif

// void f(const T *x, T *y)
#define ADZE_TEST_MAP_T(T, f, N, M, AT, ...)                                             \
  ADZE_PRIMAL_(f, f((T *)x, (T *)y))                                                     \
  ADZE_IF_REVERSE(                                                                       \
      ADZE_WRAP_(f, reverse, ADZE_CALL_MAP_(__enzyme_autodiff_void, T, f, N, M)))        \
  ADZE_IF_FORWARD(                                                                       \
      ADZE_WRAP_(f, forward, ADZE_CALL_MAP_(__enzyme_fwddiff_void, T, f, N, M)))         \
  ADZE_CASE_(T, f, N, M, ADZE_ID_(AT), ADZE_HAS_SHADOW, __VA_ARGS__)
#define ADZE_TEST_MAP(f, N, M, AT, ...)                                                  \
  ADZE_TEST_MAP_T(double, f, N, M, ADZE_ID_(AT), __VA_ARGS__)

// void f(T *x), x overwritten
#define ADZE_TEST_INPLACE_T(T, f, N, AT, ...)                                            \
  ADZE_PRIMAL_(f, (void)x; f((T *)y))                                                    \
  ADZE_IF_REVERSE(                                                                       \
      ADZE_WRAP_(f, reverse, ADZE_CALL_INPLACE_(__enzyme_autodiff_void, T, f, N)))       \
  ADZE_IF_FORWARD(                                                                       \
      ADZE_WRAP_(f, forward, ADZE_CALL_INPLACE_(__enzyme_fwddiff_void, T, f, N)))        \
  ADZE_CASE_(T, f, N, N, ADZE_ID_(AT), ADZE_IN_PLACE, __VA_ARGS__)
#define ADZE_TEST_INPLACE(f, N, AT, ...)                                                 \
  ADZE_TEST_INPLACE_T(double, f, N, ADZE_ID_(AT), __VA_ARGS__)

// T f(const T *x, int n)
#define ADZE_TEST_ARRAY_T(T, f, N, AT, ...)                                              \
  ADZE_PRIMAL_(f, *(T *)y = f((T *)x, (N)))                                              \
  ADZE_IF_REVERSE(ADZE_WRAP_(f, reverse, ADZE_REVERSE_ARRAY_(T, f, N)))                  \
  ADZE_IF_FORWARD(ADZE_DEFINE_FORWARD_ARRAY_(T, f, N))                                   \
  ADZE_CASE_(T, f, N, 1, ADZE_ID_(AT), ADZE_UNIT_SEED | ADZE_HAS_SHADOW, __VA_ARGS__)
#define ADZE_TEST_ARRAY(f, N, AT, ...)                                                   \
  ADZE_TEST_ARRAY_T(double, f, N, ADZE_ID_(AT), __VA_ARGS__)

// T f(T), T f(T, T), T f(T, T, T): by value, no tags
#define ADZE_X_(T, i) ((T *)x)[i]
#define ADZE_DX_(T, i) ((T *)dx)[i]
#define ADZE_TEST_SCALAR1_T(T, f, AT, ...)                                               \
  ADZE_PRIMAL_(f, *(T *)y = f(ADZE_X_(T, 0)))                                            \
  ADZE_IF_REVERSE(ADZE_REVERSE_SCALAR1_(T, f))                                           \
  ADZE_IF_FORWARD(ADZE_FORWARD_SCALAR1_(T, f))                                           \
  ADZE_CASE_(T, f, 1, 1, ADZE_ID_(AT), ADZE_UNIT_SEED, __VA_ARGS__)
#define ADZE_TEST_SCALAR1(f, AT, ...)                                                    \
  ADZE_TEST_SCALAR1_T(double, f, ADZE_ID_(AT), __VA_ARGS__)

#define ADZE_TEST_SCALAR2_T(T, f, AT, ...)                                               \
  ADZE_PRIMAL_(f, *(T *)y = f(ADZE_X_(T, 0), ADZE_X_(T, 1)))                             \
  ADZE_IF_REVERSE(ADZE_REVERSE_SCALAR2_(T, f))                                           \
  ADZE_IF_FORWARD(ADZE_FORWARD_SCALAR2_(T, f))                                           \
  ADZE_CASE_(T, f, 2, 1, ADZE_ID_(AT), ADZE_UNIT_SEED, __VA_ARGS__)
#define ADZE_TEST_SCALAR2(f, AT, ...)                                                    \
  ADZE_TEST_SCALAR2_T(double, f, ADZE_ID_(AT), __VA_ARGS__)

#define ADZE_TEST_SCALAR3_T(T, f, AT, ...)                                               \
  ADZE_PRIMAL_(f, *(T *)y = f(ADZE_X_(T, 0), ADZE_X_(T, 1), ADZE_X_(T, 2)))              \
  ADZE_IF_REVERSE(ADZE_REVERSE_SCALAR3_(T, f))                                           \
  ADZE_IF_FORWARD(ADZE_FORWARD_SCALAR3_(T, f))                                           \
  ADZE_CASE_(T, f, 3, 1, ADZE_ID_(AT), ADZE_UNIT_SEED, __VA_ARGS__)
#define ADZE_TEST_SCALAR3(f, AT, ...)                                                    \
  ADZE_TEST_SCALAR3_T(double, f, ADZE_ID_(AT), __VA_ARGS__)

// Keeps a brace list in one piece on its way through nested macros.
#define ADZE_ID_(...) __VA_ARGS__

// Hand-written bodies: each is run three times and must report the same numbers.
#define ADZE_TEST_CUSTOM_(NAME, KIND)                                                    \
  static void NAME##_adze_##KIND(void);                                                  \
  static struct adze_custom NAME##_adze_##KIND##_entry = {.name = #NAME,                 \
                                                          .KIND = NAME##_adze_##KIND};   \
  __attribute__((constructor)) static void NAME##_adze_##KIND##_register(void) {         \
    adze_register_custom(&NAME##_adze_##KIND##_entry);                                   \
  }                                                                                      \
  static void NAME##_adze_##KIND(void)
// Followed by a body in braces that the program guards with #if ADZE_REVERSE etc.
#define ADZE_TEST_REVERSE(name) ADZE_TEST_CUSTOM_(name, reverse)
#define ADZE_TEST_FORWARD(name) ADZE_TEST_CUSTOM_(name, forward)
#define ADZE_TEST_PRIMAL(name) ADZE_TEST_CUSTOM_(name, primal)

#endif
