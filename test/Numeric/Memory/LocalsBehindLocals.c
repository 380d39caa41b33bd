// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A function that is handed a local table of pointers, or of handles, to other
// locals of its caller, and is differentiated at reverse time: these locals are
// read then, and must not lie in a frame that has ended.
#include "check.h"

#define APART __attribute__((noinline)) static

APART double dot(double *const *h, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *h[i] * *h[(i + 1) % n];
  return s;
}
APART double byTable(double x) {
  double q[3] = {1.5 * x, 2 * x * x, x};
  double *h[3];
  for (int i = 0; i < 3; ++i)
    h[i] = &q[2 - i];
  return dot(h, 3);
}
double pointers(double x) {
  return byTable(x) + byTable(2 * x) * byTable(3 * x);
}
ADZE_TEST_SCALAR1(pointers, ADZE_AT(0.7, -0.4))

APART double dotOfHandles(const long *h, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += *(double *)h[i] * *(double *)h[(i + 1) % n];
  return s;
}
APART double byHandles(double x) {
  double q[3] = {1.5 * x, 2 * x * x, x};
  long h[3];
  for (int i = 0; i < 3; ++i)
    h[i] = (long)&q[2 - i];
  return dotOfHandles(h, 3);
}
double handles(double x) {
  return byHandles(x) + byHandles(2 * x) * byHandles(3 * x);
}
ADZE_TEST_SCALAR1(handles, ADZE_AT(0.7, -0.4))

// The table is the callee's, the locals are the caller's.
APART double byArgument(const double *x) {
  double *h[3];
  for (int i = 0; i < 3; ++i)
    h[i] = (double *)&x[2 - i];
  return dot(h, 3) * *h[0];
}
APART double inner(double x) {
  double q[3] = {1.5 * x, 2 * x * x, x};
  return byArgument(q);
}
double passed(double x) { return inner(x) + inner(2 * x) * inner(3 * x); }
ADZE_TEST_SCALAR1(passed, ADZE_AT(0.7, -0.4))
