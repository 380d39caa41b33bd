// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-pthread" libs="-pthread"
// Threads and mutexes of C11, as those of POSIX (Posix.c).
#include "check.h"
#include <math.h>
#include <threads.h>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

struct part {
  const double *x;
  int begin, end;
  double result;
};

static int add(void *given) {
  struct part *p = given;
  double s = 0;
  for (int i = p->begin; i < p->end; ++i)
    s += sin(p->x[i]) * p->x[0];
  p->result = s;
  return p->end;
}

// Each thread has a result of its own, and returns a number.
double parts(const double *x, int n) {
  enum { Threads = 3 };
  thrd_t threads[Threads];
  struct part all[Threads];
  for (int k = 0; k < Threads; ++k) {
    all[k] = (struct part){x, n * k / Threads, n * (k + 1) / Threads, 0};
    if (thrd_create(&threads[k], add, &all[k]) != thrd_success)
      return 0;
  }
  double s = x[1];
  for (int k = 0; k < Threads; ++k) {
    int end = 0;
    thrd_join(threads[k], &end);
    s = s * 0.5 + all[k].result * all[k].result * end * x[end - 1];
  }
  return s;
}
ADZE_TEST_ARRAY(parts, Count, POINT)

struct shared {
  mtx_t lock;
  const double *x;
  double sum, product;
};

static int both(void *given) {
  struct shared *s = given;
  for (int i = 0; i < Count; ++i) {
    mtx_lock(&s->lock);
    s->sum += s->x[i] * s->x[(i + 1) % Count];
    mtx_unlock(&s->lock);
    while (mtx_trylock(&s->lock) == thrd_busy)
      thrd_yield();
    s->product *= 1 + 0.1 * s->x[i];
    mtx_unlock(&s->lock);
  }
  return 0;
}

// What threads have in common.
double together(const double *x, int n) {
  struct shared s = {.x = x, .product = 1};
  thrd_t a, b;
  mtx_init(&s.lock, mtx_plain);
  thrd_create(&a, both, &s);
  thrd_create(&b, both, &s);
  thrd_join(a, 0);
  thrd_join(b, 0);
  mtx_destroy(&s.lock);
  return s.sum * s.product + n * x[0];
}
ADZE_TEST_ARRAY(together, Count, POINT, .flags = ADZE_UNORDERED)
