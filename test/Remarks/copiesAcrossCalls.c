// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// One copy of p serves the nests on both sides of calls that may end the
// program, and the nest that overwrites p behind its reads.
//
// RUN: %clang -O2 -g %adze -c %s -o %t.o -Rpass-missed=adze 2>&1 | FileCheck %s
typedef struct ompi_communicator_t *MPI_Comm;
typedef struct ompi_datatype_t *MPI_Datatype;
typedef struct ompi_op_t *MPI_Op;
int MPI_Allreduce(const void *, void *, int, MPI_Datatype, MPI_Op, MPI_Comm);
extern struct ompi_datatype_t ompi_mpi_double;
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;

static double dot(const double *a, const double *b, int n, MPI_Op op,
                  MPI_Comm comm) {
  double mine = 0, sum;
  for (int i = 0; i < n; ++i)
    mine += a[i] * b[i];
  MPI_Allreduce(&mine, &sum, 1, &ompi_mpi_double, op, comm);
  return sum;
}

void solve(double *restrict x, double *restrict r, double *restrict p,
           double *restrict q, int n, int steps, MPI_Op op, MPI_Comm comm) {
  double rr = dot(r, r, n, op, comm);
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      q[i] = 2 * p[i];
    const double alpha = rr / dot(p, q, n, op, comm);
    for (int i = 0; i < n; ++i) {
      x[i] += alpha * p[i];
      r[i] -= alpha * q[i];
    }
    const double now = dot(r, r, n, op, comm), beta = now / rr;
    rr = now;
    for (int i = 0; i < n; ++i)
      p[i] = r[i] + beta * p[i];
  }
}
// CHECK-NOT: keeps the value loaded from 'p'
// CHECK: copiesAcrossCalls.c:18:13: {{.*}} keeps a copy of 'p': 8 bytes per iteration of the loop at line 17
// CHECK-NOT: keeps the value loaded from 'p'

void gradient(double *x, double *dx, double *r, double *dr, double *p,
              double *dp, double *q, double *dq, int n, int steps, MPI_Op op,
              MPI_Comm comm) {
  __enzyme_autodiff((void *)solve, x, dx, r, dr, p, dp, q, dq, enzyme_const, n,
                    enzyme_const, steps, enzyme_const, op, enzyme_const, comm);
}
