// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Regions of one thread within a region of several: a thread that is alone in
// its team is not the only one that adds to what all threads have read.
#include "sizes.h"
#include <stdlib.h>

/// So many that two threads meet, whatever the system does: what one adds
/// plainly while the other one does is lost.
enum { Rounds = 60000 };

// The condition is known to be false where the program runs.
static double conditions(int threads, const double *x, int n) {
  double s = 0;
#pragma omp parallel for num_threads(threads) reduction(+ : s) schedule(static)
  for (int i = 0; i < 8; ++i) {
    double t = 0;
#pragma omp parallel num_threads(2) reduction(+ : t) if (threads > 100)
    for (int j = 0; j < Rounds / 8; ++j)
      t += x[(i + j) % n] * x[(i + 3 * j + 1) % n];
    s += t * t / Rounds / Rounds;
  }
  return s;
}

// Of which one thread is asked for.
static double ones(int threads, const double *x, int n) {
  double s = 0;
  omp_set_max_active_levels(2);
#pragma omp parallel for num_threads(threads) reduction(+ : s) schedule(static)
  for (int i = 0; i < 8; ++i) {
    double t = 0;
#pragma omp parallel for num_threads(1) reduction(+ : t)
    for (int j = 0; j < Rounds / 8; ++j)
      t += x[(i + j) % n] * x[(i + 3 * j + 1) % n];
    s += t * t / Rounds / Rounds;
  }
  return s;
}

// Beyond the levels that are in use, a region has one thread.
static double levels(int threads, const double *x, int n) {
  double s = 0;
  omp_set_max_active_levels(1);
#pragma omp parallel for num_threads(threads) reduction(+ : s) schedule(static)
  for (int i = 0; i < 8; ++i) {
    double t = 0;
#pragma omp parallel for num_threads(2) reduction(+ : t)
    for (int j = 0; j < Rounds / 8; ++j)
      t += x[(i + j) % n] * x[(i + 3 * j + 1) % n];
    s += t * t / Rounds / Rounds;
  }
  return s;
}

// The region is a part of the one around it, and adds in pages.
static double parts(int threads, const double *x, int n) {
  enum { Nodes = 600 };
  double *u = malloc(Nodes * sizeof(double)), s = 0;
  int *at = malloc(Rounds * sizeof(int));
  for (int k = 0; k < Nodes; ++k)
    u[k] = x[k % n];
  for (int j = 0; j < Rounds; ++j)
    at[j] = (7 * j + j / 3) % Nodes;
#pragma omp parallel for num_threads(threads) reduction(+ : s) schedule(static)
  for (int j = 0; j < Rounds; ++j) {
    double t = 0;
#pragma omp parallel if (0)
    t = u[at[j]] * u[at[Rounds - 1 - j]];
    s += t * t / Rounds;
  }
  free(at);
  free(u);
  return s;
}

TEAMS(conditions)
TEAMS(ones)
TEAM(levels, 2, ADZE_UNORDERED)
TEAM(levels, 3, ADZE_UNORDERED)
TEAM(levels, 8, ADZE_UNORDERED)
TEAMS(parts)
