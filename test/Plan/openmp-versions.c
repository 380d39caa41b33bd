// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A region that is given different blocks has one version; what it reads of
// them is not taken for overwritten.
//
// DEFINE: %{compile} = %clang -fopenmp -gline-tables-only %adze
// -Rpass-analysis=adze -Rpass=adze -Rpass-missed=adze -c %s -o %t.o RUN:
// %{compile} -O2 -DF=blocks 2>&1 | FileCheck --check-prefix=ONE %s RUN:
// %{compile} -O1 -DF=blocks 2>&1 | FileCheck --check-prefix=ONE %s RUN:
// %{compile} -O0 -DF=blocks 2>&1 | FileCheck --check-prefix=ONE %s RUN:
// %{compile} -O2 -DF=unknown 2>&1 | FileCheck --check-prefix=TWO %s RUN:
// %{compile} -O2 -DF=one 2>&1 | FileCheck --check-prefix=TWO %s ONE-NOT: has
// another version ONE-NOT: keeps the value loaded ONE: the split gradient of
// 'gather.omp_outlined.region{{.*}}' needs a tape of ONE-NOT: has another
// version ONE-NOT: keeps the value loaded TWO: the split gradient of
// 'gather.omp_outlined.region{{.*}}' has another version
#include <stdlib.h>
void __enzyme_autodiff(void *, ...);
int enzyme_const;

static void gather(int n, const int *at, const double *a, const double *x,
                   double *y) {
#pragma omp parallel for
  for (long i = 0; i < n; ++i) {
    const double t = a[i] * x[at[i]];
    y[i] = t * a[n - 1 - i];
  }
}
double blocks(const double *x, const int *at, int n) {
  double *a = malloc(n * sizeof(double)), *b = malloc(n * sizeof(double));
  for (int i = 0; i < n; ++i)
    a[i] = x[i];
  gather(n, at, a, x, b);
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += b[i];
  free(a);
  free(b);
  return s;
}
double unknown(double *x, const int *at, int n) {
  gather(n, at, x, x + n, x + at[0]);
  return x[at[0]];
}
double one(const double *x, const int *at, int n) {
  double *a = malloc(3 * n * sizeof(double));
  for (int i = 0; i < 3 * n; ++i)
    a[i] = x[i];
  gather(n, at, a, x, a + at[0]);
  const double s = a[at[0]] + a[0];
  free(a);
  return s;
}
void gradient(double *x, double *dx, int *at, int n) {
  __enzyme_autodiff((void *)F, x, dx, enzyme_const, at, n);
}
