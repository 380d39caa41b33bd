// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One first half, and a second half with enzyme_nofree for each row of a Jacobian: the tape, and
// the shadows that the primal made, are as good the second time. The last one frees them.
// ADZE: modes=reverse skip-unless=header:malloc.h
#include "check.h"
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

// Tapes of recursions come from blocks that are kept.
enum { N = 4, SLACK = 8192 };

__attribute__((noinline)) static void mix(double *t, const double *x, int n) {
  double old[N];
  for (int i = 0; i < n; i++)
    old[i] = t[i];
  for (int i = 0; i < n; i++)
    t[i] = sin(old[(i + 1) % n]) * x[i] + old[i];
}

__attribute__((noinline)) void local(const double *x, double *y, int n) {
  double t[N];
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int k = 0; k < 3; k++)
    mix(t, x, n);
  for (int i = 0; i < n; i++)
    y[i] = t[i] * t[0];
}

__attribute__((noinline)) void heap(const double *x, double *y, int n) {
  double *t = malloc(n * sizeof *t);
  memset(t, 0, n * sizeof *t);
  for (int i = 0; i < n; i++)
    t[i] = exp(x[i]);
  for (int k = 0; t[0] < 100 && k < 40; k++)
    mix(t, x, n);
  memcpy(y, t, n * sizeof *t);
  free(t);
}

struct node {
  struct node *next;
  double value;
};
__attribute__((noinline)) void list(const double *x, double *y, int n) {
  struct node *head = 0;
  for (int i = 0; i < n; i++) {
    struct node *new = malloc(sizeof *new);
    new->next = head;
    new->value = x[i] * x[i];
    head = new;
  }
  for (int i = 0; i < n; i++)
    y[i] = 0;
  double s = 1;
  while (head) {
    struct node *next = head->next;
    s = s * head->value + s;
    for (int i = 0; i < n; i++)
      y[i] += s * x[i];
    free(head);
    head = next;
  }
}

__attribute__((noinline)) static double power(double x, int n) {
  return n ? x * power(sin(x), n - 1) : 1;
}
__attribute__((noinline)) void recursion(const double *x, double *y, int n) {
  for (int i = 0; i < n; i++)
    y[i] = power(x[i], 5) * x[0];
}

__attribute__((noinline)) void in_place(double *x, int n) {
  for (int k = 0; k < 3; k++)
    mix(x, x, n);
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);

#define COMPARE(f)                                                                          \
  ADZE_TEST_REVERSE(of_##f) {                                                               \
    double x[N] = {.9, 1.1, .7, .8}, y[N], seed[N], all = 0;                                \
    size_t used = 0;                                                                        \
    for (int round = 0; round < 100; round++) {                                              \
      if (round == 50)                                                                      \
        used = mallinfo2().uordblks + mallinfo2().hblkhd;                                   \
      double got[N] = {0}, want[N];                                                         \
      void *tape = __enzyme_augmentfwd((void *)f, x, got, y, seed, N);                      \
      for (int row = 0; row < N; row++) {                                                   \
        memset(got, 0, sizeof got);                                                         \
        for (int i = 0; i < N; i++)                                                         \
          seed[i] = i == row;                                                               \
        __enzyme_reverse((void *)f, enzyme_nofree, x, got, y, seed, N, tape);               \
        memset(want, 0, sizeof want);                                                       \
        for (int i = 0; i < N; i++)                                                         \
          seed[i] = i == row;                                                               \
        __enzyme_autodiff((void *)f, x, want, y, seed, N);                                  \
        for (int i = 0; i < N; i++)                                                         \
          all += fabs(got[i] - want[i]);                                                    \
      }                                                                                     \
      memset(got, 0, sizeof got);                                                           \
      for (int i = 0; i < N; i++)                                                           \
        seed[i] = i == N - 1;                                                               \
      __enzyme_reverse((void *)f, x, got, y, seed, N, tape);                                \
      for (int i = 0; i < N; i++)                                                           \
        all += fabs(got[i] - want[i]);                                                      \
    }                                                                                       \
    adze_near(#f ", differences", all, 0, 1e-10);                                           \
    adze_true(#f " leaves no memory", mallinfo2().uordblks + mallinfo2().hblkhd < used + SLACK);   \
  }

COMPARE(local)
COMPARE(heap)
COMPARE(list)
COMPARE(recursion)

ADZE_TEST_REVERSE(of_in_place) {
  double start[N] = {.9, 1.1, .7, .8}, x[N], d[N], want[N];
  memcpy(x, start, sizeof x);
  void *tape = __enzyme_augmentfwd((void *)in_place, x, d, N);
  for (int row = 0; row < N; row++) {
    memset(d, 0, sizeof d);
    d[row] = 1;
    if (row < N - 1)
      __enzyme_reverse((void *)in_place, x, d, N, enzyme_nofree, tape);
    else
      __enzyme_reverse((void *)in_place, x, d, N, tape);
    memset(want, 0, sizeof want);
    want[row] = 1;
    double again[N];
    memcpy(again, start, sizeof again);
    __enzyme_autodiff((void *)in_place, again, want, N);
    for (int i = 0; i < N; i++)
      adze_near("in_place", d[i], want[i], 1e-12);
  }
}
#endif
