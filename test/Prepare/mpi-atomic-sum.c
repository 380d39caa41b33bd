// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Sums stay atomic instructions where threads call MPI, whose derivatives add to shadows by exchanges.
//
// RUN: %clang -O1 -fopenmp %adze -S -emit-llvm %s -o - | FileCheck %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
extern char ompi_mpi_comm_world[], ompi_mpi_double[];
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
void __enzyme_autodiff(void *, ...);

static void sums(double *x, double *y) {
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) {
#pragma omp atomic
    *y += x[i] * x[i];
    MPI_Send(x + i, 1, (MPI_Datatype)ompi_mpi_double, 0, i,
             (MPI_Comm)ompi_mpi_comm_world);
  }
}
void gradient(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)sums, x, dx, y, dy);
}
// CHECK-NOT: adze.team.atomic.enter
// CHECK: atomicrmw fadd
// CHECK-NOT: adze.team.atomic.enter
