// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp -fopenmp-version=51" libs="-fopenmp"
// skip-unless=header:omp.h Leagues of teams on the host, and target regions
// that run there.
#ifndef TEAMS
#include "teams.h"
static int league_alone(void) { return 1; }
static int number_alone(void) { return 0; }
static int league_team(void) { return omp_get_num_teams(); }
static int number_team(void) { return omp_get_team_num(); }
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// (Archer knows nothing of leagues of several teams, in the primals.)
#if !__has_feature(thread_sanitizer)
PROGRAM(combined) {
  double y[Numbers], s = 0;
  OMP(teams distribute parallel for num_teams(3))
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * sin(x[(i + 1) % n]);
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

PROGRAM(product) {
  double p = 1;
  OMP(teams distribute num_teams(4) reduction(* : p))
  for (int i = 0; i < n; ++i)
    p *= 1 + 0.3 * x[i];
  return p;
}

PROGRAM(chunks) {
  double y[Numbers], s = 0;
  OMP(teams num_teams(5))
  OMP(distribute dist_schedule(static, 2))
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[n - 1 - i];
  OMP(teams num_teams(3))
  OMP(distribute parallel for schedule(dynamic, 2))
  for (int i = n - 1; i >= 0; --i)
    y[i] += 0.5 * x[i] * y[i];
  for (int i = 0; i < n; ++i)
    s += y[i] * sin(y[i]);
  return s;
}

// Memory of each team.
PROGRAM(numbers) {
  enum { Most = 4 };
  double part[Most] = {0}, s = 0;
  OMP(teams num_teams(Most) firstprivate(n)) {
    const int size = IN(league)(), me = IN(number)();
    for (int k = me; k < n; k += size)
      part[me] += x[k] * x[k] * x[k];
    double own = part[me];
    OMP(parallel for reduction(+ : own))
    for (int k = 0; k < n; ++k)
      if (k % size == IN(number)())
        own += x[k] * x[(k + 1) % n];
    part[me] = own;
  }
  for (int k = 0; k < Most; ++k)
    s += part[k];
  return s * s;
}

PROGRAM(loops) {
  double y[Numbers], s = 0;
  OMP(teams loop)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[(i + 1) % n];
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}
#endif

PROGRAM(reduced) {
  double s = 0;
  OMP(teams distribute parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += x[i] * exp(0.1 * x[(i + 3) % n]);
  return s * s;
}

// Without a device, the host runs them.
PROGRAM(target) {
  double y[Numbers], s = 0;
  OMP(target data map(to : x [0:n]) map(from : y)) {
    OMP(target teams distribute parallel for map(tofrom : y))
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[(i + 1) % n];
  }
  OMP(target map(tofrom : s) map(to : y))
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}

#endif
