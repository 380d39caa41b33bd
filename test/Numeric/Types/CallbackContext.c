// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A routine that hands a void* context to a function it was given; the context
// is a struct of a number, an array and a pointer.
#include "check.h"

typedef void (*visitor)(void *context, int i);

struct state {
  int count;
  double sum;
  const double *x;
};

static void visit(void *context, int i) {
  struct state *s = (struct state *)context;
  s->sum += s->x[i] * s->x[0];
  s->count += 1;
}
__attribute__((always_inline)) static inline void each(int n, visitor f,
                                                       void *context) {
  for (int i = 0; i < n; ++i)
    f(context, i);
}

double visited(const double *x, int n) {
  struct state s = {0, 0, x};
  visit(&s, 0);
  each(n, visit, &s);
  return s.sum * s.count;
}

ADZE_TEST_ARRAY(visited, 4, ADZE_AT(0.9, 0.8, -0.7, 0.3))
