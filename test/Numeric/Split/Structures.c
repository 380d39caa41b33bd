// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Structures by value in split mode: in registers, in memory, with a pointer among floats.
// ADZE: modes=reverse
#include "check.h"

struct two {
  double a, b;
};
struct three {
  double a, b, c;
};
struct mixed {
  double *data;
  double scale;
};

__attribute__((noinline)) static double cube(double x) { return x * x * x; }

double registers(struct two s, double x) { return s.a * cube(s.b) * x; }
double memory(struct three s, double x) {
  for (int i = 0; i < 3; i++)
    s.a = s.a * s.b + s.c;
  return s.a * x;
}
double pointer(struct mixed m, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    s += m.scale * m.data[i] * m.data[i];
    m.data[i] = 0;
  }
  return s;
}
struct wrapped {
  double value;
  int count;
};
struct wrapped result(double x) {
  struct wrapped w = {x * x * x, 3};
  return w;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
struct tape_and_wrapped {
  void *tape;
  struct wrapped result;
};
struct tape_and_wrapped __enzyme_augmentfwd_wrapped(void *, ...);
struct two_and_x {
  struct two s;
  double x;
};
struct three_and_x {
  struct three s;
  double x;
};
struct two_and_x __enzyme_reverse_two(void *, ...);
struct three_and_x __enzyme_reverse_three(void *, ...);
double __enzyme_reverse_one(void *, ...);
double __enzyme_reverse_mixed(void *, ...);
struct three_and_x __enzyme_autodiff_three(void *, ...);

ADZE_TEST_REVERSE(in_registers) {
  struct two s = {2, 3};
  void *tape = __enzyme_augmentfwd((void *)registers, s, 5.0);
  struct two_and_x d = __enzyme_reverse_two((void *)registers, s, 5.0, 1.0, tape);
  adze_near("a", d.s.a, 135, 0);
  adze_near("b", d.s.b, 270, 0);
  adze_near("x", d.x, 54, 0);
}

ADZE_TEST_REVERSE(in_memory) {
  struct three s = {2, 0.5, 3};
  struct three_and_x want = __enzyme_autodiff_three((void *)memory, s, 5.0);
  void *tape = __enzyme_augmentfwd((void *)memory, s, 5.0);
  struct three_and_x d = __enzyme_reverse_three((void *)memory, s, 5.0, 1.0, tape);
  adze_near("a", d.s.a, want.s.a, 1e-15);
  adze_near("b", d.s.b, want.s.b, 1e-15);
  adze_near("c", d.s.c, want.s.c, 1e-15);
  adze_near("x", d.x, want.x, 1e-15);
  adze_near("a in numbers", d.s.a, 0.625, 1e-15);
}

ADZE_TEST_REVERSE(with_pointer) {
  double x[3] = {1, 2, 3}, dx[3] = {0};
  struct mixed m = {x, 2}, dm = {dx, 0};
  void *tape = __enzyme_augmentfwd((void *)pointer, enzyme_dup, m, dm, 3);
  adze_near("overwritten", x[1], 0, 0);
  double scale = __enzyme_reverse_mixed((void *)pointer, enzyme_dup, m, dm, 3, 1.0, tape);
  adze_near("scale", scale, 14, 0);
  adze_near("dx[0]", dx[0], 4, 0);
  adze_near("dx[1]", dx[1], 8, 0);
  adze_near("dx[2]", dx[2], 12, 0);
}

ADZE_TEST_REVERSE(as_result) {
  struct tape_and_wrapped r = __enzyme_augmentfwd_wrapped((void *)result, 2.0);
  adze_near("value", r.result.value, 8, 0);
  adze_near("count", r.result.count, 3, 0);
  adze_near("derivative", __enzyme_reverse_one((void *)result, 2.0, r.tape), 12, 0);
}
#endif
