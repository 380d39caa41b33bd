// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double goes through functions as `void *`, or in a union that is passed as a
// pointer, for that is its first member: a pointer has no adjoint. With the
// double first it is passed as an integer. Where types do not see the double,
// the program stops when it runs, also if it is zero and looks like null.
// RUN: not %clang -O0 %adze -DKIND=1 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O1 %adze -DKIND=1 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=1 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O0 %adze -DKIND=2 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=2 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O0 %adze -DKIND=3 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=3 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O0 %adze -DKIND=3 -DFORWARD %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=3 -DFORWARD %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O0 %adze -DKIND=4 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: %clang -O2 %adze -DKIND=4 %s -o %t && %t | FileCheck --check-prefix=RIGHT %s
// RUN: not %clang -O0 %adze -DKIND=5 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=5 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O0 %adze -DKIND=6 %s -o %t 2>&1 | FileCheck %s
// RUN: not %clang -O2 %adze -DKIND=6 -DFORWARD %s -o %t 2>&1 | FileCheck %s
// RUN: %clang -O0 %adze -DKIND=7 %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze -DKIND=7 %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=7 -DFORWARD %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=8 %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze -DKIND=8 %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=7 -DZERO %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze -DKIND=7 -DZERO -DFORWARD %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=8 -DZERO -DFORWARD %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze -DKIND=8 -DZERO %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=9 -DZERO %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O2 %adze -DKIND=9 -DZERO -DFORWARD %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=10 %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O0 %adze -DKIND=10 -DFORWARD %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: %clang -O1 %adze -DKIND=10 -DZERO %s -o %t && not %t 2>&1 | FileCheck --check-prefix=STOP %s
// STOP: adze: an active float is passed on as a pointer, which has no derivative
// CHECK: error: no derivative rule for this instruction: an active float is passed on as a pointer
// CHECK: to fix
// RIGHT: 6
#include <stdio.h>
#include <string.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
#define NOINLINE __attribute__((noinline)) static
#ifdef ZERO
#define DOUBLE(x) (2 * (x)-6)
#else
#define DOUBLE(x) ((x) * (x))
#endif

#if KIND == 1
typedef void *Word;
NOINLINE Word boxed(double d) {
  Word p;
  memcpy(&p, &d, sizeof d);
  return p;
}
NOINLINE double opened(Word p) {
  double d;
  memcpy(&d, &p, sizeof d);
  return d;
}
#elif KIND == 2
// A list of anything.
typedef void *Word;
struct List {
  Word item[4];
  int count;
};
NOINLINE Word kept(struct List *list, Word p) {
  list->item[list->count++] = p;
  return list->item[0];
}
union Any {
  double d;
  Word p;
};
NOINLINE Word boxed(double d) {
  struct List list;
  union Any any;
  list.count = 0;
  any.d = d;
  return kept(&list, any.p);
}
NOINLINE double opened(Word p) {
  union Any any;
  any.p = p;
  return any.d;
}
#else
typedef struct {
  int tag;
  union {
#if KIND == 3
    const char *p;
    double d;
#else
    double d;
    const char *p;
#endif
  } u;
} Word;
NOINLINE Word boxed(double d) {
  Word w = {1, {0}};
  w.u.d = d;
  return w;
}
NOINLINE double opened(Word w) { return w.tag ? w.u.d : w.u.p[0]; }
#endif

#if KIND == 5
// Both functions see pointers alone.
typedef struct {
  void *slots[4];
  int n;
} Stack;
NOINLINE void *top(const Stack *s, int i) { return s->slots[i]; }
NOINLINE void push(Stack *s, void *word) { s->slots[s->n++] = word; }
double f(double x) {
  Stack a = {{0}, 2}, b = {{0}, 0};
  double d = x * x;
  memcpy(&a.slots[0], &d, sizeof d);
  memcpy(&a.slots[1], &d, sizeof d);
  push(&b, top(&a, 0));
  push(&b, top(&a, 1));
  memcpy(&d, &b.slots[1], sizeof d);
  return d;
}
#elif KIND == 9 || KIND == 10
typedef struct {
  void *slot;
  int n;
} Box;
#if KIND == 9
// Followed on one way, and a float on the other one.
NOINLINE double pick(void *word, Box *to) {
  double d;
  if (!to)
    return *(double *)word;
  memcpy(&d, &word, sizeof d);
  return d;
}
NOINLINE void *get(const Box *b) { return b->slot; }
NOINLINE double use(Box *from, Box *to) { return pick(get(from), to); }
#else
// Moved from memory to memory, and followed.
NOINLINE double use(Box *from, Box *to) {
  void *word = from->slot;
  if (!to)
    return *(double *)word;
  to->slot = word;
  return 0;
}
#endif
double f(double x) {
  Box a = {0, 1}, b = {0, 0};
  double d = DOUBLE(x);
  a.slot = &x;
  d *= use(&a, 0);
  memcpy(&a.slot, &d, sizeof d);
  d = use(&a, &b);
  double e;
  memcpy(&e, &b.slot, sizeof e);
  return d + e;
}
#elif KIND >= 6
// From a fixed place, and to one.
typedef struct {
  void *slot;
  int n;
} Box;
NOINLINE void put(Box *b, void *word) {
  b->slot = word;
  b->n++;
}
#if KIND == 8
// As a word to memory that is known as a pointer's.
NOINLINE void get(const Box *b, void **word) { *word = b->slot; }
#else
NOINLINE void *get(const Box *b) { return b->slot; }
#endif
NOINLINE double follow(const Box *b) { return *(const double *)b->slot; }
double f(double x) {
  Box a = {0}, b = {0};
  double d = DOUBLE(x);
#if KIND == 7
  // Types know where the pointer leads that stood there before.
  a.slot = &x;
  d *= follow(&a);
#endif
  memcpy(&a.slot, &d, sizeof d);
#if KIND == 8
  void *word;
  get(&a, &word);
  put(&b, word);
#else
  put(&b, get(&a));
#endif
  memcpy(&d, &b.slot, sizeof d);
  return d * b.n;
}
#else
double f(double x) { return opened(boxed(x * x)); }
#endif

int main(void) {
#ifdef FORWARD
  printf("%g\n", __enzyme_fwddiff((void *)f, 3.0, 1.0));
#else
  printf("%g\n", __enzyme_autodiff((void *)f, 3.0));
#endif
}
