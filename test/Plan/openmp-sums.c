// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which sums of adjoints are atomic in a parallel region.
//
// DEFINE: %{compile} = %clang -fopenmp %adze -S -emit-llvm -o - %s
// RUN: %{compile} -O2 -DF=scaled | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=rows | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=constant_rows | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=in_place | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=private | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O1 -DF=scaled | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=gathered | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=neighbours | FileCheck --check-prefix=NEAR %s
// RUN: %{compile} -O2 -DF=plane | FileCheck --check-prefix=NEAR %s
// RUN: %{compile} -O2 -DF=overlapping_rows | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=other_loop | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=unknown_rows | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=unknown_steps | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=called | FileCheck --check-prefix=CALLED %s
// RUN: %{compile} -O2 -DF=nested | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=dynamic | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=dynamic_again | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O1 -DF=chunks | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=chunks | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O3 -DF=chunks | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=chunks_of_rows | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=chunks_of_planes | FileCheck --check-prefix=NEAR %s
// RUN: %{compile} -O2 -DF=chunks_of_two | FileCheck --check-prefix=ATOMIC %s
// RUN: %{compile} -O2 -DF=again | FileCheck --check-prefix=PLAIN %s
// RUN: %{compile} -O2 -DF=others_again | FileCheck --check-prefix=ATOMIC %s
// PLAIN-NOT: atomicrmw fadd
// ATOMIC: atomicrmw fadd
// CALLED-LABEL: define internal {{.*}}@adze.rev.sum
// CALLED: atomicrmw fadd
// CALLED: {{^}}}
// Near the bounds of each thread's iterations alone: there are loops of plain code
// beside, which become vector code.
// NEAR-LABEL: define internal {{.*}}@adze.rev.
// NEAR-DAG: atomicrmw fadd
// NEAR-DAG: fadd {{.*}}<2 x double>
// NEAR-DAG: store <2 x double> %
#include <math.h>
void __enzyme_autodiff(void *, ...);
int enzyme_const;

// What is read belongs to the iteration.
void scaled(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] *= sin(x[i]);
}
// Rows of m elements; nobody knows m.
void rows(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double s = 0;
    for (int j = 0; j < m; ++j)
      s += x[i * m + j] * x[i * m + j] * x[i * m + j];
    y[i] = s;
  }
}
void constant_rows(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[3 * i] * x[3 * i + 1] * x[3 * i + 2];
}
// Where the thread writes, no other one reads, whatever at[i] is.
void in_place(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[at[i]] = y[at[i]] * y[at[i]];
}
// A block of the thread.
void private(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
    double t[4];
    for (int k = 0; k < 4; ++k)
      t[k] = x[4 * i + k];
    for (int k = 0; k < m; ++k)
      t[k & 3] += t[(k + 1) & 3] * t[k & 3];
    y[i] = t[at[i] & 3];
  }
}
void gathered(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[at[i]] * x[at[i]];
}
void neighbours(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    y[i] = x[i - 1] * x[i + 1];
}
void plane(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 1; i < n - 1; ++i)
    for (int j = 1; j < m - 1; ++j)
      y[i * m + j] = x[(i - 1) * m + j] * x[i * m + j - 1] * x[i * m + j + 1] *
                     x[(i + 1) * m + j];
}
void overlapping_rows(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[2 * i] * x[2 * i + 1] * x[2 * i + 2];
}
// With m = -1 all rows are one; with m = 0 all elements.
void unknown_rows(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i * (m + 1)] * x[i * (m + 1)];
}
void unknown_steps(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i)
    y[i] = x[i * m] * x[i * m];
}
// Beside a callee, other threads may run other code; beside an inner team, other
// inner teams.
static double table[100];
__attribute__((noinline)) static void sum(double *y, int n) {
#pragma omp for nowait
  for (int i = 0; i < n; ++i)
    y[i] = table[i] * table[i];
}
void called(const double *x, double *y, const int *at, int n, int m) {
  for (int i = 0; i < n; ++i)
    table[i] = x[i];
#pragma omp parallel
  {
    sum(y, n);
    y[n + at[0]] = table[at[1]];
  }
}
void nested(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for
  for (int i = 0; i < n; ++i) {
#pragma omp parallel for
    for (int j = 0; j < m; ++j)
      y[i * m + j] = x[j] * x[j];
  }
}
// The iterations of a thread are others in the second loop.
void other_loop(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel
  {
#pragma omp for nowait
    for (int i = 0; i < n; ++i)
      y[i] = x[i] * x[i];
#pragma omp for
    for (int i = 0; i < m; ++i)
      y[n + i] = x[i] * x[i];
  }
}
// Chunks that threads take as they come.
void dynamic(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for schedule(dynamic)
  for (int i = 0; i < n; ++i)
    y[i] = x[i] * x[i];
}
// Each time the threads take other ones.
void dynamic_again(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel
  for (int k = 0; k < m; ++k)
#pragma omp for schedule(dynamic) nowait
    for (int i = 0; i < n; ++i)
      y[k * n + i] = x[i] * x[i];
}
// Of a size that is known, or not.
void chunks(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for schedule(static, 4)
  for (int i = 1; i < n; ++i)
    y[i] = x[i] * x[i];
}
void chunks_of_rows(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for schedule(static, m)
  for (long i = 0; i < n; ++i) {
    double s = 0;
    for (long j = 0; j < m; ++j)
      s += x[i * m + j] * x[i * m + j];
    y[i] = s;
  }
}
void chunks_of_planes(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for schedule(static, 16)
  for (long i = 1; i < n - 1; ++i)
    for (long j = 0; j < m; ++j)
      y[i * m + j] = x[(i - 1) * m + j] * x[(i + 1) * m + j];
}
// What one iteration has is the next one's, too.
void chunks_of_two(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel for schedule(static, 2)
  for (int i = 0; i < n; ++i)
    y[i] = x[2 * i] * x[2 * i + 1] * x[2 * i + 2];
}
// Each time a thread has the same iterations; or it has not.
void again(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel
  for (int k = 0; k < m; ++k)
#pragma omp for nowait
    for (long i = 0; i < n; ++i)
      y[i] += x[i] * x[i];
}
void others_again(const double *x, double *y, const int *at, int n, int m) {
#pragma omp parallel
  for (int k = 0; k < m; ++k)
#pragma omp for
    for (long i = 0; i < n - k; ++i)
      y[i] += x[i] * x[i];
}
void gradient(double *x, double *dx, double *y, double *dy, int *at, int n,
              int m) {
  __enzyme_autodiff((void *)F, x, dx, y, dy, enzyme_const, at, n, m);
}
