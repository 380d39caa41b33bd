// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Loops whose iterations are shared out: schedules, bounds, variables, clauses.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// One body, many pragmas.
#define LOOP(KIND, NAME, ...)                                                  \
  KIND(NAME) {                                                                 \
    double y[Numbers], s = 0;                                                  \
    OMP(parallel for __VA_ARGS__)                                              \
    for (int i = 0; i < n; ++i)                                                \
      y[i] = x[i] * x[(i + 1) % n] + sin(x[(5 * i) % n]);                      \
    for (int i = 0; i < n; ++i)                                                \
      s += y[i] * y[i] * y[n - 1 - i];                                         \
    return s;                                                                  \
  }
LOOP(PROGRAM, block)
LOOP(PROGRAM, cyclic, schedule(static, 1))
LOOP(PROGRAM, chunks, schedule(static, 3))
LOOP(PROGRAM, oneChunk, schedule(static, 100))
LOOP(PROGRAM, dynamic, schedule(dynamic))
LOOP(PROGRAM, dynamicChunks, schedule(dynamic, 4))
LOOP(PROGRAM, guided, schedule(guided))
LOOP(PROGRAM, guidedChunks, schedule(guided, 3))
LOOP(PROGRAM, automatic, schedule(auto))
LOOP(PROGRAM, atRunTime, schedule(runtime))
LOOP(PROGRAM, monotonic, schedule(monotonic : dynamic))
LOOP(PROGRAM, unordered, schedule(nonmonotonic : dynamic, 2))
LOOP(PROGRAM, vector, simd schedule(static))
LOOP(PROGRAM, vectorOfFour, simd simdlen(4) if(simd : n > 3))
LOOP(PROGRAM, bound, proc_bind(spread) num_threads(3))
LOOP(PROGRAM, notParallel, if(n < 3))
LOOP(PROGRAM, concurrent, order(concurrent))

// Each iteration reads what it writes: no sum is atomic.
#define OWN(NAME, ...)                                                         \
  STEADY(NAME) {                                                               \
    double y[Numbers], s = 0;                                                  \
    memcpy(y, x, sizeof y);                                                    \
    for (int t = 0; t < 3; ++t)                                                \
      OMP(parallel for __VA_ARGS__)                                            \
    for (int i = 0; i < n; ++i)                                                \
      y[i] = y[i] * cos(y[i]) + 0.1 * i * y[i];                                \
    for (int i = 0; i < n; ++i)                                                \
      s += y[i] * y[i];                                                        \
    return s;                                                                  \
  }
OWN(ownBlock)
OWN(ownCyclic, schedule(static, 1))
OWN(ownChunks, schedule(static, 5))

// Which schedule it is is said when the program runs.
PROGRAM(chosen) {
  double y[Numbers], s = 0;
  const omp_sched_t kinds[] = {omp_sched_static, omp_sched_dynamic,
                               omp_sched_guided};
  for (int k = 0; k < 3; ++k) {
    omp_set_schedule(kinds[k], k + 1);
    OMP(parallel for schedule(runtime))
    for (int i = 0; i < n; ++i)
      y[i] = (k ? y[i] : 1) * x[i] * x[n - 1 - i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}

PROGRAM(folded) {
  double y[4][6], s = 0;
  OMP(parallel for collapse(2))
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      y[i][j] = x[6 * i + j] * x[4 * j + i];
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      s += y[i][j] * y[3 - i][j];
  return s;
}
PROGRAM(foldedThrice) {
  double y[2][3][4], s = 0;
  OMP(parallel for collapse(3) schedule(dynamic, 2))
  for (int i = 0; i < 2; ++i)
    for (int j = 2; j >= 0; --j)
      for (int k = 0; k < 4; ++k)
        y[i][j][k] = exp(0.1 * x[12 * i + 4 * j + k]) * x[k];
  for (int i = 0; i < n; ++i)
    s += (&y[0][0][0])[i] * x[i];
  return s;
}
PROGRAM(triangle) {
  double y[Numbers] = {0}, s = 0;
  OMP(parallel for schedule(dynamic))
  for (int i = 0; i < n; ++i)
    for (int j = 0; j <= i; ++j)
      y[i] += x[j] * x[i - j];
  for (int i = 0; i < n; ++i)
    s += y[i] * 0.01 * i;
  return s;
}

#define COUNTED(NAME, TYPE, ...)                                               \
  PROGRAM(NAME) {                                                              \
    double y[Numbers], s = 0;                                                  \
    memcpy(y, x, sizeof y);                                                    \
    OMP(parallel for)                                                          \
    for (TYPE i = __VA_ARGS__)                                                 \
      y[i] = y[i] * y[i] + x[(i * 3) % Numbers];                               \
    for (int i = 0; i < n; ++i)                                                \
      s += y[i] * y[(i + 1) % n];                                              \
    return s;                                                                  \
  }
COUNTED(downwards, int, n - 1; i >= 0; --i)
COUNTED(strided, int, 1; i < n; i += 3)
COUNTED(stridedDown, long, n - 2; i > 1; i -= 4)
COUNTED(offUnsigned, unsigned, 3; i < (unsigned)n; ++i)
COUNTED(offSize, size_t, 0; i != (size_t)n; i++)
COUNTED(offShort, short, 0; i < n - 2; ++i)
COUNTED(inclusive, long long, 2; i <= n - 3; i += 2)
COUNTED(none, int, n; i < Numbers; ++i)
COUNTED(backwards, int, 10; i < 3; ++i)
COUNTED(one, int, 7; i < 8; ++i)
COUNTED(fewerThanThreads, int, 4; i < 7; ++i)
COUNTED(boundsOfData, int, (int)x[0]; i < (int)(19 * x[1]); ++i)

PROGRAM(pointers) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (const double *p = x; p < x + n; ++p)
    s += *p * *p * x[n - 1 - (p - x)];
  return s;
}

PROGRAM(noWait) {
  double y[Numbers], z[Numbers], s = 0;
  OMP(parallel) {
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
    OMP(for nowait schedule(dynamic, 3))
    for (int i = 0; i < n; ++i)
      z[i] = sin(x[i]) * x[0];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * z[n - 1 - i];
  return s;
}
// The same thread has the same iterations of both loops.
STEADY(sameThread) {
  double y[Numbers], s = 0;
  OMP(parallel) {
    OMP(for schedule(static) nowait)
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
    OMP(for schedule(static) nowait)
    for (int i = 0; i < n; ++i)
      y[i] = y[i] * y[i] + exp(y[i]);
  }
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s;
}

PROGRAM(last) {
  double t = 0.5, y[Numbers], s = 0;
  int k = 0;
  OMP(parallel for lastprivate(t, k) schedule(monotonic : dynamic))
  for (int i = 0; i < n; ++i) {
    t = x[i] * x[(i + 3) % n];
    k = i;
    y[i] = t * t;
  }
  for (int i = 0; i < n; ++i)
    s += y[i];
  return s * t + k;
}
PROGRAM(firstAndLast) {
  double t = x[3], s = 0;
  OMP(parallel for firstprivate(t) lastprivate(t) reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    t = i == n - 1 ? x[i] * x[1] : t;
    s += t * x[i];
    t = i == n - 1 ? t : x[3];
  }
  return s * t;
}
PROGRAM(lastArray) {
  double q[3] = {0}, s = 0;
  OMP(parallel for lastprivate(q) reduction(+ : s))
  for (int i = 0; i < n; ++i) {
    for (int k = 0; k < 3; ++k)
      q[k] = x[(i + k) % n] * x[i];
    s += q[0] * q[1] * q[2];
  }
  return s + q[0] * q[2];
}
PROGRAM(inOrder) {
  double d = x[0];
  OMP(parallel for ordered schedule(dynamic))
  for (int i = 0; i < n; ++i) {
    double t = cos(x[i]) * x[(i + 1) % n];
    OMP(ordered)
    d = 0.5 * d * t + sin(d);
  }
  return d;
}
PROGRAM(inOrderInPlace) {
  double y[Numbers];
  memcpy(y, x, sizeof y);
  OMP(parallel for ordered schedule(static, 2))
  for (int i = 1; i < n; ++i) {
    OMP(ordered)
    y[i] = y[i] * y[i - 1] + 0.3 * y[i];
  }
  return y[n - 1] + y[5];
}
PROGRAM(sometimesInOrder) {
  double d = 1;
  OMP(parallel for ordered)
  for (int i = 0; i < n; ++i) {
    if (i % 3)
      continue;
    OMP(ordered)
    d = d * 0.7 + x[i] * d;
  }
  return d;
}
PROGRAM(unrolled) {
  double y[Numbers], s = 0;
  OMP(parallel for)
  OMP(unroll partial(3))
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i] * x[(i + 7) % n];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(tiled) {
  double y[24], s = 0;
  OMP(parallel for)
  OMP(tile sizes(2, 3))
  for (int i = 0; i < 4; ++i)
    for (int j = 0; j < 6; ++j)
      y[6 * i + j] = x[6 * i + j] * x[4 * j + i];
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}
PROGRAM(loopConstruct) {
  double y[Numbers], s = 0;
  OMP(parallel loop)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * exp(-x[i]);
  for (int i = 0; i < n; ++i)
    s += y[i] * y[(3 * i) % n];
  return s;
}
PROGRAM(skips) {
  double y[Numbers], s = 0;
  memcpy(y, x, sizeof y);
  OMP(parallel for schedule(guided))
  for (int i = 0; i < n; ++i) {
    if (x[i] > 1.03)
      continue;
    double t = x[i];
    while (t < 1.17)
      t = t * 1.5 + 0.01 * x[n - 1 - i];
    y[i] = t * y[i];
  }
  for (int i = 0; i < n; ++i)
    s += y[i] * y[i];
  return s;
}

// (What one section adds to is loaded before: LLVM may load what nobody uses.)
#if !__has_feature(thread_sanitizer)
PROGRAM(inSections) {
  double a = 0, b = 1, c[Numbers];
  memcpy(c, x, sizeof c);
  OMP(parallel sections) {
    OMP(section)
    for (int i = 0; i < n; ++i)
      a += x[i] * x[i];
    OMP(section)
    for (int i = 0; i < n; ++i)
      b *= x[i];
    OMP(section)
    for (int i = 1; i < n; ++i)
      c[i] += 0.5 * c[i - 1] * x[0];
  }
  return a * b + c[n - 1];
}
#endif
PROGRAM(sectionsOfATeam) {
  double a = 0, b = 1, last = 0;
  OMP(parallel) {
    OMP(sections nowait)
    {
      OMP(section)
      a = x[0] * x[1];
      OMP(section)
      b = sin(x[2]) * x[0];
    }
    OMP(sections lastprivate(last))
    {
      OMP(section)
      last = x[4];
      OMP(section)
      last = x[5] * x[0];
    }
  }
  return a * b * last;
}
PROGRAM(oneSection) {
  double a = x[1];
  OMP(parallel sections)
  { a *= a * x[0]; }
  return a;
}

// A region that is run ten thousand times: its tapes go as they come.
PROGRAM(manyTimes) {
  double y[2] = {x[0], x[1]};
  for (int t = 0; t < 2000; ++t) {
    OMP(parallel for num_threads(2))
    for (int i = 0; i < 2; ++i)
      y[i] = y[i] * (1 - 1e-4 * x[2 + i] * y[i]);
  }
  return y[0] * y[1];
}
// s += x[i] * x[i - 1]: each number is read by two iterations.
PROGRAM(neighbours) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int i = 1; i < n; ++i)
    s += x[i] * x[i - 1];
  return s;
}
#endif
