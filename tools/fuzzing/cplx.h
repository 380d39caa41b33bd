/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Complex numbers of generated programs: CPLX and the operators of the
 * language, and these functions. In C they are C's, in C++ std::complex; over
 * dual numbers two of them, with formulas that are not the plugin's.
 */
#ifndef ADZE_FUZZING_CPLX_H
#define ADZE_FUZZING_CPLX_H

#if defined(ORACLE)

struct CPLX {
  REAL re, im;
  CPLX() = default;
  CPLX(REAL re, REAL im) : re(re), im(im) {}
  template <typename T> CPLX(const T &re) : re(re), im(0.0) {}
  CPLX &operator+=(CPLX z);
  CPLX &operator-=(CPLX z);
  CPLX &operator*=(CPLX z);
  CPLX &operator/=(CPLX z);
};
static_assert(std::is_trivial_v<CPLX>);

inline CPLX operator+(CPLX a, CPLX b) { return {a.re + b.re, a.im + b.im}; }
inline CPLX operator-(CPLX a, CPLX b) { return {a.re - b.re, a.im - b.im}; }
inline CPLX operator-(const CPLX &a) { return {-a.re, -a.im}; }
inline CPLX operator*(CPLX a, CPLX b) {
  return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
inline CPLX operator/(CPLX a, CPLX b) {
  const REAL norm = b.re * b.re + b.im * b.im;
  const CPLX top = a * CPLX(b.re, -b.im);
  return {top.re / norm, top.im / norm};
}
inline CPLX &CPLX::operator+=(CPLX z) { return *this = *this + z; }
inline CPLX &CPLX::operator-=(CPLX z) { return *this = *this - z; }
inline CPLX &CPLX::operator*=(CPLX z) { return *this = *this * z; }
inline CPLX &CPLX::operator/=(CPLX z) { return *this = *this / z; }

#define MAKE(re, im) CPLX(REAL(re), REAL(im))
#define RE(z) (z).re
#define IM(z) (z).im
#define SET_RE(z, v) (z).re = (v)
#define SET_IM(z, v) (z).im = (v)
inline CPLX CONJ(const CPLX &z) { return {z.re, -z.im}; }
inline REAL CABS(const CPLX &z) { return hypot(z.re, z.im); }
inline REAL CARG(const CPLX &z) { return atan2(z.im, z.re); }
inline CPLX CEXP(const CPLX &z) {
  return {exp(z.re) * cos(z.im), exp(z.re) * sin(z.im)};
}
inline CPLX CLOG(const CPLX &z) { return {log(CABS(z)), CARG(z)}; }
inline CPLX CSIN(const CPLX &z) {
  return {sin(z.re) * cosh(z.im), cos(z.re) * sinh(z.im)};
}
inline CPLX CCOS(const CPLX &z) {
  return {cos(z.re) * cosh(z.im), -sin(z.re) * sinh(z.im)};
}
inline CPLX CTANH(const CPLX &z) {
  return CPLX(sinh(z.re) * cos(z.im), cosh(z.re) * sin(z.im)) /
         CPLX(cosh(z.re) * cos(z.im), sinh(z.re) * sin(z.im));
}
inline CPLX CSQRT(const CPLX &z) {
  const REAL r = sqrt(CABS(z)), t = CARG(z) / 2;
  return {r * cos(t), r * sin(t)};
}
inline CPLX CPOW(CPLX z, CPLX w) { return CEXP(w * CLOG(z)); }

#elif defined(__cplusplus)

#include <complex>
typedef std::complex<double> CPLX;
#define MAKE(re, im) CPLX((re), (im))
#define RE(z) std::real(CPLX(z))
#define IM(z) std::imag(CPLX(z))
#define SET_RE(z, v) (z).real(v)
#define SET_IM(z, v) (z).imag(v)
#define CONJ(z) std::conj(CPLX(z))
#define CABS(z) std::abs(CPLX(z))
#define CARG(z) std::arg(CPLX(z))
#define CEXP(z) std::exp(CPLX(z))
#define CLOG(z) std::log(CPLX(z))
#define CSIN(z) std::sin(CPLX(z))
#define CCOS(z) std::cos(CPLX(z))
#define CTANH(z) std::tanh(CPLX(z))
#define CSQRT(z) std::sqrt(CPLX(z))
#define CPOW(z, w) std::pow(CPLX(z), CPLX(w))

#else

#include <complex.h>
typedef double _Complex CPLX;
#define MAKE(re, im) __builtin_complex((double)(re), (double)(im))
#define RE(z) creal(z)
#define IM(z) cimag(z)
#define SET_RE(z, v) (__real__(z) = (v))
#define SET_IM(z, v) (__imag__(z) = (v))
#define CONJ conj
#define CABS cabs
#define CARG carg
#define CEXP cexp
#define CLOG clog
#define CSIN csin
#define CCOS ccos
#define CTANH ctanh
#define CSQRT csqrt
#define CPOW cpow

#endif

/* Into the unit circle. */
static CPLX cbound(CPLX z) { return z / (1.5 + RE(z) * RE(z) + IM(z) * IM(z)); }

#endif /* ADZE_FUZZING_CPLX_H */
