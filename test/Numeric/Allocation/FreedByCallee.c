// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A block that functions free to which it is given, of which the optimizer
// finds that they put its address nowhere.
#include "check.h"
#include <stdlib.h>

struct task {
  const double *x;
  double *sum;
  int begin, end;
};

__attribute__((noinline)) static void end(struct task *t) { free(t); }

__attribute__((noinline)) static void *run(void *given) {
  struct task *t = given;
  for (int i = t->begin; i < t->end; ++i)
    *t->sum += t->x[i] * t->x[i] * t->x[0];
  if (t->begin == 0)
    end(t);
  else
    free(t);
  return NULL;
}

double freedByCallee(const double *x, int n) {
  double sum = 0;
  for (int k = 0; k < 3; ++k) {
    struct task *first = malloc(sizeof *first), *rest = malloc(sizeof *rest);
    *first = (struct task){x, &sum, 0, n / 2};
    *rest = (struct task){x, &sum, n / 2, n};
    run(first);
    run(rest);
  }
  return sum * sum;
}
ADZE_TEST_ARRAY(freedByCallee, 5, ADZE_AT(0.5, 0.3, -0.2, 0.9, 0.1))
