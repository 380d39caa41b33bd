// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp -latomic"
// skip-unless=header:omp.h What threads read at addresses of which only the run
// knows: nodes by indices, often and seldom, near each other and far apart;
// floats of both types, vectors.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// Several pages, from the middle of one on.
enum { IN(Nodes) = 3000, IN(Elements) = 4000 };

static void IN(fill)(const double *x, int n, double *u) {
  for (int k = 0; k < IN(Nodes); ++k)
    u[k] = x[k % n] + 0.001 * k;
}
static int IN(node)(int e, int way) {
  if (way == 0) // all the same
    return 7;
  if (way == 1) // near each other
    return (e + e / 7) % IN(Nodes);
  if (way == 2) // far apart
    return (int)((unsigned)e * 2654435761u >> 8) % IN(Nodes);
  return IN(Nodes) - 1 - e % 5 * 600; // the ends of pages
}

#define INDEXED(NAME, ...)                                                     \
  __attribute__((noinline)) static double IN(NAME##Sum)(int m, const int *at,  \
                                                        const double *u) {     \
    double s = 0;                                                              \
    OMP(__VA_ARGS__)                                                           \
    for (int e = 0; e < m; ++e) {                                              \
      const double a = u[at[e]], b = u[at[(e + 3) % m]];                       \
      s += a * b + sin(a - b);                                                 \
    }                                                                          \
    return s;                                                                  \
  }                                                                            \
  PROGRAM(NAME) {                                                              \
    static int at[IN(Elements)];                                               \
    double *block = malloc((IN(Nodes) + 8) * sizeof(double)), s = 0;           \
    double *u = block + 3;                                                     \
    for (int way = 0; way < 4; ++way)                                          \
      for (int m = 5; m <= IN(Elements); m *= 6) {                             \
        for (int e = 0; e < m; ++e)                                            \
          at[e] = IN(node)(e, way);                                            \
        IN(fill)(x, n, u);                                                     \
        s += IN(NAME##Sum)(m, at, u) / m;                                      \
      }                                                                        \
    free(block);                                                               \
    return s;                                                                  \
  }
INDEXED(inBlocks, parallel for reduction(+ : s))
INDEXED(inChunks, parallel for schedule(static, 3) reduction(+ : s))
INDEXED(asTheyCome, parallel for schedule(monotonic : dynamic, 50)
        reduction(+ : s))

// Beside what all iterations read, and what is the iteration's own.
__attribute__((noinline)) static double
IN(mixedSum)(int m, const int *at, const double *u, const double *w) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e) {
    double t = u[e] * w[0];
    for (int k = 0; k < 6; ++k)
      t += w[k] * u[at[(e + k) % m]];
    s += t * t;
  }
  return s;
}
PROGRAM(mixed) {
  static int at[IN(Elements)];
  double *u = malloc(IN(Nodes) * sizeof(double)), s = 0;
  for (int way = 0; way < 4; ++way) {
    for (int e = 0; e < 2500; ++e)
      at[e] = IN(node)(e, way);
    IN(fill)(x, n, u);
    s += IN(mixedSum)(2500, at, u, x) / 2500;
  }
  free(u);
  return s;
}

// Nodes of several numbers: doubles, and floats beside them.
struct IN(Node) {
  double at[2];
  float weight;
};
__attribute__((noinline)) static double
IN(nodesSum)(int m, const int *at, const struct IN(Node) * nodes) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e) {
    const struct IN(Node) *a = nodes + at[e], *b = nodes + at[(e + 1) % m];
    const double dx = a->at[0] - b->at[0], dy = a->at[1] - b->at[1];
    s += sqrt(1 + dx * dx + dy * dy) * a->weight;
  }
  return s;
}
PROGRAM(nodes) {
  static int at[IN(Elements)];
  struct IN(Node) *nodes = malloc(1000 * sizeof *nodes);
  for (int k = 0; k < 1000; ++k) {
    nodes[k].at[0] = x[k % n] + 0.01 * k;
    nodes[k].at[1] = x[(k + 5) % n] * x[0];
    nodes[k].weight = (float)(k % 4);
  }
  for (int e = 0; e < IN(Elements); ++e)
    at[e] = (e + e / 9) % 1000;
  const double s = IN(nodesSum)(IN(Elements), at, nodes) / IN(Elements);
  free(nodes);
  return s;
}

// Behind pointers: no array at all.
struct IN(Link) {
  const double *value;
};
__attribute__((noinline)) static double
IN(linksSum)(int m, const struct IN(Link) * links) {
  double s = 0;
  OMP(parallel for reduction(+ : s))
  for (int e = 0; e < m; ++e)
    s += *links[e].value * *links[m - 1 - e].value;
  return s;
}
PROGRAM(links) {
  struct IN(Link) *links = malloc(1500 * sizeof *links);
  for (int e = 0; e < 1500; ++e)
    links[e].value = x + e % n;
  const double s = IN(linksSum)(1500, links) / 1500;
  free(links);
  return s;
}

// The region writes what it reads by indices: in a later loop of it.
PROGRAM(writtenLater) {
  double *u = malloc(IN(Nodes) * sizeof(double)), s = 0, t = 0;
  IN(fill)(x, n, u);
  OMP(parallel) {
    OMP(for reduction(+ : s))
    for (int e = 0; e < 2000; ++e)
      s += u[IN(node)(e, 1)] * u[IN(node)(e, 2)];
    OMP(for)
    for (int e = 0; e < IN(Nodes); ++e)
      u[e] *= u[e];
    OMP(for reduction(+ : t))
    for (int e = 0; e < 2000; ++e)
      t += u[IN(node)(e, 2)] * u[IN(node)(e, 3)];
  }
  free(u);
  return s / 2000 + t / 4000;
}

#endif
