// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic"
// skip-unless=header:omp.h
// Regions that read arrays of which the function that starts them keeps a copy
// for each step, so that their reverse halves may read that; and regions for
// which such a copy holds something else, or too little.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

#define FUNCTION __attribute__((noinline)) static
#ifndef GIVEN_COPIES
#define GIVEN_COPIES
enum { Rows = 150, Rounds = 3 };
static volatile int none = 0, three = 3, rows = Rows;
#endif

static void IN(fill)(const double *x, int n, int m, double *u) {
  for (int k = 0; k < m; ++k)
    u[k] = x[k % n] + 0.001 * k;
}
static double IN(dot)(int n, const double *x, const double *y) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += x[i] * y[i];
  return s;
}
// In place: it reads what it overwrites.
static void IN(combine)(int n, double a, double *restrict y, double b,
                        const double *restrict x) {
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = a * y[i] + b * x[i];
}

static void IN(square)(int n, double a, double *y) {
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = a * y[i] * y[i] + 0.1;
}

/// Steps of conjugate gradients, nearly.
#define STEPS(n, p, q, r, total)                                               \
  for (int k = 0; k < Rounds; ++k) {                                           \
    const double alpha = 0.4 / (1 + IN(dot)(n, p, q) / (n));                   \
    IN(combine)(n, 1, q, alpha, p);                                            \
    IN(combine)(n, 1, r, -alpha, q);                                           \
    const double next = IN(dot)(n, r, r) / (n);                                \
    IN(combine)(n, 0.3 + 0.1 * next, p, 0.5, r);                               \
    total += IN(dot)(n, p, r) / (n) + next;                                    \
  }

PROGRAM(onHeap) {
  const int m = rows;
  const size_t bytes = (size_t)m * sizeof(double);
  double *p = malloc(bytes), *q = malloc(bytes), *r = malloc(bytes), s = 0;
  IN(fill)(x, n, m, p);
  IN(fill)(x + 1, n - 1, m, q);
  IN(fill)(x + 2, n - 2, m, r);
  STEPS(m, p, q, r, s)
  free(p);
  free(q);
  free(r);
  return s;
}

PROGRAM(onStack) {
  double p[Rows], q[Rows], r[Rows], s = 0;
  IN(fill)(x, n, Rows, p);
  IN(fill)(x + 1, n - 1, Rows, q);
  IN(fill)(x + 2, n - 2, Rows, r);
  STEPS(Rows, p, q, r, s)
  return s;
}

// Fewer rows than threads, and none.
PROGRAM(fewRows) {
  const int m = three;
  double p[Rows], q[Rows], r[Rows], s = 0;
  IN(fill)(x, n, Rows, p);
  IN(fill)(x + 1, n - 1, Rows, q);
  IN(fill)(x + 2, n - 2, Rows, r);
  STEPS(m, p, q, r, s)
  return s + p[4];
}
PROGRAM(noRows) {
  const int m = none;
  double *p = malloc(8), *q = malloc(8), *r = malloc(8), s = 0;
  p[0] = q[0] = r[0] = x[0];
  for (int k = 0; k < Rounds; ++k) {
    const double a = IN(dot)(m, p + 1000000000, q + 1000000000);
    IN(combine)(m, a, q + 1000000000, a, p + 1000000000);
    IN(combine)(m, a, p + 1000000000, a, q + 1000000000);
    p[0] *= x[k];
    s += a + p[0];
  }
  free(p);
  free(q);
  free(r);
  return s;
}

typedef struct {
  double *p, *q, *r;
  int n;
} IN(Vectors);
FUNCTION double IN(stepsOf)(IN(Vectors) * v) {
  double s = 0;
  STEPS(v->n, v->p, v->q, v->r, s)
  return s;
}
PROGRAM(throughStructure) {
  const int m = rows;
  const size_t bytes = (size_t)m * sizeof(double);
  IN(Vectors) v = {malloc(bytes), malloc(bytes), malloc(bytes), m};
  IN(fill)(x, n, m, v.p);
  IN(fill)(x + 1, n - 1, m, v.q);
  IN(fill)(x + 2, n - 2, m, v.r);
  const double s = IN(stepsOf)(&v);
  free(v.p);
  free(v.q);
  free(v.r);
  return s;
}

// Regions in functions of their own.
FUNCTION double IN(farDot)(int n, const double *x, const double *y) {
  return IN(dot)(n, x, y);
}
FUNCTION void IN(farCombine)(int n, double a, double *restrict y, double b,
                             const double *restrict x) {
  IN(combine)(n, a, y, b, x);
}
PROGRAM(inFunctions) {
  const int m = rows;
  const size_t bytes = (size_t)m * sizeof(double);
  double *p = malloc(bytes), *q = malloc(bytes), s = 0;
  IN(fill)(x, n, m, p);
  IN(fill)(x + 1, n - 1, m, q);
  for (int k = 0; k < Rounds; ++k) {
    const double a = 0.4 / (1 + IN(farDot)(m, p, q) / m);
    IN(farCombine)(m, 1, q, a, p);
    IN(farCombine)(m, 0.3 + 0.1 * IN(farDot)(m, q, q) / m, p, 0.5, q);
    s += IN(farDot)(m, p, q) / m;
  }
  free(p);
  free(q);
  return s;
}

// One function, two regions; neighbours, and ends that are read beside them.
PROGRAM(neighbours) {
  const long m = rows;
  double *p = malloc((size_t)m * sizeof(double)),
         *q = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, (int)m, p);
  for (int k = 0; k < Rounds; ++k) {
    double t = 0;
    OMP(parallel for)
    for (long i = 1; i < m - 1; ++i)
      q[i] = p[i] * (p[i - 1] + 0.5 * p[i + 1] * p[i]);
    q[0] = p[0] * p[m - 1];
    q[m - 1] = p[m - 1] * p[m - 1];
    OMP(parallel for reduction(+ : t))
    for (long i = 2; i < m - 2; ++i)
      t += p[i] * q[i] * p[i + 2];
    OMP(parallel for)
    for (long i = 0; i < m; ++i)
      p[i] = 0.6 * p[i] * p[i] + 0.05 * t / (double)m * q[i];
    s += t / (double)m;
  }
  free(p);
  free(q);
  return s;
}

// What the second region reads lies beside what the first one does.
PROGRAM(moreThanTheFirst) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  for (int k = 0; k < Rounds; ++k) {
    double t = 0, u = 0;
    OMP(parallel for reduction(+ : t))
    for (int i = 0; i < m / 2; ++i)
      t += p[i] * p[i];
    OMP(parallel for reduction(+ : u))
    for (int i = 0; i < m; ++i)
      u += p[i] * p[i] * p[m - 1 - i];
    OMP(parallel for)
    for (int i = 0; i < m; ++i)
      p[i] = 0.5 * p[i] * p[i] + 0.1 * (t + u) / m;
    s += (t + u) / m;
  }
  free(p);
  return s;
}

// Overwritten between two regions.
PROGRAM(changed) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  for (int k = 0; k < Rounds; ++k) {
    double t = IN(dot)(m, p, p) / m;
    p[k] = t * x[k];
    p[m - 1 - k] *= t;
    s += t + IN(dot)(m, p, p) / m;
    IN(square)(m, 0.2 * t, p);
  }
  free(p);
  return s;
}

// On a condition that only the run knows, and which the region knows alone.
FUNCTION double IN(maybe)(int n, int is, const double *p) {
  double s = 0;
  OMP(parallel for reduction(+ : s) if (n > 10))
  for (int i = 0; i < n; ++i)
    if (is > 1)
      s += p[i] * p[i] * p[i];
  return s;
}
PROGRAM(onCondition) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  for (int k = 0; k < Rounds; ++k) {
    s += IN(maybe)(m, k, p) / m + IN(dot)(m, p, p) / m;
    IN(square)(m, 0.4 + 0.1 * s, p);
  }
  free(p);
  return s;
}

// Other schedules, teams of other sizes, counters of other types.
PROGRAM(schedules) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)),
         *q = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  IN(fill)(x + 3, n - 3, m, q);
  for (int k = 0; k < Rounds; ++k) {
    double t = 0, u = 0, v = 0;
    OMP(parallel for reduction(+ : t) num_threads(2))
    for (size_t i = 0; i < (size_t)m; ++i)
      t += p[i] * q[i];
    OMP(parallel for reduction(+ : u) schedule(static, 7))
    for (unsigned i = 0; i < (unsigned)m; ++i)
      u += p[i] * p[i] * q[i];
    OMP(parallel for reduction(+ : v) schedule(dynamic, 5))
    for (int i = m - 1; i >= 0; --i)
      v += p[i] * q[m - 1 - i];
    OMP(parallel for num_threads(3) schedule(static, 3))
    for (int i = 0; i < m; i += 2)
      p[i] = p[i] * p[i] * 0.6 + 0.05 * (t + u) / m;
    OMP(parallel for schedule(guided))
    for (int i = 0; i < m; ++i)
      q[i] = 0.5 * q[i] * q[i] + 0.1 * p[i] * v / m;
    s += (t + u + v) / m;
  }
  free(p);
  free(q);
  return s;
}

// Rows of a matrix.
PROGRAM(matrix) {
  const int m = 12, c = 9;
  double *a = malloc(sizeof(double) * (size_t)(m * c)), y[12], s = 0;
  IN(fill)(x, n, m * c, a);
  for (int k = 0; k < Rounds; ++k) {
    OMP(parallel for)
    for (int i = 0; i < m; ++i) {
      y[i] = 0;
      for (int j = 0; j < c; ++j)
        y[i] += a[i * c + j] * a[i * c + c - 1 - j];
    }
    double t = 0;
    OMP(parallel for reduction(+ : t))
    for (int i = 0; i < m; ++i)
      for (int j = 0; j < c; ++j)
        t += y[i] * a[i * c + j] * a[i * c + j];
    OMP(parallel for)
    for (int i = 0; i < m * c; ++i)
      a[i] = 0.3 * a[i] * a[i] + 0.01 * t / m;
    s += t / m;
  }
  free(a);
  return s;
}

// Threads meet: what is read behind that is what others have written before.
PROGRAM(meeting) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)),
         *q = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  IN(fill)(x + 3, n - 3, m, q);
  for (int k = 0; k < Rounds; ++k) {
    double t = 0, u = 0;
    OMP(parallel reduction(+ : t)) {
      OMP(for)
      for (int i = 0; i < m; ++i)
        q[i] = p[i] * p[m - 1 - i];
      OMP(for)
      for (int i = 0; i < m; ++i)
        p[i] = 0.5 * q[i] * q[m - 1 - i] + 0.1 * p[i] * p[i];
      OMP(for)
      for (int i = 0; i < m; ++i)
        t += p[i] * q[m - 1 - i] * p[m - 1 - i];
    }
    u = IN(dot)(m, p, q);
    IN(combine)(m, 0.3, p, 0.1 * u / m, q);
    s += (t + u) / m;
  }
  free(p);
  free(q);
  return s;
}

// The function has loops of its own that read the same.
PROGRAM(withOwnLoops) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  for (int k = 0; k < Rounds; ++k) {
    double t = IN(dot)(m, p, p) / m, u = 0, v = 0;
    for (int i = 0; i < m; ++i)
      u += p[i] * p[i] * t;
    for (int i = 0; i < m; ++i)
      v += sin(p[i]) * u;
    s += (u + v) / m + IN(dot)(m, p, p);
    for (int i = 0; i < m; ++i)
      p[i] = 0.3 * p[i] * p[i] + 0.01 * t;
  }
  free(p);
  return s;
}

// Two buffers that are swapped.
PROGRAM(swapped) {
  const int m = rows;
  double *p = malloc((size_t)m * sizeof(double)),
         *q = malloc((size_t)m * sizeof(double)), s = 0;
  IN(fill)(x, n, m, p);
  IN(fill)(x + 3, n - 3, m, q);
  for (int k = 0; k < Rounds; ++k) {
    const double t = IN(dot)(m, p, p) / m, u = IN(dot)(m, p, q) / m;
    OMP(parallel for)
    for (int i = 0; i < m; ++i)
      q[i] = 0.5 * p[i] * p[i] + 0.1 * u * q[i] * t;
    double *h = p;
    p = q;
    q = h;
    s += t + u;
  }
  free(p);
  free(q);
  return s;
}
#endif
