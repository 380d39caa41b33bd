// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the steps of a time loop write, of which nobody says where it begins and ends: behind
// arguments, behind pointers in memory, in lists, rows and records; named in part; overwritten later.
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

#if ADZE_REVERSE || ADZE_FORWARD
#define CHECKPOINT(...) adze_checkpoint(__VA_ARGS__)
#define CHECKPOINT_MEMORY(...) adze_checkpoint_memory(__VA_ARGS__)
#else
#define CHECKPOINT(...) (void)0
#define CHECKPOINT_MEMORY(...) (void)0
#endif
enum { N = 6 };

// Behind arguments, in a loop of its own function; overwritten by the caller afterwards.
__attribute__((noinline)) static void relax(double *u, double *v, int n, int steps) {
  for (int t = 0; t < steps; t++) {
    CHECKPOINT(3);
    for (int i = 1; i < n - 1; i++)
      v[i] = u[i] + 0.1 * (u[i - 1] - 2 * u[i] + u[i + 1]) + 0.01 * sin(u[i]);
    for (int i = 1; i < n - 1; i++)
      u[i] = v[i];
  }
}
void arguments(double *u) {
  double v[N];
  for (int k = 0; k < 2; k++) {
    relax(u, v, N, 11 + k);
    for (int i = 0; i < N; i++)
      u[i] = 0.9 * u[i] + 0.1 * u[i] * u[(i + 1) % N];
  }
}
ADZE_TEST_INPLACE(arguments, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// Two elements are named, all are read and written; where, depends on the data.
void partly(double *u) {
  for (int t = 0; t < 17; t++) {
    CHECKPOINT(3, u, 2 * sizeof *u);
    int at = u[t % N] > 0.4 ? (3 * t) % N : (t + 1) % N;
    u[at] += 0.1 * u[(at + 1) % N] * u[(at + 2) % N];
  }
  for (int i = 0; i < N; i++)
    u[i] *= u[i] * u[(i + 1) % N];
}
ADZE_TEST_INPLACE(partly, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// Rows behind an array of pointers, records behind a list; both found in a function that the loop calls.
struct node {
  double value, speed;
  long visits;
  struct node *next;
};
__attribute__((noinline)) static void move(struct node *list, double **rows, int n) {
  for (struct node *p = list; p; p = p->next) {
    double force = p->next ? p->next->value - p->value : -0.1 * p->value;
    p->speed += 0.1 * force;
    p->visits++;
  }
  for (struct node *p = list; p; p = p->next)
    p->value += 0.1 * p->speed;
  for (int i = 0; i < n; i++)
    for (int j = 0; j < n; j++)
      rows[i][j] *= 1 + 0.01 * list->value * rows[i][0];
}
__attribute__((noinline)) static struct node *listOf(const double *x) {
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *p = malloc(sizeof *p);
    p->value = x[i];
    p->speed = x[3 - i] * x[i];
    p->visits = 0;
    p->next = list;
    list = p;
  }
  return list;
}
void linked(const double *x, double *y) {
  struct node *list = listOf(x);
  double block[4] = {x[4], x[4] * x[5], x[5], x[4] * x[5]}, *rows[2] = {block, block + 2};
  for (int t = 0; t < 19; t++) {
    CHECKPOINT_MEMORY(2000);
    move(list, rows, 2);
  }
  y[0] = y[1] = 0;
  while (list) {
    struct node *p = list;
    list = p->next;
    y[0] += p->value * p->value + 0.001 * p->visits;
    y[1] += p->value * p->speed;
    free(p);
  }
  for (int i = 0; i < 2; i++)
    y[1] += rows[i][0] * rows[i][1];
}
ADZE_TEST_MAP(linked, 6, 2, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// A count that is not known, and memory of a step's own that it keeps in records.
struct workspace {
  double *stage[2];
};
static struct workspace make(int n) {
  struct workspace w;
  for (int k = 0; k < 2; k++)
    w.stage[k] = malloc(n * sizeof(double));
  return w;
}
static double norm(const double *u, int n) {
  double s = 0;
  for (int i = 0; i < n; i++)
    s += u[i] * u[i];
  return s;
}
void stages(double *u) {
  int count = 0;
  while (norm(u, N) > 0.44) {
    CHECKPOINT(4);
    struct workspace w = make(N);
    for (int i = 0; i < N; i++)
      w.stage[0][i] = -u[i] * (1 + 0.1 * u[(i + 1) % N]);
    for (int i = 0; i < N; i++)
      w.stage[1][i] = -(u[i] + 0.05 * w.stage[0][i]);
    for (int i = N - 1; i >= 0; i--)
      u[i] += 0.05 * w.stage[1][i] + 0.01 * w.stage[0][i];
    memcpy(w.stage[1], u, N * sizeof *u);
    u[0] = 0.5 * (u[0] + w.stage[1][0]);
    for (int k = 0; k < 2; k++)
      free(w.stage[k]);
    if (++count > 60)
      break;
  }
  u[1] *= u[2];
}
ADZE_TEST_INPLACE(stages, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// By columns, strides that are not known, and single elements in two dimensions.
static void columns(double *a, int n, int stride, double c) {
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++)
      a[i * stride + j] += c * a[((i + 1) % n) * stride + j] * a[i * stride];
}
void strided(double *a) {
  for (int t = 0; t < 13; t++) {
    CHECKPOINT(2);
    columns(a, 2, 3, 0.1);
    a[5] *= 0.99;
  }
}
ADZE_TEST_INPLACE(strided, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// A pointer that goes on through memory of which nobody says where it ends.
void walked(double *u) {
  double *p = u;
  for (int t = 0; t < N - 1; t++) {
    CHECKPOINT(2);
    p[1] += 0.3 * p[0] * p[1];
    p++;
  }
  p[0] *= u[0];
}
ADZE_TEST_INPLACE(walked, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))

// A record that is handed over as a copy, which the callee changes.
struct parameters {
  double a[5];
  double *u;
};
__attribute__((noinline)) static void apply(struct parameters p, char c, int n) {
  p.a[0] += 1;
  p.a[c] *= 2;
  for (int i = 0; i < n; i++)
    p.u[i] += 0.1 * p.u[(i + 1) % n] * p.a[0] * p.a[c];
}
void copies(double *u) {
  struct parameters q = {{0.1, u[0], 0.3, u[1], 0.5}, u};
  for (int t = 0; t < 9; t++) {
    CHECKPOINT(3);
    apply(q, t % 3 + 1, N);
  }
  u[0] *= u[1];
}
ADZE_TEST_INPLACE(copies, 6, ADZE_AT(1, 0.5, -0.3, 0.8, 0.2, 1.5))
