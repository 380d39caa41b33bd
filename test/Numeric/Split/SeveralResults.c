// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the first half returns, in every spelling, of functions that return a float, a pointer, or
// several floats, in registers and in memory; and adjoints of those for the second half.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>

extern int adze_seed, enzyme_const_return, enzyme_dup_return, enzyme_dupnoneed_return;
struct pair {
  double a, b;
};
struct triple {
  double a, b, c;
};
struct mixed {
  double v;
  double *p;
  double w;
};

double number(double x, double y) { return sin(x) * y; }
struct pair in_registers(double x, double y) { return (struct pair){x * x * y, x * y * y}; }
struct triple in_memory(double x) { return (struct triple){x * x, x * x * x, sin(x)}; }
struct mixed with_pointer(double x, double *p) {
  p[1] *= x;
  return (struct mixed){x * x, p + 1, x * p[0]};
}
double *pointer(double *x) {
  x[1] *= x[1];
  return x + 1;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
struct tape_number {
  void *tape;
  double value;
} __enzyme_augmentfwd_number(void *, ...);
struct tape_pair {
  void *tape;
  struct pair value;
} __enzyme_augmentfwd_pair(void *, ...);
struct tape_triple {
  void *tape;
  struct triple value;
} __enzyme_augmentfwd_triple(void *, ...);
struct tape_mixed {
  void *tape;
  struct mixed value, shadow;
} __enzyme_augmentfwd_mixed(void *, ...);
struct tape_pointers {
  void *tape;
  double *value, *shadow;
} __enzyme_augmentfwd_pointers(void *, ...);
struct tape_shadow {
  void *tape;
  double *shadow;
} __enzyme_augmentfwd_shadow(void *, ...);
struct triple __enzyme_augmentfwd_value(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
double __enzyme_reverse(void *, ...);
struct pair __enzyme_reverse_pair(void *, ...);
void __enzyme_reverse_nothing(void *, ...);

ADZE_TEST_REVERSE(numbers) {
  struct tape_number a = __enzyme_augmentfwd_number((void *)number, 1.2, 3.0);
  adze_near("value", a.value, sin(1.2) * 3, 1e-15);
  struct pair d = __enzyme_reverse_pair((void *)number, 1.2, 3.0, 2.0, a.tape);
  adze_near("x", d.a, 6 * cos(1.2), 1e-15);
  adze_near("y", d.b, 2 * sin(1.2), 1e-15);
  void *tape = __enzyme_augmentfwd((void *)number, 1.2, 3.0);
  d = __enzyme_reverse_pair((void *)number, 1.2, 3.0, adze_seed, 2.0, tape);
  adze_near("tagged", d.a, 6 * cos(1.2), 1e-15);
}

ADZE_TEST_REVERSE(structures) {
  struct tape_pair b = __enzyme_augmentfwd_pair((void *)in_registers, 2.0, 3.0);
  adze_near("pair", b.value.b, 18, 0);
  struct pair seed = {1, 10};
  struct pair d = __enzyme_reverse_pair((void *)in_registers, 2.0, 3.0, seed, b.tape);
  adze_near("pair, x", d.a, 12 + 90, 0);
  adze_near("pair, y", d.b, 4 + 120, 0);
  struct triple w = {1, 10, 100};
  const double want = 4 + 120 + 100 * cos(2);
  struct tape_triple c = __enzyme_augmentfwd_triple((void *)in_memory, 2.0);
  adze_near("triple", c.value.b, 8, 0);
  adze_near("its gradient", __enzyme_reverse((void *)in_memory, 2.0, w, c.tape), want, 1e-14);
  void *tape = __enzyme_augmentfwd((void *)in_memory, 2.0);
  adze_near("tape alone", __enzyme_reverse((void *)in_memory, 2.0, w, enzyme_tape, tape), want, 1e-14);
  size_t size = __enzyme_augmentsize((void *)in_memory, enzyme_out);
  char memory[512];
  struct triple v = __enzyme_augmentfwd_value((void *)in_memory, enzyme_allocated, size, enzyme_tape,
                                              memory, enzyme_out, 2.0);
  adze_near("provided", v.c, sin(2), 1e-15);
  adze_near("its gradient",
            __enzyme_reverse((void *)in_memory, enzyme_allocated, size, enzyme_tape, memory, 2.0, w),
            want, 1e-14);
}

ADZE_TEST_REVERSE(pointers) {
  double x[2] = {1, 3}, dx[2] = {0, 0};
  struct tape_pointers p = __enzyme_augmentfwd_pointers((void *)pointer, x, dx);
  adze_near("value", *p.value, 9, 0);
  *p.shadow = 1;
  __enzyme_reverse_nothing((void *)pointer, x, dx, p.tape);
  adze_near("gradient", dx[1], 6, 0);
  x[1] = 3, dx[1] = 0;
  struct tape_shadow s = __enzyme_augmentfwd_shadow((void *)pointer, enzyme_dupnoneed_return, x, dx);
  adze_near("shadow", s.shadow - dx, 1, 0);
  *s.shadow = 2;
  __enzyme_reverse_nothing((void *)pointer, enzyme_dup_return, x, dx, s.tape);
  adze_near("twice the gradient", dx[1], 12, 0);
  double y[2] = {5, 7}, dy[2] = {0, 0};
  struct tape_mixed m = __enzyme_augmentfwd_mixed((void *)with_pointer, 2.0, y, dy);
  adze_near("floats", m.value.w, 10, 0);
  adze_near("shadow of a member", m.shadow.p - dy, 1, 0);
  *m.shadow.p = 100;
  struct mixed seed = {1, 0, 10};
  double d = __enzyme_reverse((void *)with_pointer, 2.0, y, dy, seed, m.tape);
  adze_near("x", d, 4 + 700 + 50, 0);
  adze_near("y[0]", dy[0], 20, 0);
  adze_near("y[1]", dy[1], 200, 0);
}
#endif
