// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scalars by value in both halves of split mode: derivatives come back from the second, which
// starts from the adjoint that it is given, or from 1.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>

double product(double x, double y) { return x * y * y; }
double wave(double x) { return sin(x) * exp(x); }
float single(float x, float y) { return x * x / y; }
long double extended(long double x) { return x * x * x; }
double integers(double x, int n, long k) { return n * x * x + k; }

#if ADZE_REVERSE
struct pair {
  double x, y;
};
struct tape_and_result {
  void *tape;
  double result;
};
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_augmentfwd_no(void *, ...);
struct tape_and_result __enzyme_augmentfwd_both(void *, ...);
struct tape_and_result __enzyme_augmentfwd_typed(double (*)(double), double);
struct pair __enzyme_reverse_two(void *, ...);
double __enzyme_reverse_one(void *, ...);
double __enzyme_reverse_typed(double (*)(double), double, double, void *);
struct floats {
  float x, y;
};
struct floats __enzyme_reverse_float(void *, ...);
long double __enzyme_reverse_long(void *, ...);

ADZE_TEST_REVERSE(two_of_them) {
  void *tape = __enzyme_augmentfwd((void *)product, 3.0, 2.0);
  struct pair d = __enzyme_reverse_two((void *)product, 3.0, 2.0, 1.0, tape);
  adze_near("dx", d.x, 4, 0);
  adze_near("dy", d.y, 12, 0);
  tape = __enzyme_augmentfwd((void *)product, enzyme_out, 3.0, enzyme_out, 2.0);
  d = __enzyme_reverse_two((void *)product, enzyme_out, 3.0, enzyme_out, 2.0, -0.5, tape);
  adze_near("dx, adjoint -0.5", d.x, -2, 0);
  adze_near("dy, adjoint -0.5", d.y, -6, 0);
}

ADZE_TEST_REVERSE(one_const) {
  void *first = __enzyme_augmentfwd((void *)product, 3.0, enzyme_const, 2.0);
  void *second = __enzyme_augmentfwd((void *)product, 3.0, enzyme_const, 5.0);
  adze_near("without an adjoint it is 1",
            __enzyme_reverse_one((void *)product, 3.0, enzyme_const, 2.0, first), 4, 0);
  adze_near("adjoint 10",
            __enzyme_reverse_one((void *)product, 3.0, enzyme_const, 5.0, 10.0, second), 250,
            0);
}

ADZE_TEST_REVERSE(the_result) {
  struct tape_and_result r = __enzyme_augmentfwd_both((void *)wave, 0.5);
  adze_near("result", r.result, wave(0.5), 1e-15);
  double want = exp(0.5) * (sin(0.5) + cos(0.5));
  adze_near("derivative", __enzyme_reverse_one((void *)wave, 0.5, 1.0, r.tape), want, 1e-15);
  r = __enzyme_augmentfwd_typed(wave, 0.5);
  adze_near("result, typed marker", r.result, wave(0.5), 1e-15);
  adze_near("derivative, typed marker", __enzyme_reverse_typed(wave, 0.5, 2.0, r.tape),
            2 * want, 1e-15);
}

ADZE_TEST_REVERSE(other_types) {
  void *tape = __enzyme_augmentfwd((void *)single, 3.0f, 2.0f);
  struct floats d = __enzyme_reverse_float((void *)single, 3.0f, 2.0f, 2.0f, tape);
  adze_near("float dx", d.x, 6, 0);
  adze_near("float dy", d.y, -4.5, 0);
  tape = __enzyme_augmentfwd((void *)extended, 3.0L);
  adze_near("long double", __enzyme_reverse_long((void *)extended, 3.0L, 1.0L, tape), 27, 0);
  tape = __enzyme_augmentfwd((void *)integers, 3.0, 4, 5L);
  adze_near("integers", __enzyme_reverse_one((void *)integers, 3.0, 4, 5L, 1.0, tape), 24, 0);
}
#endif
