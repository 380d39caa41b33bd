// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Doubles in `void *`, and in unions whose first member is a pointer, within
// one function: nothing but the bits says that they are no pointers. Between
// functions they are refused (test/Diagnostics/float-as-pointer.c).
#include "check.h"
#include <stdint.h>
#include <string.h>
#define INLINE static inline __attribute__((always_inline))
#define NOINLINE static __attribute__((noinline))

typedef union {
  void *p;
  double d;
} Any;

// A list of anything.
struct List {
  void *item[8];
  int count;
};
INLINE void add(struct List *list, void *p) { list->item[list->count++] = p; }
INLINE void *boxed(double d) {
  void *p;
  memcpy(&p, &d, sizeof d);
  return p;
}
INLINE double opened(void *p) {
  double d;
  memcpy(&d, &p, sizeof d);
  return d;
}
double listed(const double *x, int n) {
  struct List list;
  list.count = 0;
  for (int i = 0; i < n; ++i)
    add(&list, boxed(x[i] * x[i]));
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += (i + 1) * opened(list.item[n - 1 - i]);
  return s;
}

// A tag says whether it is a double or leads to one; by value.
struct Tagged {
  int tag;
  Any u;
};
INLINE struct Tagged made(const double *x, int i) {
  struct Tagged t;
  t.tag = i & 1;
  if (t.tag)
    t.u.d = x[i] * x[0];
  else
    t.u.p = (void *)(x + i);
  return t;
}
INLINE double read(struct Tagged t) {
  return t.tag ? t.u.d * t.u.d : *(const double *)t.u.p;
}
double tagged(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += read(made(x, i)) * x[n - 1 - i];
  return s;
}

// Functions that move such words in memory, and see both members.
NOINLINE void set(Any *to, int i, double d) { to[i].d = d; }
NOINLINE void move(Any *to, const Any *from, int n) {
  for (int i = 0; i < n; ++i)
    to[i] = from[n - 1 - i];
}
NOINLINE double get(const Any *from, int i) { return from[i].d; }
double moved(const double *x, int n) {
  Any a[8], b[8];
  for (int i = 0; i < n; ++i)
    set(a, i, x[i] * x[i]);
  move(b, a, n);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += get(b, i) * x[i];
  return s;
}

// A function that moves words and sees none but pointers.
NOINLINE void shift(void *to, const void *from, int n) {
  for (int i = 0; i < n; ++i) {
    void *word;
    memcpy(&word, (void *const *)from + i, sizeof word);
    memcpy((void **)to + (n - 1 - i), &word, sizeof word);
  }
}
double shifted(const double *x, int n) {
  double a[8], b[8], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i] * x[i];
  shift(b, a, n);
  for (int i = 0; i < n; ++i)
    s += b[i] * x[i];
  return s;
}

// As integers between functions.
NOINLINE uint64_t kept(uint64_t bits, int n) {
  return n > 2 ? kept(bits, n - 1) : bits;
}
double asIntegers(const double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i) {
    double d = x[i] * x[i];
    uint64_t bits;
    memcpy(&bits, &d, sizeof d);
    bits = kept(bits, n);
    memcpy(&d, &bits, sizeof d);
    s += d * x[0];
  }
  return s;
}

#define AT ADZE_AT(0.3, -0.7, 1.1, 0.4, -0.2, 0.9)
ADZE_TEST_ARRAY(listed, 6, AT)
ADZE_TEST_ARRAY(tagged, 6, AT)
ADZE_TEST_ARRAY(moved, 6, AT)
ADZE_TEST_ARRAY(shifted, 6, AT)
ADZE_TEST_ARRAY(asIntegers, 6, AT)
