// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What Fortran.f90 computes, and the names that module mpi_f08 has.
#include "check.h"

#define FORTRAN(NAME)                                                          \
  void NAME##_(const double *, double *);                                      \
  MPI_TEST(NAME##_, 6, 6)
FORTRAN(ring)
FORTRAN(reductions)
FORTRAN(passed)
FORTRAN(passed_both)
void extremes_(const double *, double *);
MPI_TEST_(extremes_, 6, 6, 1e-5, 0)
FORTRAN(chain)
FORTRAN(rows)
FORTRAN(parts)
FORTRAN(transposed)
FORTRAN(repeated)
FORTRAN(anyone)
FORTRAN(polled)
FORTRAN(grid)
FORTRAN(prefixes)
FORTRAN(complexes)
FORTRAN(under_way)
FORTRAN(matched)
FORTRAN(packed)
FORTRAN(neighbours)

#ifdef OPEN_MPI
// As a compiler calls them for the module: the error may be asked for or not.
void mpi_isend_f08_(const double *, int *, int *, int *, int *, int *, int *,
                    int *);
void mpi_recv_f08_(double *, int *, int *, int *, int *, int *, int *, int *);
void mpi_wait_f08_(int *, int *, int *);
void mpi_allreduce_f08_(const void *, double *, int *, int *, int *, int *,
                        int *);
extern int mpi_fortran_in_place_[1], mpi_fortran_status_ignore_[6];

static void of_2008(const double *x, double *y) {
  int n = 6, error, right = (rank + 1) % ranks, left = (rank + ranks - 1) % ranks;
  int tag = 2, request, status[6];
  int world = MPI_Comm_c2f(MPI_COMM_WORLD), sum = MPI_Op_c2f(MPI_SUM),
      type = MPI_Type_c2f(MPI_DOUBLE);
  double got[6];
  mpi_isend_f08_(x, &n, &type, &right, &tag, &world, &request, 0);
  mpi_recv_f08_(got, &n, &type, &left, &tag, &world, status, &error);
  mpi_wait_f08_(&request, mpi_fortran_status_ignore_, 0);
  for (int i = 0; i < n; ++i)
    got[i] *= x[i] * (status[0] == left) + error;
  mpi_allreduce_f08_(mpi_fortran_in_place_, got, &n, &type, &sum, &world, 0);
  for (int i = 0; i < n; ++i)
    y[i] = sin(got[i]) * x[i];
}
#else
static void of_2008(const double *x, double *y) { memcpy(y, x, 6 * sizeof *x); }
#endif
MPI_TEST(of_2008, 6, 6)

MPI_MAIN(&ring__test, &reductions__test, &passed__test, &passed_both__test,
         &extremes__test, &chain__test, &rows__test, &parts__test,
         &transposed__test, &repeated__test, &anyone__test, &polled__test,
         &grid__test, &prefixes__test, &complexes__test, &under_way__test,
         &matched__test, &packed__test, &neighbours__test, &of_2008_test)
