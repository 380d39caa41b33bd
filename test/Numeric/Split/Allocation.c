// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that the primal allocates and frees is there until the second half has read it, and
// nothing is left after that: after a few rounds the heap does not grow any more.
// ADZE: modes=reverse skip-unless=header:malloc.h
#include "check.h"
#include <malloc.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 6 };

__attribute__((noinline)) double owned(const double *x, int n) {
  double *t = malloc(n * sizeof *t), s = 0;
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[i];
  for (int i = 1; i < n; i++)
    t[i] *= t[i - 1];
  for (int i = 0; i < n; i++)
    s += sin(t[i]);
  free(t);
  return s;
}

struct node {
  struct node *next;
  double value;
};
__attribute__((noinline)) static struct node *push(struct node *head, double v) {
  struct node *n = malloc(sizeof *n);
  n->next = head;
  n->value = v * v;
  return n;
}
__attribute__((noinline)) double list(const double *x, int n) {
  struct node *head = 0;
  for (int i = 0; i < n; i++)
    head = push(head, x[i]);
  double s = 1;
  while (head) {
    struct node *next = head->next;
    s = s * head->value + s;
    free(head);
    head = next;
  }
  return s;
}

__attribute__((noinline)) double grows(const double *x, int n) {
  double *t = 0, s = 0;
  int count = 0, room = 0;
  for (int i = 0; i < n; i++)
    for (int k = 0; k <= i; k++) {
      if (count == room)
        t = realloc(t, (room = room ? 2 * room : 1) * sizeof *t);
      t[count] = x[i] * x[k] * (count ? t[count - 1] : 1);
      count++;
    }
  for (int i = 0; i < count; i++)
    s += t[i];
  free(t);
  return s;
}

__attribute__((noinline)) double frame(const double *x, int n) {
  double t[n], s = 0;
  for (int i = 0; i < n; i++)
    t[i] = x[i] * x[n - 1 - i];
  for (int i = 0; i < n; i++)
    s += t[i] * t[(i + 1) % n];
  return s;
}

// A tape that is not small, from a loop of unknown length.
__attribute__((noinline)) double big(const double *x, int n) {
  double s = x[0];
  for (int i = 0; fabs(s) < 1e10 && i < 20000; i++)
    s = sin(s * x[i % n]) + x[1];
  return s;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);

#define COMPARE(f)                                                                         \
  ADZE_TEST_REVERSE(of_##f) {                                                              \
    double x[N] = {.9, 1.1, .7, .8, 1.2, 1.05}, got[N] = {0}, want[N] = {0};               \
    __enzyme_autodiff((void *)f, x, want, N);                                              \
    size_t used = 0;                                                                       \
    for (int round = 0; round < 60; round++) {                                             \
      if (round == 10)                                                                     \
        used = mallinfo2().uordblks + mallinfo2().hblkhd;                                  \
      memset(got, 0, sizeof got);                                                          \
      void *tape = __enzyme_augmentfwd((void *)f, x, got, N);                              \
      void *between = malloc(200);                                                         \
      memset(between, 0xff, 200);                                                          \
      __enzyme_reverse((void *)f, x, got, N, 1.0, tape);                                   \
      free(between);                                                                       \
    }                                                                                      \
    adze_true(#f " leaves no memory", mallinfo2().uordblks + mallinfo2().hblkhd == used);  \
    for (int i = 0; i < N; i++)                                                            \
      adze_near(#f, got[i], want[i], 1e-12);                                               \
  }

COMPARE(owned)
COMPARE(list)
COMPARE(grows)
COMPARE(frame)
COMPARE(big)
#endif
