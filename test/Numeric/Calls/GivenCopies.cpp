// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Callees that read arrays of which their caller keeps a copy, so that their
// reverse halves may read that; and callees for which the copy holds something
// else.
// ADZE: vectorized
#include "check.h"

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <vector>

enum { Most = 40 };

// Unknown to the optimizer, so that short loops stay loops.
static volatile int given = 3, five = 5;
static double *volatile kept;

#define CALLEE __attribute__((noinline)) static void

CALLEE fill(double *to, const double *x, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = x[i];
}

// By rows, with neighbours; the ends are read beside the loop.
CALLEE apply(const double *__restrict u, double *__restrict out, int n) {
  for (int i = 1; i < n - 1; ++i)
    out[i] = (2 + u[i]) * u[i] - u[i - 1] * u[i + 1];
  out[0] = u[0] * u[0];
  out[n - 1] = u[n - 1] * u[0];
}

// The rest of a step: reads p twice, then overwrites it.
#define REST(p, q, n, total)                                                   \
  do {                                                                         \
    double pq = 0;                                                             \
    for (int i = 0; i < (n); ++i)                                              \
      pq += (p)[i] * (q)[i];                                                   \
    for (int i = 0; i < (n); ++i)                                              \
      (total) += std::sin((p)[i]) * pq;                                        \
    for (int i = 0; i < (n); ++i)                                              \
      (p)[i] = 0.3 * (q)[i] + 0.1 * (p)[i];                                    \
  } while (0)

#define AT6 ADZE_AT(0.3, 0.5, 0.75, -0.5, 0.2, 0.4)
#define AT3 ADZE_AT(0.3, 0.5, 0.75)
#define AT2 ADZE_AT(0.3, 0.5)

double onStack(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(onStack, 6, AT6)

// The loop of the callee runs once, or not at all.
double few(const double *x, int n) { return onStack(x, n); }
ADZE_TEST_ARRAY(few, 3, AT3)
double fewest(const double *x, int n) { return onStack(x, n); }
ADZE_TEST_ARRAY(fewest, 2, AT2)

double onHeap(const double *x, int n) {
  const int steps = given;
  double *p = (double *)malloc(n * sizeof *p);
  double *q = (double *)malloc(n * sizeof *q), total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    REST(p, q, n, total);
  }
  free(p), free(q);
  return total;
}
ADZE_TEST_ARRAY(onHeap, 6, AT6)

double inOneBlock(const double *x, int n) {
  const int steps = given;
  double *q = (double *)malloc(2 * n * sizeof *q), *p = q + n, total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    REST(p, q, n, total);
  }
  free(q);
  return total;
}
ADZE_TEST_ARRAY(inOneBlock, 6, AT6)

struct Vectors {
  double *p, *q;
  long n;
};
double inStructure(const double *x, int n) {
  const int steps = given;
  Vectors v = {(double *)malloc(n * sizeof(double)),
               (double *)malloc(n * sizeof(double)), n};
  double total = 0;
  fill(v.p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(v.p, v.q, (int)v.n);
    REST(v.p, v.q, v.n, total);
  }
  free(v.p), free(v.q);
  return total;
}
ADZE_TEST_ARRAY(inStructure, 6, AT6)

double ofLibrary(const double *x, int n) {
  const int steps = given;
  std::vector<double> p(x, x + n), q(n);
  double total = 0;
  for (int s = 0; s < steps; ++s) {
    apply(p.data(), q.data(), n);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(ofLibrary, 6, AT6)

// The copy is made in front of the call, which then stands behind a reader.
double callBehind(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    double pq = 0;
    for (int i = 0; i < n; ++i)
      pq += p[i] * q[i];
    apply(p, q, n);
    for (int i = 0; i < n; ++i)
      total += std::sin(p[i]) * pq * q[i];
    for (int i = 0; i < n; ++i)
      p[i] = 0.3 * q[i] + 0.1 * p[i];
  }
  return total;
}
ADZE_TEST_ARRAY(callBehind, 6, AT6)

// Two calls read one copy, one of them a part of it.
double twoCalls(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], r[Most], total = 0;
  fill(p, x, n);
  fill(r, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    apply(p + 1, r, n - 1);
    REST(p, q, n, total);
    total += r[1] * r[s];
  }
  return total;
}
ADZE_TEST_ARRAY(twoCalls, 6, AT6)

// A matrix, by rows and indices.
CALLEE applyRows(const double *__restrict a, const double *__restrict u,
                 double *__restrict out, int n) {
  for (int i = 0; i < n; ++i) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
      sum += a[i * n + j] * u[j] * u[i];
    out[i] = sum;
  }
}
double rows(const double *x, int n) {
  const int steps = given;
  double a[Most], p[Most], q[Most], total = 0;
  for (int i = 0; i < n * n; ++i)
    a[i] = 0.1 * x[i % n] * (i + 1) / n;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    applyRows(a, p, q, n);
    REST(p, q, n, total);
    a[s] += 0.01 * total;
  }
  return total;
}
ADZE_TEST_ARRAY(rows, 5, ADZE_AT(0.3, 0.5, 0.75, -0.5, 0.2))

//===-- Where the copy holds something else -------------------------------===//

// The callee writes to what it has read.
CALLEE applyInPlace(double *u, double *out, int n) {
  for (int i = 0; i < n; ++i) {
    out[i] = u[i] * u[i];
    u[i] = 0.5 * out[i] + 0.25 * u[i];
  }
}
double calleeWrites(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    applyInPlace(p, q, n);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(calleeWrites, 6, AT6)

// By another argument; the caller passes the same.
CALLEE applyAnywhere(const double *u, double *out, int n) {
  for (int i = 0; i < n; ++i)
    out[i] = u[i] * u[i] * (i + 1);
}
double argumentsMeet(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    applyAnywhere(p, s == 1 ? p : q, n);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(argumentsMeet, 6, AT6)
double argumentsOverlap(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    applyAnywhere(p, p + 2, n - 2);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(argumentsOverlap, 6, AT6)

// First it writes, then it reads what it has written, and the caller's copy
// is made in front.
CALLEE applyLater(double *u, double *out, int n) {
  for (int i = 0; i < n; ++i)
    u[i] = 0.5 * u[i] + 0.25;
  for (int i = 0; i < n; ++i)
    out[i] = u[i] * u[i];
}
double calleeWritesFirst(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    double pq = 0;
    for (int i = 0; i < n; ++i)
      pq += p[i] * q[i];
    for (int i = 0; i < n; ++i)
      total += std::sin(p[i]) * pq;
    applyLater(p, q, n);
    for (int i = 0; i < n; ++i)
      p[i] = 0.3 * q[i] + 0.1 * p[i];
  }
  return total;
}
ADZE_TEST_ARRAY(calleeWritesFirst, 6, AT6)

// The array is overwritten between the call and the copy.
double writtenBetween(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    p[s] += 0.5 * q[1];
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(writtenBetween, 6, AT6)
CALLEE change(double *p, int n) {
  for (int i = 0; i < n; ++i)
    p[i] = p[i] * p[i] + 0.25;
}
double writtenByCall(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    change(p, n);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(writtenByCall, 6, AT6)

// Of the copy, the callee reads more than what is in it.
double readsMore(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, n);
    REST(p, q, n - 1, total);
    p[n - 1] = 0.5 * q[n - 1];
  }
  return total;
}
ADZE_TEST_ARRAY(readsMore, 6, AT6)
double readsBefore(const double *x, int n) {
  const int steps = given, m = five;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(p, q, m);
    REST(p + 1, q, m, total);
    p[0] = 0.5 * q[1];
  }
  return total;
}
ADZE_TEST_ARRAY(readsBefore, 6, AT6)

// Nobody knows how much: up to a mark.
CALLEE applyToMark(const double *__restrict u, double *__restrict out) {
  for (int i = 0; u[i] > -0.75; ++i)
    out[i] = u[i] * u[i];
}
double extentUnknown(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  p[n] = -1;
  for (int s = 0; s < steps; ++s) {
    applyToMark(p, q);
    REST(p, q, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(extentUnknown, 6, ADZE_AT(0.3, 0.5, 0.6, -0.5, 0.2, 0.4))

// The count is another one than the caller's.
double otherCount(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    const int m = s + 2;
    apply(p, q, n);
    REST(p, q, m, total);
    p[n - 1] *= 0.5 + 0.1 * total;
  }
  return total;
}
ADZE_TEST_ARRAY(otherCount, 6, AT6)

// The callee keeps the address, and another one writes there.
CALLEE applyAndKeep(double *u, double *out, int n) {
  kept = u;
  for (int i = 0; i < n; ++i)
    out[i] = u[i] * u[i];
}
CALLEE changeKept(int n) {
  for (int i = 0; i < n; ++i)
    kept[i] *= 1.25 + kept[i];
}
double calleeKeeps(const double *x, int n) {
  const int steps = given;
  double *p = (double *)malloc(n * sizeof *p);
  double *q = (double *)malloc(n * sizeof *q), total = 0;
  fill(p, x, n);
  for (int s = 0; s < steps; ++s) {
    applyAndKeep(p, q, n);
    changeKept(n);
    REST(p, q, n, total);
  }
  free(p), free(q);
  return total;
}
ADZE_TEST_ARRAY(calleeKeeps, 6, AT6)

// The nests of the caller do not run in each step.
double notAlways(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    const int some = x[s] > 0.4;
    apply(p, q, n);
    if (some) {
      double pq = 0;
      for (int i = 0; i < n; ++i)
        pq += p[i] * q[i];
      for (int i = 0; i < n; ++i)
        total += std::sin(p[i]) * pq;
    }
    for (int i = 0; i < n; ++i)
      p[i] = 0.3 * q[i] + 0.1 * q[0];
  }
  return total;
}
ADZE_TEST_ARRAY(notAlways, 6, AT6)

// What is read depends on which of two arrays is passed.
double oneOfTwo(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], r[Most], total = 0;
  fill(p, x, n);
  fill(r, x, n);
  for (int s = 0; s < steps; ++s) {
    apply(s % 2 ? p : r, q, n);
    REST(p, q, n, total);
    REST(r, p, n, total);
  }
  return total;
}
ADZE_TEST_ARRAY(oneOfTwo, 6, AT6)

// Some steps call, and some read.
double onConditions(const double *x, int n) {
  const int steps = given;
  double p[Most], q[Most], total = 0;
  fill(p, x, n);
  fill(q, x, n);
  for (int s = 0; s < steps; ++s) {
    if (s != 1)
      apply(p, q, n);
    if (x[s] > 0.4)
      REST(p, q, n, total);
    else
      total += q[s] * p[s];
    p[s] *= 0.5 * total;
  }
  return total;
}
ADZE_TEST_ARRAY(onConditions, 6, AT6)
