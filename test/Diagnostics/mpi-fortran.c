// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Fortran's names of MPI's functions: for which library, and of integers of
// which size, the variables of its interface say.
// RUN: not %clang -O1 %adze -Wno-deprecated -S -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not %clang -O1 %adze -DBYTES=8 -S -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not %clang -O1 %adze -DBYTES=4 -DMPICH -S -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=NONE
// RUN: not %clang -O1 %adze -DBYTES=4 -S -o /dev/null %s 2>&1 \
// RUN:   | FileCheck %s --check-prefix=SOME
void __enzyme_autodiff(void *, ...);

#ifdef BYTES
char mpi_fortran_in_place_[BYTES];
#endif
#ifdef MPICH
char mpipriv1_[28];
#endif
void mpi_bcast_(double *, const int *, const int *, const int *, const int *,
                int *);
void mpi_file_write_(const int *, double *, const int *, const int *, int *,
                     int *);

static void f(double *x) {
  int n = 1, type = 17, root = 0, world = 0, error, status[6];
  mpi_bcast_(x, &n, &type, &root, &world, &error);
  mpi_file_write_(&world, x, &n, &type, status, &error);
}
void gradient(double *x, double *dx) { __enzyme_autodiff((void *)f, x, dx); }
// NONE-DAG: mpi_bcast_
// NONE-DAG: mpi_file_write_
// SOME-NOT: mpi_bcast_
// SOME: mpi_file_write_
// SOME-NOT: mpi_bcast_
