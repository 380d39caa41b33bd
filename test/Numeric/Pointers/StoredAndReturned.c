// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A constant buffer stored into an active structure, read and written again from there, freed
// through it, and returned by a function as one of two.
#include "check.h"
#include <stdlib.h>

struct Box {
  double *data;
  double factor;
};

__attribute__((noinline)) static double *larger(double *a, double *b) {
  return a[0] > b[0] ? a : b;
}

// The structure is the user's, with a shadow; its pointer is set to the constant buffer.
double swap_in(struct Box *box, double *c, int use) {
  double s = box->data[0];
  if (use)
    box->data = c;
  for (int i = 0; i < 3; ++i)
    s += box->data[i] * box->factor;
  return s;
}

double returned(double *x, double *c) {
  double *p = larger(x, c);
  double s = p[0] * x[1] + p[1] * p[1];
  return s;
}

// Blocks that this function makes, one or the other: both have shadows.
double made(const double *x, int n, int which) {
  double *a = malloc(n * sizeof *a), *b = malloc(n * sizeof *b);
  for (int i = 0; i < n; ++i) {
    a[i] = x[i] * x[i];
    b[i] = i + 1;
  }
  double *p = which ? a : b;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += p[i] * x[i];
  free(which ? b : a);
  free(p);
  return s;
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_s(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  for (int use = 0; use < 2; ++use) {
    double data[3] = {2, 3, 5}, d[3] = {0, 0, 0}, c[3] = {7, 11, 13};
    struct Box box = {data, 4}, dbox = {d, 0};
    __enzyme_autodiff_s((void *)swap_in, enzyme_dup, &box, &dbox, enzyme_const, c, enzyme_const,
                        use);
    adze_near("factor", dbox.factor, use ? 31 : 10, 0);
    adze_near("data0", d[0], use ? 1 : 5, 0);
    adze_near("data1", d[1], use ? 0 : 4, 0);
    adze_near("pointer", box.data == (use ? c : data), 1, 0);
    adze_near("c", c[0] + c[1] + c[2], 31, 0);
  }
  for (int big = 0; big < 2; ++big) {
    double x[2] = {big ? 9 : 2, 3}, d[2] = {0, 0}, c[2] = {7, 11};
    __enzyme_autodiff_s((void *)returned, enzyme_dup, x, d, enzyme_const, c);
    adze_near("returned 0", d[0], big ? 3 : 0, 0);
    adze_near("returned 1", d[1], big ? 9 + 6 : 7, 0);
  }
  for (int which = 0; which < 2; ++which) {
    double x[3] = {2, 3, 5}, d[3] = {0, 0, 0};
    __enzyme_autodiff_s((void *)made, enzyme_dup, x, d, 3, which);
    for (int i = 0; i < 3; ++i)
      adze_near("made", d[i], which ? 3 * x[i] * x[i] : i + 1, 0);
  }
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_s(void *, ...);
ADZE_TEST_FORWARD(forward) {
  for (int use = 0; use < 2; ++use) {
    double data[3] = {2, 3, 5}, d[3] = {1, 2, 3}, c[3] = {7, 11, 13};
    struct Box box = {data, 4}, dbox = {d, 5};
    double r = __enzyme_fwddiff_s((void *)swap_in, enzyme_dup, &box, &dbox, enzyme_const, c,
                                  enzyme_const, use);
    adze_near("swapped", r, use ? 1 + 31 * 5 : 1 + 10 * 5 + 6 * 4, 0);
    adze_near("c", c[0] + c[1] + c[2], 31, 0);
  }
  for (int big = 0; big < 2; ++big) {
    double x[2] = {big ? 9 : 2, 3}, d[2] = {1, 10}, c[2] = {7, 11};
    double r = __enzyme_fwddiff_s((void *)returned, enzyme_dup, x, d, enzyme_const, c);
    adze_near("returned", r, big ? 3 + 150 : 70, 0);
  }
  for (int which = 0; which < 2; ++which) {
    double x[3] = {2, 3, 5}, d[3] = {1, 1, 1};
    double r = __enzyme_fwddiff_s((void *)made, enzyme_dup, x, d, 3, which);
    adze_near("made", r, which ? 3 * (4 + 9 + 25) : 6, 0);
  }
}
#endif
