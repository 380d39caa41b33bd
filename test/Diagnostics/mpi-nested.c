// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A derivative of a derivative that exchanges data is refused as what it is,
// without the names of what Adze's own code of MPI calls.
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O1 -g %adze -DFORWARD -c %s -o %t.o 2>&1 | FileCheck %s
typedef struct handle *MPI_Datatype, *MPI_Op, *MPI_Comm;
extern char ompi_mpi_double[], ompi_mpi_op_sum[], ompi_mpi_comm_world[];
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

static void f(const double *x, double *y) {
  double s = x[0] * x[0];
  MPI_Allreduce(&s, y, 1, (MPI_Datatype)ompi_mpi_double,
                (MPI_Op)ompi_mpi_op_sum, (MPI_Comm)ompi_mpi_comm_world);
}
static void first(const double *x, double *dx, double *y, double *dy) {
#ifdef FORWARD
  __enzyme_fwddiff((void *)f, x, dx, y, dy);
#else
  __enzyme_autodiff((void *)f, x, dx, y, dy);
#endif
}
void second(const double *x, double *v, double *dx, double *ddx, double *y,
            double *ty, double *dy, double *ddy) {
  // CHECK-NOT: MPI_Type
  // CHECK: mpi-nested.c:[[@LINE+3]]:3: error: cannot differentiate 'a derivative that exchanges data with other processes'
  // CHECK: to fix: differentiate once
  // CHECK-NOT: MPI_Type
  __enzyme_fwddiff((void *)first, x, v, dx, ddx, y, ty, dy, ddy);
}
