// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks aligned by hand inside larger ones, and accesses that rely on it: the
// shadow's block lies elsewhere.
// ADZE: flags="-mavx2" skip-unless=cpu:avx2
#include "check.h"
#include <immintrin.h>
#include <stdint.h>
#include <stdlib.h>

__attribute__((noinline)) static double squares(double *p, double x) {
  for (int i = 0; i < 16; i += 4)
    _mm256_store_pd(p + i, _mm256_set1_pd(x * (i + 1)));
  __m256d s = _mm256_setzero_pd();
  for (int i = 0; i < 16; i += 4)
    s = _mm256_add_pd(
        s, _mm256_mul_pd(_mm256_load_pd(p + i), _mm256_load_pd(p + i)));
  double r[4];
  _mm256_storeu_pd(r, s);
  return r[0] + 2 * r[1] + r[2] + r[3];
}
double blocks(double x) {
  double s = 0;
  for (int k = 1; k < 8; ++k) {
    // (Blocks of all remainders of 32.)
    char *block = malloc(16 * (8 + k) + 96), *between = malloc(8 * k);
    between[0] = 1;
    double *p = (double *)(((uintptr_t)block + 95) & ~(uintptr_t)31);
    s += squares(p, x * k) * between[0];
    free(between);
    free(block);
  }
  return s;
}
ADZE_TEST_SCALAR1(blocks, ADZE_AT(0.7, -1.3))

double locals(double x) {
  _Alignas(32) double p[16];
  return squares(p, x);
}
ADZE_TEST_SCALAR1(locals, ADZE_AT(0.7, -1.3))
