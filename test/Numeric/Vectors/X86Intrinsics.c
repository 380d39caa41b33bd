// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Intrinsics of <immintrin.h> that LLVM has no words of its own for.
// ADZE: flags="-mavx2 -mfma" skip-unless=cpu:avx2
#include "check.h"
#include <immintrin.h>

static double weighted(__m256d v) {
  double o[4];
  _mm256_storeu_pd(o, v);
  return o[0] + 2 * o[1] + 3 * o[2] + 4 * o[3];
}

double neighbours(const double *x, int n) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d h = _mm256_hadd_pd(a, _mm256_mul_pd(a, b));
  h = _mm256_hsub_pd(h, _mm256_addsub_pd(a, b));
  h = _mm256_fmaddsub_pd(h, a, _mm256_fmsubadd_pd(h, b, a));
  __m128d low = _mm256_castpd256_pd128(h), high = _mm256_extractf128_pd(a, 1);
  __m128d d = _mm_dp_pd(low, high, 0x31), e = _mm_dp_pd(high, low, 0x12);
  return weighted(_mm256_mul_pd(h, h)) +
         _mm_cvtsd_f64(_mm_hadd_pd(d, e)) * x[n - 1];
}
ADZE_TEST_ARRAY(neighbours, 8, ADZE_AT(0.5, -1.5, 2.0, 1.0, 2.0, 0.3, 0.7, 0.9))

double memory(const double *x, int n) {
  double o[8] = {0};
  for (int k = 0; k < n; k += 4) {
    int left = n - k < 4 ? n - k : 4;
    __m256i m = _mm256_cmpgt_epi64(_mm256_set1_epi64x(left),
                                   _mm256_setr_epi64x(0, 1, 2, 3));
    __m256d v = _mm256_maskload_pd(x + k, m);
    _mm256_maskstore_pd(o + k, m, _mm256_mul_pd(v, v));
  }
  __m128i at = _mm_setr_epi32(3, 0, 5, 3);
  __m256d g = _mm256_i32gather_pd(x, at, 8);
  __m256d on = _mm256_cmp_pd(g, _mm256_set1_pd(0.6), _CMP_GT_OQ);
  __m256d h = _mm256_mask_i32gather_pd(g, o + 1, at, on, 8);
  g = _mm256_mul_pd(g,
                    _mm256_i64gather_pd(o, _mm256_setr_epi64x(4, 1, 2, 2), 8));
  return weighted(_mm256_mul_pd(g, h)) + o[5] * o[0];
}
ADZE_TEST_ARRAY(memory, 6, ADZE_AT(0.5, -1.5, 2.0, 1.0, 2.0, 0.3))

double lanes(const double *x, int n) {
  __m256d a = _mm256_loadu_pd(x), b = _mm256_loadu_pd(x + 4);
  __m256d r =
      _mm256_blendv_pd(a, _mm256_mul_pd(b, b), _mm256_cmp_pd(a, b, _CMP_LT_OQ));
  r = _mm256_blendv_pd(r, _mm256_mul_pd(r, b), a);
  r = _mm256_mul_pd(r, _mm256_permutevar_pd(a, _mm256_setr_epi64x(2, 0, 0, 2)));
  __m256d q =
      _mm256_permutevar_pd(b, _mm256_setr_epi64x(x[0] > 0 ? 2 : 0, 0, 2, 2));
  r = _mm256_fmadd_pd(r, q, _mm256_set1_pd(x[1]));
  int bits = _mm256_movemask_pd(_mm256_cmp_pd(a, b, _CMP_LT_OQ)) +
             _mm256_testz_pd(a, b);
  if (_mm_comilt_sd(_mm_set_sd(x[0]), _mm_set_sd(x[1])))
    bits += 7;
  return weighted(r) * (bits + n);
}
ADZE_TEST_ARRAY(lanes, 8, ADZE_AT(0.5, -1.5, 2.0, 1.0, 2.0, 0.3, 0.7, 0.9))

double scalars(const double *x, int n) {
  __m128d a = _mm_loadu_pd(x), b = _mm_loadu_pd(x + 2);
  __m128d s = _mm_sqrt_sd(a, b);
  s = _mm_div_sd(_mm_add_sd(s, _mm_mul_sd(a, b)), _mm_sub_sd(a, b));
  s = _mm_max_sd(_mm_min_sd(s, a), b);
  s = _mm_add_pd(s, _mm_mul_pd(a, _mm_round_sd(b, a, _MM_FROUND_TO_NEG_INF)));
  __m256d r = _mm256_set_m128d(s, a);
  r = _mm256_add_pd(_mm256_mul_pd(r, _mm256_round_pd(r, 8)),
                    _mm256_floor_pd(r));
  r = _mm256_andnot_pd(_mm256_set1_pd(-0.0), r);
  r = _mm256_max_pd(r, _mm256_xor_pd(r, _mm256_set1_pd(-0.0)));
  int k = _mm_cvtsd_si32(a) + _mm_cvttsd_si32(b);
  r = _mm256_mul_pd(
      r, _mm256_cvtepi32_pd(_mm256_cvtpd_epi32(_mm256_set1_pd(x[n - 1]))));
  return weighted(r) + k * x[0];
}
ADZE_TEST_ARRAY(scalars, 4, ADZE_AT(0.6, -1.7, 2.3, 1.1))

// exp by range reduction, with 2^k made of bits
double exponential(const double *x, int n) {
  __m256d v = _mm256_loadu_pd(x);
  __m256d k =
      _mm256_round_pd(_mm256_mul_pd(v, _mm256_set1_pd(1.4426950408889634)), 8);
  __m256d r = _mm256_fnmadd_pd(k, _mm256_set1_pd(0.6931471805599453), v);
  __m256d p = _mm256_set1_pd(1.0 / 5040);
  for (int i = 6; i >= 0; --i) {
    double factorial = 1;
    for (int j = 2; j <= i; ++j)
      factorial *= j;
    p = _mm256_fmadd_pd(p, r, _mm256_set1_pd(1 / factorial));
  }
  __m256i e = _mm256_cvtepi32_epi64(_mm256_cvtpd_epi32(k));
  e = _mm256_slli_epi64(_mm256_add_epi64(e, _mm256_set1_epi64x(1023)), 52);
  return weighted(_mm256_mul_pd(p, _mm256_castsi256_pd(e))) / n;
}
ADZE_TEST_ARRAY(exponential, 4, ADZE_AT(0.5, -1.5, 2.2, 1.0))

float singles(const float *x, int n) {
  __m256 a = _mm256_loadu_ps(x);
  __m256 y = _mm256_rsqrt_ps(a);
  __m256 half = _mm256_mul_ps(_mm256_set1_ps(0.5f), a);
  y = _mm256_mul_ps(
      y, _mm256_fnmadd_ps(_mm256_mul_ps(half, y), y, _mm256_set1_ps(1.5f)));
  y = _mm256_add_ps(y, _mm256_hadd_ps(y, _mm256_rcp_ps(a)));
  __m128 s = _mm_insert_ps(_mm256_castps256_ps128(y),
                           _mm256_extractf128_ps(y, 1), 0x9c);
  s = _mm_dp_ps(s, _mm256_castps256_ps128(a), 0xf1);
  s = _mm_add_ss(s, _mm_sqrt_ss(_mm_rcp_ss(s)));
  return _mm_cvtss_f32(s) / n;
}
ADZE_TEST_ARRAY_T(float, singles, 8,
                  ADZE_AT(0.5, 1.5, 2.0, 1.0, 2.0, 0.3, 0.7, 0.9),
                  .tolerance = 5e-2, .step = 0.1)
