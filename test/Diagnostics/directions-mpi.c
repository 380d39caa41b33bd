// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several directions go through messages, but not through all functions of MPI,
// and through none in parallel regions.
//
// RUN: not %clang -O1 -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 %adze -DFINE -c %s -o %t.o
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_request_t *MPI_Request;
extern char ompi_mpi_comm_world[], ompi_mpi_double[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, void *);
extern int enzyme_width, enzyme_dupv;
void __enzyme_autodiff(void *, ...);

static void sends(double *x) { MPI_Send(x, 1, DOUBLE, 1, 0, WORLD); }
void messages(double *x, double *dx) {
  __enzyme_autodiff((void *)sends, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

#ifndef FINE
static void in_region(double *x) {
#pragma omp parallel
  MPI_Send(x, 1, DOUBLE, 1, 0, WORLD);
}
// CHECK: error: cannot use the derivatives that are registered for 'MPI_Send': threads of a parallel region call it, and the request is for several directions (enzyme_width)
// CHECK: to fix: call the marker once for each direction
void regions(double *x, double *dx) {
  __enzyme_autodiff((void *)in_region, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

static void started(double *x) {
  MPI_Request request;
  MPI_Ibcast(x, 1, DOUBLE, 0, WORLD, &request);
  MPI_Wait(&request, 0);
}
// CHECK: error: cannot use the derivatives that are registered for 'MPI_Ibcast': it communicates in one direction, and the request is for several (enzyme_width)
void others(double *x, double *dx) {
  __enzyme_autodiff((void *)started, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}
#endif
