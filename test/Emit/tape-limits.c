// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tape that there is no memory for ends the program with a message: where
// the bytes of an array are more than 64 bits hold (one loop, two loops), and
// where the system refuses (array made on entry, array that grows, tapes of
// a recursion).
//
// The sanitizers need more memory than there is here.
// UNSUPPORTED: sanitized
// RUN: %clang -O1 %adze %s -o %t -lm
// RUN: %t 0 | FileCheck --check-prefix=FINE %s
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=BIG %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=BIG %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: not --crash %t 5 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: %clang -O3 %adze %s -o %t -lm
// RUN: %t 0 | FileCheck --check-prefix=FINE %s
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=BIG %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=BIG %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: not --crash %t 4 2>&1 | FileCheck --check-prefix=OUT %s
// RUN: not --crash %t 5 2>&1 | FileCheck --check-prefix=OUT %s
//
// FINE: 0.2059 0.2059 0.6065 0.2059
// BIG: adze: the tape of a derivative is larger than memory can be
// OUT: adze: out of memory for the tape of a derivative
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/resource.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);

double chain(double x, long n) {
  for (long i = 0; i < n; ++i)
    x = sin(x);
  return x;
}

double nest(double x, long n, long m) {
  for (long i = 0; i < n; ++i)
    for (long j = 0; j < m; ++j)
      x = sin(x);
  return x;
}

double grows(double x, double end) {
  while (x > end)
    x = x * exp(-x);
  return x;
}

__attribute__((noinline)) double recursion(double x, long n) {
  return n ? recursion(sin(x), n - 1) * 1.0 : x;
}

static double chainBy(double x, long n) {
  return __enzyme_autodiff((void *)chain, x, enzyme_const, n);
}
static double nestBy(double x, long n, long m) {
  return __enzyme_autodiff((void *)nest, x, enzyme_const, n, enzyme_const, m);
}
static double growBy(double x, double end) {
  return __enzyme_autodiff((void *)grows, x, enzyme_const, end);
}
static double recurBy(double x, long n) {
  return __enzyme_autodiff((void *)recursion, x, enzyme_const, n);
}

// Has the system map the stack that the recursion will need.
__attribute__((noinline)) static void touchStack(void) {
  volatile char room[7 << 20];
  for (size_t i = sizeof room; i > 4096; i -= 4096)
    room[i - 1] = 0;
}

int main(int argc, char **argv) {
  int which = atoi(argv[1]);
  struct rlimit limit = {256ul << 20, 256ul << 20};
  setrlimit(RLIMIT_AS, &limit);
  // A recursion this deep fits the stack, so its tapes get less heap than the
  // program has already: no more.
  switch (which) {
  case 0:
    printf("%.4f %.4f %.4f %.4f\n", chainBy(1, 4), nestBy(1, 2, 2),
           growBy(0.5, 0.45) * 2, recurBy(1, 4));
    return 0;
  case 1:
    return chainBy(1, 1l << 61) > 0;
  case 2:
    return nestBy(1, 1l << 40, 1l << 30) > 0;
  case 3:
    return chainBy(1, 1l << 28) > 0;
  case 4:
    return growBy(0.5, 0) > 0;
  case 5:
    touchStack();
    recurBy(1, 4); // what the C library allocates once
    limit.rlim_cur = 4 << 20;
    setrlimit(RLIMIT_AS, &limit);
    return recurBy(1, 1l << 17) > 0;
  }
}
