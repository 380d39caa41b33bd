// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// directions: one
// threads: 2 3
// stops: the derivative of MPI_Ssend: two threads send to one rank, or receive
// from it, with one tag Nobody knows which thread's message is the first one.
#include "check.h"
#include <omp.h>

enum { N = 3 };

static void at_once(const double *x, double *y) {
#pragma omp parallel
  {
    const double mine = x[omp_get_thread_num()] * x[0];
    // Nobody receives: all threads are here until the program ends.
    MPI_Ssend(&mine, 1, MPI_DOUBLE, (rank + 1) % ranks, 1, MPI_COMM_WORLD);
  }
  y[0] = x[0] * x[1];
}

MPI_TEST(at_once, N, 1)
static void begin_derivative(void) {
  const double x[N] = {1, 2, 3};
  double dx[N] = {0}, y = 0, dy = 1;
  at_once_reverse(x, dx, &y, &dy);
}
MPI_MAIN_(begin_derivative, &at_once_test)
