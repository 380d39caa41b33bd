// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An accessor that returns a pointer into an argument or to a constant, an argument marked
// const among them; a reference to the larger of two; through two levels of calls.
#include "check.h"
#define NOINLINE __attribute__((noinline)) static

struct grid {
  int n;
  double border;
  double cell[6];
};
NOINLINE const double *cell(const struct grid *g, int i) {
  return i >= 0 && i < g->n ? &g->cell[i] : &g->border;
}
NOINLINE const double *either(const double *a, const double *b, int i) {
  return *a > *b ? a + i : b + i;
}
NOINLINE double around(const struct grid *g, int i) { return *cell(g, i - 1) * *cell(g, i + 1); }

double stencil(const double *x, int n) {
  struct grid g = {.n = n, .border = 1.5};
  for (int i = 0; i < n; ++i)
    g.cell[i] = x[i];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += around(&g, i) * x[i];
  g.border = s;
  return s + *cell(&g, 99);
}
ADZE_TEST_ARRAY(stencil, 4, ADZE_AT(0.9, 1.3, -0.4, 0.2))

double chosen(const double *x, const double *table) {
  return *either(x, table, 0) * *either(x, table, 1) * x[1];
}
#if ADZE_REVERSE
double __enzyme_autodiff_t(void *, ...);
ADZE_TEST_REVERSE(constant_argument) {
  double x[2] = {2, 3}, dx[2] = {0, 0}, low[2] = {1, 7}, high[2] = {5, 7};
  __enzyme_autodiff_t((void *)chosen, enzyme_dup, x, dx, enzyme_const, low);
  adze_near("dx0", dx[0], 9, 0);
  adze_near("dx1", dx[1], 12, 0);
  dx[0] = dx[1] = 0;
  __enzyme_autodiff_t((void *)chosen, enzyme_dup, x, dx, enzyme_const, high);
  adze_near("dx0", dx[0], 0, 0);
  adze_near("dx1", dx[1], 35, 0);
  adze_near("table", low[0] + low[1] + high[0] + high[1], 20, 0);
}
#endif
#if ADZE_FORWARD
double __enzyme_fwddiff_t(void *, ...);
ADZE_TEST_FORWARD(constant_argument) {
  double x[2] = {2, 3}, dx[2] = {1, 2}, low[2] = {1, 7}, high[2] = {5, 7};
  adze_near("low", __enzyme_fwddiff_t((void *)chosen, enzyme_dup, x, dx, enzyme_const, low), 33, 0);
  adze_near("high", __enzyme_fwddiff_t((void *)chosen, enzyme_dup, x, dx, enzyme_const, high), 70,
            0);
}
#endif
