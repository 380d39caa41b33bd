// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// ADZE: threads flags="-fopenmp" libs="-fopenmp" skip-unless=header:omp.h
// Threads copy one block whose words are pointers or floats, which only the run
// knows: sums of what comes back are atomic, and pointers stay.
#ifndef TEAMS
#include <cstring>

#include "teams.h"
struct Words {
  alignas(8) char number[8];
  alignas(8) char pointer[8];
};
__attribute__((noinline)) double number(const Words *w) {
  double v;
  std::memcpy(&v, w->number, sizeof v);
  return v;
}
__attribute__((noinline)) const double *pointer(const Words *w) {
  const double *v;
  std::memcpy(&v, w->pointer, sizeof v);
  return v;
}
__attribute__((noinline)) void fill(Words *w, double v, const double *p) {
  std::memcpy(w->number, &v, sizeof v);
  std::memcpy(w->pointer, &p, sizeof p);
}
#include __FILE__
#include "teams.h"
#include __FILE__
#else

PROGRAM(copiedWords) {
  Words shared;
  fill(&shared, x[0] * x[1], x);
  double sum = 0;
  OMP(parallel for reduction(+ : sum) schedule(static, 1))
  for (int k = 0; k < 40 * n; ++k) {
    Words own = shared;
    sum += number(&own) * number(&own) * pointer(&own)[k % n];
  }
  return sum / 40;
}

#endif
