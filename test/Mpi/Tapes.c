// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Split mode: several tapes at a time, used in any order.
#include "check.h"

enum { N = 3, LARGE = 40000 };

#ifdef __cplusplus
extern "C"
#endif
    void *
    __enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static void f(const double *x, double *y, int n) {
  int me, all;
  MPI_Comm_rank(MPI_COMM_WORLD, &me);
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  double *in = (double *)calloc((size_t)n * 2, sizeof *in), s = 0, sum;
  MPI_Request r[4];
  const int to = (me + 1) % all, from = (me + all - 1) % all;
  MPI_Irecv(in, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, r);
  MPI_Irecv(in + n, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, r + 1);
  MPI_Isend(x, n, MPI_DOUBLE, to, 0, MPI_COMM_WORLD, r + 2);
  MPI_Isend(x, n, MPI_DOUBLE, from, 0, MPI_COMM_WORLD, r + 3);
  MPI_Waitall(4, r, MPI_STATUSES_IGNORE);
  for (int i = 0; i < n; ++i) {
    y[i] = in[i] * x[i] + in[i] * in[n + i];
    s += y[i];
  }
  MPI_Allreduce(&s, &sum, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  y[0] += sum * x[0];
  free(in);
}

// The gradients of three calls, in the order in which \p order names them.
static void gradients(int n, const int *order, double *sums) {
  double *x[3], *dx[3], *y[3], *dy[3];
  void *tape[3];
  for (int i = 0; i < 3; ++i) {
    x[i] = random_numbers(n, 10 + i, 0.5, 1.5);
    dx[i] = random_numbers(n, 0, 0, 0);
    y[i] = random_numbers(n, 0, 0, 0);
    dy[i] = random_numbers(n, 20 + i, -1, 1);
    tape[i] = __enzyme_augmentfwd((void *)f, x[i], dx[i], y[i], dy[i], n);
  }
  for (int k = 0; k < 3; ++k) {
    const int i = order[k];
    __enzyme_reverse((void *)f, x[i], dx[i], y[i], dy[i], n, tape[i]);
    sums[i] = over_ranks(dx[i], x[i], n);
    free(x[i]), free(dx[i]), free(y[i]), free(dy[i]);
  }
}

int main(int argc, char **argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  const int orders[3][3] = {{2, 1, 0}, {0, 1, 2}, {1, 2, 0}};
  const int sizes[2] = {N, LARGE};
  for (int k = 0; k < 2; ++k) {
    double want[3], got[3];
    gradients(sizes[k], orders[0], want);
    for (int i = 1; i < 3; ++i) {
      gradients(sizes[k], orders[i], got);
      expect_same("tapes", "a gradient", got, want, 3);
    }
  }
  if (rank == 0)
    printf("%d tests, %d failures\n", 4, failures);
  MPI_Finalize();
  return failures != 0;
}
