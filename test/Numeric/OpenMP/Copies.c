// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Places that all threads read: each thread may add to a copy of their shadow,
// unless the region also writes there. Teams of several sizes, and of more threads
// than there are iterations.
#include "check.h"
#include <math.h>
#include <stdlib.h>

enum { Cells = 12 };

// y = W x, and another array read by all, by pointers of which nobody knows whether
// they lead to one array.
static void product(int threads, int n, int d, const double *w, const double *v,
                    const double *x, double *y) {
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < d; ++j)
      s += w[j] * x[(i + 2 * j) % d] + sin(v[j]);
    y[i] = 0.05 * s * s;
  }
}
static void weights(int threads, const double *x, double *y) {
  product(threads, Cells, Cells, x, x, x, y);
}
// Two parts that overlap.
static void overlapping(int threads, const double *x, double *y) {
  product(threads, Cells, Cells - 3, x, x + 3, x + 2, y);
}
static void few(int threads, const double *x, double *y) {
  for (int i = 0; i < Cells; ++i)
    y[i] = x[i] * x[0];
  product(threads, 2, 5, x, x + 1, x, y + 4);
  product(threads, 0, 5, x, x + 1, x, y + 6);
  product(threads, 1, 0, x, x + 1, x, y + 8);
}
// One iteration, or one thread, may write what it has read.
static void in_place(int threads, const double *x, double *y) {
  double t[Cells];
  for (int i = 0; i < Cells; ++i)
    t[i] = y[i] = x[i];
  product(threads, 1, Cells, t, t, x, t + 5);
  product(1, 4, Cells, t, t + 0, x, t + 2);
  for (int i = 0; i < Cells; ++i)
    y[i] = t[i] + t[i] * x[i];
}
// A loop in chunks, one of which is all there is.
static void chunks(int threads, int n, int size, const double *w, double *y) {
#pragma omp parallel for num_threads(threads) schedule(static, size)
  for (int i = 0; i < n; ++i) {
    double s = 1;
    for (int j = 0; j < Cells; ++j)
      s += w[j] * w[j] * (i + 1);
    y[i] = s;
  }
}
static void chunked(int threads, const double *x, double *y) {
  double t[Cells];
  for (int i = 0; i < Cells; ++i)
    t[i] = 0.3 * x[i];
  chunks(threads, Cells, 2, t, y);
  chunks(threads, 3, 5, t, t + 1);
  for (int i = 0; i < Cells; ++i)
    y[i] += t[i];
}
// Schedules that share iterations out as they come.
static void dynamic(int threads, const double *x, double *y) {
  double z[Cells];
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(monotonic : dynamic, 2)
    for (int i = 0; i < Cells; ++i) {
      double s = 0;
      for (int j = 0; j < Cells; ++j)
        s += x[j] * cos(x[j] * (i + 1));
      z[i] = s;
    }
#pragma omp for schedule(monotonic : guided)
    for (int i = 0; i < Cells; ++i) {
      double s = 0;
      for (int j = 0; j < Cells; ++j)
        s += z[j] * z[j] * x[i];
      y[i] = s;
    }
  }
}

static void taken(int threads, int n, const double *w, double *y) {
#pragma omp parallel for num_threads(threads) schedule(monotonic : dynamic, 3)
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < Cells; ++j)
      s += w[j] * w[j] * w[i] * (i + j);
    y[i] = s;
  }
}
static void taken_in_turn(int threads, const double *x, double *y) {
  double t[Cells], *own = malloc(Cells * sizeof(double));
  for (int i = 0; i < Cells; ++i)
    t[i] = own[i] = x[i];
  taken(threads, Cells, t, y);
  taken(threads, 1, t, t + 4);
  taken(1, 3, own, own + 2);
  taken(threads, 3, own, own + 5); // all iterations are one chunk
#pragma omp parallel num_threads(threads)
  for (int k = 0; k < 2; ++k)
#pragma omp for schedule(monotonic : guided)
    for (unsigned i = 1; i < Cells - 1; ++i)
      y[i] = y[i] * t[i - 1] + own[i + 1] * t[i] * own[i];
  free(own);
}

// Each interacts with all others: what is read is what is written beside.
struct body {
  double at, mass, force;
};
static void forces(int threads, int n, struct body *p) {
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) {
    double f = 0;
    for (int j = 0; j < n; ++j) {
      double d = p[j].at - p[i].at;
      f += p[j].mass * d / (d * d + 0.5);
    }
    p[i].force = f * p[i].mass;
  }
}
static void bodies(int threads, const double *x, double *y) {
  struct body p[Cells / 2];
  for (int i = 0; i < Cells / 2; ++i)
    p[i] = (struct body){x[2 * i], x[2 * i + 1], 0};
  forces(threads, Cells / 2, p);
  for (int i = 0; i < Cells; ++i)
    y[i] = p[i / 2].force * (i % 2 ? x[i] : 1);
}
static void forces_within(int threads, int n, double reach, const double *x,
                          double *f) {
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < n; ++j) {
      double d = x[j] - x[i];
      if (i == j || fabs(d) > reach)
        continue;
      s += d * d * d * x[j];
      if (s > 100)
        break;
    }
    f[i] = s;
  }
}
static void within(int threads, const double *x, double *y) {
  double t[Cells];
  for (int i = 0; i < Cells; ++i)
    t[i] = x[i];
  forces_within(threads, Cells, 0.72, t, y);
  forces_within(threads, 1, 5, t, t);
  forces_within(1, 3, 5, t, t + 1);
  for (int i = 0; i < Cells; ++i)
    y[i] += 2 * t[i] * t[i];
}

// Read by all, written by all, and read again, with barriers between.
static void phases(int threads, const double *x, double *y) {
  double *a = malloc(Cells * sizeof(double)), *b = malloc(Cells * sizeof(double));
  for (int i = 0; i < Cells; ++i)
    a[i] = x[i];
#pragma omp parallel num_threads(threads)
  for (int step = 0; step < 3; ++step) {
#pragma omp for
    for (int i = 0; i < Cells; ++i) {
      double s = 0;
      for (int j = 0; j < Cells; ++j)
        s += a[j] * a[j] / (i + j + 1);
      b[i] = s;
    }
#pragma omp for
    for (int i = 0; i < Cells; ++i)
      a[i] = b[i] * x[(i + step) % Cells] + a[i];
  }
  for (int i = 0; i < Cells; ++i)
    y[i] = a[i];
  free(a);
  free(b);
}
// A variable of all threads that one of them sets.
static void set_by_one(int threads, const double *x, double *y) {
  double c = x[0], sum = 0;
#pragma omp parallel num_threads(threads)
  {
#pragma omp for reduction(+ : sum)
    for (int i = 0; i < Cells; ++i)
      sum += c * x[i] * x[i];
#pragma omp single
    c = sum * c;
#pragma omp for
    for (int i = 0; i < Cells; ++i)
      y[i] = c * x[i] * sum;
  }
  y[0] += c;
}
// Loops within whose lengths differ, and what is read in one iteration alone.
static void triangle(int threads, const double *x, double *y) {
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < Cells; ++i) {
    double s = x[3] * i;
    for (int j = 0; j <= i; ++j)
      s += x[j] * x[Cells - 1 - j];
    if (i == 4)
      for (int j = 0; j < Cells; ++j)
        s += x[j] * x[j] * x[j];
    y[i] = s;
  }
}
// floats beside doubles, in one block.
static void mixed(int threads, const double *x, double *y) {
  struct {
    float f[4];
    double d[4];
    int count;
  } table = {{0}, {0}, 4};
  for (int k = 0; k < 4; ++k) {
    table.f[k] = (float)(4 * x[k]);
    table.d[k] = x[k + 4];
  }
#pragma omp parallel for num_threads(threads)
  for (int i = 0; i < Cells; ++i) {
    double s = 0;
    for (int k = 0; k < table.count; ++k)
      s += table.f[k] * table.d[k] * x[i];
    y[i] = s;
  }
}

#define POINT                                                                  \
  ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4, 0.6, 0.2, 0.8, 0.35, -0.15)
#define TEAMS(NAME, ...)                                                       \
  void NAME##1(const double *x, double *y) { NAME(1, x, y); }                  \
  void NAME##2(const double *x, double *y) { NAME(2, x, y); }                  \
  void NAME##3(const double *x, double *y) { NAME(3, x, y); }                  \
  void NAME##8(const double *x, double *y) { NAME(8, x, y); }                  \
  ADZE_TEST_MAP(NAME##1, Cells, Cells, POINT, ##__VA_ARGS__)                   \
  ADZE_TEST_MAP(NAME##2, Cells, Cells, POINT, .flags = ADZE_UNORDERED,         \
                ##__VA_ARGS__)                                                 \
  ADZE_TEST_MAP(NAME##3, Cells, Cells, POINT, .flags = ADZE_UNORDERED,         \
                ##__VA_ARGS__)                                                 \
  ADZE_TEST_MAP(NAME##8, Cells, Cells, POINT, .flags = ADZE_UNORDERED,         \
                ##__VA_ARGS__)

TEAMS(weights)
TEAMS(overlapping)
TEAMS(few)
TEAMS(in_place)
TEAMS(chunked)
TEAMS(dynamic)
TEAMS(taken_in_turn)
TEAMS(bodies)
TEAMS(within)
TEAMS(phases)
TEAMS(set_by_one)
TEAMS(triangle)
// Sums of floats, and a float's rounding in the differences.
TEAMS(mixed, .tolerance = 1e-2, .exact = 1e-5, .dot = 1e-6)
