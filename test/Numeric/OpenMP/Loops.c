// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Loops whose iterations are shared: schedules, reads across the bounds of
// threads, rows, in-place updates, private variables; teams of several sizes.
#include "check.h"
#include <math.h>

enum { Cells = 23 };

static void stencil(int threads, const double *x, double *y) {
#pragma omp parallel for num_threads(threads)
  for (int i = 1; i < Cells - 1; ++i)
    y[i] = x[i - 1] * x[i] + sin(x[i + 1]);
  y[0] = x[0];
  y[Cells - 1] = x[Cells - 1];
}

// Threads meet in the first and last iterations that each of them has: more of
// them, in two loops of the same bounds, and in rows of a length nobody knows.
static void wide(int threads, const double *x, double *y) {
#pragma omp parallel num_threads(threads)
  {
#pragma omp for nowait
    for (int i = 2; i < Cells - 2; ++i)
      y[i] = x[i - 2] * x[i + 1] + x[i] * x[i] * x[i + 2];
#pragma omp for
    for (int i = 2; i < Cells - 2; ++i)
      y[i] += x[i - 1] * x[i + 2];
  }
  y[0] = y[1] = x[1];
  y[Cells - 2] = y[Cells - 1] = x[2];
}
static void plane(int threads, const double *x, double *y) {
  int columns = 3;
#pragma omp parallel for num_threads(threads)
  for (int i = 1; i < 6; ++i)
    for (int j = 1; j < columns - 1; ++j)
      y[i * columns + j] =
          x[(i - 1) * columns + j] * x[(i + 1) * columns + j] +
          sin(x[i * columns + j - 1] * x[i * columns + j + 1]) *
              x[i * columns + j];
  for (int i = 0; i < Cells; ++i)
    if (i / columns < 1 || i / columns > 5 || i % columns != 1)
      y[i] = x[i] * x[0];
}

// Each thread has rows of its own; the sums of a row are read and written.
static void rows(int threads, const double *x, double *y) {
  double a[5][4];
#pragma omp parallel num_threads(threads)
  {
#pragma omp for schedule(static)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 4; ++j)
        a[i][j] = x[4 * i + j] * x[20] + x[j];
#pragma omp for schedule(static, 2)
    for (int i = 0; i < 5; ++i)
      for (int j = 1; j < 4; ++j)
        a[i][j] += a[i][j - 1] * a[i][j];
#pragma omp for collapse(2) schedule(static)
    for (int i = 0; i < 5; ++i)
      for (int j = 0; j < 4; ++j)
        y[4 * i + j] = a[i][j] * a[i][3] * a[(i + 1) % 5][j];
  }
  for (int i = 20; i < Cells; ++i)
    y[i] = x[i] * y[i - 20];
}

static void dynamic(int threads, const double *x, double *y) {
  double scale = x[3];
#pragma omp parallel num_threads(threads) firstprivate(scale)
  {
#pragma omp for schedule(monotonic : dynamic, 3)
    for (int i = 0; i < Cells; ++i) {
      double t = x[i];
      for (int k = 0; k <= i % 4; ++k)
        t = t * scale + cos(t);
      y[i] = t;
    }
#pragma omp for schedule(monotonic : guided) nowait
    for (long i = Cells - 1; i >= 0; --i)
      y[i] = y[i] * y[i] + x[(i * 7) % Cells] * scale;
  }
}

// Fewer iterations than threads, none, and an unsigned variable.
static void few(int threads, const double *x, double *y) {
  int none = threads - threads;
  for (int i = 0; i < Cells; ++i)
    y[i] = x[i];
#pragma omp parallel num_threads(threads)
  {
#pragma omp for
    for (unsigned i = 0; i < 2; ++i)
      y[i] = x[i] * x[i + 1];
#pragma omp for
    for (unsigned i = 0; i < (unsigned)none; ++i)
      y[i] = 0;
#pragma omp for lastprivate(none)
    for (int i = 5; i < Cells; i += 3) {
      y[i] *= x[i - 1];
      none = i;
    }
  }
  y[0] *= none;
}

// Regions in a loop, swapped buffers.
static void diffuse(int threads, const double *x, double *y) {
  double a[Cells], b[Cells], *from = a, *to = b;
  for (int i = 0; i < Cells; ++i)
    a[i] = b[i] = x[i];
  for (int step = 0; step < 4; ++step) {
#pragma omp parallel for num_threads(threads)
    for (int i = 1; i < Cells - 1; ++i)
      to[i] = from[i] + 0.1 * (from[i - 1] - 2 * from[i] + from[i + 1]) *
                            from[i];
    double *t = from;
    from = to;
    to = t;
  }
  for (int i = 0; i < Cells; ++i)
    y[i] = from[i];
}

#define POINT                                                                  \
  ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4, 0.6, 0.2, 0.8, 0.35, -0.15,     \
          0.25, 0.45, 0.55, -0.65, 0.75, 0.85, 0.95, 0.05, 0.15, -0.25, 0.65)
#define TEAMS(NAME)                                                            \
  void NAME##1(const double *x, double *y) { NAME(1, x, y); }                  \
  void NAME##2(const double *x, double *y) { NAME(2, x, y); }                  \
  void NAME##3(const double *x, double *y) { NAME(3, x, y); }                  \
  void NAME##8(const double *x, double *y) { NAME(8, x, y); }                  \
  ADZE_TEST_MAP(NAME##1, Cells, Cells, POINT)                                  \
  ADZE_TEST_MAP(NAME##2, Cells, Cells, POINT, .flags = ADZE_UNORDERED)         \
  ADZE_TEST_MAP(NAME##3, Cells, Cells, POINT, .flags = ADZE_UNORDERED)         \
  ADZE_TEST_MAP(NAME##8, Cells, Cells, POINT, .flags = ADZE_UNORDERED)

TEAMS(stencil)
TEAMS(wide)
TEAMS(plane)
TEAMS(rows)
TEAMS(dynamic)
TEAMS(few)
TEAMS(diffuse)
