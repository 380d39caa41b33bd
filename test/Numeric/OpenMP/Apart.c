// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic"
// skip-unless=header:omp.h
// Blocks of the caller that regions are given: different ones, one twice, two
// that loops swap, parts of one, some that memory leads to as well.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

enum { IN(Cells) = 600 };

static void IN(fill)(const double *x, int n, double *u, double scale) {
  for (int k = 0; k < IN(Cells); ++k)
    u[k] = x[k % n] + scale * k;
}

// Cells send to their neighbours in another buffer: writes by indices, reads in
// rows, with a number of each cell beside.
static void IN(send)(int m, const double *rate, const double *from,
                     double *to) {
  OMP(parallel for)
  for (int i = 0; i < m; ++i) {
    double s = 0;
    for (int q = 0; q < 3; ++q)
      s += from[3 * i + q];
    for (int q = 0; q < 3; ++q)
      to[3 * ((i + q) % m) + q] = from[3 * i + q] + 0.01 * rate[i] * sin(s);
  }
}
static double IN(norm)(int m, const double *u, const double *v) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < m; ++i)
    s += u[i] * v[i];
  return s;
}
STEADY(swapped) {
  const int m = IN(Cells) / 3;
  double *a = malloc(IN(Cells) * sizeof(double)),
         *b = malloc(IN(Cells) * sizeof(double));
  double rate[IN(Cells)];
  IN(fill)(x, n, a, 0.001);
  IN(fill)(x, n, rate, -0.002);
  for (int s = 0; s < 4; ++s) {
    IN(send)(m, rate, a, b);
    double *t = a;
    a = b;
    b = t;
  }
  const double s = IN(norm)(3 * m, a, a) / m;
  free(a);
  free(b);
  return s;
}

// One vector with itself, and with another one.
STEADY(twice) {
  double *u = malloc(IN(Cells) * sizeof(double)), v[IN(Cells)];
  IN(fill)(x, n, u, 0.001);
  IN(fill)(x, n, v, 0.003);
  const double s = IN(norm)(IN(Cells), u, u) + IN(norm)(IN(Cells), u, v) +
                   IN(norm)(IN(Cells) - 1, v, u + 1);
  free(u);
  return s / IN(Cells);
}

// Rows that gather by indices, and vectors that change.
static void IN(multiply)(int m, const int *begin, const int *column,
                         const double *a, const double *u, double *v) {
  OMP(parallel for)
  for (int i = 0; i < m; ++i) {
    double s = 0;
    for (int k = begin[i]; k < begin[i + 1]; ++k)
      s += a[k] * u[column[k]];
    v[i] = s;
  }
}
static void IN(combine)(int m, double a, double *u, double b, const double *v) {
  OMP(parallel for)
  for (int i = 0; i < m; ++i)
    u[i] = a * u[i] + b * v[i];
}
static int IN(begin)[IN(Cells) + 1], IN(column)[3 * IN(Cells)];
PROGRAM(gathered) {
  const int m = IN(Cells);
  for (int i = 0; i < m; ++i) {
    IN(begin)[i + 1] = 3 * (i + 1);
    for (int k = 0; k < 3; ++k)
      IN(column)[3 * i + k] = (i + m + k - 1) % m;
  }
  double *a = malloc(3 * m * sizeof(double)), *p = malloc(m * sizeof(double)),
         *q = malloc(m * sizeof(double));
  for (int k = 0; k < 3 * m; ++k)
    a[k] = x[k % n] - 0.5;
  IN(fill)(x, n, p, 0.001);
  for (int k = 0; k < 3; ++k) {
    IN(multiply)(m, IN(begin), IN(column), a, p, q);
    const double t = IN(norm)(m, p, q) / m;
    IN(combine)(m, 0.5, p, 0.3 / (1 + t * t), q);
  }
  const double s = IN(norm)(m, p, p) / m;
  free(a);
  free(p);
  free(q);
  return s;
}

// Each thread reads what others read, too, by two addresses of one block.
__attribute__((noinline)) static double
IN(mirrored)(int m, const double *restrict u, const double *restrict v) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < m; ++i)
    s += u[i] * v[m - 1 - i];
  return s;
}
PROGRAM(overlapping) {
  double *u = malloc(IN(Cells) * sizeof(double)), v[IN(Cells)];
  IN(fill)(x, n, u, 0.001);
  IN(fill)(x, n, v, 0.002);
  double s =
      IN(mirrored)(IN(Cells), u, u) + IN(mirrored)(IN(Cells) - 5, u, u + 5);
  s += IN(mirrored)(IN(Cells), v, u) + IN(mirrored)(IN(Cells) - 1, v + 1, v);
  free(u);
  return s / IN(Cells);
}
PROGRAM(unoptimized) {
  double u[IN(Cells)], s = 0;
  IN(fill)(x, n, u, 0.001);
  const double *v = u + 3, *w = u;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < IN(Cells) - 3; ++i)
    s += u[i] * v[IN(Cells) - 4 - i] * w[IN(Cells) - 1 - i];
  return s / IN(Cells);
}

// A pointer of the iteration before: at first that of this one.
PROGRAM(previous) {
  double *a = malloc(IN(Cells) * sizeof(double)),
         *b = malloc(IN(Cells) * sizeof(double)), *last = a, s = 0;
  IN(fill)(x, n, a, 0.001);
  IN(fill)(x, n, b, 0.002);
  for (int k = 0; k < 3; ++k) {
    s += IN(mirrored)(IN(Cells), a, last);
    last = a;
    double *t = a;
    a = b;
    b = t;
  }
  free(a);
  free(b);
  return s / IN(Cells);
}

// Memory leads to the block as well.
struct IN(Table) {
  double *first, *second;
  int count;
};
__attribute__((noinline)) static double
IN(through)(const struct IN(Table) * table, const double *u) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < table->count; ++i)
    s += u[i] * table->first[table->count - 1 - i] * table->second[i];
  return s;
}
PROGRAM(kept) {
  double *u = malloc(IN(Cells) * sizeof(double)), v[IN(Cells)];
  IN(fill)(x, n, u, 0.001);
  IN(fill)(x, n, v, 0.002);
  struct IN(Table) table = {u, v, IN(Cells)};
  double s = IN(through)(&table, u) + IN(through)(&table, v);
  table.first = v;
  s += IN(through)(&table, u);
  free(u);
  return s / IN(Cells);
}
// A region puts the address away, the next one reads it.
PROGRAM(putAway) {
  double *u = malloc(IN(Cells) * sizeof(double)), *again = NULL, s = 0;
  IN(fill)(x, n, u, 0.001);
  for (int k = 0; k < 2; ++k) {
    OMP(parallel) {
      OMP(for reduction(+ : s))
      for (int i = 0; i < IN(Cells); ++i)
        s += u[i] * (again ? again[IN(Cells) - 1 - i] : 1);
      OMP(single)
      again = u;
    }
  }
  free(u);
  return s / IN(Cells);
}

// Regions in functions that functions call, each given what it is given.
__attribute__((noinline)) static double
IN(inner)(int m, const int *at, const double *u, const double *v, double *w) {
  double s = 0;
  OMP(parallel for)
  for (int i = 0; i < m; ++i)
    w[i] = u[at[i]] * v[i];
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < m; ++i)
    s += w[i] * u[i] * v[at[i]];
  return s;
}
__attribute__((noinline)) static double
IN(outer)(int m, const int *at, const double *u, const double *v) {
  double *w = malloc(m * sizeof(double));
  double s = 0;
  for (int k = 0; k < 2; ++k)
    s += IN(inner)(m, at, u, v, w) + IN(inner)(m, at, v, v, w);
  free(w);
  return s;
}
PROGRAM(called) {
  static int at[IN(Cells)];
  double *u = malloc(IN(Cells) * sizeof(double)), v[IN(Cells)];
  IN(fill)(x, n, u, 0.001);
  IN(fill)(x, n, v, 0.002);
  for (int i = 0; i < IN(Cells); ++i)
    at[i] = (i + i / 7) % IN(Cells);
  const double s = IN(outer)(IN(Cells), at, u, v);
  free(u);
  return s / IN(Cells);
}

// Arrays with bounds and strides of their own.
struct IN(Array) {
  double *base;
  long lower, stride, count;
};
__attribute__((noinline)) static void IN(scale)(const struct IN(Array) * from,
                                                const struct IN(Array) * to,
                                                const struct IN(Array) * by) {
  OMP(parallel for)
  for (long i = 0; i < to->count; ++i)
    to->base[(to->lower + i) * to->stride] =
        from->base[(from->lower + i) * from->stride] *
        by->base[(by->lower + by->count - 1 - i) * by->stride];
}
PROGRAM(described) {
  double *u = malloc(IN(Cells) * sizeof(double)),
         *v = malloc(IN(Cells) * sizeof(double));
  IN(fill)(x, n, u, 0.001);
  struct IN(Array) a = {u, 0, 2, IN(Cells) / 2}, b = {v, 0, 1, IN(Cells) / 2},
                   odd = {u + 1, 0, 2, IN(Cells) / 2};
  IN(scale)(&a, &b, &odd);
  double s = IN(norm)(IN(Cells) / 2, v, v);
  IN(scale)(&b, &a, &b);
  s += IN(norm)(IN(Cells), u, u);
  free(u);
  free(v);
  return s / IN(Cells);
}
#endif
