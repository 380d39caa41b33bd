// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sizes in the words of the source: members, arithmetic, loops whose count
// depends on others, variables of functions that are inlined.
//
// RUN: %clang -O2 -g -fno-math-errno %adze -c %s -o %t.o -Rpass-missed=adze -Rpass-analysis=adze 2>&1 | FileCheck %s
double __enzyme_autodiff(void *, ...);
extern int enzyme_const;
double sin(double);

struct mesh {
  struct {
    int rows, columns;
  } size;
  int *first;
};

double members(double x, const struct mesh *m) {
  double s = x;
  for (int i = 0; i < m->size.rows; ++i)
    for (int j = 0; j < 2 * m->size.columns; ++j)
      s = sin(s);
  return s;
}
// CHECK: the gradient of 'members' keeps 's': 8 bytes per iteration of the loop at line 20, 8 * m->size.rows * max(2 * m->size.columns, 1) in all

double triangle(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j) // line 29
      s = sin(s);
  return s;
}
// The total of the inner loop, not one of its counts times n.
// CHECK: the gradient of 'triangle' keeps 's': 8 bytes per iteration of the loop at line 29, 8 * (iterations of the loop at line 29) in all

double nested(double x, int n) {
  double s = x;
  for (int i = 0; i < n; ++i)
    while (s > 0.5) // line 39
      s = sin(s);
  return s;
}
// CHECK: the gradient of 'nested' keeps 's': 8 bytes per iteration of the loop at line 39, 8 * (iterations of the loop at line 39) in all

double segments(double x, const struct mesh *m) {
  double s = x;
  for (int i = 0; i < 3; ++i)
    for (int j = m->first[2]; j < m->first[3]; ++j)
      s = sin(s);
  return s;
}
// CHECK: the gradient of 'segments' keeps 's', 3 times: 24 bytes per iteration of the loop at line 48, 24 * (m->first[3] - m->first[2]) in all

static double power(double x, int count) {
  for (int i = 0; i < count; ++i)
    x = sin(x); // line 56
  return x;
}
// Two counts are called 'count' here.
double inlined(double x, const int *which) {
  return power(power(x, which[0]), which[5] + 1);
}
// CHECK: the gradient of 'inlined' needs a tape of 8 * (*which) + 8 * (which[5] + 1) bytes

double go(double x, const struct mesh *m, const int *which, int n) {
  double s = __enzyme_autodiff((void *)members, x, enzyme_const, m);
  s += __enzyme_autodiff((void *)triangle, x, n);
  s += __enzyme_autodiff((void *)nested, x, n);
  s += __enzyme_autodiff((void *)segments, x, enzyme_const, m);
  return s + __enzyme_autodiff((void *)inlined, x, enzyme_const, which);
}
