/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * Times a function of several ranks, its gradient and the one by hand, and
 * counts what they send (counts.c). A program defines
 *
 *   f(x, y, n)                   of INPUTS(n) to OUTPUTS(n) numbers on each
 * rank f_by_hand(x, dx, y, dy, n)   its adjoint: adds to dx
 *
 * and ends in #include "driver.h". Arguments: n, repetitions.
 */
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void __enzyme_autodiff(void *, ...);
void counts_take(long long *messages, long long *bytes);

static void gradient(const double *x, double *dx, double *y, double *dy,
                     int n) {
  __enzyme_autodiff((void *)f, x, dx, y, dy, n);
}
static void primal(const double *x, double *dx, double *y, double *dy, int n) {
  (void)dx, (void)dy;
  f(x, y, n);
}

struct run {
  const char *name;
  void (*call)(const double *, double *, double *, double *, int);
  double seconds;
  long long messages, bytes;
  double *dx;
};

static double number(size_t i, int rank) {
  return sin(12.9898 * (double)(i + 1) + 78.233 * (rank + 1));
}

static void measure(struct run *r, int n, int repetitions) {
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const size_t inputs = INPUTS(n), outputs = OUTPUTS(n);
  double *x = (double *)malloc(inputs * sizeof *x);
  double *y = (double *)malloc(outputs * sizeof *y);
  double *dy = (double *)malloc(outputs * sizeof *y);
  r->dx = (double *)malloc(inputs * sizeof *x);
  r->seconds = 1e300;
  for (int k = 0; k < repetitions; ++k) {
    for (size_t i = 0; i < inputs; ++i) {
      x[i] = 1 + 0.5 * number(i, rank);
      r->dx[i] = 0;
    }
    for (size_t i = 0; i < outputs; ++i) {
      y[i] = 0;
      dy[i] = number(i, rank + 5);
    }
    long long ignored;
    counts_take(&ignored, &ignored);
    MPI_Barrier(MPI_COMM_WORLD);
    const double start = MPI_Wtime();
    r->call(x, r->dx, y, dy, n);
    MPI_Barrier(MPI_COMM_WORLD);
    r->seconds = fmin(r->seconds, MPI_Wtime() - start);
    counts_take(&r->messages, &r->bytes);
  }
  MPI_Allreduce(MPI_IN_PLACE, &r->messages, 1, MPI_LONG_LONG, MPI_SUM,
                MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &r->bytes, 1, MPI_LONG_LONG, MPI_SUM,
                MPI_COMM_WORLD);
  free(x), free(y), free(dy);
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  const int n = argc > 1 ? atoi(argv[1]) : 64;
  const int repetitions = argc > 2 ? atoi(argv[2]) : 5;
  struct run runs[] = {{"primal", primal, 0, 0, 0, 0},
                       {"gradient", gradient, 0, 0, 0, 0},
                       {"hand", f_by_hand, 0, 0, 0, 0}};
  for (int i = 0; i < 3; ++i)
    measure(&runs[i], n, repetitions);
  double wrong = 0, largest = 0;
  for (size_t i = 0; i < INPUTS(n); ++i) {
    largest = fmax(largest, fabs(runs[2].dx[i]));
    wrong = fmax(wrong, fabs(runs[1].dx[i] - runs[2].dx[i]));
  }
  MPI_Allreduce(MPI_IN_PLACE, &wrong, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  MPI_Allreduce(MPI_IN_PLACE, &largest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  int rank;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  if (rank == 0) {
    for (int i = 0; i < 3; ++i)
      printf("%s %.6g %lld %lld\n", runs[i].name, runs[i].seconds,
             runs[i].messages, runs[i].bytes);
    printf("difference %.3g\n", wrong / largest);
  }
  for (int i = 0; i < 3; ++i)
    free(runs[i].dx);
  MPI_Finalize();
  return 0;
}
