// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Operations of MPI whose function cannot be differentiated: an error where floats are reduced by such, else nothing.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -DNUMBERED -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -DPENDING -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -DTEAM -c %s -o %t.o 2>&1 | FileCheck %s --check-prefix=TEAM
// RUN: %clang -O0 -g %adze -DNUMBERS -c %s -o %t.o
// RUN: %clang -O2 -g %adze -DNUMBERS -c %s -o %t.o
#ifdef NUMBERED
typedef int MPI_Comm, MPI_Datatype, MPI_Op;
#define WORLD 0x44000000
#define TYPE 0x4c00080b
#else
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_int[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#ifdef NUMBERS
#define TYPE ((MPI_Datatype)ompi_mpi_int)
#else
#define TYPE ((MPI_Datatype)ompi_mpi_double)
#endif
#endif
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Iallreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm,
                   void *);
int MPI_Wait(void *, void *);
int MPI_Op_create(void (*)(void *, void *, int *, MPI_Datatype *), int,
                  MPI_Op *);
int MPI_Op_free(MPI_Op *);
double __enzyme_autodiff(void *, ...);

#ifdef TEAM
static double unknown(double a, double b) { return a * b; }
#else
double unknown(double, double);
#endif
static void combine(void *in, void *inout, int *length, MPI_Datatype *type) {
  // CHECK: mpi-operation.c:[[#@LINE+1]]:22: error: cannot differentiate 'unknown': the body is not visible here
  *(double *)inout = unknown(*(double *)in, *(double *)inout);
}

double reduces(double x) {
  double mine[1] = {x * x}, all[1] = {0};
  MPI_Op op;
  MPI_Op_create(combine, 1, &op);
#ifdef PENDING
  void *request;
  MPI_Iallreduce(mine, all, 1, TYPE, op, WORLD, &request);
  MPI_Wait(&request, 0);
#else
  MPI_Allreduce(mine, all, 1, TYPE, op, WORLD);
#endif
  MPI_Op_free(&op);
  return all[0] + mine[0];
}
#ifdef TEAM
void in_team(double *x) {
#pragma omp parallel
  {
    MPI_Op op;
    // TEAM: mpi-operation.c:[[#@LINE+1]]:5: error: no derivative rule for this in a parallel region: an operation of MPI that is made or freed
    MPI_Op_create(combine, 1, &op);
    MPI_Allreduce(x, x + 1, 1, TYPE, op, WORLD);
  }
}
void of_team(double *x, double *dx) {
  __enzyme_autodiff((void *)in_team, x, dx);
}
#endif
double first(double x) { return __enzyme_autodiff((void *)reduces, x); }
// CHECK-NOT: PLEASE submit a bug report
