// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Functions that know nothing active, in which threads wait for each other, or
// for tasks: the reverse pass waits there as well.
#ifndef TEAMS
#include "teams.h"
#include __FILE__
#include "teams.h"
#include __FILE__
#else

#define APART static __attribute__((noinline))

//===-- Barriers ----------------------------------------------------------===//

/// Threads write, read what the next ones have written, and overwrite it.
#define PHASES(MEET)                                                           \
  double a[Numbers], b[Numbers], s = 0;                                        \
  OMP(parallel) {                                                              \
    const int me = IN(me)(), size = IN(size)();                                \
    for (int i = me; i < n; i += size)                                         \
      a[i] = x[i] * x[i];                                                      \
    MEET;                                                                      \
    for (int i = me; i < n; i += size)                                         \
      b[i] = sin(a[(i + 1) % n]) * a[i];                                       \
    MEET;                                                                      \
    for (int i = me; i < n; i += size)                                         \
      a[i] = b[(i + 2) % n] * b[i];                                            \
    MEET;                                                                      \
    if (me == 0)                                                               \
      for (int i = 0; i < n; ++i)                                              \
        s += a[i] * (i + 1);                                                   \
  }                                                                            \
  return s

APART void IN(meet)(void){OMP(barrier)} PROGRAM(barriers) {
  PHASES(IN(meet)());
}

// What it does besides is code without derivative.
APART int IN(count)(int *counts) {
  ++counts[16 * IN(me)()];
  OMP(barrier)
  return counts[16 * IN(me)()];
}
PROGRAM(counts) {
  int c[8 * 16] = {0};
  PHASES(if (IN(count)(c) > 3) a[me] = 0);
}

// Some calls below, by a recursion that waits for nothing in between.
APART void IN(deep)(int depth) {
  if (depth == 0)
    IN(meet)();
  else
    IN(deep)(depth - 1);
}
PROGRAM(deeper) { PHASES(IN(deep)(n % 5)); }

// Where the program chooses.
APART void IN(nothing)(void) {}
APART void IN(twice)(void) {
  IN(meet)();
  OMP(barrier)
}
static void (*const IN(ways)[])(void) = {IN(meet), IN(nothing), IN(twice)};
PROGRAM(pointers) {
  PHASES({
    IN(ways)[n % 2]();
    IN(ways)[1]();
    IN(ways)[2 * (n % 2)]();
  });
}

// As often as a loop says, the last of them in the middle of an iteration.
APART int IN(steps)(int k) {
  OMP(barrier)
  return k + 1;
}
PROGRAM(loops) {
  double a[Numbers], b[Numbers], s = 0;
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  OMP(parallel) {
    const int me = IN(me)(), size = IN(size)();
    for (int k = 0; k < 3; k = IN(steps)(k)) {
      for (int i = me; i < n; i += size)
        b[i] = a[i] * a[(i + 1) % n] * (k + 1);
      IN(meet)();
      for (int i = me; i < n; i += size)
        a[i] = 0.3 * b[i] * b[(i + n - 1) % n];
    }
  }
  for (int i = 0; i < n; ++i)
    s += a[i];
  return s;
}

// The end of a loop, of which each iteration does something that is not active.
APART void IN(clear)(int *marks, int n) {
  OMP(for)
  for (int i = 0; i < n; ++i)
    marks[i] = i;
}
PROGRAM(ends) {
  int marks[Numbers];
  PHASES(IN(clear)(marks, n));
}

//===-- One thread at a time ----------------------------------------------===//

// Locks whose keepers do not know what they keep.
APART void IN(enter)(omp_lock_t *l) { omp_set_lock(l); }
APART void IN(leave)(omp_lock_t *l) { omp_unset_lock(l); }
PROGRAM(locks) {
  double product = 1;
  omp_lock_t lock;
  omp_init_lock(&lock);
  OMP(parallel for schedule(static, 1))
  for (int i = 0; i < n; ++i) {
    const double t = 1 + 0.1 * sin(x[i]);
    IN(enter)(&lock);
    product *= t;
    IN(leave)(&lock);
  }
  omp_destroy_lock(&lock);
  return product * x[0];
}

// Who comes behind reads what was written before the others came by.
APART int IN(ticket)(int *next) {
  int mine;
  OMP(critical)
  mine = (*next)++;
  return mine;
}
PROGRAM(tickets) {
  double a[Numbers], s = 0;
  int next = 0;
  OMP(parallel) {
    OMP(for nowait)
    for (int i = 0; i < n; ++i)
      a[i] = x[i] * x[(i + 1) % n];
    // The last one of all.
    if (IN(ticket)(&next) == IN(size)() - 1)
      for (int i = 0; i < n; ++i)
        s += a[i] * a[i];
  }
  return s;
}

//===-- Tasks -------------------------------------------------------------===//

APART void IN(finish)(void){OMP(taskwait)} PROGRAM(waits) {
  double s = 0;
  OMP(parallel)
  OMP(single) {
    double y[Numbers], z[Numbers];
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(y))
      y[i] = x[i] * exp(0.1 * x[i]);
    }
    IN(finish)();
    for (int i = 0; i < n; ++i) {
      OMP(task firstprivate(i) shared(y, z))
      z[i] = y[i] * y[(i + 1) % n];
    }
    IN(finish)();
    for (int i = 0; i < n; ++i)
      s += z[i] * z[i];
  }
  return s;
}
#endif
