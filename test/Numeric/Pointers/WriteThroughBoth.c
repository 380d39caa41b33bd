// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Writing through a pointer that leads to active memory or to constant memory: numbers, blocks,
// and results of library functions. What goes to constant memory is lost to the derivative, and
// the constant memory holds what the primal wrote.
#include "check.h"
#include <math.h>
#include <string.h>

double stores(const double *x, double *out, double *log, int keep) {
  double *p = keep ? out : log;
  p[0] = x[0] * x[0];
  p[1] = modf(x[1], &p[2]);
  memcpy(keep ? out + 3 : log + 3, x, 2 * sizeof(double));
  memset(keep ? out + 5 : log + 5, 0, sizeof(double));
  return x[0] * x[1];
}

#if ADZE_REVERSE
extern void __enzyme_autodiff_p(void *, ...);
ADZE_TEST_REVERSE(reverse) {
  for (int keep = 0; keep < 2; ++keep) {
    double x[2] = {2, 3.25}, d[2] = {0, 0};
    double out[6] = {1, 1, 1, 1, 1, 1}, dout[6] = {1, 10, 100, 1000, 10000, 7};
    double log[6] = {1, 1, 1, 1, 1, 1};
    __enzyme_autodiff_p((void *)stores, enzyme_dup, x, d, enzyme_dup, out, dout, enzyme_const, log,
                        enzyme_const, keep);
    adze_near("d0", d[0], keep ? 3.25 + 4 + 1000 : 3.25, 1e-12);
    adze_near("d1", d[1], keep ? 2 + 10 + 10000 : 2, 0);
    for (int i = 0; i < 6; ++i) {
      const double written[6] = {4, 0.25, 3, 2, 3.25, 0};
      const double seed[6] = {1, 10, 100, 1000, 10000, 7};
      adze_near("written", (keep ? out : log)[i], written[i], 1e-12);
      adze_near("other", (keep ? log : out)[i], 1, 0);
      adze_near("adjoint", dout[i], keep ? 0 : seed[i], 0);
    }
  }
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_p(void *, ...);
ADZE_TEST_FORWARD(forward) {
  for (int keep = 0; keep < 2; ++keep) {
    double x[2] = {2, 3.25}, d[2] = {1, 2};
    double out[6] = {1, 1, 1, 1, 1, 1}, dout[6] = {7, 7, 7, 7, 7, 7};
    double log[6] = {1, 1, 1, 1, 1, 1};
    double r = __enzyme_fwddiff_p((void *)stores, enzyme_dup, x, d, enzyme_dup, out, dout,
                                  enzyme_const, log, enzyme_const, keep);
    adze_near("r", r, 3.25 + 4, 0);
    const double written[6] = {4, 0.25, 3, 2, 3.25, 0};
    const double tangent[6] = {4, 2, 0, 1, 2, 0};
    for (int i = 0; i < 6; ++i) {
      adze_near("written", (keep ? out : log)[i], written[i], 1e-12);
      adze_near("other", (keep ? log : out)[i], 1, 0);
      adze_near("tangent", dout[i], keep ? tangent[i] : 7, 1e-12);
    }
  }
}
#endif
