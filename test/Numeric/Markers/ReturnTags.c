// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the marker returns under each tag of the result, and without one.
#include "check.h"

extern int enzyme_const_return, enzyme_active_return, enzyme_dup_return, enzyme_dupnoneed_return;
struct two {
  double value, derivative;
};
struct pointers {
  double *value, *shadow;
};
struct triple {
  double a, b, c;
};
struct triples {
  struct triple value, tangent;
};

double square(double x) { return x * x; }
double *square_at(double *x, int i) {
  x[i] *= x[i];
  return x + i;
}
double twice(double *x) {
  x[0] *= 2;
  return x[0] * x[1];
}
struct triple to_triple(double x) { return (struct triple){x, x * x, x * x * x}; }

#if ADZE_REVERSE
double __enzyme_autodiff(void *, ...);
struct two __enzyme_autodiff_two(void *, ...);

ADZE_TEST_REVERSE(reverse) {
  adze_near("active", __enzyme_autodiff((void *)square, enzyme_active_return, 3.0), 6, 0);
  adze_near("constant", __enzyme_autodiff((void *)square, enzyme_const_return, 3.0), 0, 0);
  struct two r = __enzyme_autodiff_two((void *)square, enzyme_primal_return, enzyme_active_return, 3.0);
  adze_near("primal", r.value, 9, 0);
  adze_near("derivative", r.derivative, 6, 0);
  double x[2] = {1, 5}, dx[2] = {0, 0};
  adze_near("primal alone",
            __enzyme_autodiff((void *)twice, enzyme_primal_return, enzyme_noret, x, dx), 10, 0);
  adze_near("no derivative", dx[0], 0, 0);
  dx[0] = 1;
  adze_near("primal of constant",
            __enzyme_autodiff((void *)twice, enzyme_primal_return, enzyme_const_return, x, dx), 20, 0);
  adze_near("of memory", dx[0], 2, 0);
}
#endif
#if ADZE_FORWARD
double __enzyme_fwddiff(void *, ...);
struct two __enzyme_fwddiff_two(void *, ...);
double *__enzyme_fwddiff_pointer(void *, ...);
struct pointers __enzyme_fwddiff_pointers(void *, ...);
struct triple __enzyme_fwddiff_triple(void *, ...);
struct triples __enzyme_fwddiff_triples(void *, ...);

ADZE_TEST_FORWARD(numbers) {
  adze_near("no need", __enzyme_fwddiff((void *)square, enzyme_dupnoneed_return, 3.0, 1.0), 6, 0);
  adze_near("tangent", __enzyme_fwddiff((void *)square, enzyme_dup_return, 3.0, 1.0), 6, 0);
  struct two r = __enzyme_fwddiff_two((void *)square, enzyme_dup_return, 3.0, 1.0);
  adze_near("both, value", r.value, 9, 0);
  adze_near("both, tangent", r.derivative, 6, 0);
  r = __enzyme_fwddiff_two((void *)square, enzyme_primal_return, enzyme_dupnoneed_return, 3.0, 1.0);
  adze_near("primal, value", r.value, 9, 0);
  adze_near("primal, tangent", r.derivative, 6, 0);
}

ADZE_TEST_FORWARD(shadows) {
  double x[3] = {1, 2, 3}, dx[3] = {1, 1, 1};
  double *p = __enzyme_fwddiff_pointer((void *)square_at, enzyme_dupnoneed_return, x, dx, 1);
  adze_near("shadow", p - dx, 1, 0);
  adze_near("tangent there", *p, 4, 0);
  p = __enzyme_fwddiff_pointer((void *)square_at, x, dx, 0);
  adze_near("untagged", p - dx, 0, 0);
  struct pointers both = __enzyme_fwddiff_pointers((void *)square_at, enzyme_dup_return, x, dx, 2);
  adze_near("pointer", both.value - x, 2, 0);
  adze_near("its shadow", both.shadow - dx, 2, 0);
  adze_near("its tangent", *both.shadow, 6, 0);
}

ADZE_TEST_FORWARD(structures) {
  struct triples r = __enzyme_fwddiff_triples((void *)to_triple, enzyme_dup_return, 2.0, 1.0);
  adze_near("value", r.value.c, 8, 0);
  adze_near("tangent", r.tangent.c, 12, 0);
  struct triple t = __enzyme_fwddiff_triple((void *)to_triple, enzyme_dup_return, 2.0, 1.0);
  adze_near("tangent alone", t.b, 4, 0);
}
#endif
