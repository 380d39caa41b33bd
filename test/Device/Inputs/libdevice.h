// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Each function of libdevice in a sum, on float and on double.
#include <math.h>
template <typename... T> __device__ void __enzyme_autodiff(void *, T...);
template <typename... T> __device__ void __enzyme_fwddiff(void *, T...);
#define I (threadIdx.x + blockIdx.x * blockDim.x)

__device__ void onDouble(const double *x, double *y) {
  double a = x[2 * I], b = x[2 * I + 1], s = 0, p, q;
  int n;
  s += acos(a);
  s += acosh(a);
  s += asin(a);
  s += asinh(a);
  s += atan(a);
  s += atanh(a);
  s += cbrt(a);
  s += cos(a);
  s += cosh(a);
  s += cospi(a);
  s += cyl_bessel_i0(a);
  s += cyl_bessel_i1(a);
  s += erf(a);
  s += erfc(a);
  s += erfcinv(a);
  s += erfcx(a);
  s += erfinv(a);
  s += exp(a);
  s += exp10(a);
  s += exp2(a);
  s += expm1(a);
  s += fabs(a);
  s += j0(a);
  s += j1(a);
  s += lgamma(a);
  s += log(a);
  s += log10(a);
  s += log1p(a);
  s += log2(a);
  s += normcdf(a);
  s += normcdfinv(a);
  s += rcbrt(a);
  s += rsqrt(a);
  s += sin(a);
  s += sinh(a);
  s += sinpi(a);
  s += sqrt(a);
  s += tan(a);
  s += tanh(a);
  s += tgamma(a);
  s += y0(a);
  s += y1(a);
  s += ceil(a);
  s += floor(a);
  s += trunc(a);
  s += rint(a);
  s += nearbyint(a);
  s += round(a);
  s += logb(a);
  s += atan2(a, b);
  s += copysign(a, b);
  s += fdim(a, b);
  s += fmax(a, b);
  s += fmin(a, b);
  s += fmod(a, b);
  s += hypot(a, b);
  s += pow(a, b);
  s += remainder(a, b);
  s += rhypot(a, b);
  s += nextafter(a, b);
  s += norm3d(a, b, 1.0) + rnorm3d(a, b, 1.0) + norm4d(a, b, 1.0, 2.0);
  s += rnorm4d(a, b, 1.0, 2.0) + fma(a, b, a) + jn(3, a) + yn(2, a);
  s += ldexp(a, 2) + scalbn(a, 3) + frexp(a, &n) + ilogb(b) + n;
  s += modf(a, &p) + p + remquo(a, b, &n) + n + pow(a, 3);
  sincos(a, &p, &q);
  s += p * q;
  sincospi(a, &p, &q);
  s += p * q + llrint(a) + lround(b) + isnan(a) + isinf(b) + isfinite(a);
  s += __dadd_rn(a, b) * __dmul_rz(a, b) / __ddiv_ru(a, b) - __dsub_rd(a, b);
  s += __drcp_rn(a) + __dsqrt_rn(a) + __fma_ru(a, b, a);
  s += __double2float_rz(a) + __double2int_rn(a) + __ll2double_rn(n);
  s += __hiloint2double(__double2hiint(a), __double2loint(a));
  y[I] = s;
}

__device__ void onFloat(const float *x, float *y) {
  float a = x[2 * I], b = x[2 * I + 1], s = 0, p, q;
  int n;
  s += acosf(a);
  s += acoshf(a);
  s += asinf(a);
  s += asinhf(a);
  s += atanf(a);
  s += atanhf(a);
  s += cbrtf(a);
  s += cosf(a);
  s += coshf(a);
  s += cospif(a);
  s += cyl_bessel_i0f(a);
  s += cyl_bessel_i1f(a);
  s += erff(a);
  s += erfcf(a);
  s += erfcinvf(a);
  s += erfcxf(a);
  s += erfinvf(a);
  s += expf(a);
  s += exp10f(a);
  s += exp2f(a);
  s += expm1f(a);
  s += fabsf(a);
  s += j0f(a);
  s += j1f(a);
  s += lgammaf(a);
  s += logf(a);
  s += log10f(a);
  s += log1pf(a);
  s += log2f(a);
  s += normcdff(a);
  s += normcdfinvf(a);
  s += rcbrtf(a);
  s += rsqrtf(a);
  s += sinf(a);
  s += sinhf(a);
  s += sinpif(a);
  s += sqrtf(a);
  s += tanf(a);
  s += tanhf(a);
  s += tgammaf(a);
  s += y0f(a);
  s += y1f(a);
  s += ceilf(a);
  s += floorf(a);
  s += truncf(a);
  s += rintf(a);
  s += nearbyintf(a);
  s += roundf(a);
  s += logbf(a);
  s += atan2f(a, b);
  s += copysignf(a, b);
  s += fdimf(a, b);
  s += fmaxf(a, b);
  s += fminf(a, b);
  s += fmodf(a, b);
  s += hypotf(a, b);
  s += powf(a, b);
  s += remainderf(a, b);
  s += rhypotf(a, b);
  s += nextafterf(a, b);
  s += norm3df(a, b, 1.0f) + rnorm3df(a, b, 1.0f) + norm4df(a, b, 1.0f, 2.0f);
  s += rnorm4df(a, b, 1.0f, 2.0f) + fmaf(a, b, a) + jnf(3, a) + ynf(2, a);
  s += ldexpf(a, 2) + scalbnf(a, 3) + frexpf(a, &n) + ilogbf(b) + n;
  s += modff(a, &p) + p + remquof(a, b, &n) + n;
  sincosf(a, &p, &q);
  s += p * q;
  sincospif(a, &p, &q);
  s += p * q;
  __sincosf(a, &p, &q);
  s += p * q + __sinf(a) + __cosf(a) + __tanf(a) + __expf(a) + __exp10f(a);
  s += __logf(a) + __log2f(a) + __log10f(a) + __powf(a, b) + __fdividef(a, b);
  s += __saturatef(a) + __frsqrt_rn(a) + __fadd_rn(a, b) * __fmul_rz(a, b);
  s += __fdiv_ru(a, b) - __fsub_rd(a, b) + __frcp_rn(a) + __fsqrt_rn(a);
  s += __fmaf_ru(a, b, a) + __int_as_float(__float_as_int(a));
  y[I] = s;
}

#ifdef PLAIN
#define KERNELS(F, REAL)                                                       \
  __global__ void F##Plain(const REAL *x, REAL *y) { F(x, y); }
#else
#define KERNELS(F, REAL)                                                       \
  __global__ void F##Reverse(const REAL *x, REAL *dx, REAL *y, REAL *dy) {     \
    __enzyme_autodiff((void *)F, x, dx, y, dy);                                \
  }                                                                            \
  __global__ void F##Forward(const REAL *x, REAL *dx, REAL *y, REAL *dy) {     \
    __enzyme_fwddiff((void *)F, x, dx, y, dy);                                 \
  }
#endif
KERNELS(onDouble, double)
KERNELS(onFloat, float)
