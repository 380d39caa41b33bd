// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that processes share, and requests for accesses, are refused by name
// and line.
//
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_request_t *MPI_Request;
typedef struct ompi_win_t *MPI_Win;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_info_null[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define NO_INFO ((MPI_Info)ompi_mpi_info_null)
int MPI_Win_allocate_shared(long, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_create(void *, long, int, MPI_Info, MPI_Comm, MPI_Win *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Win_free(MPI_Win *);
int MPI_Rget(void *, int, MPI_Datatype, int, long, int, MPI_Datatype, MPI_Win,
             MPI_Request *);
int MPI_Wait(MPI_Request *, void *);
double __enzyme_autodiff(void *, ...);

double shared(double x) {
  double *p;
  MPI_Win win;
  MPI_Win_allocate_shared(8, 8, NO_INFO, WORLD, &p, &win);
  *p = x;
  MPI_Win_fence(0, win);
  double square = *p * *p;
  MPI_Win_free(&win);
  return square;
}
double requested(double x) {
  double got = 0;
  MPI_Win win;
  MPI_Request r;
  MPI_Win_create(&x, 8, 8, NO_INFO, WORLD, &win);
  MPI_Rget(&got, 1, DOUBLE, 0, 0, 1, DOUBLE, win, &r);
  MPI_Wait(&r, 0);
  MPI_Win_free(&win);
  return got * got;
}
double first(double x) { return __enzyme_autodiff((void *)shared, x); }
double second(double x) { return __enzyme_autodiff((void *)requested, x); }
// CHECK-DAG: mpi-windows.c:[[#@LINE-19]]:3: error: cannot differentiate
// 'MPI_Win_allocate_shared' CHECK-DAG: mpi-windows.c:[[#@LINE-8]]:3: error:
// cannot differentiate 'MPI_Rget'
