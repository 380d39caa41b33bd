// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that return several floats: structures in registers and in memory, complex numbers,
// vectors. In reverse mode the adjoint of the result stands behind the arguments.
#include "check.h"
#include <math.h>
#include <complex.h>

extern int adze_seed, enzyme_active_return;
typedef double _Complex dcomplex;
typedef float _Complex fcomplex;
typedef float float4 __attribute__((vector_size(16)));
typedef double double4 __attribute__((vector_size(32)));
struct pair {
  double a, b;
};
struct triple {
  double a, b, c;
};
struct floats {
  float x, y, z;
};
struct counted {
  double v;
  int n;
  double w;
};

struct pair to_pair(double x, double y) { return (struct pair){x * y, x + y * y}; }
struct triple to_triple(double x) { return (struct triple){x, x * x, x * x * x}; }
struct counted to_counted(double x) { return (struct counted){x * x, 3, sin(x)}; }
struct floats turn(struct floats q) { return (struct floats){q.x * q.y, q.y * q.z, q.z * q.x}; }
dcomplex square(dcomplex z) { return z * z; }
fcomplex fsquare(fcomplex z) { return z * z; }
double norm(dcomplex z) { return creal(z) * creal(z) + 3 * cimag(z) * cimag(z); }
float4 squares(float4 a) { return a * a; }
double4 powers(double x) { return (double4){x, x * x, 2 * x, 1}; }
double plain(double x) { return x * x; }

#if ADZE_REVERSE
struct pair __enzyme_autodiff_pair(void *, ...);
double __enzyme_autodiff(void *, ...);
struct floats __enzyme_autodiff_floats(void *, ...);
dcomplex __enzyme_autodiff_complex(void *, ...);
fcomplex __enzyme_autodiff_fcomplex(void *, ...);
float4 __enzyme_autodiff_float4(void *, ...);
struct both {
  struct triple value;
  double d;
};
struct both __enzyme_autodiff_both(void *, ...);

ADZE_TEST_REVERSE(structures) {
  struct pair seed = {1, 10};
  struct pair d = __enzyme_autodiff_pair((void *)to_pair, 3.0, 4.0, seed);
  adze_near("pair, x", d.a, 4 + 10, 0);
  adze_near("pair, y", d.b, 3 + 80, 0);
  struct pair other = {0, 1};
  d = __enzyme_autodiff_pair((void *)to_pair, enzyme_out, 3.0, enzyme_out, 4.0, adze_seed, other);
  adze_near("tagged, x", d.a, 1, 0);
  adze_near("tagged, y", d.b, 8, 0);
  struct triple in_memory = {1, 10, 100};
  adze_near("triple", __enzyme_autodiff((void *)to_triple, 2.0, in_memory), 1 + 40 + 1200, 0);
  struct both b = __enzyme_autodiff_both((void *)to_triple, enzyme_primal_return, enzyme_active_return,
                                         enzyme_out, 2.0, in_memory);
  adze_near("primal", b.value.c, 8, 0);
  adze_near("and derivative", b.d, 1241, 0);
  struct counted c = {2, 7, 3};
  adze_near("integer between", __enzyme_autodiff((void *)to_counted, 1.5, c), 6 + 3 * cos(1.5), 1e-15);
  struct floats q = {1, 2, 3}, w = {1, 1, 0};
  struct floats g = __enzyme_autodiff_floats((void *)turn, q, w);
  adze_near("floats, x", g.x, 2, 0);
  adze_near("floats, y", g.y, 1 + 3, 0);
  adze_near("floats, z", g.z, 2, 0);
  adze_near("scalar", __enzyme_autodiff((void *)plain, 3.0, adze_seed, 2.5), 15, 0);
}

ADZE_TEST_REVERSE(complex_numbers) {
  dcomplex d = __enzyme_autodiff_complex((void *)norm, 2.0 + 3.0 * I);
  adze_near("norm, re", creal(d), 4, 0);
  adze_near("norm, im", cimag(d), 18, 0);
  d = __enzyme_autodiff_complex((void *)square, 2.0 + 3.0 * I, 1.0 + 0.0 * I);
  adze_near("Re z^2, re", creal(d), 4, 0);
  adze_near("Re z^2, im", cimag(d), -6, 0);
  d = __enzyme_autodiff_complex((void *)square, enzyme_out, 2.0 + 3.0 * I, 0.0 + 1.0 * I);
  adze_near("Im z^2, re", creal(d), 6, 0);
  adze_near("Im z^2, im", cimag(d), 4, 0);
  fcomplex f = __enzyme_autodiff_fcomplex((void *)fsquare, 2.0f + 3.0f * I, 0.0f + 1.0f * I);
  adze_near("float, re", crealf(f), 6, 0);
  adze_near("float, im", cimagf(f), 4, 0);
}

ADZE_TEST_REVERSE(vectors) {
  float4 a = {1, 2, 3, 4}, seed = {1, 0, 1, 1};
  float4 d = __enzyme_autodiff_float4((void *)squares, a, seed);
  for (int i = 0; i < 4; i++)
    adze_near("squares", d[i], 2 * a[i] * seed[i], 0);
  double4 w = {1, 10, 100, 1000};
  adze_near("powers", __enzyme_autodiff((void *)powers, 3.0, w), 1 + 60 + 200, 0);
}
#endif
#if ADZE_FORWARD
dcomplex __enzyme_fwddiff_complex(void *, ...);

// The operands are those of a function of two numbers.
ADZE_TEST_FORWARD(complex_without_tag) {
  dcomplex d = __enzyme_fwddiff_complex((void *)square, 2.0 + 3.0 * I, 1.0 + 0.0 * I);
  adze_near("re", creal(d), 4, 0);
  adze_near("im", cimag(d), 6, 0);
}
#endif
