// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers of split mode that do not make sense, alone or together.
//
// RUN: not %clang -O0 -g %adze -DTAGS -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAGS %s
// RUN: not %clang -O2 -g %adze -DTAGS -c %s -o %t.o 2>&1 | FileCheck --check-prefix=TAGS %s
// RUN: not %clang -O0 -g %adze -DHALVES -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HALVES %s
// RUN: not %clang -O2 -g %adze -DHALVES -c %s -o %t.o 2>&1 | FileCheck --check-prefix=HALVES %s
// RUN: not %clang -O0 -g %adze -DSIZE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SIZE %s
// RUN: not %clang -O2 -g %adze -DSIZE -c %s -o %t.o 2>&1 | FileCheck --check-prefix=SIZE %s
// RUN: not %clang -O0 -g %adze -DAGAIN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: not %clang -O2 -g %adze -DAGAIN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: not %clang -O2 -g %adze -DZEROS -c %s -o %t.o 2>&1 | FileCheck --check-prefix=ZEROS %s
#include <stdlib.h>
extern int enzyme_const, enzyme_dup, enzyme_allocated, enzyme_tape, enzyme_nofree, enzyme_noret;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
double __enzyme_autodiff(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
void *__enzyme_virtualreverse(void *, ...);
double __enzyme_virtualreverse_double(void *, ...);

double f(double x, double *p) { return x * p[0] * p[1]; }
double g(double x, double y) { return x * y; }
struct large {
  double a[400];
  int count;
};
struct large many(double x) {
  struct large l = {{x, x, x, x}, 4};
  return l;
}

#ifdef ZEROS
extern int enzyme_strong_zero;
double zeros(double x, double *p, double *dp) {
  void *t = __enzyme_augmentfwd((void *)f, enzyme_strong_zero, x, enzyme_dup, p, dp);
  // ZEROS: split.c:[[#@LINE+1]]:10: error: '__enzyme_reverse' asks for another derivative of 'f' than the marker that makes the tape: enzyme_strong_zero is said in one of them
  return __enzyme_reverse((void *)f, x, enzyme_dup, p, dp, 1.0, t);
}
#endif

#ifdef TAGS
// TAGS: split.c:[[#@LINE+3]]:10: error: 'enzyme_tape' cannot be used like this: '__enzyme_autodiff' has no tape
// TAGS: to fix: use it with __enzyme_augmentfwd, __enzyme_reverse and __enzyme_fwdsplit
double fused(double x, double *p, double *d, void *tape) {
  return __enzyme_autodiff((void *)f, x, p, d, enzyme_tape, tape);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: 'enzyme_allocated' cannot be used like this: no number of bytes follows it
// TAGS: to fix: write the size of the memory after it
void *sizeless(double x, double *p, double *d, char *memory) {
  return __enzyme_augmentfwd((void *)f, enzyme_allocated, memory, enzyme_tape, memory, x, p, d);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: 'enzyme_tape' cannot be used like this: no address follows it
// TAGS: to fix: write the tape's address after it
double placeless(double x, double *p, double *d) {
  return __enzyme_reverse((void *)f, x, p, d, 1.0, enzyme_tape);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: 'enzyme_tape' cannot be used like this: it stands there twice
// TAGS: to fix: leave one out
double twice(double x, double *p, double *d, void *tape) {
  return __enzyme_reverse((void *)f, enzyme_tape, tape, enzyme_tape, tape, x, p, d, 1.0);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: '__enzyme_reverse' cannot be used like this: there is no tape
// TAGS: to fix: pass the tape that __enzyme_augmentfwd returned last, or after enzyme_tape
double tapeless(double x, double *p, double *d) {
  return __enzyme_reverse((void *)f, x, p, d, 1.0);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: '__enzyme_augmentsize' cannot be used like this: it has 1 tags, and 'f' has 2 parameters
// TAGS: to fix: write one tag for each parameter, or none, or the same arguments as for __enzyme_augmentfwd
size_t one_tag(void) {
  return __enzyme_augmentsize((void *)f, enzyme_dup);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: '__enzyme_augmentfwd' cannot be used like this: 'many' returns a structure of more than 256 members
// TAGS: to fix: differentiate a function that stores it through a pointer argument
void *in_memory(double x) {
  return __enzyme_augmentfwd((void *)many, enzyme_noret, x);
}

// TAGS: split.c:[[#@LINE+3]]:10: error: '__enzyme_virtualreverse' cannot be used like this: it is given values
// TAGS: to fix: write the function, and one tag for each parameter or none
void *table_of_values(double x, double *p, double *d) {
  return __enzyme_virtualreverse((void *)f, x, p, d);
}

// TAGS: split.c:[[#@LINE+2]]:10: error: the derivative returns a pointer, and '__enzyme_virtualreverse' is declared to return double
double no_table(void) {
  return __enzyme_virtualreverse_double((void *)f);
}
// TAGS: 9 errors generated
#endif

#ifdef HALVES
// HALVES: split.c:[[#@LINE+3]]:10: error: '__enzyme_reverse' asks for another derivative of 'f' than the marker that makes the tape: argument 2 is enzyme_const here and enzyme_dup there
// HALVES: to fix: write the same tags in both calls
double differs(double x, double *p, double *d, void *tape) {
  return __enzyme_reverse((void *)f, x, enzyme_const, p, 1.0, tape);
}
void *makes(double x, double *p, double *d) {
  return __enzyme_augmentfwd((void *)f, x, p, d);
}

// HALVES: split.c:[[#@LINE+3]]:10: error: no tape of 'g' is made in this file
// HALVES: to fix: call __enzyme_augmentfwd and __enzyme_reverse in one file
double alone(double x, double y, void *tape) {
  return __enzyme_reverse((void *)g, x, enzyme_const, y, 1.0, tape);
}
// HALVES: 2 errors generated
#endif

#ifdef SIZE
// SIZE: split.c:[[#@LINE+3]]:10: error: the tape of 'f' takes {{[0-9]+}} bytes, and 16 are provided
// SIZE: to fix: provide as many as __enzyme_augmentsize says
void *small(double x, double *p, double *d, char memory[16]) {
  return __enzyme_augmentfwd((void *)f, enzyme_allocated, (size_t)16, enzyme_tape, memory, x, p, d);
}
// SIZE: 1 error generated
#endif

#ifdef AGAIN
struct item {
  double *place;
  double value;
  void *whatever;
};
void use(struct item *);
void *__enzyme_inactivefn_use[] = {(void *)use};
double zeros(double x, int n) {
  double *t = calloc(n, sizeof *t), s = 0;
  for (int i = 0; i < n; i++)
    s += t[i] * x;
  t[0] = x * x;
  struct item one = {t, s, 0};
  use(&one);
  s += one.value * t[0];
  free(t);
  return s;
}
// AGAIN: error: the tape of 'zeros' cannot be used for more than one reverse pass: a call without derivative may write to memory that has a shadow
// AGAIN: to fix: leave out enzyme_nofree, and call __enzyme_augmentfwd before each reverse pass
double again(double x, int n) {
  void *tape = __enzyme_augmentfwd((void *)zeros, x, n);
  double d = __enzyme_reverse((void *)zeros, enzyme_nofree, x, n, 1.0, tape);
  return d + __enzyme_reverse((void *)zeros, x, n, 1.0, tape);
}
// AGAIN: 1 error generated
#endif
