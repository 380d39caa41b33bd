// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on integers, in functions that see nothing else: flags,
// counts, bit sets and addresses in structures with active data, and bits of
// floats. Only the run knows of some what they are.
#include "check.h"
#include <stdint.h>
#include <string.h>

#define NOINLINE __attribute__((noinline)) static
#define ORDER __ATOMIC_RELAXED

NOINLINE int add(int *at, int n) { return __atomic_fetch_add(at, n, ORDER); }
NOINLINE void set(int *at, int bits) { __atomic_fetch_or(at, bits, ORDER); }
NOINLINE void clear(uint64_t *at, uint64_t bits) {
  __atomic_fetch_and(at, ~bits, ORDER);
}
NOINLINE void flip(uint64_t *at, uint64_t bits) {
  __atomic_fetch_xor(at, bits, ORDER);
}
NOINLINE void mark(uintptr_t *at) { __atomic_fetch_or(at, 1, ORDER); }
NOINLINE uint64_t swap(uint64_t *at, uint64_t bits) {
  return __atomic_exchange_n(at, bits, ORDER);
}
NOINLINE double *swapPointers(double **at, double *to) {
  return __atomic_exchange_n(at, to, ORDER);
}
NOINLINE int raise(int *at, int to) {
  int old = __atomic_load_n(at, ORDER);
  while (old < to &&
         !__atomic_compare_exchange_n(at, &old, to, 0, ORDER, ORDER))
    ;
  return old;
}
NOINLINE int replace(uint64_t *at, uint64_t old, uint64_t to) {
  return __atomic_compare_exchange_n(at, &old, to, 0, ORDER, ORDER);
}

struct Record {
  double v;
  int flags;
  uint64_t bits;
  int count;
  double *place;
  uintptr_t marked;
  double w;
};

NOINLINE double use(struct Record *r, double *x) {
  set(&r->flags, 4);
  clear(&r->bits, 2);
  int before = add(&r->count, 3);
  raise(&r->flags, 100);
  uint64_t old = swap(&r->bits, 5);
  double sum = r->v * r->w * before;
  if (r->flags == 100)
    sum *= x[0];
  r->place = &x[1];
  double *was = swapPointers(&r->place, &x[2]);
  sum += *was * 3 + *r->place * *r->place;
  r->marked = (uintptr_t)&x[3];
  mark(&r->marked);
  sum *= 1 + (r->marked & 1);
  clear(&r->marked, 1);
  double *there = (double *)swap(&r->marked, (uintptr_t)&x[1]);
  return sum + *there * *(double *)r->marked * old;
}

void records(const double *x, double *y) {
  struct Record r = {x[0] * x[1], 1, 7, 2, 0, 0, x[2]};
  double local[4];
  memcpy(local, x, sizeof local);
  y[0] = use(&r, local);
  y[1] = use(&r, local) * r.count;
}
ADZE_TEST_MAP(records, 4, 2, ADZE_AT(0.5, -1.5, 2.0, 3.0))

static uint64_t bitsOf(double v) {
  uint64_t bits;
  memcpy(&bits, &v, sizeof bits);
  return bits;
}

// The sign of a float, and floats that are exchanged as bits.
void floats(const double *x, double *y) {
  double local[4];
  memcpy(local, x, sizeof local);
  flip((uint64_t *)&local[0], 1ull << 63);
  uint64_t old = swap((uint64_t *)&local[1], bitsOf(x[2] * x[3]));
  double was;
  memcpy(&was, &old, sizeof was);
  int first = replace((uint64_t *)&local[2], bitsOf(x[2]), bitsOf(x[0] * 3));
  int second = replace((uint64_t *)&local[3], bitsOf(-99), bitsOf(x[0] * 3));
  y[0] = local[0] * was * local[1];
  y[1] = local[2] * local[2] * first + local[3] * (1 + second);
}
ADZE_TEST_MAP(floats, 4, 2, ADZE_AT(0.5, -1.5, 2.0, 3.0))

// Old contents that are used, and memory that is read again.
void both(const double *x, double *y) {
  double local[2] = {x[0] * x[1], x[1]};
  uint64_t step = __atomic_fetch_add((uint64_t *)&local[0], 1, ORDER);
  uint64_t turned =
      __atomic_fetch_xor((uint64_t *)&local[1], 1ull << 63, ORDER);
  double a, b;
  memcpy(&a, &step, sizeof a);
  memcpy(&b, &turned, sizeof b);
  y[0] = a * local[0] + b * x[0];
  y[1] = local[1] * local[1] * b;
}
ADZE_TEST_MAP(both, 2, 2, ADZE_AT(0.5, -1.5))
