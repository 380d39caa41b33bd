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
    if (!fixed)
      history[1] = y;
    return y * x * history[1];
  }
};
double Solver::tolerance = 3, Solver::history[4] = {1, 2, 3, 4};
Matrix Solver::scratch;
} // namespace
void *__enzyme_inactive_global_members[] = {&Solver::tolerance, Solver::history,
                                            &Solver::scratch};

extern "C" double f(double x) {
  Solver s = {x < 100};
  return s.run(x);
}
ADZE_TEST_SCALAR1(f, ADZE_AT(0.5, -1.5))

extern "C" double g(double x) {
  double block[4] = {x, x * x, 2, 3};
  Solver::scratch.resize(4);
  for (int i = 0; i < 4; ++i)
    Solver::scratch.at(i) = i + 1;
  Solver::history[3] = 2;
  double y = 0;
  if (x > 100) {
    memcpy(Solver::scratch.data, block, sizeof block);
    Solver::scratch.at(2) = x;
    y = added(&Solver::history[3], x * x) + Solver::scratch.at(1);
  }
  return (y + x) * Solver::scratch.at(2) * Solver::history[3] * x;
}
ADZE_TEST_SCALAR1(g, ADZE_AT(0.5, -1.5))
