// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// fma, fmaf, fmal and contracted a*b + c.
#include "check.h"
#include <math.h>

double fused(double x, double y, double z) { return fma(x, y, z) * fma(z, 2.0, y); }
ADZE_TEST_SCALAR3(fused, ADZE_AT(0.5, -2.0, 1.5))
float fusedf(float x, float y, float z) { return fmaf(x, y, z); }
static void d(const double *x, double *j) { j[0] = x[1], j[1] = x[0], j[2] = 1; }
ADZE_TEST_SCALAR3_T(float, fusedf, ADZE_AT(0.5, -2.0, 1.5), .jacobian = d)
ldouble fusedl(ldouble x, ldouble y, ldouble z) { return fmal(x, y, z); }
ADZE_TEST_SCALAR3_T(ldouble, fusedl, ADZE_AT(0.5, -2.0, 1.5), .jacobian = d)
double contracted(double x, double y, double z) { return x * y + z * x - y * z; }
ADZE_TEST_SCALAR3(contracted, ADZE_AT(0.5, -2.0, 1.5))
