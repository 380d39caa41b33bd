// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What types say of buffers of bytes is handed to the derivatives of MPI's functions, with the line.
//
// RUN: %clang -O0 -g %adze -S -emit-llvm %s -o - | FileCheck --implicit-check-not=c:34:3 %s
// RUN: %clang -O2 -g %adze -S -emit-llvm %s -o - | FileCheck --implicit-check-not=c:34:3 %s
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck --check-prefix=NOLINE %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
extern char ompi_mpi_comm_world[], ompi_mpi_double[], ompi_mpi_byte[], ompi_mpi_char[], ompi_mpi_unsigned_char[];
#define WORLD ((MPI_Comm)ompi_mpi_comm_world)
#define DOUBLE ((MPI_Datatype)ompi_mpi_double)
#define BYTE ((MPI_Datatype)ompi_mpi_byte)
#define CHAR ((MPI_Datatype)ompi_mpi_char)
#define UNSIGNED_CHAR ((MPI_Datatype)ompi_mpi_unsigned_char)
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
int MPI_Recv(void *, int, MPI_Datatype, int, int, MPI_Comm, void *);
extern int enzyme_const;
void __enzyme_autodiff(void *, ...);

struct record {
  double x[2];
  int n;
  float f;
};
__attribute__((noinline)) static void pass(const void *p, int bytes) {
  MPI_Send(p, bytes, BYTE, 1, 0, WORLD);
}
static double sends(double *x, int n, MPI_Datatype any) {
  float f[4] = {(float)x[0], 1, 2, (float)x[1]};
  struct record r = {{x[0], x[1]}, n, f[0]};
  x[0] *= x[1];
  MPI_Send(x, n * 8, CHAR, 1, 0, WORLD);
  MPI_Send(f, sizeof f, UNSIGNED_CHAR, 1, 0, WORLD);
  MPI_Send(x, n, DOUBLE, 2, 0, WORLD);
  MPI_Send(x, n, any, 3, 0, WORLD);
  pass(&r, sizeof r);
  MPI_Recv(&r, sizeof r, BYTE, 0, 0, WORLD, 0);
  return x[0] * r.x[1] * r.f * r.n;
}
void of_sends(double *x, double *d, int n, MPI_Datatype any) {
  __enzyme_autodiff((void *)sends, x, d, n, enzyme_const, any);
}
// CHECK-DAG: c"{{8|16}} 0+{{8|16}}d@MPI_Send ({{.*}}mpi-descriptions.c:32:3)\00"
// CHECK-DAG: c"{{4|16}} 0+{{4|16}}f@MPI_Send ({{.*}}mpi-descriptions.c:33:3)\00"
// CHECK-DAG: c"24 0+16d 16+20n 20+24f@MPI_Recv ({{.*}}mpi-descriptions.c:37:3)\00"
// CHECK-DAG: 0+16d 16+20n 20+24f{{.*}}@MPI_Send ({{.*}}mpi-descriptions.c:26:3)\00"
// CHECK: call {{.*}} @adze.mpi.described(
// NOLINE: 24 0+16d 16+20n 20+24f@MPI_Recv\00
