// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Numbers of a constant table are moved into active memory, as many as the run says, while pointers
// lie in other active memory: no pointer to the table can have come along. And where pointers are
// moved in this way, they do.
#include "check.h"
#include <string.h>

struct State {
  int used;
  double *buffer;
  double scale;
};
static struct State state;

__attribute__((noinline)) static double step(double x) {
  state.buffer[2] = state.scale * x;
  return state.buffer[1] * x;
}

__attribute__((noinline)) static void moved(const double *x, double *y,
                                            const double *table, int n) {
  double local[4] = {0.1, 0.2, 0.3, 0.4};
  state.used = n;
  state.buffer = local;
  state.scale = x[0] * x[1];
  y[0] = y[1] = x[2];
  memmove(y + 1, table + 2, (n & 3) * sizeof(double));
  local[1] = x[1];
  y[0] = step(x[0]) * table[n] + y[1] * local[2];
  y[1] += local[2] + state.buffer[1] * x[2];
}

static double table[4] = {1.5, -0.5, 0.25, 3.0};

#if ADZE_REVERSE || ADZE_FORWARD
#define OF(marker, x, dx, y, dy)                                                         \
  marker((void *)moved, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_const, table,       \
         enzyme_const, n)
#endif

// With n = 1: y[1] = table[2] before the last two lines.
static void expect(int n, const double *x, double J[2][3]) {
  double t = n == 1 ? 0.25 : x[2], ends = n == 1 ? 0 : 1;
  double s = x[0] * x[1] * x[0]; // local[2] = scale * x[0]
  double ds[3] = {2 * x[0] * x[1], x[0] * x[0], 0};
  for (int i = 0; i < 3; ++i) {
    double dt = i == 2 ? ends : 0;
    J[0][i] = (i == 0 ? x[1] : i == 1 ? x[0] : 0) * table[n] + dt * s + t * ds[i];
    J[1][i] = dt + ds[i] + (i == 1 ? x[2] : i == 2 ? x[1] : 0);
  }
}

#if ADZE_REVERSE
ADZE_TEST_REVERSE(moved) {
  for (int n = 0; n < 2; ++n)
    for (int row = 0; row < 2; ++row) {
      double x[3] = {0.7, -1.2, 0.4}, dx[3] = {0}, y[4] = {0}, dy[4] = {0}, J[2][3];
      dy[row] = 1;
      OF(__enzyme_autodiff_void, x, dx, y, dy);
      expect(n, x, J);
      for (int i = 0; i < 3; ++i)
        adze_near("dx", dx[i], J[row][i], 1e-14);
    }
}
#endif
#if ADZE_FORWARD
ADZE_TEST_FORWARD(moved) {
  for (int n = 0; n < 2; ++n)
    for (int i = 0; i < 3; ++i) {
      double x[3] = {0.7, -1.2, 0.4}, dx[3] = {0}, y[4] = {0}, dy[4] = {0}, J[2][3];
      dx[i] = 1;
      OF(__enzyme_fwddiff_void, x, dx, y, dy);
      expect(n, x, J);
      adze_near("dy", dy[0], J[0][i], 1e-14);
      adze_near("dy", dy[1], J[1][i], 1e-14);
    }
}
#endif

// The pointers themselves.
__attribute__((noinline)) static double sum(double **rows, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += rows[i][0] * rows[i][1];
  return s;
}
double rows(const double *x, int n) {
  double values[4][2], *from[4], *to[4];
  for (int i = 0; i < n; ++i) {
    from[i] = values[i];
    values[i][0] = x[i], values[i][1] = x[n - 1 - i] + 1;
  }
  to[0] = values[n - 1];
  memcpy(to + 1, from, (n - 1) * sizeof *to);
  return sum(to, n);
}
ADZE_TEST_ARRAY(rows, 4, ADZE_AT(0.5, -0.3, 0.8, 1.2))
