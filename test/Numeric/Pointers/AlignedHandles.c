// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Addresses aligned, marked and moved as integers by amounts that only the run
// knows: what the integer is (an address, a mark, a distance) no type says.
// Also second derivatives, where shadows' addresses come beside all of them.
#include "check.h"
#include <math.h>
#include <stdint.h>
#include <stdlib.h>

#define APART __attribute__((noinline)) static
typedef long H;

APART double back(H h, H a) {
  H off = h & (a - 1);
  return *(double *)(h - off);
}
APART double padded(H h, H a) {
  H pad = ((h + a - 1) & -a) - h;
  return *(double *)(h + pad);
}
APART double marked(H h, H t) {
  H m = h | t;
  return *(double *)(m - t) + *(double *)(m ^ t) * *(double *)(m & ~t);
}
APART double rest(H h, H a) { return *(double *)(h - h % a); }
APART double shifted(H h, H s) { return *(double *)(h >> s << s); }
APART double distance(H h, H a) {
  H m = h & -a;
  H k = m - h;
  return *(double *)(k + h);
}
APART double distanceOfOther(H h, H g) {
  H m = h & -8;
  H k = m - h;
  return *(double *)(k + g);
}
APART H up(H h, H a) { return (h + a - 1) & ~(a - 1); }
APART double raised(H h, H a) { return *(double *)up(h, a); }
APART double next(H h, H a) {
  H off = h & (a - 1);
  if (off)
    h += a - off;
  return *(double *)h;
}
APART double alternate(H h, H g, int n) {
  H both = h + g, at = h;
  double s = 0;
  for (int i = 0; i < n; ++i) {
    s += (i + 1) * *(double *)at;
    at = both - at;
  }
  return s;
}
APART void put(H h, double v) {
  H mark = h & 7;
  double *p = (double *)(h & ~(H)7);
  if (mark)
    p[1] = 0.5 * p[1] + v;
  else
    p[0] = v;
}

static volatile int sixteen = 16, three = 3, four = 4, eight = 8;
double handles(double x) {
  _Alignas(64) double q[16];
  for (int i = 0; i < 16; ++i)
    q[i] = sin(x * (i + 1)) * x;
  H a = sixteen, r[4];
  for (int i = 0; i < 4; ++i)
    r[i] = (H)&q[3 * i] ^ (i & 1);
  for (int i = 0; i < 4; ++i)
    put(r[i], exp(-x * i));
  double s = back((H)&q[2] + 3, a) + padded((H)&q[3], a) * x;
  s += shifted((H)&q[6] + 1, four) * x + distance((H)&q[6] + 5, a);
  s += distanceOfOther((H)&q[6] + 5, (H)&q[8] + 5) * x;
  s += raised((H)&q[6] + 5, a) + next((H)&q[9], a) * x;
  s += alternate((H)&q[12], (H)&q[14], 5);
  return s;
}
ADZE_TEST_SCALAR1(handles, ADZE_AT(0.7, 1.3))

double marks(double x) {
  double q[2] = {x, x * x};
  return marked((H)&q[1], three) + rest((H)&q[1] + 1, eight) * x;
}
ADZE_TEST_SCALAR1(marks, ADZE_AT(0.7, 1.3))

// Blocks aligned by hand, by an allocator that keeps the block's address in
// front of them.
APART double *aligned(size_t n, size_t to) {
  void *block = malloc(n * sizeof(double) + to + sizeof(void *));
  uintptr_t at = ((uintptr_t)block + sizeof(void *) + to - 1) & ~(to - 1);
  ((void **)at)[-1] = block;
  return (double *)at;
}
APART void release(double *p) { free(((void **)p)[-1]); }
double blocks(double x) {
  double s = 0;
  for (int k = 1; k < 4; ++k) {
    double *p = aligned(4, 16u << k), *q = aligned(k, sixteen);
    for (int i = 0; i < 4; ++i)
      p[i] = x * (i + k);
    q[0] = p[1] * p[2];
    s += q[0] * p[3];
    release(p);
    release(q);
  }
  return s;
}
ADZE_TEST_SCALAR1(blocks, ADZE_AT(0.7, 1.3))

#if ADZE_FORWARD
extern double __enzyme_autodiff_inner(void *, ...);
extern double __enzyme_fwddiff_inner(void *, ...);
extern double __enzyme_autodiff_outer(void *, ...);
extern double __enzyme_fwddiff_outer(void *, ...);

double byReverse(double x) {
  return __enzyme_autodiff_inner((void *)handles, enzyme_out, x);
}
double byForward(double x) {
  return __enzyme_fwddiff_inner((void *)handles, enzyme_dup, x, 1.0);
}

ADZE_TEST_FORWARD(second) {
  double x = 0.7, step = 1e-5;
  double by = (byForward(x + step) - byForward(x - step)) / (2 * step);
  double second = __enzyme_fwddiff_outer((void *)byForward, enzyme_dup, x, 1.0);
  double near = 1e-12 * fabs(second);
  adze_near("difference", second, by, 1e-6 * fabs(second));
  adze_near("forward over reverse",
            __enzyme_fwddiff_outer((void *)byReverse, enzyme_dup, x, 1.0),
            second, near);
  adze_near("reverse over forward",
            __enzyme_autodiff_outer((void *)byForward, enzyme_out, x), second,
            near);
  adze_near("reverse over reverse",
            __enzyme_autodiff_outer((void *)byReverse, enzyme_out, x), second,
            near);
}
#endif
