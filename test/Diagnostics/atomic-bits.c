// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Atomic operations on the bits of floats that are no change of sign: refused
// where types see the float, else the program stops, in both modes and in
// parallel regions. Flags beside such floats are numbers.
// RUN: %clang -g -O0 -fopenmp %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O1 -fopenmp %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 -fopenmp %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: %clang -g -O2 -fno-strict-aliasing -fopenmp %adze %s -o %t && %t 2>&1 | FileCheck %s
// RUN: not %clang -g -O0 -fopenmp %adze -DKNOWN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KNOWN %s
// RUN: not %clang -g -O2 -fopenmp %adze -DKNOWN -c %s -o %t.o 2>&1 | FileCheck --check-prefix=KNOWN %s
// CHECK-COUNT-10: atomic-bits.c:{{.*}} an active float
#include <signal.h>
#include <stdint.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>
extern int enzyme_dup;
extern double __enzyme_fwddiff(void *, ...);
extern void __enzyme_autodiff(void *, ...);
#define NOINLINE __attribute__((noinline)) static
#define ORDER __ATOMIC_RELAXED
typedef unsigned char Byte;

#ifdef KNOWN
NOINLINE void twice(uint64_t *p) {
  // KNOWN-DAG: atomic-bits.c:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}}: integer arithmetic on the bits of an active float
  __atomic_fetch_add(p, 1ull << 52, ORDER);
}
static double doubled(double *x) {
  twice((uint64_t *)&x[0]);
  return x[0] * x[1];
}
static double inRegion(double *x) {
#pragma omp parallel num_threads(2)
  // KNOWN-DAG: atomic-bits.c:[[#@LINE+1]]:{{[0-9]+}}: error: {{.*}} in a parallel region: an atomic operation on active data
  __atomic_fetch_xor((uint64_t *)&x[0], 1ull << 63, ORDER);
  return x[0] * x[1];
}
double all(double *x, double *d) {
  return __enzyme_fwddiff((void *)doubled, enzyme_dup, x, d) +
         __enzyme_fwddiff((void *)inRegion, enzyme_dup, x, d);
}
#else
static volatile int first = 8, second = 32, flags = 48;

NOINLINE void put(Byte *b, int at, double d) { memcpy(b + at, &d, sizeof d); }
NOINLINE double get(const Byte *b, int at) {
  double d;
  memcpy(&d, b + at, sizeof d);
  return d;
}
NOINLINE void add(Byte *b, int at) {
  __atomic_fetch_add((uint64_t *)(b + at), 1ull << 52, ORDER);
}
NOINLINE void half(Byte *b, int at) {
  __atomic_fetch_and((uint32_t *)(b + at), 0xffff, ORDER);
}
NOINLINE void set(Byte *b, int at) {
  __atomic_fetch_or((uint16_t *)(b + at), 2, ORDER);
}
NOINLINE void most(Byte *b, int at) {
  __atomic_fetch_max((int64_t *)(b + at), 0x7fe0000000000000, ORDER);
}
NOINLINE void team(Byte *b, int at) {
#pragma omp parallel num_threads(2)
  add(b, at);
}

#define CASE(NAME, PLACE)                                                      \
  static double NAME##Of(double *x) {                                          \
    _Alignas(8) Byte b[64] = {0};                                              \
    put(b, first, x[0] * x[1]);                                                \
    put(b, second, x[1]);                                                      \
    NAME(b, PLACE);                                                            \
    return get(b, first) + get(b, second) * x[0];                              \
  }                                                                            \
  static double NAME##Beside(double *x) {                                      \
    _Alignas(8) Byte b[64] = {0};                                              \
    put(b, first, x[0] * x[1]);                                                \
    put(b, second, x[1]);                                                      \
    NAME(b, flags);                                                            \
    return get(b, first) + get(b, second) * x[0];                              \
  }
CASE(add, first)
CASE(half, first + 4)
CASE(set, second + 6)
CASE(most, second)
CASE(team, first)

#define RUN(F)                                                                 \
  do {                                                                         \
    double x[2] = {1.5, 2.5}, d[2] = {0}, e[2] = {1, 1}, t = 8;                \
    if (mode != 'r')                                                           \
      t = __enzyme_fwddiff((void *)F, enzyme_dup, x, e);                       \
    if (mode != 'f')                                                           \
      __enzyme_autodiff((void *)F, enzyme_dup, x, d);                          \
    else                                                                       \
      d[0] = 5, d[1] = 3;                                                      \
    if (d[0] != 5 || d[1] != 3 || t != 8)                                      \
      return 1;                                                                \
  } while (0)

enum { Cases = 5 };
static int run(int which, char mode) {
  if (!which) {
    RUN(addBeside);
    RUN(halfBeside);
    RUN(setBeside);
    RUN(mostBeside);
    RUN(teamBeside);
  } else if (which == 1)
    RUN(addOf);
  else if (which == 2)
    RUN(halfOf);
  else if (which == 3)
    RUN(setOf);
  else if (which == 4)
    RUN(mostOf);
  else
    RUN(teamOf);
  return 0;
}

int main(void) {
  if (run(0, 0))
    return 1;
  for (int which = 1; which <= Cases; ++which)
    for (const char *mode = "fr"; *mode; ++mode) {
      int status;
      pid_t child = fork();
      if (child == 0)
        _exit(run(which, *mode));
      waitpid(child, &status, 0);
      if (!WIFSIGNALED(status) || WTERMSIG(status) != SIGABRT)
        return 1;
    }
  return 0;
}
#endif
