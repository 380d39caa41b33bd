// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Kernels as programs have them, without barriers, in CUDA and in HIP: each of
// them plain, in reverse and in forward mode.
#include <math.h>
template <typename... T> __device__ void __enzyme_autodiff(void *, T...);
template <typename... T> __device__ void __enzyme_fwddiff(void *, T...);
#define I (threadIdx.x + blockIdx.x * blockDim.x)
#define KERNELS(F, REAL)                                                       \
  __global__ void F##Reverse(const REAL *x, REAL *dx, REAL *y, REAL *dy) {     \
    __enzyme_autodiff((void *)F, x, dx, y, dy);                                \
  }                                                                            \
  __global__ void F##Forward(const REAL *x, REAL *dx, REAL *y, REAL *dy) {     \
    __enzyme_fwddiff((void *)F, x, dx, y, dy);                                 \
  }                                                                            \
  __global__ void F##Plain(const REAL *x, REAL *y) { F(x, y); }

// Black-Scholes price and barrier by reflection
__device__ void option(const double *x, double *y) {
  const double *p = x + 5 * I;
  double S = p[0], K = p[1], r = p[2], sig = p[3], T = p[4];
  double d1 = (log(S / K) + (r + 0.5 * sig * sig) * T) / (sig * sqrt(T));
  double d2 = d1 - sig * sqrt(T);
  y[2 * I] = S * normcdf(d1) - K * exp(-r * T) * normcdf(d2);
  y[2 * I + 1] = K * exp(-r * T) * 0.5 * erfc(d2 * M_SQRT1_2) -
                 S * 0.5 * erfc(d1 * M_SQRT1_2);
}
KERNELS(option, double)
__device__ void optionf(const float *x, float *y) {
  const float *p = x + 5 * I;
  float S = p[0], K = p[1], r = p[2], sig = p[3], T = p[4];
  float d1 = (__logf(S / K) + (r + 0.5f * sig * sig) * T) / (sig * sqrtf(T));
  float d2 = d1 - sig * sqrtf(T);
  float k = 1.0f / (1.0f + 0.2316419f * fabsf(d1));
  float c = 0.39894228f * __expf(-0.5f * d1 * d1) *
            (k * (0.31938153f + k * (-0.356563782f + k * 1.781477937f)));
  if (d1 > 0)
    c = 1.0f - c;
  y[I] = S * c - K * __expf(-r * T) * normcdff(d2);
}
KERNELS(optionf, float)

__device__ void nbody(const float *x, float *y) {
  const float4 *p = (const float4 *)x;
  float4 me = p[I];
  float3 a = make_float3(0, 0, 0);
  for (int j = 0; j < 64; ++j) {
    float4 o = p[j];
    float rx = o.x - me.x, ry = o.y - me.y, rz = o.z - me.z;
    float d2 = rx * rx + ry * ry + rz * rz + 1e-3f;
    float inv = rsqrtf(d2);
    float s = o.w * inv * inv * inv;
    a.x += rx * s;
    a.y += ry * s;
    a.z += rz * s;
  }
  ((float4 *)y)[I] = make_float4(a.x, a.y, a.z, 0);
}
KERNELS(nbody, float)

// D2Q9 BGK collision
__device__ void lbm(const double *x, double *y) {
  const double w[9] = {4. / 9,  1. / 9,  1. / 9,  1. / 9, 1. / 9,
                       1. / 36, 1. / 36, 1. / 36, 1. / 36};
  const int cx[9] = {0, 1, 0, -1, 0, 1, -1, -1, 1},
            cy[9] = {0, 0, 1, 0, -1, 1, 1, -1, -1};
  double f[9], rho = 0, u = 0, v = 0;
  for (int k = 0; k < 9; ++k) {
    f[k] = x[9 * I + k];
    rho += f[k];
    u += cx[k] * f[k];
    v += cy[k] * f[k];
  }
  u /= rho;
  v /= rho;
  for (int k = 0; k < 9; ++k) {
    double cu = 3 * (cx[k] * u + cy[k] * v);
    double feq = w[k] * rho * (1 + cu + 0.5 * cu * cu - 1.5 * (u * u + v * v));
    y[9 * I + k] = f[k] - 0.6 * (f[k] - feq);
  }
}
KERNELS(lbm, double)

// table look-up by binary search, then interpolation
__device__ void xs(const double *x, double *y) {
  const double *grid = x, *tab = x + 256;
  double e = x[1024 + I], s = 0;
  int lo = 0, hi = 255;
  while (hi - lo > 1) {
    int mid = (lo + hi) / 2;
    if (grid[mid] > e)
      hi = mid;
    else
      lo = mid;
  }
  double t = (e - grid[lo]) / (grid[lo + 1] - grid[lo]);
#pragma unroll 1
  for (int k = 0; k < 5; ++k) {
    double v = tab[5 * lo + k] * (1 - t) + tab[5 * lo + 5 + k] * t;
    s += v * v;
    y[5 * I + k] = v * exp(-s);
  }
}
KERNELS(xs, double)

struct v3 {
  double x, y, z;
};
__device__ v3 operator-(v3 a, v3 b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
__device__ double dot(v3 a, v3 b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
__device__ void ray(const double *x, double *y) {
  const double *p = x + 10 * I;
  v3 o = {p[0], p[1], p[2]}, d = {p[3], p[4], p[5]}, c = {p[6], p[7], p[8]};
  double n = rnorm3d(d.x, d.y, d.z);
  d = {d.x * n, d.y * n, d.z * n};
  v3 l = c - o;
  double b = dot(l, d), q = dot(l, l) - b * b, r = p[9];
  if (q > r * r) {
    y[I] = 1e3;
    return;
  }
  double h = sqrt(r * r - q), t = b - h;
  if (t < 0)
    t = b + h;
  v3 hit = {o.x + t * d.x, o.y + t * d.y, o.z + t * d.z}, nn = hit - c;
  y[I] = t + fmax(0.0, -dot(nn, d) / norm3d(nn.x, nn.y, nn.z)) +
         atan2(nn.y, nn.x) + acos(fmin(1.0, nn.z / r));
}
KERNELS(ray, double)

// LU without pivots of 4x4, and determinant
__device__ void solve(const double *x, double *y) {
  double a[4][4], b[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      a[i][j] = x[20 * I + 4 * i + j];
    b[i] = x[20 * I + 16 + i];
  }
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    double inv = __drcp_rn(a[k][k]);
#pragma unroll
    for (int i = k + 1; i < 4; ++i) {
      double m = a[i][k] * inv;
#pragma unroll
      for (int j = k; j < 4; ++j)
        a[i][j] = __fma_rn(-m, a[k][j], a[i][j]);
      b[i] -= m * b[k];
    }
  }
#pragma unroll
  for (int i = 3; i >= 0; --i) {
    double s = b[i];
#pragma unroll
    for (int j = i + 1; j < 4; ++j)
      s -= a[i][j] * y[4 * I + j];
    y[4 * I + i] = __ddiv_rn(s, a[i][i]);
  }
}
KERNELS(solve, double)

__device__ void softmax(const float *x, float *y) {
  const float *p = x + 16 * I;
  float m = -INFINITY, s = 0;
  for (int k = 0; k < 16; ++k)
    m = fmaxf(m, p[k]);
  for (int k = 0; k < 16; ++k)
    s += expf(p[k] - m);
  for (int k = 0; k < 16; ++k)
    y[16 * I + k] = __fdividef(expf(p[k] - m), s);
}
KERNELS(softmax, float)

#ifdef __CUDACC__
struct Q {
  double w, x, y, z;
};
__device__ Q mul(Q a, Q b) {
  return {a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
          a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
          a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
          a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w};
}
__device__ void quat(const double *x, double *y) {
  const double *p = x + 8 * I;
  double th = p[0], s, c;
  sincos(0.5 * th, &s, &c);
  double n = rnorm3d(p[1], p[2], p[3]);
  Q q = {c, s * p[1] * n, s * p[2] * n, s * p[3] * n},
    v = {0, p[4], p[5], p[6]}, qc = {q.w, -q.x, -q.y, -q.z};
  Q r = mul(mul(q, v), qc);
  double s2, c2;
  sincospi(p[7], &s2, &c2);
  y[3 * I] = r.x * c2;
  y[3 * I + 1] = r.y * s2;
  y[3 * I + 2] = r.z * rhypot(s2 + 2, c2);
}
KERNELS(quat, double)
#endif

__device__ void gmm(const double *x, double *y) {
  double m = -1e300, l[8];
  for (int k = 0; k < 8; ++k) {
    double d = x[64 + I] - x[k];
    l[k] = log(fabs(x[16 + k])) - 0.5 * d * d * exp(-2 * x[8 + k]) - x[8 + k];
    m = max(m, l[k]);
  }
  double s = 0;
  for (int k = 0; k < 8; ++k)
    s += exp(l[k] - m);
  y[I] = m + log1p(s - 1) + lgamma(2 + s) + tgamma(1 + 0.5 * s);
}
KERNELS(gmm, double)

__device__ void lj(const double *x, double *y) {
  double e = 0;
  const double rc = 2.5;
  for (int j = 0; j < 32; ++j) {
    if (j == (int)I)
      continue;
    double dx = x[3 * I] - x[3 * j], dy = x[3 * I + 1] - x[3 * j + 1],
           dz = x[3 * I + 2] - x[3 * j + 2];
    dx -= 10 * rint(dx / 10);
    dy -= 10 * rint(dy / 10);
    dz -= 10 * nearbyint(dz / 10);
    double r2 = dx * dx + dy * dy + dz * dz;
    if (r2 < rc * rc) {
      double s = pow(1 / r2, 3.0);
      e += 4 * s * (s - 1) + __powf((float)r2, 0.3f);
    }
  }
  y[I] = e;
}
KERNELS(lj, double)

__device__ void spline(const double *x, double *y) {
  double t = x[I] * 7, f = floor(t), u = t - f, i2;
  int i = (int)f;
  i = i < 0 ? 0 : i > 6 ? 6 : i;
  double a = __ldg(x + 64 + i), b = __ldg(x + 65 + i), ca = __ldg(x + 128 + i),
         cb = __ldg(x + 129 + i);
  double v = (1 - u) * a + u * b +
             ((1 - u) * (1 - u) * (1 - u) - (1 - u)) * ca / 6 +
             (u * u * u - u) * cb / 6;
  double fr = modf(v, &i2);
  int e;
  double m = frexp(v, &e);
  y[I] = v + fr * i2 + m * ldexp(v, 2) + copysign(v, a) + fmod(v, 0.7) +
         remainder(v, 0.9) + scalbn(v, -1) + cbrt(v) + hypot(v, u);
}
KERNELS(spline, double)

#ifdef __CUDACC__
#include <cuComplex.h>
typedef cuDoubleComplex Z;
#define ZMUL cuCmul
#define ZADD cuCadd
#define ZDIV cuCdiv
#define ZMK make_cuDoubleComplex
#else
struct Z {
  double x, y;
};
__device__ Z ZMK(double a, double b) { return {a, b}; }
__device__ Z ZMUL(Z a, Z b) {
  return {a.x * b.x - a.y * b.y, a.x * b.y + a.y * b.x};
}
__device__ Z ZADD(Z a, Z b) { return {a.x + b.x, a.y + b.y}; }
__device__ Z ZDIV(Z a, Z b) {
  double n = b.x * b.x + b.y * b.y;
  return {(a.x * b.x + a.y * b.y) / n, (a.y * b.x - a.x * b.y) / n};
}
#endif
__device__ void cplx(const double *x, double *y) {
  Z z = ZMK(0, 0), c = ZMK(x[2 * I], x[2 * I + 1]);
#pragma unroll 1
  for (int k = 0; k < 12; ++k)
    z = ZADD(ZMUL(z, z), c);
  Z e = ZMK(exp(z.x) * cos(z.y), exp(z.x) * sin(z.y));
  z = ZDIV(e, ZADD(c, ZMK(2, 0)));
  y[2 * I] = hypot(z.x, z.y);
  y[2 * I + 1] = atan2(z.y, z.x);
}
KERNELS(cplx, double)

// Slopes that call functions by way of functions of Adze's
__device__ void gammas(const double *x, double *y) { y[I] = tgamma(x[I]); }
KERNELS(gammas, double)
__device__ void bessel(const double *x, double *y) { y[I] = j0(x[I]); }
KERNELS(bessel, double)
