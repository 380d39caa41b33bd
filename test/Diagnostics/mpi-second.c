// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Derivatives of derivatives that exchange data with other processes.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
extern char ompi_mpi_comm_world[], ompi_mpi_double[];
int MPI_Send(const void *, int, MPI_Datatype, int, int, MPI_Comm);
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double sends(double x) {
  double s = x * x;
  MPI_Send(&s, 1, (MPI_Datatype)ompi_mpi_double, 1, 0,
           (MPI_Comm)ompi_mpi_comm_world);
  return s;
}
static double first(double x) { return __enzyme_fwddiff((void *)sends, x, 1.0); }
double second(double x) { return __enzyme_fwddiff((void *)first, x, 1.0); }
// CHECK: error: cannot differentiate {{.*}}: derivatives through this part of MPI are not supported yet
// CHECK: in the derivative that '__enzyme_fwddiff' asks for at
