// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Time loops with adze_checkpoint whose steps have parallel regions: steps run
// again from saved states, and what threads write belongs to these.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

enum { IN(M) = 6 };

// Two buffers that change places, of this function.
PROGRAM(heat) {
  enum { M = IN(M) };
  double *u = malloc(M * M * sizeof *u), *v = malloc(M * M * sizeof *v);
  for (int i = 0; i < M * M; ++i)
    u[i] = v[i] = x[i % n] * (1 + i / n);
  for (int t = 0; t < 17; ++t) {
    adze_checkpoint(4);
    OMP(parallel for collapse(2))
    for (int i = 1; i < M - 1; ++i)
      for (int j = 1; j < M - 1; ++j)
        v[i * M + j] =
            u[i * M + j] +
            0.1 * x[i] *
                (u[(i - 1) * M + j] + u[(i + 1) * M + j] + u[i * M + j - 1] +
                 u[i * M + j + 1] - 4 * u[i * M + j] * u[i * M + j]);
    double *w = u;
    u = v;
    v = w;
  }
  double s = 0;
  for (int i = 0; i < M * M; ++i)
    s += u[i] * (1 + i % 3);
  free(u);
  free(v);
  return s;
}

// Memory behind pointers, in a function that is not inlined: steps say what
// they write.
__attribute__((noinline)) static void IN(move)(double *u, double *v,
                                               const double *k, int m) {
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < m; ++i)
      v[i] = u[i] * (1 + 0.01 * k[i] * u[(i + 1) % m]);
    OMP(for schedule(static, 2))
    for (int i = 0; i < m; ++i)
      u[i] = sin(v[i]) + 0.1 * v[(i + m - 1) % m];
  }
}
__attribute__((noinline)) static double
IN(run)(double *u, double *v, const double *k, int m, int steps) {
  for (int t = 0; t < steps; ++t) {
    adze_checkpoint(3);
    IN(move)(u, v, k, m);
  }
  double s = 0;
  for (int i = 0; i < m; ++i)
    s += u[i] * u[i];
  return s;
}
PROGRAM(behind) {
  double u[12], v[12] = {0};
  memcpy(u, x, sizeof u);
  return IN(run)(u, v, x + 12, 12, 11) + n * 0;
}

// The count of steps is found out, by a reduction.
PROGRAM(until) {
  double u[24], change = 1;
  memcpy(u, x, sizeof u);
  int steps = 0;
  while (change > 0.02 && steps < 60) {
    adze_checkpoint(5);
    change = 0;
    double v[24];
    OMP(parallel for schedule(dynamic, 5) reduction(max : change))
    for (int i = 0; i < n; ++i) {
      v[i] = 0.5 * u[i] + 0.25 * (u[(i + 1) % n] + u[(i + n - 1) % n]);
      change = fmax(change, fabs(v[i] - u[i]));
    }
    memcpy(u, v, sizeof u);
    ++steps;
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i] * (i + 1);
  return s;
}

// Places by indices, critical sections, atomic sums, one for all.
typedef struct {
  double *rho, *at, *v, total;
  int cells, count;
} IN(Plasma);
__attribute__((noinline)) static void IN(push)(IN(Plasma) * p) {
  double total = 0;
  OMP(parallel) {
    OMP(for)
    for (int g = 0; g < p->cells; ++g)
      p->rho[g] = 0;
    OMP(for)
    for (int i = 0; i < p->count; ++i) {
      const int g = (int)(p->at[i] * 4 + 0.1) % p->cells;
      OMP(atomic)
      p->rho[g] += p->at[i] * p->at[i];
      OMP(critical)
      total = total * 0.9 + p->v[i] * 0.1 * (1 - total + total);
    }
    OMP(single)
    p->total = 0.1 * p->rho[0] * p->rho[1];
    OMP(for schedule(guided))
    for (int i = 0; i < p->count; ++i) {
      const int j = (i * 5) % p->count, g = i % p->cells;
      p->v[j] += 0.01 * (p->rho[g] - p->total);
      p->at[j] += 0.001 * p->v[j];
    }
  }
}
PROGRAM(plasma) {
  IN(Plasma)
  p = {malloc(4 * sizeof(double)),
       malloc(12 * sizeof(double)),
       malloc(12 * sizeof(double)),
       0,
       4,
       12};
  for (int i = 0; i < 12; ++i)
    p.at[i] = x[i], p.v[i] = x[12 + i] - 0.8;
  for (int t = 0; t < 9; ++t) {
    adze_checkpoint(3);
    IN(push)(&p);
  }
  double s = p.total;
  for (int i = 0; i < 12; ++i)
    s += p.v[i] * p.v[i] + p.at[i];
  free(p.rho), free(p.at), free(p.v);
  return s + n * 0;
}

// Work space of threads, conditions, regions within each other, and locks.
static double IN(shared);
PROGRAM(workspace) {
  double u[8];
  memcpy(u, x, sizeof u);
  IN(shared) = x[8];
  omp_lock_t lock;
  omp_init_lock(&lock);
  for (int t = 0; t < 10; ++t) {
    adze_checkpoint(2);
    double sum = 0;
    OMP(parallel if (t % 3 != 1)) {
      double *mine = calloc(8, sizeof *mine);
      OMP(for nowait)
      for (int i = 0; i < 8; ++i)
        mine[(i * 3) % 8] += u[i] * x[9 + i];
      omp_set_lock(&lock);
      for (int i = 0; i < 8; ++i)
        sum += mine[i];
      omp_unset_lock(&lock);
      OMP(barrier)
      OMP(for)
      for (int i = 0; i < 8; ++i)
        u[i] += 0.01 * sum * IN(shared);
      free(mine);
    }
    OMP(parallel sections num_threads(2)) {
      OMP(section)
      IN(shared) = 0.9 * IN(shared) + 0.01 * u[0];
      OMP(section) {
        double part = 0;
        OMP(parallel for num_threads(2) reduction(+ : part))
        for (int i = 4; i < 8; ++i)
          part += u[i];
        u[7] += 0.1 * part;
      }
    }
  }
  omp_destroy_lock(&lock);
  double s = IN(shared);
  for (int i = 0; i < 8; ++i)
    s += u[i] * u[i];
  return s + n * 0;
}

// Steps within steps.
PROGRAM(substeps) {
  double u[24];
  memcpy(u, x, sizeof u);
  for (int t = 0; t < 5; ++t) {
    adze_checkpoint(2);
    for (int k = 0; k < 4; ++k) {
      adze_checkpoint(2);
      OMP(parallel for)
      for (int i = 0; i < n; ++i)
        u[i] = u[i] * (1 + 0.01 * x[(i + k) % n] * u[i]);
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += u[i];
  return s;
}

#endif
