// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// What one thread gives the others (copyprivate) in functions that regions
// call.
#ifndef TEAMS
#include "teams.h"
#define APART __attribute__((noinline)) static
#include __FILE__
#include "teams.h"
#include __FILE__
#else

APART double IN(given)(const double *x, double by) {
  double v;
  OMP(single copyprivate(v))
  v = x[1] * sin(x[2]) * by;
  return v;
}

PROGRAM(deep) {
  double y[Numbers], s = 0;
  OMP(parallel) {
    const double a = IN(given)(x, 2), b = IN(given)(x + 3, a);
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = a * x[i] + b * b;
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

struct IN(pair) {
  double a, b[3];
};
APART struct IN(pair) IN(several)(const double *x, double *scaled) {
  struct IN(pair) p;
  double w = 0, *shared;
  OMP(single copyprivate(p, w, shared)) {
    p.a = x[0] * x[1];
    for (int k = 0; k < 3; ++k)
      p.b[k] = x[k] * p.a;
    w = exp(p.b[1]);
    shared = scaled;
    *shared = w * w;
  }
  p.a *= w;
  p.b[2] += *shared;
  return p;
}

PROGRAM(structures) {
  double y[Numbers], z[2] = {0}, s = 0;
  OMP(parallel)
  for (int k = 0; k < 2; ++k) {
    const struct IN(pair) p = IN(several)(x + 4 * k, &z[k]);
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = (k ? y[i] : 1) * (p.a + p.b[i % 3] * x[i]);
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * (z[0] + z[1]);
  return s;
}

// By hand: a result in memory whose address goes to the others in a list.
static void **IN(list);
APART struct IN(pair) IN(byHand)(const double *x) {
  struct IN(pair) p;
  void *mine[1] = {&p};
  if (IN(me)() == 0) {
    p.a = x[0] * x[1];
    for (int k = 0; k < 3; ++k)
      p.b[k] = x[k] * p.a;
    IN(list) = mine;
  }
  OMP(barrier)
  if (IN(me)() != 0)
    p = *(struct IN(pair) *)IN(list)[0];
  OMP(barrier)
  p.a *= 2;
  return p;
}

PROGRAM(lists) {
  double y[Numbers], s = 0;
  OMP(parallel) {
    const struct IN(pair) p = IN(byHand)(x);
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = p.a + p.b[i % 3] * x[i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * (i + 1);
  return s;
}

// Teams within teams, of which each exchanges.
PROGRAM(teams) {
  double y[4] = {0}, s = 0;
  OMP(parallel for)
  for (int k = 0; k < 4; ++k) {
    double t = 0;
    OMP(parallel num_threads(2) reduction(+ : t)) {
      const double v = IN(given)(x + k, 1 + k);
      OMP(for)
      for (int i = 0; i < n; ++i)
        t += v * x[i] * x[i];
    }
    y[k] = t;
  }
  for (int k = 0; k < 4; ++k)
    s += y[k] * y[k];
  return s;
}

#endif
