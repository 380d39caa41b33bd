// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic" skip-unless=header:omp.h
// Data of a region: reductions, private and shared variables, arrays of threads,
// blocks, globals; where what all threads read gets its adjoint.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

#define REDUCED(NAME, START, CLAUSE, ...)                                      \
  PROGRAM(NAME) {                                                              \
    double s = START;                                                          \
    OMP(parallel for reduction(CLAUSE : s))                                    \
    for (int i = 0; i < n; ++i) {                                              \
      __VA_ARGS__                                                              \
    }                                                                          \
    return s * x[2];                                                           \
  }
REDUCED(plus, x[1], +, s += x[i] * sin(x[n - 1 - i]);)
REDUCED(minus, x[1], -, s -= x[i] * x[0];)
REDUCED(times, x[1], *, s *= 1 + 0.1 * x[i];)
REDUCED(most, -1, max, s = s < x[i] * x[0] ? x[i] * x[0] : s;)
REDUCED(least, 9, min, if (x[i] + x[3] < s) s = x[i] + x[3];)
REDUCED(mostByCall, -1, max, s = fmax(s, x[i] * x[i]);)
REDUCED(leastByCall, 9, min, s = fmin(x[i] / x[0], s);)

// What is reduced is no number, and decides.
PROGRAM(decided) {
  int all = 1, any = 0, bits = 0;
  OMP(parallel for reduction(&& : all) reduction(|| : any) reduction(^ : bits))
  for (int i = 0; i < n; ++i) {
    all = all && x[i] > 0.2;
    any = any || x[i] > 1.3;
    bits ^= i;
  }
  return (all ? x[0] * x[1] : x[2]) + (any ? x[3] * x[3] : 0) + bits * x[4];
}
PROGRAM(twoOfThem) {
  double s = 0, p = 1;
  OMP(parallel) {
    OMP(for reduction(+ : s) nowait)
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
    OMP(for reduction(* : p))
    for (int i = 0; i < n; ++i)
      p *= 1.1 * x[i];
  }
  return s * p;
}
// The whole is read by the next loop.
PROGRAM(normalized) {
  double s = 0, y[Numbers], t = 0;
  OMP(parallel) {
    OMP(for reduction(+ : s))
    for (int i = 0; i < n; ++i)
      s += x[i] * x[i];
    OMP(for reduction(+ : t))
    for (int i = 0; i < n; ++i) {
      y[i] = x[i] / sqrt(s);
      t += y[i] * y[i] * y[i];
    }
  }
  return t;
}
PROGRAM(ofARegion) {
  double s = x[0];
  OMP(parallel reduction(+ : s)) {
    OMP(for)
    for (int i = 0; i < n; ++i)
      s += exp(-x[i]) * x[i];
  }
  return s * s;
}
PROGRAM(ofFloats) {
  float s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += (float)i * 0.125f;
  return s * x[0] * x[1];
}
PROGRAM(ofComplexNumbers) {
  _Complex double p = 1;
  OMP(parallel for reduction(* : p))
  for (int i = 0; i < n; ++i)
    p *= x[i] + 0.2i * x[n - 1 - i];
  return __real__ p + 0.5 * __imag__ p;
}
PROGRAM(ofAnArray) {
  double h[4] = {x[0], 0, 0, 1}, s = 0;
  OMP(parallel for reduction(+ : h))
  for (int i = 0; i < n; ++i)
    h[(i * i) % 4] += x[i] * x[(i + 1) % n];
  for (int k = 0; k < 4; ++k)
    s += h[k] * h[(k + 1) % 4];
  return s;
}
PROGRAM(ofPartOfAnArray) {
  double *h = calloc(n, sizeof *h), s = 0;
  int low = 3, many = 5;
  OMP(parallel for reduction(+ : h[low : many]))
  for (int i = 0; i < n; ++i)
    h[3 + i % 5] += x[i] * x[i];
  for (int k = 0; k < n; ++k)
    s += h[k] * x[k];
  free(h);
  return s;
}
PROGRAM(ofMaxima) {
  double h[3] = {0, 0, 0};
  OMP(parallel for reduction(max : h[ : 3]))
  for (int i = 0; i < n; ++i)
    h[i % 3] = fmax(h[i % 3], x[i] * x[0]);
  return h[0] * h[1] * h[2];
}
typedef struct {
  double value, at;
} IN(Best);
OMP(declare reduction(best : IN(Best) : omp_out = omp_in.value > omp_out.value ? omp_in : omp_out) initializer(omp_priv = (IN(Best)){-1, -1}))
PROGRAM(declared) {
  IN(Best) b = {-1, -1};
  OMP(parallel for reduction(best : b))
  for (int i = 0; i < n; ++i)
    if (x[i] * x[(i + 1) % n] > b.value) {
      b.value = x[i] * x[(i + 1) % n];
      b.at = i;
    }
  return b.value * x[(int)b.at];
}
OMP(declare reduction(logSum : double : omp_out = log(exp(omp_out) + exp(omp_in) - 1)) initializer(omp_priv = 0))
PROGRAM(declaredForNumbers) {
  double s = 0;
  OMP(parallel for reduction(logSum : s))
  for (int i = 0; i < n; ++i)
    s = log(exp(s) + exp(x[i] * x[i]) - 1);
  return s;
}
PROGRAM(scan) {
  double s = 0, y[Numbers], t = 0;
  OMP(parallel for reduction(inscan, + : s))
  for (int i = 0; i < n; ++i) {
    s += x[i] * x[i];
    OMP(scan inclusive(s))
    y[i] = s;
  }
  for (int i = 0; i < n; ++i)
    t += y[i] * x[n - 1 - i];
  return t;
}
// One scalar that all threads read; several; a table; through a structure.
PROGRAM(scalarOfAll) {
  double k = x[0] * x[1], y[Numbers], s = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = k * x[i] + k;
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(numberOfAll) {
  double y[Numbers], s = 0;
  OMP(parallel for schedule(static, 1))
  for (int i = 0; i < n; ++i)
    y[i] = x[5] * x[i] * x[6];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(many) {
  double a = x[0], b = x[1], c = x[2], d = a * b, e = b * c, f = c * d, y[Numbers];
  const double *p = x + 1, *q = x + 2;
  int k = 3, m = 5;
  double s = 0;
  OMP(parallel for default(none) shared(a, b, c, d, e, f, p, q, k, m, n, x, y))
  for (int i = 0; i < n - 2; ++i)
    y[i] = a * p[i] + b * q[i] + c * x[k] + d * x[m] + e * f * x[i];
  for (int i = 0; i < n - 2; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(table) {
  double t[4] = {x[0], x[1] * x[0], x[2], x[3]}, s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += t[i & 3] * x[i] + t[(i * 7) & 3];
  return s;
}
typedef struct {
  const double *from;
  double *to;
  double k[2];
  int n;
} IN(Job);
PROGRAM(structure) {
  double y[Numbers], s = 0;
  IN(Job) j = {x, y, {x[0], x[1]}, n};
  OMP(parallel for)
  for (int i = 0; i < j.n; ++i)
    j.to[i] = j.from[i] * j.k[i & 1];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(privates) {
  double t, u[3], s = 0;
  OMP(parallel for private(t, u) reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    t = x[i] * x[0];
    for (int k = 0; k < 3; ++k)
      u[k] = t * x[k];
    for (int k = 1; k < 3; ++k)
      u[k] *= u[k - 1];
    s += u[2];
  }
  return s;
}
PROGRAM(first) {
  double k = x[0] * x[1], w[3] = {x[2], x[3], k}, s = 0;
  OMP(parallel for firstprivate(k, w) reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += w[i % 3] * k * x[i];
  return s;
}
// Nobody reads the copies of the first region.
PROGRAM(firstForNothing) {
  const double k = x[0] * x[1] + 0.1;
  double y[Numbers], s = 0;
  OMP(parallel for firstprivate(k))
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
  OMP(parallel for firstprivate(k))
  for (int i = 0; i < n; ++i)
    y[i] *= k;
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}
PROGRAM(firstOfRunTimeSize) {
  double w[n], s = 0;
  for (int i = 0; i < n; ++i)
    w[i] = x[i] * x[0];
  OMP(parallel for firstprivate(w) reduction(+ : s))
  for (int i = 0; i < n; ++i)
    s += w[i] * w[n - 1 - i];
  return s;
}
PROGRAM(blockOfEach) {
  double s = 0;
  OMP(parallel reduction(+ : s)) {
    double *v = malloc(n * sizeof *v), *u = calloc(n, sizeof *u);
    OMP(for)
    for (int i = 0; i < n; ++i) {
      for (int k = 0; k < 4; ++k)
        v[k] = x[i] * x[k], u[k] = v[k] * (k ? u[k - 1] : 1);
      s += u[3];
    }
    free(v);
    free(u);
  }
  return s;
}
PROGRAM(blockOfIteration) {
  double s = 0;
  OMP(parallel for reduction(+ : s) schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    double *v = malloc((i + 1) * sizeof *v);
    v[0] = x[i];
    for (int k = 1; k <= i; ++k)
      v[k] = v[k - 1] * 0.9 + 0.1 * x[k] * v[k - 1];
    s += v[i];
    free(v);
  }
  return s;
}
PROGRAM(runTimeSize) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 1; i < n; ++i) {
    double v[i];
    for (int k = 0; k < i; ++k)
      v[k] = x[k] * x[i];
    for (int k = 1; k < i; ++k)
      v[k] += v[k - 1] * v[k];
    s += v[i - 1] * 0.01;
  }
  return s;
}
PROGRAM(copied) {
  double y[Numbers], z[Numbers], s = 0;
  OMP(parallel for)
  for (int r = 0; r < 4; ++r) {
    memcpy(y + 6 * r, x + 6 * r, 6 * sizeof *y);
    memset(z + 6 * r, 0, 6 * sizeof *z);
    memmove(y + 6 * r + 1, y + 6 * r, 4 * sizeof *y);
    for (int k = 0; k < 6; ++k)
      z[6 * r + k] += y[6 * r + k] * x[0];
  }
  for (int i = 0; i < n; ++i)
    s += z[i] * y[i] * z[n - 1 - i];
  return s;
}
// All threads copy the same row: its adjoint is a sum.
PROGRAM(copiedByAll) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    double row[6];
    memcpy(row, x + 2, sizeof row);
    row[i % 6] *= x[i];
    for (int k = 1; k < 6; ++k)
      s += row[k] * row[k - 1];
  }
  return s;
}
PROGRAM(singlePrecision) {
  float y[Numbers];
  double s = 0;
  for (int i = 0; i < n; ++i)
    y[i] = 0.5f * i;
  OMP(parallel for reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    y[i] = y[i] * 2 + 1;
    s += y[i] * x[i] * x[0];
  }
  return s;
}
static double IN(global)[Numbers], IN(factor);
PROGRAM(globals) {
  double s = 0;
  IN(factor) = x[0] * x[1];
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < n; ++i)
      IN(global)[i] = x[i] * IN(factor);
    OMP(for reduction(+ : s))
    for (int i = 0; i < n; ++i)
      s += IN(global)[i] * IN(global)[(i + 1) % n] * IN(factor);
  }
  return s;
}
// An array with a row for each thread, which it fills in one region and reads in
// the next one.
PROGRAM(rowOfEachThread) {
  double rows[8][4] = {{0}}, s = 0;
  OMP(parallel) {
    double *mine = rows[IN(me)()];
    OMP(for schedule(static))
    for (int i = 0; i < n; ++i)
      mine[i & 3] += x[i] * x[i];
  }
  OMP(parallel) {
    double *mine = rows[IN(me)()];
    for (int k = 0; k < 4; ++k)
      mine[k] *= x[k];
  }
  for (int t = 0; t < 8; ++t)
    for (int k = 0; k < 4; ++k)
      s += rows[t][k];
  return s;
}
// Reads through unknown indices; writes through a permutation; sums by index.
PROGRAM(gathered) {
  int id[Numbers];
  double y[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    id[i] = (i * i + 3) % n;
  OMP(parallel for)
  for (int i = 0; i < n; ++i)
    y[i] = x[id[i]] * x[id[n - 1 - i]] + x[i];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(permuted) {
  int id[Numbers];
  double y[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    id[i] = (i * 7 + 5) % n;
  memcpy(y, x, sizeof y);
  OMP(parallel for schedule(dynamic, 2))
  for (int i = 0; i < n; ++i)
    y[id[i]] = y[id[i]] * y[id[i]] + x[id[i]];
  for (int i = 0; i < n; ++i)
    s += y[i] * x[i];
  return s;
}
PROGRAM(scattered) {
  double y[5] = {0}, s = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    double t = x[i] * x[(i * 5) % n];
    OMP(atomic)
    y[i % 5] += t;
    OMP(atomic)
    y[(i * 3) % 5] -= t * x[0];
  }
  for (int k = 0; k < 5; ++k)
    s += y[k] * y[(k + 1) % 5];
  return s;
}
PROGRAM(sparse) {
  int start[Numbers + 1] = {0}, column[3 * Numbers];
  for (int i = 0; i < n; ++i) {
    start[i + 1] = start[i] + 1 + i % 3;
    for (int k = start[i]; k < start[i + 1]; ++k)
      column[k] = (i * 5 + 7 * k) % n;
  }
  double y[Numbers], z[Numbers] = {0}, s = 0;
  OMP(parallel) {
    OMP(for)
    for (int i = 0; i < n; ++i) {
      double t = 0;
      for (int k = start[i]; k < start[i + 1]; ++k)
        t += x[k % n] * x[column[k]];
      y[i] = t;
    }
    OMP(for)
    for (int i = 0; i < n; ++i)
      for (int k = start[i]; k < start[i + 1]; ++k) {
        OMP(atomic)
        z[column[k]] += x[k % n] * y[i];
      }
  }
  for (int i = 0; i < n; ++i)
    s += z[i] * y[i];
  return s;
}
#endif
