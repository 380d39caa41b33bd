// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: flags="-pthread" libs="-pthread"
// Threads and mutexes of POSIX: a derivative runs each thread where it is
// created.
#include "check.h"
#include <math.h>
#include <pthread.h>
#include <stdlib.h>

enum { Count = 7 };
#define POINT ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1, 0.7, -0.4)

struct part {
  const double *x;
  int begin, end;
  double result;
};

static void *add(void *given) {
  struct part *p = given;
  double s = 0;
  for (int i = p->begin; i < p->end; ++i)
    s += sin(p->x[i]) * p->x[0];
  p->result = s;
  return NULL;
}

// Each thread has a result of its own.
double parts(const double *x, int n) {
  enum { Threads = 3 };
  pthread_t threads[Threads];
  struct part all[Threads];
  for (int k = 0; k < Threads; ++k) {
    all[k] = (struct part){x, n * k / Threads, n * (k + 1) / Threads, 0};
    pthread_create(&threads[k], NULL, add, &all[k]);
  }
  double s = x[1];
  for (int k = 0; k < Threads; ++k) {
    pthread_join(threads[k], NULL);
    s = s * 0.5 + all[k].result * all[k].result;
  }
  return s;
}
ADZE_TEST_ARRAY(parts, Count, POINT)

struct shared {
  pthread_mutex_t lock;
  const double *x;
  double sum, product;
};

struct task {
  struct shared *with;
  int begin, end;
};

static void *contribute(void *given) {
  struct task *t = given;
  struct shared *s = t->with;
  for (int i = t->begin; i < t->end; ++i) {
    double v = s->x[i] * s->x[i];
    pthread_mutex_lock(&s->lock);
    s->sum += v;
    s->product *= 1 + 0.1 * v;
    pthread_mutex_unlock(&s->lock);
    if (pthread_mutex_trylock(&s->lock) == 0) {
      s->sum -= 0;
      pthread_mutex_unlock(&s->lock);
    }
  }
  free(t);
  return NULL;
}

static void start(pthread_t *thread, struct shared *s, int begin, int end) {
  struct task *t = malloc(sizeof *t);
  *t = (struct task){s, begin, end};
  pthread_create(thread, NULL, contribute, t);
}

static void finish(pthread_t *threads, int n) {
  for (int k = 0; k < n; ++k)
    pthread_join(threads[k], NULL);
}

// A mutex among data; threads that functions start and join, twice.
double together(const double *x, int n) {
  struct shared s = {.x = x, .product = 1};
  pthread_mutex_init(&s.lock, NULL);
  pthread_t *threads = malloc(2 * sizeof *threads);
  double total = 0;
  for (int step = 0; step < 2; ++step) {
    start(&threads[0], &s, 0, n / 2);
    start(&threads[1], &s, n / 2, n);
    finish(threads, 2);
    total += s.sum * s.product;
  }
  free(threads);
  pthread_mutex_destroy(&s.lock);
  return total;
}
ADZE_TEST_ARRAY(together, Count, POINT)

struct range {
  const double *x;
  double *y;
  int begin, end;
};

static void *square(void *given) {
  struct range *r = given;
  if (r->end - r->begin == 1) {
    r->y[r->begin] = r->x[r->begin] * r->x[r->begin];
    return NULL;
  }
  int middle = (r->begin + r->end) / 2;
  struct range left = {r->x, r->y, r->begin, middle};
  struct range right = {r->x, r->y, middle, r->end};
  pthread_t thread;
  pthread_create(&thread, NULL, square, &left);
  square(&right);
  pthread_join(thread, NULL);
  r->y[r->begin] += r->y[middle] * r->x[middle];
  return NULL;
}

// Threads that create threads.
double within(const double *x, int n) {
  double y[Count];
  struct range all = {x, y, 0, n};
  pthread_t thread;
  pthread_create(&thread, NULL, square, &all);
  pthread_join(thread, NULL);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += y[i] * (i + 1);
  return s;
}
ADZE_TEST_ARRAY(within, Count, POINT)

static void *cube(void *given) {
  struct part *p = given;
  p->result = p->x[0] * p->x[1] * p->x[2];
  return NULL;
}

// Which function a thread runs is known when the program runs.
double chosen(const double *x, int n) {
  void *(*const works[])(void *) = {add, cube};
  struct part p[2] = {{x, 0, n, 0}, {x, 0, n, 0}};
  pthread_t threads[2];
  for (int k = 0; k < 2; ++k)
    pthread_create(&threads[k], NULL, works[x[k] > 0.4], &p[k]);
  for (int k = 0; k < 2; ++k)
    pthread_join(threads[k], NULL);
  return p[0].result * p[1].result;
}
ADZE_TEST_ARRAY(chosen, Count, POINT)
