// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Regions and worksharing across calls: in callees, loops, conditions, recursion;
// one within another; teams of other sizes than asked for; numeric kernels.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

static void IN(square)(const double *from, double *to, int n) {
  OMP(for)
  for (int i = 0; i < n; ++i)
    to[i] = from[i] * from[i];
}
static void IN(swing)(double *u, int n, double k) {
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    u[i] = sin(u[i]) * k + u[i];
}
static double IN(norm)(const double *u, int n) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += u[i] * u[i];
  return sqrt(s);
}
PROGRAM(sharedInACallee) {
  double y[Numbers], z[Numbers], s = 0;
  OMP(parallel) {
    IN(square)(x, y, n);
    IN(square)(y, z, n);
  }
  for (int i = 0; i < n; ++i)
    s += z[i] * x[n - 1 - i];
  return s;
}
// What shares out iterations is called without a team, too.
PROGRAM(sharedByOne) {
  double y[Numbers];
  IN(square)(x, y, n);
  OMP(parallel)
  IN(square)(x + 2, y + 2, n - 4);
  return y[0] * y[4] + y[n - 1];
}
PROGRAM(inACallee) {
  double u[Numbers];
  memcpy(u, x, sizeof u);
  IN(swing)(u, n, 0.5 * x[0]);
  IN(swing)(u + 3, n / 2, IN(norm)(u, n));
  return IN(norm)(u, n) * u[4];
}
PROGRAM(inALoop) {
  double u[Numbers];
  memcpy(u, x, sizeof u);
  for (int t = 0; t < 5; ++t)
    IN(swing)(u, n - t, 0.1 * t * u[0]);
  return IN(norm)(u, n);
}
PROGRAM(inAWhile) {
  double u[Numbers];
  memcpy(u, x, sizeof u);
  while (IN(norm)(u, n) > 2.03)
    IN(swing)(u, n, -0.3);
  return u[0] * u[1] + u[2];
}
PROGRAM(inBranches) {
  double u[Numbers];
  memcpy(u, x, sizeof u);
  if (x[0] > 0.5)
    IN(swing)(u, n, 0.3);
  else {
    OMP(parallel for)
    for (int i = 0; i < n; ++i)
      u[i] *= x[0];
  }
  return IN(norm)(u, n);
}
static double IN(halves)(const double *x, int n) {
  if (n <= 3)
    return x[0] * x[n - 1];
  double s = IN(halves)(x, n / 2) * IN(halves)(x + n / 2, n - n / 2), r = 0;
  OMP(parallel for reduction(+ : r))
  for (int i = 0; i < n; ++i)
    r += x[i] * s;
  return 0.2 * r;
}
PROGRAM(inARecursion) { return IN(halves)(x, n); }

PROGRAM(nested) {
  double s = 0;
  omp_set_max_active_levels(2);
  OMP(parallel for num_threads(2) reduction(+ : s))
  for (int i = 0; i < 4; ++i) {
    double t = 0;
    OMP(parallel for num_threads(3) reduction(+ : t))
    for (int j = 0; j < n; ++j)
      t += x[j] * x[i] * sin(x[j]);
    s += t * t;
  }
  return s;
}
PROGRAM(nestedAlone) {
  double y[4][6], s = 0;
  OMP(parallel for)
  for (int i = 0; i < 4; ++i) {
    OMP(parallel for)
    for (int j = 0; j < 6; ++j)
      y[i][j] = x[6 * i + j] * x[j];
  }
  for (int i = 0; i < n; ++i)
    s += (&y[0][0])[i] * x[i];
  return s;
}
#define SIZED(NAME, ...)                                                       \
  PROGRAM(NAME) {                                                              \
    double s = 0;                                                              \
    const int k = (int)(3.3 * x[0]);                                           \
    (void)k;                                                                   \
    OMP(parallel for reduction(+ : s) __VA_ARGS__)                             \
    for (int i = 0; i < n; ++i)                                                \
      s += x[i] * x[(i + 1) % n] * x[0];                                       \
    return s * s;                                                              \
  }
SIZED(ofOne, num_threads(1))
SIZED(ofSeven, num_threads(7))
SIZED(ofData, num_threads(k + 2))
SIZED(ifData, if(k > 1))
SIZED(ifNot, if(parallel : k < 1) num_threads(4))

static double IN(add)(double a, double b) { return a + b * b; }
static double IN(multiply)(double a, double b) { return a * b + a; }
PROGRAM(byPointer) {
  double (*const f[])(double, double) = {IN(add), IN(multiply)};
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += f[i % 2](x[i], x[n - 1 - i]);
  return s;
}
static double IN(inverse)(double y) {
  double t = y;
  for (int k = 0; k < 50 && fabs(t * t * t + t - y) > 1e-14; ++k)
    t -= (t * t * t + t - y) / (3 * t * t + 1);
  return t;
}
PROGRAM(newton) {
  double s = 0;
  OMP(parallel for reduction(+ : s) schedule(dynamic))
  for (int i = 0; i < n; ++i)
    s += IN(inverse)(x[i] * x[0]);
  return s;
}
static double IN(random)(unsigned *state) {
  *state = *state * 1103515245u + 12345u;
  return (*state >> 16) / 65536.0;
}
PROGRAM(monteCarlo) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    unsigned state = i + 1;
    double path = x[i];
    for (int k = 0; k < 5; ++k)
      path *= 1 + 0.2 * x[k] * (IN(random)(&state) - 0.5);
    if (path > 0.503)
      s += (path - 0.503) * x[n - 1];
  }
  return s;
}

// Bodies that attract each other: forces gathered, and added in pairs.
PROGRAM(bodies) {
  double e = 0;
  OMP(parallel for reduction(+ : e))
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j)
      if (i != j)
        e += 1 / (0.5 + (x[i] - x[j]) * (x[i] - x[j]));
  return e;
}
PROGRAM(pairs) {
  double force[Numbers] = {0}, s = 0;
  OMP(parallel for schedule(dynamic, 3))
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double f = (x[i] - x[j]) * exp(-x[i] * x[j]);
      OMP(atomic)
      force[i] += f;
      OMP(atomic)
      force[j] -= f;
    }
  for (int i = 0; i < n; ++i)
    s += force[i] * force[i];
  return s;
}
PROGRAM(pairsByRows) {
  double force[Numbers] = {0}, s = 0;
  OMP(parallel for reduction(+ : force))
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < i; ++j) {
      double f = (x[i] - x[j]) * x[j];
      force[i] += f;
      force[j] -= f;
    }
  for (int i = 0; i < n; ++i)
    s += force[i] * force[i] * x[i];
  return s;
}
PROGRAM(product) {
  double a[4][4], c[4][4], s = 0;
  memcpy(a, x, sizeof a);
  OMP(parallel for collapse(2))
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 4; ++j) {
      double t = 0;
      for (int k = 0; k < 4; ++k)
        t += a[i][k] * x[8 + 4 * k + j];
      c[i][j] = t;
    }
  for (int i = 0; i < 16; ++i)
    s += (&c[0][0])[i] * (&c[0][0])[15 - i];
  return s;
}
// Each thread solves rows of its own.
PROGRAM(tridiagonal) {
  double y[4][6], s = 0;
  OMP(parallel for)
  for (int r = 0; r < 4; ++r) {
    double c[6], d[6];
    c[0] = 0.3;
    d[0] = x[6 * r];
    for (int i = 1; i < 6; ++i) {
      double m = 2 + x[6 * r + i] - 0.5 * c[i - 1];
      c[i] = 0.5 / m;
      d[i] = (x[6 * r + i] - 0.5 * d[i - 1]) / m;
    }
    y[r][5] = d[5];
    for (int i = 4; i >= 0; --i)
      y[r][i] = d[i] - c[i] * y[r][i + 1];
  }
  for (int i = 0; i < n; ++i)
    s += (&y[0][0])[i] * (&y[0][0])[i];
  return s;
}
// Means of the numbers near each of three centres, two rounds.
PROGRAM(means) {
  double center[3] = {0.42, 0.87, 1.33};
  for (int t = 0; t < 2; ++t) {
    double sum[3] = {0}, count[3] = {0};
    OMP(parallel for reduction(+ : sum, count))
    for (int i = 0; i < n; ++i) {
      int near = 0;
      for (int k = 1; k < 3; ++k)
        if (fabs(x[i] - center[k]) < fabs(x[i] - center[near]))
          near = k;
      sum[near] += x[i] * x[i];
      count[near] += 1;
    }
    for (int k = 0; k < 3; ++k)
      center[k] = sqrt(sum[k] / count[k]);
  }
  return center[0] * center[1] * center[2];
}
PROGRAM(mixture) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 6; i < n; ++i) {
    double t[3], most = -1e9, sum = 0;
    for (int k = 0; k < 3; ++k) {
      double d = (x[i] - x[k]) * x[3 + k];
      t[k] = -d * d;
      most = fmax(most, t[k]);
    }
    for (int k = 0; k < 3; ++k)
      sum += exp(t[k] - most);
    s += most + log(sum);
  }
  return s;
}
// Steps of time, three regions in each; buffers are swapped.
PROGRAM(steps) {
  double u[Numbers], v[Numbers], w[Numbers], *a = u, *b = v, s = 0;
  memcpy(u, x, sizeof u);
  memcpy(v, x, sizeof v);
  for (int t = 0; t < 4; ++t) {
    OMP(parallel for)
    for (int i = 0; i < n; ++i)
      w[i] = a[i] * a[(i + 1) % n];
    OMP(parallel for schedule(static, 4))
    for (int i = 1; i < n - 1; ++i)
      b[i] = 0.5 * a[i] + 0.2 * w[i - 1] * w[i + 1];
    OMP(parallel for reduction(+ : s))
    for (int i = 0; i < n; ++i)
      s += b[i] * w[i];
    double *c = a;
    a = b;
    b = c;
  }
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  return s;
}
// Elements add to the nodes that they share.
PROGRAM(elements) {
  double node[9] = {0}, s = 0;
  OMP(parallel for)
  for (int e = 0; e < 8; ++e) {
    double a = x[e] * x[e + 1], b = x[e] - x[16 + e] * x[e + 1];
    OMP(atomic)
    node[e] += a * b;
    OMP(atomic)
    node[e + 1] += a - b;
  }
  OMP(parallel for)
  for (int i = 0; i < 9; ++i)
    node[i] *= node[i] * x[i];
  for (int i = 0; i < 9; ++i)
    s += node[i];
  return s;
}
// Nothing but a call that only some threads make.
static double IN(weigh)(const double *x, int k) { return x[k] * x[k + 1]; }
PROGRAM(someThreads) {
  double y[8] = {0};
  OMP(parallel) {
    if (IN(me)() % 2 == 0)
      y[IN(me)()] = IN(weigh)(x, 0);
  }
  return y[0] * y[0];
}
#endif
