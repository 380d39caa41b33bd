// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Windows that processes share, and those that memory is attached to, are
// refused by name and line.
//
// RUN: not %clang -O1 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_info_t *MPI_Info;
typedef struct ompi_win_t *MPI_Win;
extern char ompi_mpi_comm_world[], ompi_mpi_info_null[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define NO_INFO ((MPI_Info)ompi_mpi_info_null)
int MPI_Win_allocate_shared(long, int, MPI_Info, MPI_Comm, void *, MPI_Win *);
int MPI_Win_fence(int, MPI_Win);
int MPI_Win_free(MPI_Win *);
int MPI_Win_create_dynamic(MPI_Info, MPI_Comm, MPI_Win *);
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
double attached(double x) {
  MPI_Win win;
  MPI_Win_create_dynamic(NO_INFO, WORLD, &win);
  MPI_Win_free(&win);
  return x * x;
}
double first(double x) { return __enzyme_autodiff((void *)shared, x); }
double second(double x) { return __enzyme_autodiff((void *)attached, x); }
// clang-format off
// CHECK-DAG: mpi-windows.c:[[#@LINE-16]]:3: error: cannot differentiate 'MPI_Win_allocate_shared'
// CHECK-DAG: mpi-windows.c:[[#@LINE-8]]:3: error: cannot differentiate 'MPI_Win_create_dynamic'
