// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions of OpenMP and MPI, by name, in one message each, not one for each memory that they may reach.
//
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef enum omp_event_handle_t { none } omp_event_handle_t;
typedef struct communicator *MPI_Comm;
typedef struct datatype *MPI_Datatype;
typedef struct operation *MPI_Op;
extern struct communicator world;
extern struct window *window;
extern struct datatype type_double;
extern struct operation op_sum;
int MPI_Comm_rank(MPI_Comm, int *);
int MPI_Allreduce_init(const void *, void *, int, MPI_Datatype, MPI_Op,
                       MPI_Comm, void *, void *);
int MPI_Cancel(void *);
int MPI_Win_detach(struct window *, const void *);
void mpi_bcast_(double *, int *);
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

// Nothing is active here, but other ranks might send something that is.
__attribute__((noinline)) static void epoch(void) { MPI_Win_detach(window, 0); }
__attribute__((noinline)) static double total(double mine) {
  double all = 0;
  MPI_Allreduce_init(&mine, &all, 1, &type_double, &op_sum, &world, 0, 0);
  return all;
}
double communicates(double *x, const double *table) {
  int rank;
  MPI_Comm_rank(&world, &rank);
  double s = total(x[0] * x[1] * table[0]);
  if (rank == 0)
    MPI_Cancel(x);
  epoch();
  mpi_bcast_(x, &rank);
  return s * x[0];
}
double parallel(double *x, const double *table, int n) {
  double s = 0;
  omp_event_handle_t done;
#pragma omp parallel
#pragma omp single
  for (int i = 0; i < n; ++i)
#pragma omp task detach(done)
    x[i] *= table[i];
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}

void gradients(double *x, double *dx, double *table, int n) {
  __enzyme_autodiff((void *)communicates, x, dx, enzyme_const, table);
  __enzyme_fwddiff((void *)communicates, x, dx, enzyme_const, table);
  __enzyme_autodiff((void *)parallel, x, dx, enzyme_const, table, n);
}
// CHECK-NOT: declared inactive
// CHECK-DAG: error: cannot differentiate {{.*}}'MPI_Allreduce_init'{{.*}}: derivatives through this part of MPI are not supported yet
// CHECK-DAG: 'MPI_Cancel' is called at
// CHECK-DAG: 'MPI_Win_detach' is called at {{.*}} in 'epoch'
// CHECK-DAG: 'mpi_bcast_' is called at
// CHECK-DAG: to fix: use the functions that docs/Mpi.md lists, or communicate outside of what is differentiated
// CHECK-DAG: error: cannot differentiate {{.*}}'__kmpc_task_allow_completion_event'{{.*}}: derivatives through this part of OpenMP are not supported yet
// CHECK-DAG: to fix: compile the code that is differentiated without -fopenmp
// CHECK: 3 errors generated
