// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tape that one thread makes and another uses: nothing of it belongs to the thread.
// ADZE: modes=reverse libs="-lm -lpthread" skip-unless=header:pthread.h
// ADZE: leaks reason="threads end while their tapes are in use (docs/SplitMode.md)"
#include "check.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { N = 5, COUNT = 8 };

__attribute__((noinline)) static double inner(double *t, double x) {
  t[0] = t[0] * sin(x) + x;
  return t[0] * x;
}
__attribute__((noinline)) double f(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double *t = malloc(sizeof *t);
    *t = x[i];
    double **place = malloc(sizeof *place); // does not stay in the function: freed later
    *place = t;
    for (int k = 0; s < 1e6 && k < 200; k++)
      s += inner(*place, x[(i + k) % n]);
    free(*place);
    free(place);
  }
  return s;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);
void __enzyme_autodiff(void *, ...);

struct work {
  double x[N], d[N];
  void *tape;
};
static void *ahead(void *data) {
  struct work *w = data;
  w->tape = __enzyme_augmentfwd((void *)f, w->x, w->d, N);
  return 0;
}
static void *back(void *data) {
  struct work *w = data;
  __enzyme_reverse((void *)f, w->x, w->d, N, 1.0, w->tape);
  return 0;
}

ADZE_TEST_REVERSE(change_of_threads) {
  static struct work all[COUNT];
  pthread_t thread[COUNT];
  for (int k = 0; k < COUNT; k++)
    for (int i = 0; i < N; i++) {
      all[k].x[i] = 0.4 + 0.05 * i + 0.01 * k;
      all[k].d[i] = 0;
    }
  for (int k = 0; k < COUNT; k++)
    pthread_create(&thread[k], 0, ahead, &all[k]);
  for (int k = 0; k < COUNT; k++)
    pthread_join(thread[k], 0);
  for (int k = 0; k < COUNT; k++)
    pthread_create(&thread[k], 0, back, &all[COUNT - 1 - k]);
  for (int k = 0; k < COUNT; k++)
    pthread_join(thread[k], 0);
  for (int k = 0; k < COUNT; k++) {
    double want[N] = {0};
    __enzyme_autodiff((void *)f, all[k].x, want, N);
    for (int i = 0; i < N; i++)
      adze_near("gradient", all[k].d[i], want[i], 1e-12);
  }
}
#endif
