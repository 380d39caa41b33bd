// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly that does nothing to its operands, and the instructions min and max.
// ADZE: flags="-msse3" skip-unless=arch:x86_64
#include "check.h"
#include <immintrin.h>

double barriers(double x, double y) {
  __asm__("" : "+x"(x));
  double z = x * y, w;
  __asm__ volatile("" : "+g,x"(z));
  __asm__("" : "=x"(w) : "0"(z * x));
  __asm__ volatile("" : "+m"(w));
  __asm__ volatile("" : : "r"(&w) : "memory");
  __asm__("" : "+x"(w), "+x"(y));
  return w * y;
}
ADZE_TEST_SCALAR2(barriers, ADZE_AT(1.5, 0.7))

static void keep(double *v) { __asm__ volatile("" : "+r,m"(*v) : : "memory"); }
double kept(const double *x, int n) {
  double t[3];
  long k = 0;
  for (int i = 0; i < n; ++i) {
    t[i] = x[i] * x[i];
    keep(&t[i]);
    __asm__("" : "+r"(k));
    k += i;
  }
  const double *p = x;
  __asm__("" : "+r"(p));
  return t[0] * t[1] + t[2] * p[1] * k;
}
ADZE_TEST_ARRAY(kept, 3, ADZE_AT(0.5, -1.5, 2.0))

double extrema(const double *x, int n) {
  __m128d a = _mm_loadu_pd(x), r = _mm_loadu_pd(x + 2);
  __asm__("minpd %1, %0" : "+x"(r) : "x"(a));
  double s = x[0];
  __asm__("maxsd %1, %0" : "+x"(s) : "x"(x[1]));
  return _mm_cvtsd_f64(_mm_hadd_pd(_mm_mul_pd(r, r), r)) * s * n;
}
ADZE_TEST_ARRAY(extrema, 4, ADZE_AT(0.5, -1.5, 2.0, -3.0))
