// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Constructs that could be cancelled, and are not: OMP_CANCELLATION is not set.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(loop) {
  double s = 0, y[Numbers];
  int bad = 0;
  OMP(parallel for reduction(+ : s) shared(y))
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[(i + 1) % n];
    if (y[i] > 0.5) {
      OMP(atomic write)
      bad = 1;
      OMP(cancel for)
    }
    s += sin(y[i]) * x[i];
    OMP(cancellation point for)
  }
  return s * (1 + bad) + y[3];
}

PROGRAM(handed) {
  double s = 0;
  OMP(parallel) {
    double t = 0;
    OMP(for schedule(dynamic, 2))
    for (int i = 0; i < n; ++i) {
      t += x[i] * x[i] * x[i];
      OMP(cancel for if (t > 0.8))
    }
    OMP(critical)
    s = s * 0.5 + 0.5 * s + t;
  }
  return s;
}

PROGRAM(region) {
  double y[Numbers], z[Numbers];
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = exp(0.2 * x[i]);
    OMP(cancel parallel if (y[0] > 1))
    OMP(for)
    for (int i = 0; i < n; ++i)
      z[i] = y[(i + 5) % n] * x[i];
    OMP(barrier)
    OMP(cancellation point parallel)
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = z[n - 1 - i] * z[i] + y[i];
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * z[i];
  return s;
}

PROGRAM(parts) {
  double a = 1, b = 2, c = 3;
  OMP(parallel sections) {
    OMP(section) {
      a = x[0] * x[1];
      OMP(cancel sections if (a < 1))
      a *= x[2];
    }
    OMP(section)
    b = sin(x[3]) * x[4];
    OMP(section) {
      OMP(cancellation point sections)
      c = x[5] / x[6];
    }
  }
  return a * b * c;
}

PROGRAM(group) {
  double y[Numbers];
  OMP(parallel)
  OMP(single) {
    OMP(taskgroup)
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(y)) {
        y[i] = x[i] * x[i];
        OMP(cancel taskgroup if (y[i] > 1))
        OMP(cancellation point taskgroup)
        y[i] *= x[(i + 1) % n];
      }
    }
  }
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * (i + 1);
  return s;
}

#endif
