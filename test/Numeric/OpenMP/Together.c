// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Where threads meet: barriers between updates in place, one thread at a time,
// one of them; algorithms made of these.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// Updates in place, told apart by barriers.
PROGRAM(heat) {
  double u[Numbers], v[Numbers], s = 0;
  memcpy(u, x, sizeof u);
  memcpy(v, x, sizeof v);
  OMP(parallel)
  for (int t = 0; t < 4; ++t) {
    OMP(for)
    for (int i = 1; i < n - 1; ++i)
      v[i] = u[i] + 0.1 * u[i] * (u[i - 1] - 2 * u[i] + u[i + 1]);
    OMP(for)
    for (int i = 1; i < n - 1; ++i)
      u[i] = v[i] * v[i] + 0.2 * v[i + 1];
  }
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return s;
}
PROGRAM(redBlack) {
  double u[Numbers], s = 0;
  memcpy(u, x, sizeof u);
  OMP(parallel)
  for (int t = 0; t < 3; ++t)
    for (int color = 0; color < 2; ++color) {
      OMP(for)
      for (int i = 1 + color; i < n - 1; i += 2)
        u[i] = 0.3 * u[i] + 0.3 * u[i - 1] * u[i + 1];
    }
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i] * x[n - 1 - i];
  return s;
}
// A grid, its halo, a coefficient of each cell.
PROGRAM(plane) {
  double u[4][6], v[4][6], s = 0;
  memcpy(u, x, sizeof u);
  memset(v, 0, sizeof v);
  OMP(parallel for collapse(2))
  for (int i = 1; i < 3; ++i)
    for (int j = 1; j < 5; ++j)
      v[i][j] = u[i][j] * (u[i - 1][j] + u[i + 1][j]) +
                u[0][j] * u[i][j - 1] * u[i][j + 1];
  for (int i = 0; i < n; ++i)
    s += (&v[0][0])[i] * (&v[0][0])[i];
  return s;
}
// Until nothing changes any more: data decides.
PROGRAM(untilItStops) {
  double u[Numbers], v[Numbers], change = 1, s = 0;
  memcpy(u, x, sizeof u);
  OMP(parallel) {
    while (change > 0.05) {
      OMP(barrier)
      OMP(single)
      change = 0;
      OMP(for)
      for (int i = 0; i < n; ++i)
        v[i] = 0.5 * u[i] + 0.2 * cos(u[(i + 1) % n]) * x[0];
      OMP(for reduction(max : change))
      for (int i = 0; i < n; ++i) {
        change = fmax(change, fabs(u[i] - v[i]));
        u[i] = v[i];
      }
    }
  }
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return s;
}
// Sums up to each number: within blocks, of the blocks, and both together.
PROGRAM(prefix) {
  double y[Numbers], sums[9] = {0}, s = 0;
  OMP(parallel) {
    int me = IN(me)(), size = IN(size)();
    int low = me * n / size, high = (me + 1) * n / size;
    double t = 0;
    for (int i = low; i < high; ++i)
      y[i] = t += x[i] * x[i];
    sums[me + 1] = t;
    OMP(barrier)
    OMP(single)
    for (int k = 1; k <= size; ++k)
      sums[k] += sums[k - 1];
    for (int i = low; i < high; ++i)
      y[i] += sums[me];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * x[n - 1 - i];
  return s;
}
// A reduction by hand: a number for each thread.
PROGRAM(byHand) {
  double part[8] = {0}, s = 0;
  OMP(parallel) {
    OMP(for schedule(dynamic, 2))
    for (int i = 0; i < n; ++i)
      part[IN(me)()] += exp(-x[i]) * x[0];
  }
  for (int k = 0; k < 8; ++k)
    s += part[k];
  return s * s;
}
PROGRAM(byTree) {
  double part[8] = {0};
  OMP(parallel) {
    const int me = IN(me)(), size = IN(size)();
    for (int i = me; i < n; i += size)
      part[me] += x[i] * x[i] * x[i];
    for (int step = 1; step < 8; step *= 2) {
      OMP(barrier)
      if (me % (2 * step) == 0 && me + step < size)
        part[me] += part[me + step];
    }
  }
  return part[0] * x[1];
}

// One thread at a time. What is done in any order comes to the same.
#define EXCLUSIVE(NAME, BEGIN, END)                                            \
  PROGRAM(NAME) {                                                              \
    double p = 1, q = 0.5, s = 0;                                              \
    OMP(parallel for schedule(dynamic))                                        \
    for (int i = 0; i < n; ++i) {                                              \
      double t = sin(x[i]) * x[(i + 1) % n];                                   \
      BEGIN {                                                                  \
        p *= 1 + 0.1 * t;                                                      \
        q = sqrt(q * q + t * t * x[0]);                                        \
        s += t;                                                                \
      }                                                                        \
      END                                                                      \
    }                                                                          \
    return p * q * s;                                                          \
  }
EXCLUSIVE(unnamed, OMP(critical), )
EXCLUSIVE(named, OMP(critical(thisOne)), )
EXCLUSIVE(hinted, OMP(critical(hinted) hint(omp_sync_hint_contended)), )
static omp_lock_t IN(lock);
__attribute__((constructor)) static void IN(init)(void) {
  omp_init_lock(&IN(lock));
}
EXCLUSIVE(locked, omp_set_lock(&IN(lock));, omp_unset_lock(&IN(lock));)

PROGRAM(lockOfEach) {
  omp_lock_t locks[3];
  double y[3] = {1, 1, 1};
  for (int k = 0; k < 3; ++k)
    omp_init_lock(&locks[k]);
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    omp_set_lock(&locks[i % 3]);
    y[i % 3] *= 1 + 0.2 * x[i] * x[0];
    omp_unset_lock(&locks[i % 3]);
  }
  for (int k = 0; k < 3; ++k)
    omp_destroy_lock(&locks[k]);
  return y[0] * y[1] + y[2];
}
PROGRAM(twoNames) {
  double p = 1, q = 1;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    if (i % 2) {
      OMP(critical(firstName))
      p *= 1 + 0.1 * x[i];
    } else {
      OMP(critical(secondName))
      q *= 1 + 0.2 * x[i] * x[0];
    }
  }
  return p * q;
}
// The largest, and where it is.
PROGRAM(largest) {
  double best = -1;
  int at = -1;
  OMP(parallel) {
    double mine = -1;
    int where = -1;
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      if (x[i] * x[(i + 5) % n] > mine) {
        mine = x[i] * x[(i + 5) % n];
        where = i;
      }
    OMP(critical)
    if (mine > best) {
      best = mine;
      at = where;
    }
  }
  return best * best * x[at];
}
PROGRAM(loopInCritical) {
  double state[3] = {1, 1, 1};
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    OMP(critical)
    for (int k = 0; k < 3; ++k)
      if (x[i] > 0.41 * k)
        state[k] *= 1 + 0.1 * x[i] * x[k];
  }
  return state[0] + state[1] * state[2];
}
static double IN(grow)(double *p, double t) {
  OMP(critical(inACallee))
  *p *= 1 + 0.1 * t;
  return t * t;
}
PROGRAM(criticalInACallee) {
  double p = 1, s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += IN(grow)(&p, x[i]);
  return s * p;
}

#define ATOMIC(NAME, CLAUSE, ...)                                              \
  PROGRAM(NAME) {                                                              \
    double s = x[0];                                                           \
    OMP(parallel for)                                                          \
    for (int i = 0; i < n; ++i) {                                              \
      double t = x[i] * cos(x[n - 1 - i]);                                     \
      OMP(atomic CLAUSE)                                                       \
      __VA_ARGS__;                                                             \
    }                                                                          \
    return s * s;                                                              \
  }
ATOMIC(atomicSum, , s += t)
ATOMIC(atomicDifference, update, s -= t)
ATOMIC(atomicTurned, relaxed, s = t + s)
PROGRAM(atomicCount) {
  int count = 0;
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    if (x[i] > 0.72) {
      OMP(atomic)
      ++count;
      s += x[i] * x[i];
    }
  return s / count;
}

// One of the team.
PROGRAM(onlyOne) {
  double k = 1, y[Numbers], s = 0;
  OMP(parallel) {
    OMP(single)
    k = x[0] * x[1];
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = k * x[i];
    OMP(single nowait)
    y[0] = 0;
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(inALoop) {
  double k = 1, y[Numbers];
  memcpy(y, x, sizeof y);
  OMP(parallel)
  for (int t = 0; t < 3; ++t) {
    OMP(single)
    k = k * 0.5 + y[t];
    OMP(for)
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * k + 0.1;
  }
  return y[3] * y[4] * k;
}
PROGRAM(onlyTheFirst) {
  double k = x[5], y[Numbers], s = 0;
  OMP(parallel) {
    OMP(master)
    k *= x[0];
    OMP(barrier)
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      y[i] = k * sin(x[i]);
    OMP(masked)
    s += x[1] * x[1];
  }
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}
PROGRAM(onlyTheLast) {
  double k = 1;
  OMP(parallel) {
    OMP(masked filter(IN(size)() - 1))
    k = x[2] * x[3];
  }
  return k * k;
}
// Stages of a pipeline: in order within each iteration's section.
PROGRAM(pipeline) {
  double state = x[0], y[Numbers], s = 0;
  OMP(parallel for ordered schedule(static, 1))
  for (int i = 0; i < n; ++i) {
    double t = exp(-x[i]);
    OMP(ordered)
    {
      state = state * t + x[i];
      t *= state;
    }
    y[i] = t * t;
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * 0.1 * i;
  return s;
}
// Rows are eliminated one after another, columns by all threads.
PROGRAM(elimination) {
  double a[4][5], s = 0;
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 5; ++j)
      a[i][j] = 0.2 * x[5 * i + j] + (i == j ? 3 : 0);
  OMP(parallel)
  for (int k = 0; k < 3; ++k) {
    OMP(for)
    for (int i = k + 1; i < 4; ++i) {
      const double f = a[i][k] / a[k][k];
      for (int j = k; j < 5; ++j)
        a[i][j] -= f * a[k][j];
    }
  }
  for (int i = 0; i < 4; ++i)
    s += a[i][i] * a[i][4];
  return s;
}
PROGRAM(butterfly) {
  double re[16], im[16] = {0}, s = 0;
  memcpy(re, x, sizeof re);
  OMP(parallel)
  for (int half = 1; half < 16; half *= 2) {
    OMP(for)
    for (int k = 0; k < 8; ++k) {
      const int i = k / half * 2 * half + k % half, j = i + half;
      const double c = cos(3.14159265358979 * (k % half) / half);
      const double d = -sin(3.14159265358979 * (k % half) / half);
      const double a = re[j] * c - im[j] * d, b = re[j] * d + im[j] * c;
      re[j] = re[i] - a;
      im[j] = im[i] - b;
      re[i] += a;
      im[i] += b;
    }
  }
  for (int i = 0; i < 16; ++i)
    s += (re[i] * re[i] + im[i] * im[i]) * x[i];
  return s;
}
#endif
