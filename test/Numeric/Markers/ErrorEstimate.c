// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Bounds of rounding errors: by the definition where it is easy to say, and
// above the true error, which a wider type tells.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if ADZE_FORWARD
extern double __enzyme_error_estimate(void *, ...);
extern float __enzyme_error_estimate_f(void *, ...);
extern void __enzyme_error_estimate_v(void *, ...);

static const double u = 0x1p-53;

static double product(double x, double y) { return x * y; }
static double difference(double x, double y) { return x - y; }
static double quotient(double x, double y) { return x / y; }
static double both(double x, double y) { return pow(x, y); }
static double square(double x) { return x * x; }
static double scaled(double x) { return -fabs(4 * x) / 2; }
static double root(double x) { return sqrt(x); }
static double narrowed(double x) { return (float)x; }
static double absorbed(double x) { return fmin(floor(x), 100 * x); }
static float single(float x) { return x * 3; }

typedef double pair __attribute__((vector_size(16)));
static double in_vectors(const double *x, double y) {
  pair sum = {0, y};
  for (int i = 0; i < 4; i += 2) {
    pair v;
    memcpy(&v, x + i, sizeof v);
    sum += v * v / (pair){sqrt(v[1]), y};
  }
  return sum[0] - sum[1];
}
static double one_by_one(const double *x, double y) {
  double even = 0, odd = y;
  for (int i = 0; i < 4; i += 2) {
    even += x[i] * x[i] / sqrt(x[i + 1]);
    odd += x[i + 1] * x[i + 1] / y;
  }
  return even - odd;
}

ADZE_TEST_FORWARD(vectors) {
  double x[4] = {1.1, 2.3, -0.7, 3.9}, e[4] = {1e-10, 0, 3e-12, 1e-9};
  double bound = __enzyme_error_estimate((void *)one_by_one, x, e, 1.7, 1e-11);
  adze_near("of vectors", __enzyme_error_estimate((void *)in_vectors, x, e, 1.7, 1e-11) / bound, 1,
            1e-12);
}

// Sums by atomic operations and by loops that compare and exchange, as others; what qsort moves.
static double summed(const double *x, double y) {
  double sum = 0, last = y;
  for (int i = 0; i < 4; i++) {
    last = sum;
    sum += x[i] * y;
    sum -= last / x[i];
  }
  return sum;
}
static double by_atomics(const double *x, double y) {
  double sum = 0, last = y;
  for (int i = 0; i < 4; i++) {
    last = __atomic_fetch_add(&sum, x[i] * y, __ATOMIC_RELAXED);
    __atomic_fetch_sub(&sum, last / x[i], __ATOMIC_SEQ_CST);
  }
  return sum;
}
static double by_exchange(const double *x, double y) {
  _Atomic double sum = 0;
  double last = y;
  for (int i = 0; i < 4; i++) {
    last = sum;
    sum += x[i] * y;
    sum -= last / x[i];
  }
  return sum;
}
static int descending(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x < y) - (x > y);
}
static double of_sorted(const double *x, double y) {
  double t[4];
  memcpy(t, x, sizeof t);
  qsort(t, 4, sizeof *t, descending);
  return summed(t, y);
}

ADZE_TEST_FORWARD(atomics) {
  double x[4] = {3.9, 2.3, 1.1, -0.7}, e[4] = {1e-10, 0, 3e-12, 1e-9}, y = 1.7, d = 1e-11;
  double mixed[4] = {1.1, 3.9, -0.7, 2.3}, f[4] = {3e-12, 1e-10, 1e-9, 0}, exact[4] = {0};
  double bound = __enzyme_error_estimate((void *)summed, x, e, y, d);
  adze_near("by atomics", __enzyme_error_estimate((void *)by_atomics, x, e, y, d) / bound, 1, 1e-12);
  adze_near("by exchange", __enzyme_error_estimate((void *)by_exchange, x, e, y, d) / bound, 1, 1e-12);
  adze_near("of sorted", __enzyme_error_estimate((void *)of_sorted, mixed, f, y, d) / bound, 1, 1e-12);
  bound = __enzyme_error_estimate((void *)summed, x, exact, y, 0.0);
  adze_near("own", __enzyme_error_estimate((void *)by_atomics, x, exact, y, 0.0) / bound, 1, 1e-12);
}

ADZE_TEST_FORWARD(definition) {
  double x = 1.7, y = -0.3, ex = 3e-10, ey = 2e-9;
  adze_near("x * y", __enzyme_error_estimate((void *)product, x, ex, y, ey),
            fabs(y) * ex + fabs(x) * ey + u * fabs(x * y), 1e-15);
  adze_near("x - y", __enzyme_error_estimate((void *)difference, x, ex, y, ey),
            ex + ey + u * fabs(x - y), 1e-15);
  adze_near("x / y", __enzyme_error_estimate((void *)quotient, x, ex, y, ey),
            ex / fabs(y) + fabs(x) / (y * y) * ey + u * fabs(x / y), 1e-15);
  double p = pow(x, y);
  adze_near("pow", __enzyme_error_estimate((void *)both, x, ex, y, ey),
            fabs(y * p / x) * ex + fabs(log(x) * p) * ey + 2 * u * p, 1e-15);
  adze_near("x * x", __enzyme_error_estimate((void *)square, x, ex),
            2 * x * ex + u * x * x, 1e-15);
  adze_near("exact", __enzyme_error_estimate((void *)scaled, x, ex), 2 * ex,
            1e-15);
  adze_near("sqrt", __enzyme_error_estimate((void *)root, x, ex),
            0.5 / sqrt(x) * ex + u * sqrt(x), 1e-15);
  adze_near("to float", __enzyme_error_estimate((void *)narrowed, x, 0.0),
            0x1p-24 * (double)(float)x, 1e-15);
  adze_near("floor", __enzyme_error_estimate((void *)absorbed, x, ex), 0, 0);
  adze_near("of a float", __enzyme_error_estimate_f((void *)single, 1.7f, 0.0f),
            0x1p-24 * 5.1f, 1e-6);
}

// What is called as inactive is exact, whatever it calls.
extern double __enzyme_call_inactive(void *, ...);
static double (*volatile hidden)(double) = sin;
static double opaque(double x) { return hidden(x); }
static double without(double x) {
  return x * x + __enzyme_call_inactive((void *)opaque, x);
}
ADZE_TEST_FORWARD(inactive) {
  adze_near("x * x + s", __enzyme_error_estimate((void *)without, 3.0, 0.0),
            u * (9 + 9 + sin(3.0)), 1e-15);
}

// Rounding spoils the difference.
static double cancelled(double x) {
  double a = cos(x), b = 1 - a, c = x * x;
  return b / c;
}
ADZE_TEST_FORWARD(cancellation) {
  double e = __enzyme_error_estimate((void *)cancelled, 1e-7, 0.0);
  adze_near("of (1 - cos x) / x^2", e, 0.0222045, 1e-5);
}

// A calculation in two types: memory, loops, calls, a structure, recursion.
#define CALCULATION(T, NAME)                                                   \
  typedef struct {                                                             \
    T low, high;                                                               \
  } NAME##_range;                                                              \
  static T NAME##_power(T x, int n) {                                          \
    return n == 0 ? 1 : x * NAME##_power(x, n - 1);                            \
  }                                                                            \
  static __attribute__((noinline)) NAME##_range NAME##_of(const T *x, int n) { \
    NAME##_range r = {x[0], x[0]};                                             \
    for (int i = 0; i < n; ++i) {                                              \
      T t = x[i] / (1 + x[i] * x[i]) - NAME##_power(x[i], 3);                  \
      r.low = t < r.low ? t : r.low;                                           \
      r.high += t * r.low;                                                     \
    }                                                                          \
    return r;                                                                  \
  }                                                                            \
  static void NAME(const T *x, T *y, int n) {                                  \
    T work[8];                                                                 \
    for (int i = 0; i < n; ++i)                                                \
      work[i] = x[i] * x[(i + 1) % n] - x[i] / 3;                              \
    for (int k = 0; k < 3; ++k)                                                \
      for (int i = n - 1; i > 0; --i)                                          \
        work[i] = work[i] * work[i - 1] + x[i];                                \
    NAME##_range r = NAME##_of(work, n);                                       \
    y[0] = r.high - r.low;                                                     \
    y[1] = work[n - 1] * r.high;                                               \
  }
CALCULATION(double, plain)
CALCULATION(long double, wide)

ADZE_TEST_FORWARD(true_error) {
  double x[8], ex[8] = {0}, y[2], ey[2] = {0};
  long double wide_x[8], wide_y[2];
  for (int i = 0; i < 8; ++i)
    wide_x[i] = x[i] = 0.3 + 0.1 * i - 0.013 * i * i;
  __enzyme_error_estimate_v((void *)plain, enzyme_dup, x, ex, enzyme_dup, y, ey,
                            8);
  wide(wide_x, wide_y, 8);
  for (int k = 0; k < 2; ++k) {
    const double error = (double)fabsl(y[k] - wide_y[k]);
    adze_near("is a bound", ey[k] >= error, 1, 0);
    adze_near("and not far", ey[k] < 1e-13, 1, 0);
    adze_near("and not zero", ey[k] > u * fabs(y[k]) / 2, 1, 0);
  }
}
#endif
