// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic"
// skip-unless=header:omp.h Loops in which threads meet near the bounds of their
// iterations: of all lengths, so that a thread has no iteration, one, a few, or
// enough for three loops; with all schedules.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

enum { IN(Cells) = 200 };

/// The numbers of \p x again and again, and what is made of \p y.
static void IN(fill)(const double *x, int n, double *u, int cells) {
  for (int k = 0; k < cells; ++k)
    u[k] = x[k % n] + 0.01 * k;
}
static double IN(total)(const double *y, int cells) {
  double s = 0;
  for (int k = 0; k < cells; ++k)
    s += (1 + k % 5) * y[k] * y[k];
  return s;
}

#define OF_ALL_LENGTHS(NAME, TYPE, LOOP, BODY, ...)                            \
  __attribute__((noinline)) static void IN(NAME##Step)(                        \
      TYPE m, const double *u, double *y) {                                    \
    OMP(__VA_ARGS__)                                                           \
    for (LOOP) {                                                               \
      BODY                                                                     \
    }                                                                          \
  }                                                                            \
  PROGRAM(NAME) {                                                              \
    static const int Lengths[] = {                                             \
        0, 2, 3, 4, 5, 6, 7, 9, 14, 19, 42, 66, 152};                          \
    double s = 0, u[IN(Cells)], y[IN(Cells)];                                  \
    for (unsigned k = 0; k < sizeof Lengths / sizeof *Lengths; ++k) {          \
      IN(fill)(x, n, u, IN(Cells));                                            \
      for (int i = 0; i < IN(Cells); ++i)                                      \
        y[i] = 0;                                                              \
      IN(NAME##Step)((TYPE)Lengths[k], u, y);                                  \
      s += IN(total)(y, IN(Cells)) / (1 + k);                                  \
    }                                                                          \
    return s;                                                                  \
  }
#define THREE y[i] = u[i - 1] * u[i] + sin(u[i + 1]);
#define FROM_ONE                                                               \
  int i = 1;                                                                   \
  i < m - 1;                                                                   \
  ++i

OF_ALL_LENGTHS(three, int, FROM_ONE, THREE, parallel for)
OF_ALL_LENGTHS(linear, int, FROM_ONE, y[i] = 2 * u[i - 1] - u[i + 1];
               , parallel for)
OF_ALL_LENGTHS(unequal, int, int i = 3; i < m - 1; ++i,
               y[i] = u[i - 3] * u[i + 1] + u[i] * u[i];
               , parallel for)
OF_ALL_LENGTHS(byLong, long, long i = 1; i <= m; ++i, THREE, parallel for)
OF_ALL_LENGTHS(byUnsigned, unsigned, unsigned i = 1; i <= m; ++i, THREE,
               parallel for)
OF_ALL_LENGTHS(downward, int, int i = m; i > 0; --i, THREE, parallel for)
OF_ALL_LENGTHS(everySecond, int, int i = 1; i < m - 1; i += 2, THREE,
               parallel for)
OF_ALL_LENGTHS(inChunks, int, FROM_ONE, THREE, parallel for schedule(static, 5))
OF_ALL_LENGTHS(inChunksOfOne, int, FROM_ONE, THREE,
               parallel for schedule(static, 1))
OF_ALL_LENGTHS(inLongChunks, int, FROM_ONE, THREE,
               parallel for schedule(static, 30))
OF_ALL_LENGTHS(inUnsignedChunks, unsigned, unsigned i = 1; i <= m; ++i, THREE,
               parallel for schedule(static, 7))
OF_ALL_LENGTHS(downInChunks, long, long i = m; i > 0; --i, THREE,
               parallel for schedule(static, 4))
OF_ALL_LENGTHS(asTheyCome, int, FROM_ONE, THREE,
               parallel for schedule(monotonic : dynamic, 25))
OF_ALL_LENGTHS(guided, int, FROM_ONE, THREE,
               parallel for schedule(monotonic : guided, 20))
// What is not in rows, and what is, in one loop.
OF_ALL_LENGTHS(mixed, int, FROM_ONE, y[i] = u[i - 1] * u[i % 7] * u[152 - i];
               , parallel for)
OF_ALL_LENGTHS(underCondition, int, FROM_ONE, if (u[i] > 0.8) {
  THREE } else {
  y[i] = u[i + 1];
}, parallel for)
// Several in one region; the second reads what the first has written.
OF_ALL_LENGTHS(ownElements, int, int i = 0; i < m; ++i, y[i] = u[i] * u[i];
               , parallel for schedule(static, 3))

// Planes: short and long rows, whole rows of a thread, in chunks of rows.
#define PLANE(NAME, ...)                                                       \
  __attribute__((noinline)) static void IN(NAME##Step)(                        \
      int rows, int columns, const double *u, double *y) {                     \
    OMP(__VA_ARGS__)                                                           \
    for (int i = 1; i < rows - 1; ++i)                                         \
      for (int j = 1; j < columns - 1; ++j)                                    \
        y[i * columns + j] = u[i * columns + j] * (u[(i - 1) * columns + j] +  \
                                                   u[(i + 1) * columns + j]) + \
                             u[i * columns + j - 1] * u[i * columns + j + 1];  \
  }                                                                            \
  PROGRAM(NAME) {                                                              \
    static const int Sides[][2] = {{3, 3},  {4, 40}, {5, 22}, {12, 16},        \
                                   {20, 4}, {40, 3}, {2, 7},  {7, 2}};         \
    double s = 0, u[IN(Cells)], y[IN(Cells)];                                  \
    for (unsigned k = 0; k < sizeof Sides / sizeof *Sides; ++k) {              \
      IN(fill)(x, n, u, IN(Cells));                                            \
      for (int i = 0; i < IN(Cells); ++i)                                      \
        y[i] = 0;                                                              \
      IN(NAME##Step)(Sides[k][0], Sides[k][1], u, y);                          \
      s += IN(total)(y, IN(Cells)) / (1 + k);                                  \
    }                                                                          \
    return s;                                                                  \
  }
PLANE(plane, parallel for)
PLANE(planeInChunks, parallel for schedule(static, 2))
PLANE(planeAsItComes, parallel for schedule(monotonic : dynamic, 3))

// Steps in turn, in two buffers that change roles, within one region.
PROGRAM(steps) {
  double u[2][IN(Cells)];
  IN(fill)(x, n, u[0], IN(Cells));
  IN(fill)(x, n, u[1], IN(Cells));
  OMP(parallel)
  for (int k = 0; k < 5; ++k) {
    const double *from = u[k % 2];
    double *to = u[1 - k % 2];
    OMP(for schedule(static, 9))
    for (int i = 1; i < IN(Cells) - 1; ++i)
      to[i] = from[i] + 0.1 * (from[i - 1] * from[i + 1] - from[i]);
  }
  return IN(total)(u[1], IN(Cells));
}

#endif
