// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The device libraries' functions: libdevice's (__nv_*) and OCML's, by the
// host's.
#include <cmath>

extern "C" {

#define GPU_MATH1(nv, ocml, value)                                             \
  double __nv_##nv(double x) { return value; }                                 \
  float __nv_##nv##f(float x) { return static_cast<float>(value); }            \
  double __ocml_##ocml##_f64(double x) { return value; }                       \
  float __ocml_##ocml##_f32(float x) { return static_cast<float>(value); }
#define GPU_MATH2(nv, ocml, value)                                             \
  double __nv_##nv(double x, double y) { return value; }                       \
  float __nv_##nv##f(float x, float y) { return static_cast<float>(value); }   \
  double __ocml_##ocml##_f64(double x, double y) { return value; }             \
  float __ocml_##ocml##_f32(float x, float y) {                                \
    return static_cast<float>(value);                                          \
  }

#define GPU_SAME1(name) GPU_MATH1(name, name, std::name(x))
#define GPU_SAME2(name) GPU_MATH2(name, name, std::name(x, y))
GPU_SAME1(sin)
GPU_SAME1(cos)
GPU_SAME1(tan)
GPU_SAME1(asin)
GPU_SAME1(acos)
GPU_SAME1(atan)
GPU_SAME1(sinh)
GPU_SAME1(cosh)
GPU_SAME1(tanh)
GPU_SAME1(asinh)
GPU_SAME1(acosh)
GPU_SAME1(atanh)
GPU_SAME1(exp)
GPU_SAME1(exp2)
GPU_SAME1(expm1)
GPU_SAME1(log)
GPU_SAME1(log2)
GPU_SAME1(log10)
GPU_SAME1(log1p)
GPU_SAME1(sqrt)
GPU_SAME1(cbrt)
GPU_SAME1(erf)
GPU_SAME1(erfc)
GPU_SAME1(fabs)
GPU_SAME1(floor)
GPU_SAME1(ceil)
GPU_SAME1(trunc)
GPU_SAME1(round)
GPU_SAME1(rint)
GPU_SAME1(tgamma)
GPU_SAME1(lgamma)
GPU_MATH1(rsqrt, rsqrt, 1 / std::sqrt(x))
GPU_MATH1(rcbrt, rcbrt, 1 / std::cbrt(x))
GPU_MATH1(exp10, exp10, std::pow(decltype(x)(10), x))
GPU_MATH1(sinpi, sinpi, std::sin(decltype(x)(M_PI) * x))
GPU_MATH1(cospi, cospi, std::cos(decltype(x)(M_PI) * x))
GPU_SAME2(pow)
GPU_SAME2(atan2)
GPU_SAME2(hypot)
GPU_SAME2(fmin)
GPU_SAME2(fmax)
GPU_SAME2(fmod)
GPU_SAME2(fdim)
GPU_SAME2(copysign)

double __nv_fma(double x, double y, double z) { return std::fma(x, y, z); }
float __nv_fmaf(float x, float y, float z) { return std::fma(x, y, z); }
double __ocml_fma_f64(double x, double y, double z) {
  return std::fma(x, y, z);
}
float __ocml_fma_f32(float x, float y, float z) { return std::fma(x, y, z); }

void __nv_sincos(double x, double *s, double *c) {
  *s = std::sin(x), *c = std::cos(x);
}
void __nv_sincosf(float x, float *s, float *c) {
  *s = std::sin(x), *c = std::cos(x);
}
double __nv_powi(double x, int n) { return std::pow(x, n); }
float __nv_powif(float x, int n) { return std::pow(x, static_cast<float>(n)); }

#define GPU_FAST(name)                                                         \
  float __nv_fast_##name##f(float x) { return std::name(x); }                  \
  float __ocml_native_##name##_f32(float x) { return std::name(x); }
GPU_FAST(sin)
GPU_FAST(cos)
GPU_FAST(exp)
GPU_FAST(log)
GPU_FAST(log2)
GPU_FAST(log10)
GPU_FAST(tan)
GPU_FAST(sqrt)
float __nv_fast_exp10f(float x) { return std::pow(10.0f, x); }
void __nv_fast_sincosf(float x, float *s, float *c) {
  *s = std::sin(x), *c = std::cos(x);
}
float __nv_fast_powf(float x, float y) { return std::pow(x, y); }
float __nv_fast_fdividef(float x, float y) { return x / y; }

// Operations with a rounding of their own: to nearest, as the host's.
double __nv_fma_rn(double x, double y, double z) { return std::fma(x, y, z); }
float __nv_fmaf_rn(float x, float y, float z) { return std::fma(x, y, z); }
#define GPU_ROUNDED(name, value)                                               \
  double __nv_d##name##_rn(double x, double y) { return value; }               \
  float __nv_f##name##_rn(float x, float y) { return value; }
GPU_ROUNDED(add, x + y)
GPU_ROUNDED(mul, x *y)
GPU_ROUNDED(div, x / y)
double __nv_dsqrt_rn(double x) { return std::sqrt(x); }
float __nv_fsqrt_rn(float x) { return std::sqrt(x); }
double __nv_drcp_rn(double x) { return 1 / x; }
float __nv_frcp_rn(float x) { return 1 / x; }
float __nv_frsqrt_rn(float x) { return 1 / std::sqrt(x); }
int __nv_isnand(double x) { return std::isnan(x); }
int __nv_isnanf(float x) { return std::isnan(x); }
int __nv_isinfd(double x) { return std::isinf(x); }
int __nv_isinff(float x) { return std::isinf(x); }
double __nv_ldexp(double x, int n) { return std::ldexp(x, n); }
float __nv_ldexpf(float x, int n) { return std::ldexp(x, n); }
double __ocml_ldexp_f64(double x, int n) { return std::ldexp(x, n); }
float __ocml_ldexp_f32(float x, int n) { return std::ldexp(x, n); }
}
