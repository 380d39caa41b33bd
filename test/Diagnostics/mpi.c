// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Where functions of MPI that have a derivative are refused all the same; handles that are pointers and numbers.
//
// RUN: not %clang -O1 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O1 -g -fopenmp %adze -DNUMBERED -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 -g %adze -DFINE -c %s -o %t.o
// RUN: %clang -O1 -g %adze -DFINE -DNUMBERED -c %s -o %t.o
#ifdef NUMBERED
typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request;
#define WORLD 0x44000000
#define DOUBLE 0x4c00080b
#define SUM 0x58000003
#else
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_op_sum[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define SUM ((MPI_Op)ompi_mpi_op_sum)
#endif
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Ineighbor_allgather(const void *, int, MPI_Datatype, void *, int,
                            MPI_Datatype, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, void *);
void adze_checkpoint(int, ...);
extern int enzyme_nofree;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);
void __enzyme_reverse(void *, ...);

static double total(double x) {
  double mine = x * x, all;
  MPI_Allreduce(&mine, &all, 1, DOUBLE, SUM, WORLD);
  return all;
}
double receives(double x) {
  double s = x;
  MPI_Request r;
  MPI_Irecv(&s, 1, DOUBLE, 0, 0, WORLD, &r);
  MPI_Wait(&r, 0);
  return s * total(x);
}
double first(double x) { return __enzyme_autodiff((void *)receives, x); }

#ifndef FINE

void steps(double *x, int n) {
  for (int i = 0; i < n; ++i) {
    adze_checkpoint(3);
    x[0] = x[0] * x[1];
    MPI_Send(x, 1, DOUBLE, 0, i, WORLD);
  }
}
// Threads may send messages; what this function starts they may not.
void in_team(double *x) {
#pragma omp parallel for
  for (int i = 0; i < 8; ++i) {
    MPI_Request r;
    x[i] *= x[i];
    MPI_Send(x + i, 1, DOUBLE, 0, i, WORLD);
    // CHECK-DAG: registered for 'MPI_Ineighbor_allgather': threads of a parallel region call it{{.*}}{{$}}
    // CHECK-DAG: in 'MPI_Ineighbor_allgather', called at {{.*}}mpi.c:[[#@LINE+1]]:5 by
    MPI_Ineighbor_allgather(x + i, 1, DOUBLE, x + i, 1, DOUBLE, WORLD, &r);
    MPI_Wait(&r, 0);
  }
}
void kept(double *x) { x[0] = total(x[0]); }
void all(double *x, double *dx) {
  __enzyme_autodiff((void *)steps, x, dx, 5);
  __enzyme_autodiff((void *)in_team, x, dx);
  void *tape = __enzyme_augmentfwd((void *)kept, x, dx);
  __enzyme_reverse((void *)kept, enzyme_nofree, x, dx, tape);
  __enzyme_reverse((void *)kept, x, dx, tape);
}
#endif
// CHECK-DAG: cannot use the derivatives that are registered for 'MPI_Allreduce': the tape is to serve several reverse passes
// CHECK-DAG: the loop with 'adze_checkpoint' cannot run an iteration more than once: it calls 'MPI_Send'
