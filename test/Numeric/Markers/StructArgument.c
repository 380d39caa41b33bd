// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The differentiated function takes and returns structs by value: in registers, byval, sret.
#include "check.h"

struct point {
  double x, y;
};
struct big {
  double v[4];
};

double inRegisters(struct point p) { return p.x * p.x * p.y; }
struct point pairOf(double t) {
  struct point p = {t * t, 3 * t};
  return p;
}
double byval(struct big b) { return b.v[0] * b.v[1] + b.v[2] * b.v[3]; }
struct big sret(double t) {
  struct big b = {{t, t * t, 2, 1 / t}};
  return b;
}

#if ADZE_REVERSE
extern struct point __enzyme_autodiff_registers(void *, struct point);
extern void __enzyme_autodiff_byval(void *, ...);
extern double __enzyme_autodiff_sret(void *, int, struct big *, struct big *, double);
ADZE_TEST_REVERSE(reverse) {
  struct point p = {2, 3};
  struct point g = __enzyme_autodiff_registers((void *)inRegisters, p);
  adze_near("d/dx", g.x, 12, 0);
  adze_near("d/dy", g.y, 4, 0);
  struct big b = {{2, 3, 5, 7}}, db = {{0, 0, 0, 100}};
  __enzyme_autodiff_byval((void *)byval, enzyme_dup, &b, &db);
  adze_near("byval 0", db.v[0], 3, 0);
  adze_near("byval 1", db.v[1], 2, 0);
  adze_near("byval 2", db.v[2], 7, 0);
  adze_near("byval 3", db.v[3], 105, 0);
  struct big r, dr = {{1, 10, 100, 1000}};
  double dt = __enzyme_autodiff_sret((void *)sret, enzyme_dup, &r, &dr, 2.0);
  adze_near("sret", dt, 1 + 10 * 4 - 1000 / 4.0, 1e-15);
}
#endif
#if ADZE_FORWARD
extern double __enzyme_fwddiff_registers(void *, struct point, struct point);
extern struct point __enzyme_fwddiff_pair(void *, double, double);
extern double __enzyme_fwddiff_byval(void *, ...);
extern struct big __enzyme_fwddiff_sret(void *, double, double);
ADZE_TEST_FORWARD(forward) {
  struct point q = __enzyme_fwddiff_pair((void *)pairOf, 2.0, 10.0);
  adze_near("pair x", q.x, 40, 0);
  adze_near("pair y", q.y, 30, 0);
  struct big b = {{2, 3, 5, 7}}, db = {{1, 0, 0, 10}};
  double t = __enzyme_fwddiff_byval((void *)byval, enzyme_dup, &b, &db);
  adze_near("byval", t, 3 + 50, 0);
}
#endif
