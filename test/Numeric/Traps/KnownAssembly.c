// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Assembly that does nothing to its operands, and single instructions of arithmetic.
// ADZE: flags="-mavx2 -mfma" skip-unless=cpu:fma
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

double arithmetic(const double *x, int n) {
  double a = x[0], b = x[1], c = x[2], r;
  __asm__("addsd %1, %0" : "+x"(a) : "x"(b));
  __asm__("vsubsd %1, %2, %0" : "=x"(r) : "x"(c), "x"(a));
  __asm__("mulsd %1, %0" : "+x"(r) : "m"(x[3]));
  __asm__("vdivsd %1, %0, %0" : "+x"(r) : "x"(b));
  __asm__("sqrtsd %1, %0" : "=x"(a) : "x"(r * r + 1));
  __asm__("vsqrtsd %1, %2, %0" : "=x"(b) : "x"(c), "x"(a));
  return a * b + r * n;
}
ADZE_TEST_ARRAY(arithmetic, 4, ADZE_AT(0.5, -1.5, 2.0, -3.0))

#define FUSED(NAME, TYPE, C, A, B)                                             \
  __asm__(#NAME " %[a], %[b], %[c]"                                            \
          : [c] "+x"(C)                                                        \
          : [a] "x"((TYPE)(A)), [b] "x"((TYPE)(B)))
void fused(const double *x, double *y) {
  double s[6] = {x[4], x[5], x[6], x[7], x[4], x[5]};
  FUSED(vfmadd132sd, double, s[0], x[0], x[1]);
  FUSED(vfmadd213sd, double, s[1], x[0], x[1]);
  FUSED(vfmsub231sd, double, s[2], x[2], x[3]);
  FUSED(vfnmadd231sd, double, s[3], x[2], x[3]);
  FUSED(vfnmsub213sd, double, s[4], x[0], x[3]);
  FUSED(vfmsub132sd, double, s[5], x[0], x[3]);
  for (int i = 0; i < 6; ++i)
    y[i] = s[i];
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4),
          c = _mm256_mul_pd(a, b);
  FUSED(vfmadd231pd, __m256d, c, a, b);
  FUSED(vfnmsub132pd, __m256d, a, b, c);
  __asm__("vmaxpd %1, %2, %0" : "=x"(c) : "x"(a), "x"(b));
  __asm__("vsqrtpd %1, %0" : "=x"(b) : "x"(_mm256_mul_pd(c, c)));
  _mm256_storeu_pd(y + 6, _mm256_add_pd(b, c));
}
ADZE_TEST_MAP(fused, 8, 10, ADZE_AT(0.5, -1.5, 2.0, -3.0, 0.7, 1.1, -0.4, 1.3))
