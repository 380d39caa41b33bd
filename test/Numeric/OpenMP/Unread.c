// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Results of regions in memory that nobody reads when only adjoints are wanted,
// beside such that the reverse pass needs, and addresses of them in memory, in
// numbers, in blocks that are copied.
#ifndef TEAMS
#include "teams.h"
#include <stdint.h>
#include __FILE__
#include "teams.h"
#include __FILE__
#else

// Nobody needs the sum, but everybody its adjoint.
STEADY(squares) {
  double sum = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i] * x[i];
  return sum;
}

// The first sum is needed, the second one is not.
PROGRAM(norm) {
  double sum = 0, other = 0;
  OMP(parallel for reduction(+ : sum))
  for (int i = 0; i < n; ++i)
    sum += x[i] * x[i];
  OMP(parallel for reduction(+ : other))
  for (int i = 0; i < n; ++i)
    other += x[i] * sum;
  return other;
}

// One turn combines a sum that is needed with one that is not.
PROGRAM(two) {
  double a = 0, b = 0;
  OMP(parallel for reduction(+ : a, b))
  for (int i = 0; i < n; ++i) {
    a += sin(x[i]);
    b += x[i] * x[(i + 1) % n];
  }
  return a * a + b;
}

// Several reductions in one region, and a barrier between them.
PROGRAM(within) {
  double a = 0, b = 0, c = 0;
  OMP(parallel) {
    OMP(for reduction(+ : a))
    for (int i = 0; i < n; ++i)
      a += x[i] * x[i];
    OMP(for reduction(+ : b))
    for (int i = 0; i < n; ++i)
      b += x[i] * a;
    OMP(for reduction(max : c))
    for (int i = 0; i < n; ++i)
      c = x[i] * b > c ? x[i] * b : c;
  }
  return c;
}

// A region that runs again and again, and adds to the same sum.
PROGRAM(again) {
  double sum = 0;
  for (int k = 0; k < 5; ++k) {
    OMP(parallel for reduction(+ : sum))
    for (int i = 0; i < n; ++i)
      sum += x[i] * x[(i + k) % n];
  }
  return sum;
}

// As before, but each run reads what the ones before have left.
PROGRAM(grows) {
  double sum = 1;
  for (int k = 0; k < 3; ++k) {
    double part = 0;
    OMP(parallel for reduction(+ : part))
    for (int i = 0; i < n; ++i)
      part += sin(x[i]) * sum;
    sum += 0.01 * part;
  }
  return sum;
}

// Elements of an array of sums.
PROGRAM(bins) {
  double bin[4] = {0}, sum = 0;
  OMP(parallel for reduction(+ : bin[:4]))
  for (int i = 0; i < n; ++i)
    bin[i % 4] += x[i] * x[i];
  for (int k = 0; k < 4; ++k)
    sum += (k + 1) * bin[k];
  return sum;
}

// Blocks on the heap, whose elements the result alone reads.
PROGRAM(blocks) {
  double *y = malloc(sizeof(double) * (size_t)n), sum = 0;
  double *z = calloc((size_t)n, sizeof(double));
  if (!y || !z)
    exit(2);
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    y[i] = x[i] * x[i];
    z[i] = cos(y[i]);
  }
  for (int i = 0; i < n; ++i)
    sum += z[i] * (i % 5);
  free(y);
  free(z);
  return sum;
}

// A sum whose address is in an object, also by way of a copy of that.
struct IN(sink) {
  double *to, *also;
};
PROGRAM(objects) {
  double a = 0, b = 0;
  struct IN(sink) s = {&a, &b}, copy;
  memcpy(&copy, &s, sizeof s);
  struct IN(sink) *p = &copy;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    const double t = x[i] * x[i] + 1;
    OMP(critical) {
      *p->to += t;
      *p->also += *p->to * 0 + t * t;
    }
  }
  return *s.to * b;
}

// An address as a number, and in a double.
PROGRAM(numbers) {
  double a = 0, b = 0;
  uintptr_t at = (uintptr_t)&a;
  union {
    double *p;
    double d;
  } u = {&b};
  double word = u.d;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    const double t = x[i] * x[(i + 3) % n];
    OMP(critical)
    *(double *)at += t;
  }
  union {
    double d;
    double *p;
  } v = {word};
  *v.p = a * a;
  return b + a;
}

// Which of two a pointer leads to, only the run knows.
PROGRAM(either) {
  double a = 0, b = 0;
  double *p = x[0] > 0 ? &a : &b;
  OMP(parallel for reduction(+ : a, b))
  for (int i = 0; i < n; ++i) {
    a += x[i] * x[i];
    b += sin(x[i]);
  }
  return *p * *p;
}

// Pointers to pointers, in an array.
PROGRAM(table) {
  double part[3] = {0, 0, 0}, *rows[3] = {part, part + 1, part + 2};
  double **all = rows, sum = 0;
  OMP(parallel for)
  for (int k = 0; k < 3; ++k)
    for (int i = k; i < n; i += 3)
      *all[k] += x[i] * x[i] * (k + 1);
  for (int k = 0; k < 3; ++k)
    sum += part[k] * part[(k + 1) % 3];
  return sum;
}

// A function writes to where it is told; its result is the last one alone.
__attribute__((noinline)) static void IN(powers)(const double *x, int n,
                                                 double *to, double *unread) {
  double mine = 0, others = 0;
  OMP(parallel for reduction(+ : mine, others))
  for (int i = 0; i < n; ++i) {
    mine += x[i] * x[i];
    others += x[i] * x[i] * x[i];
  }
  *to += mine;
  *unread += others;
}
PROGRAM(called) {
  double a = 0, b = 0, c = 0, d = 0;
  IN(powers)(x, n, &a, &b);
  IN(powers)(x, n / 2, &c, &d);
  return a * c + d;
}

// Blocks in a list: each knows the next one.
struct IN(node) {
  struct IN(node) * next;
  double value;
};
PROGRAM(list) {
  struct IN(node) nodes[4], *first = NULL;
  for (int k = 0; k < 4; ++k) {
    nodes[k].value = 0;
    nodes[k].next = first;
    first = &nodes[k];
  }
  OMP(parallel for)
  for (int k = 0; k < 4; ++k)
    for (int i = k; i < n; i += 4)
      nodes[k].value += x[i] * x[(i + 1) % n];
  double sum = 0;
  for (struct IN(node) *p = first; p; p = p->next)
    sum += p->value * p->value;
  return sum;
}

// An atomic sum that is needed, and one that is not.
PROGRAM(atomics) {
  double a = 0, b = 0;
  OMP(parallel for)
  for (int i = 0; i < n; ++i) {
    OMP(atomic)
    a += x[i] * x[i];
    OMP(atomic)
    b += exp(x[i]);
  }
  return a * a + b;
}

// In regions within regions.
PROGRAM(inner) {
  double total = 0;
  OMP(parallel for reduction(+ : total))
  for (int k = 0; k < 3; ++k) {
    double sum = 0;
    OMP(parallel for reduction(+ : sum))
    for (int i = k; i < n; i += 3)
      sum += x[i] * x[i];
    total += k == 1 ? sum : sum * sum;
  }
  return total;
}
#endif
