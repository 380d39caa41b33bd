// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// AVX-512: masks in registers of their own, rounding as an operand.
// ADZE: flags="-mavx512f -mavx512dq -mavx512vl" skip-unless=cpu:avx512vl
#include "check.h"
#include <immintrin.h>

double wide(const double *x, int n) {
  __m512d a = _mm512_loadu_pd(x);
  __mmask8 k = _mm512_cmp_pd_mask(a, _mm512_set1_pd(0.6), _CMP_GT_OQ);
  __m512d b = _mm512_mask_mul_pd(a, k, a, a);
  b = _mm512_fmadd_pd(
      b, a, _mm512_permutexvar_pd(_mm512_set_epi64(0, 1, 2, 3, 4, 5, 6, 7), a));
  b = _mm512_maskz_add_pd(0x7f, b, _mm512_sqrt_pd(_mm512_abs_pd(a)));
  b = _mm512_max_pd(b, a);
  __m256i at = _mm256_setr_epi32(7, 6, 5, 4, 3, 2, 1, 0);
  __m512d g = _mm512_mask_i32gather_pd(a, k, at, x, 8);
  b = _mm512_add_pd(b, _mm512_mul_pd(g, _mm512_roundscale_pd(a, 0)));
  b = _mm512_mask_blend_pd(3, b, a);
  __m512d c = _mm512_maskz_compress_pd(0x55, a);
  c = _mm512_add_pd(c, _mm512_maskz_expand_pd(k, b));
  c = _mm512_permutex2var_pd(c, _mm512_set_epi64(8, 1, 10, 3, 12, 5, 14, 7), b);
  c = _mm512_add_round_pd(c, a, _MM_FROUND_TO_NEAREST_INT | _MM_FROUND_NO_EXC);
  double o[8] = {0}, s = 0;
  _mm512_mask_i32scatter_pd(o, 0x7f, at, _mm512_mul_pd(a, c), 8);
  for (int i = 0; i < n; ++i)
    s += o[i] * (i + 1);
  return s + _mm512_reduce_add_pd(b) + _mm512_reduce_max_pd(c);
}
ADZE_TEST_ARRAY(wide, 8, ADZE_AT(0.55, -1.4, 2.3, 1.1, 2.2, 0.3, 0.7, 0.9))
