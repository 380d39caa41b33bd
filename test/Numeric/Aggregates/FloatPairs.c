// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structs of floats, which travel as vectors: two, three and four of them; the call that
// returns {<2 x float>, float}.
// ADZE: vectorized
#include "check.h"

struct f2 {
  float a, b;
};
struct f3 {
  float a, b, c;
};
struct f4 {
  float a, b, c, d;
};
__attribute__((noinline)) static struct f2 two(float x, float y) {
  struct f2 r = {x * y, x + y};
  return r;
}
__attribute__((noinline)) static struct f3 three(struct f2 p) {
  struct f3 r = {p.a * p.b, p.a, p.b * p.b};
  return r;
}
__attribute__((noinline)) static struct f4 four(struct f3 p) {
  struct f4 r = {p.a, p.b * p.c, p.c, p.a * p.a};
  return r;
}

void floats(const float *x, float *y) {
  struct f4 r = four(three(two(x[0], x[1])));
  y[0] = r.a;
  y[1] = r.b;
  y[2] = r.c;
  y[3] = r.d;
}
static void twin(const long double *x, long double *y) {
  long double a = x[0] * x[1], b = x[0] + x[1];
  y[0] = a * b;
  y[1] = a * b * b;
  y[2] = b * b;
  y[3] = a * b * a * b;
}
ADZE_TEST_MAP_T(float, floats, 2, 4, ADZE_AT(0.75, 1.25, -0.5, 2.0), .twin = twin,
                .tolerance = 1e-5)
