// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Static members that are registered inactive: active data that is stored
// there, in a branch that is not taken or in one that is, directly, as a block,
// through callees and through pointers in them, is constant when read again.
#include "check.h"
#include <math.h>
#include <string.h>
#define NOINLINE __attribute__((noinline))

namespace {
struct Matrix {
  int size;
  double *data;
  NOINLINE void resize(int n) {
    if (n != size) {
      delete[] data;
      data = new double[(unsigned)n];
    }
    size = n;
  }
  NOINLINE double &at(int i) { return data[i]; }
};
NOINLINE double added(double *to, double v) {
  *to += v;
  return *to;
}
struct Solver {
  static double tolerance, history[4];
  static Matrix scratch;
  bool fixed;
  NOINLINE double run(double x) const {
    if (!fixed)
      tolerance = x * x;
    double y = sin(x) * tolerance;
    history[1] = y;
    return y * x + history[1];
  }
};
double Solver::tolerance = 3, Solver::history[4];
Matrix Solver::scratch;
} // namespace
void *__enzyme_inactive_global_members[] = {&Solver::tolerance, Solver::history,
                                            &Solver::scratch};

// d/dx of sin(x) * tolerance * x + history[1], both members constant.
extern "C" double f(double x) {
  Solver s = {x < 100};
  return s.run(x);
}
static double df(double x) { return 3 * (cos(x) * x + sin(x)); }
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5), .derivative = df,
                  .flags = ADZE_NO_DIFFERENCES)

extern "C" double g(double x) {
  double block[4] = {x, x * x, 2, 3};
  Solver::scratch.resize(4);
  memcpy(Solver::scratch.data, block, sizeof block);
  Solver::scratch.at(2) = x;
  Solver::history[3] = 0;
  double y = added(&Solver::history[3], x * x) + Solver::scratch.at(1);
  return y + x * Solver::scratch.at(2);
}
static double dg(double x) { return x; }
ADZE_TEST_SCALAR1(g, ADZE_AT(0.5, -1.5), .derivative = dg,
                  .flags = ADZE_NO_DIFFERENCES)
