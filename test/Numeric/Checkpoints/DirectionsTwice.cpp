// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A gradient with states, of two directions, differentiated again along three:
// tangents of shadows that change places are found for each direction.
// ADZE: levels=O0,O1,O3
#include "swapped.h"

#include "directions.h" // of Size

extern int enzyme_dupv, enzyme_width;
template <class... T> void __enzyme_autodiff(T...);
template <class... T> void __enzyme_fwddiff(T...);
// Against differences of the adjoints.
#if ADZE_REVERSE
static void both(double *x, double *g) {
  double y[Size], seeds[2][Size];
  for (int i = 0; i < 2 * Size; ++i)
    seeds[i / Size][i % Size] = seed(i / Size, i % Size);
  for (int i = 0; i < 2 * Size; ++i)
    g[i] = 0;
  __enzyme_autodiff((void *)swapped, enzyme_width, 2, enzyme_dupv,
                    sizeof seeds[0], x, g, enzyme_dupv, sizeof seeds[0], y,
                    seeds[0]);
}
ADZE_TEST_REVERSE(directions_twice) {
  double x[Size], g[2 * Size], dx[3][Size], dg[3][2 * Size];
  for (int i = 0; i < Size; ++i)
    x[i] = point(i);
  for (int k = 0; k < 3; ++k)
    for (int i = 0; i < Size; ++i)
      dx[k][i] = seed(k, i);
  __enzyme_fwddiff((void *)both, enzyme_width, 3, enzyme_dupv, sizeof dx[0], x,
                   dx[0], enzyme_dupv, sizeof dg[0], g, dg[0]);
  const double h = 1e-5;
  for (int k = 0; k < 3; ++k) {
    double up[Size], down[Size], gu[2 * Size], gd[2 * Size];
    for (int i = 0; i < Size; ++i) {
      up[i] = x[i] + h * dx[k][i];
      down[i] = x[i] - h * dx[k][i];
    }
    both(up, gu);
    both(down, gd);
    for (int i = 0; i < 2 * Size; ++i)
      adze_near("twice", dg[k][i], (gu[i] - gd[i]) / (2 * h), 1e-8);
  }
}
#endif
