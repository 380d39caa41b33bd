// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A double read as a pointer, a float read as a double, and bytes of which
// nothing is known, in a callee: all told in one run, once each, each with both
// places, the chain of calls and the way out. (Forward mode copies bytes of
// which nothing is known.)
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefixes=COPY,CHECK %s
// RUN: not %clang -O0 -g %adze -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 -g %adze -DAPART -c %s -o %t.o
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

#ifdef APART // the same without contradiction
#define OTHER 2
#else
#define OTHER 0
#endif

static void move(void *to, const void *from, unsigned long n) {
  // CHECK-NOT: error:
  // COPY: type-problems.c:[[#@LINE+8]]:3: error: cannot deduce the type of byte 0 of the memory copied here, and the gradient depends on it
  // COPY-NEXT: copied to 'to', of which no type is known
  // COPY-NEXT: copied from 'from', of which no type is known
  // COPY-NEXT: in 'move', called at {{.*}}type-problems.c:[[#@LINE+8]]:3 by 'pass'
  // COPY-NEXT: in 'pass', called at {{.*}}type-problems.c:[[#@LINE+30]]:3 by 'f'
  // COPY-NEXT: in the derivative that '__enzyme_autodiff' asks for at {{.*}}type-problems.c:{{[0-9]+}}:3 in 'gradient'
  // COPY-NEXT: to fix: access the data through a typed pointer, compile without -fno-strict-aliasing, or let clang tell its types: -fplugin=ClangAdze.so
  // CHECK-NOT: error:
  __builtin_memcpy(to, from, n);
}
static void pass(void *to, const void *from, unsigned long n) {
  move(to, from, n);
#ifdef APART
  *(double *)to *= 2;
#endif
}

void f(double *x, double *y, void *to, void *from) {
  // CHECK: type-problems.c:[[#@LINE+6]]:18: error: the memory behind 'x' is used with contradicting types: pointer and double
  // CHECK-NEXT: used as pointer here ({{.*}}type-problems.c:[[#@LINE+5]]:18)
  // CHECK-NEXT: used as double here ({{.*}}type-problems.c:[[#@LINE+3]]:18)
  // CHECK-NEXT: in the derivative that '__enzyme_{{autodiff|fwddiff}}' asks for at
  // CHECK-NEXT: to fix: make both accesses use one type
  double value = x[0];
  double link = **(double **)(x + OTHER);
  y[0] = value * link;
  // CHECK-NOT: error:
  // CHECK: type-problems.c:[[#@LINE+6]]:10: error: the memory behind {{.*}}'x' is used with contradicting types: float and double
  // CHECK-NEXT: used as float here ({{.*}}type-problems.c:[[#@LINE+5]]:10)
  // CHECK-NEXT: used as double here ({{.*}}type-problems.c:[[#@LINE+4]]:38)
  // CHECK-NEXT: in the derivative that
  // CHECK-NEXT: to fix: make both accesses use one type
  // CHECK-NOT: error:
  y[1] = *(float *)(x + 4 + OTHER) * x[4];
  pass(to, from, 8);
}

// COPY: 3 errors generated
void gradient(double *x, double *dx, double *y, double *dy, void *to, void *dto, void *from,
              void *dfrom) {
#ifdef FORWARD
  __enzyme_fwddiff(
#else
  __enzyme_autodiff(
#endif
      (void *)f, enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, to, dto, enzyme_dup, from,
      dfrom);
}
