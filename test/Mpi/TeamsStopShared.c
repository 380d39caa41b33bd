// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// directions: one
// threads: 1 2
// stops: threads of the program, of which nobody knows the order
// Gradients of threads that share shadows, with messages.
#include "check.h"
#include <omp.h>

enum { N = 3 };

static void exchange(const double *x, int tag, double *y) {
  double in;
  MPI_Sendrecv(x, 1, MPI_DOUBLE, (rank + 1) % ranks, tag, &in, 1, MPI_DOUBLE,
               (rank + ranks - 1) % ranks, tag, MPI_COMM_WORLD,
               MPI_STATUS_IGNORE);
  y[0] = in * x[1];
}

static void gradients(void) {
  double x[N] = {1, 2, 3}, dx[N] = {0};
#pragma omp parallel
  {
    double y = 0, dy = 1;
    __enzyme_autodiff((void *)exchange, adze_shared_shadows, enzyme_dup, x, dx,
                      omp_get_thread_num(), enzyme_dup, &y, &dy);
  }
}

static void none(const double *x, double *y) { y[0] = x[0]; }
MPI_TEST(none, N, 1)
MPI_MAIN_(gradients, &none_test)
