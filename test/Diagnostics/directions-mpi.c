// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Several directions go through functions of MPI, but not through exchanges of
// other libraries.
//
// RUN: not %clang -O1 %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 -fopenmp %adze -DFINE -c %s -o %t.o
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_win_t *MPI_Win;
extern char ompi_mpi_comm_world[], ompi_mpi_double[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Ibcast(void *, int, MPI_Datatype, int, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, void *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Put(const void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win);
extern int enzyme_width, enzyme_dupv;
void __enzyme_autodiff(void *, ...);

static void sends(double *x) { MPI_Send(x, 1, DOUBLE, 1, 0, WORLD); }
void messages(double *x, double *dx) {
  __enzyme_autodiff((void *)sends, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

static void in_region(double *x) {
#pragma omp parallel
  MPI_Send(x, 1, DOUBLE, 1, 0, WORLD);
}
void regions(double *x, double *dx) {
  __enzyme_autodiff((void *)in_region, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

static void started(double *x) {
  MPI_Request request;
  MPI_Ibcast(x, 1, DOUBLE, 0, WORLD, &request);
  MPI_Wait(&request, 0);
}
void waits(double *x, double *dx) {
  __enzyme_autodiff((void *)started, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

extern MPI_Win window;
static void puts_there(double *x) {
  MPI_Put(x, 1, DOUBLE, 1, 0, 1, DOUBLE, window);
  MPI_Win_fence(0, window);
}
void windows(double *x, double *dx) {
  __enzyme_autodiff((void *)puts_there, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}

#ifndef FINE
void exchanges(double *x);
void augmented(double *x, double *dx);
void reversed(double *x, double *dx);
void forward(double *x, double *dx);
void *__adze_register_exchange_x[] = {(void *)exchanges, (void *)augmented,
                                      (void *)reversed, (void *)forward, "m"};
static void calls(double *x) { exchanges(x); }
// CHECK: error: cannot use the derivatives that are registered for 'exchanges': it communicates in one direction, and the request is for several (enzyme_width)
// CHECK: to fix: call the marker once for each direction
void others(double *x, double *dx) {
  __enzyme_autodiff((void *)calls, enzyme_width, 3, enzyme_dupv, 8, x, dx);
}
#endif
