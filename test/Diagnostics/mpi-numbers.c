// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Floats that are sent as numbers: the derivative would be lost. Handles that are pointers and numbers.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O1 -g %adze -DNUMBERED -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O0 %adze -DFINE -c %s -o %t.o
// RUN: %clang -O2 %adze -DFINE -c %s -o %t.o
#ifdef NUMBERED
typedef int MPI_Comm, MPI_Datatype, MPI_Op, MPI_Request;
#define WORLD 0x44000000
#define DOUBLE 0x4c00080b
#define LONG 0x4c000807
#define INT 0x4c000405
#define UNSIGNED_LONG 0x4c000808
#define BYTE 0x4c00010d
#define SUM 0x58000003
#define BOR 0x58000008
#else
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
typedef struct ompi_request_t *MPI_Request;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_op_sum[], ompi_mpi_long[], ompi_mpi_int[],
    ompi_mpi_unsigned_long[], ompi_mpi_byte[], ompi_mpi_op_bor[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define LONG ((MPI_Datatype)ompi_mpi_long)
#define INT ((MPI_Datatype)ompi_mpi_int)
#define UNSIGNED_LONG ((MPI_Datatype)ompi_mpi_unsigned_long)
#define BYTE ((MPI_Datatype)ompi_mpi_byte)
#define SUM ((MPI_Op)ompi_mpi_op_sum)
#define BOR ((MPI_Op)ompi_mpi_op_bor)
#endif
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
int MPI_Allgather(const void *, int, MPI_Datatype, void *, int, MPI_Datatype, MPI_Comm);
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, void *);
int MPI_Irecv(void *, int, MPI_Datatype, int, int, MPI_Comm, MPI_Request *);
int MPI_Wait(MPI_Request *, void *);
void *memcpy(void *, const void *, unsigned long);
void __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// Numbers in memory with a shadow, and numbers that are made of floats.
struct grid {
  int n, all;
  long ids[4];
  double x[4];
  char marks[4];
};
static double numbers(struct grid *g) {
  int near = (int)g->x[0], nearest;
  MPI_Allreduce(&g->n, &g->all, 1, INT, SUM, WORLD);
  MPI_Allreduce(&near, &nearest, 1, INT, SUM, WORLD);
  MPI_Send(g->ids, 4, LONG, 1, 0, WORLD);
  char marks[4];
  MPI_Allreduce(g->marks, marks, 4, BYTE, BOR, WORLD);
  return g->x[0] * g->ids[1] * g->all * nearest * marks[1];
}
void of_numbers(struct grid *g, struct grid *d) {
  __enzyme_autodiff((void *)numbers, g, d);
  __enzyme_fwddiff((void *)numbers, g, d);
}
#ifndef FINE
static double sends(double *x) {
  x[0] *= x[1];
  // CHECK: mpi-numbers.c:[[@LINE+4]]:{{[0-9]+}}: error: MPI_Send exchanges bytes as MPI_LONG, which has no derivative, and they hold a double at byte 0
  // CHECK-NEXT: in the derivative that '__enzyme_autodiff' asks for at
  // CHECK-SAME: in 'by_send'
  // CHECK-NEXT: to fix: give it the datatype of the floats (MPI_DOUBLE), or MPI_BYTE
  MPI_Send(x, 2, LONG, 1, 0, WORLD);
  return x[0];
}
void by_send(double *x, double *d) { __enzyme_autodiff((void *)sends, x, d); }

static double receives(double *x) {
  double y[2];
  MPI_Request r;
  // CHECK: mpi-numbers.c:[[@LINE+1]]:{{[0-9]+}}: error: MPI_Irecv exchanges bytes as MPI_UNSIGNED_LONG, {{.*}} and they hold a double at byte 0
  MPI_Irecv(y, 2, UNSIGNED_LONG, 1, 0, WORLD, &r);
  MPI_Wait(&r, 0);
  return x[0] * y[0] * y[1];
}
double by_receive(double *x, double *d) { return __enzyme_fwddiff((void *)receives, x, d); }

// In a function that is not told, behind another one.
__attribute__((noinline)) static void pass(const void *from, void *to, int n) {
  // CHECK: mpi-numbers.c:[[@LINE+1]]:{{[0-9]+}}: error: MPI_Allgather exchanges bytes as MPI_LONG, {{.*}} and they hold a double at byte 0
  MPI_Allgather(from, n, LONG, to, n, LONG, WORLD);
}
__attribute__((noinline)) static void passes(const double *x, double *y) {
  double z[2];
  z[0] = x[0] * x[0];
  z[1] = x[1] * x[0];
  pass(z, y, 2);
}
static double gathers(double *x) {
  double y[100];
  passes(x, y);
  return y[3] * y[2];
}
void by_gather(double *x, double *d) { __enzyme_autodiff((void *)gathers, x, d); }

// Bits of a float in a number.
static double moves(double *x) {
  double square = x[0] * x[0];
  long bits, other;
  memcpy(&bits, &square, 8);
  // CHECK: mpi-numbers.c:[[@LINE+1]]:{{[0-9]+}}: error: MPI_Allreduce exchanges bytes as MPI_LONG
  MPI_Allreduce(&bits, &other, 1, LONG, SUM, WORLD);
  memcpy(&square, &other, 8);
  return square;
}
void by_bits(double *x, double *d) { __enzyme_autodiff((void *)moves, x, d); }

static double joins(double *x) {
  double square = x[0] * x[0], other;
  // CHECK: mpi-numbers.c:[[@LINE+1]]:{{[0-9]+}}: error: MPI_Allreduce exchanges bytes as MPI_BYTE
  MPI_Allreduce(&square, &other, 8, BYTE, BOR, WORLD);
  return other;
}
void by_byte(double *x, double *d) { __enzyme_autodiff((void *)joins, x, d); }
#endif
