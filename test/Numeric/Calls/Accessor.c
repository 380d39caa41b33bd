// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A const accessor that returns a pointer into an array member, inside a function whose
// return is active; a returned phi of an inactive and an active pointer.
#include "check.h"

struct matrix {
  int n;
  double data[6];
};
__attribute__((noinline)) static const double *at(const struct matrix *m, int i) {
  return &m->data[i];
}
static const double fallback = 2.5;
__attribute__((noinline)) static const double *checked(const struct matrix *m, int i) {
  return i < m->n ? &m->data[i] : &fallback;
}
__attribute__((noinline)) static double norm(const struct matrix *m) {
  double s = 0;
  for (int i = 0; i < m->n; ++i)
    s += *at(m, i) * *at(m, i);
  return s;
}

double access(const double *x, int n) {
  struct matrix m;
  m.n = n;
  for (int i = 0; i < n; ++i)
    m.data[i] = x[i];
  double s = norm(&m);
  for (int i = 0; i < 6; ++i)
    s += *checked(&m, i) * *checked(&m, 5 - i);
  return s;
}

ADZE_TEST_ARRAY(access, 4, ADZE_AT(0.9, 1.3, -0.4, 0.2))
