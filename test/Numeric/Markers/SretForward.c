// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Forward mode of a function that returns a large struct: the tangents come back as one.
// ADZE: modes=forward
#include "check.h"

struct big {
  double v[4];
};
struct big sret(double t, double s) {
  struct big b = {{t, t * t * s, 2, 1 / t}};
  return b;
}

#if ADZE_FORWARD
extern struct big __enzyme_fwddiff_sret(void *, double, double, double, double);
ADZE_TEST_FORWARD(forward) {
  struct big d = __enzyme_fwddiff_sret((void *)sret, 2.0, 1.0, 3.0, 10.0);
  adze_near("0", d.v[0], 1, 0);
  adze_near("1", d.v[1], 12 + 40, 0);
  adze_near("2", d.v[2], 0, 0);
  adze_near("3", d.v[3], -0.25, 1e-15);
}
#endif
