/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
 *
 * A Fourier transform of two dimensions of N x N complex numbers, N = n times
 * the ranks: rows, a transposition by Alltoall, rows again. n is a power of
 * two, and so is the number of ranks. y is the power of each frequency.
 */
#include <math.h>
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

static size_t total(int n) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  return (size_t)n * (size_t)n * (size_t)all;
}
#define INPUTS(n) (2 * total(n))
#define OUTPUTS(n) total(n)

/* One row in place; sign: -1, or 1 for the adjoint. */
static void row_transform(double *z, int n, double sign) {
  for (int i = 1, j = 0; i < n; ++i) {
    int bit = n >> 1;
    for (; j & bit; bit >>= 1)
      j ^= bit;
    j ^= bit;
    if (i < j)
      for (int c = 0; c < 2; ++c) {
        const double t = z[2 * i + c];
        z[2 * i + c] = z[2 * j + c];
        z[2 * j + c] = t;
      }
  }
  for (int length = 2; length <= n; length *= 2)
    for (int k = 0; k < length / 2; ++k) {
      const double angle = sign * 6.283185307179586 * k / length;
      const double wr = cos(angle), wi = sin(angle);
      for (int i = k; i < n; i += length) {
        double *a = z + 2 * i, *b = a + length;
        const double tr = b[0] * wr - b[1] * wi, ti = b[0] * wi + b[1] * wr;
        b[0] = a[0] - tr;
        b[1] = a[1] - ti;
        a[0] += tr;
        a[1] += ti;
      }
    }
}

static void transpose(double *z, int n) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const int block = 2 * n * n, row = n * all;
  double *out = (double *)malloc(2 * total(n) * sizeof *out);
  double *in = (double *)malloc(2 * total(n) * sizeof *in);
  for (int r = 0; r < all; ++r)
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        double *to = out + (size_t)r * (size_t)block + 2 * (j * n + i);
        const double *from = z + 2 * ((size_t)i * (size_t)row + r * n + j);
        to[0] = from[0];
        to[1] = from[1];
      }
  MPI_Alltoall(out, block, MPI_DOUBLE, in, block, MPI_DOUBLE, MPI_COMM_WORLD);
  for (int r = 0; r < all; ++r)
    for (int i = 0; i < n; ++i)
      memcpy(z + 2 * ((size_t)i * (size_t)row + r * n),
             in + (size_t)r * (size_t)block + 2 * i * n,
             2 * (size_t)n * sizeof *z);
  free(out);
  free(in);
}

static void transform(double *z, int n, double sign) {
  int all;
  MPI_Comm_size(MPI_COMM_WORLD, &all);
  const int row = n * all;
  for (int pass = 0; pass < 2; ++pass) {
    for (int i = 0; i < n; ++i)
      row_transform(z + 2 * (size_t)i * (size_t)row, row, sign);
    if (pass == 0)
      transpose(z, n);
  }
}

static void f(const double *x, double *y, int n) {
  double *z = (double *)malloc(2 * total(n) * sizeof *z);
  memcpy(z, x, 2 * total(n) * sizeof *z);
  transform(z, n, -1);
  for (size_t i = 0; i < total(n); ++i)
    y[i] = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
  free(z);
}

/* The adjoint of F = rows, transposition, rows is the same with the other sign,
 * for a transform of rows is symmetric and a transposition undoes itself. */
static void f_by_hand(const double *x, double *dx, double *y, double *dy,
                      int n) {
  double *z = (double *)malloc(2 * total(n) * sizeof *z);
  memcpy(z, x, 2 * total(n) * sizeof *z);
  transform(z, n, -1);
  for (size_t i = 0; i < total(n); ++i) {
    y[i] = z[2 * i] * z[2 * i] + z[2 * i + 1] * z[2 * i + 1];
    z[2 * i] *= 2 * dy[i];
    z[2 * i + 1] *= 2 * dy[i];
    dy[i] = 0;
  }
  transform(z, n, 1);
  for (size_t i = 0; i < 2 * total(n); ++i)
    dx[i] += z[i];
  free(z);
}

#include "driver.h"
