// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An iteration that fills and reads scratch arrays runs again in the reverse
// pass: what it keeps takes the place of one iteration, and the tape holds
// nothing of it. Not so where running again costs more than keeping.
//
// DEFINE: %{ir} = %clang -O1 -fno-unroll-loops -fno-discard-value-names -S -emit-llvm %s -o -
// RUN: %{ir} | %adze-opt --stop-after=plan | FileCheck %s
// RUN: %{ir} | %adze-opt --stop-after=plan -adze-run-again=never | FileCheck --check-prefix=NEVER %s
// RUN: %{ir} | %adze-opt --stop-after=plan -adze-run-again=always | FileCheck --check-prefix=ALWAYS %s
// RUN: %{ir} | %adze-opt --stop-after=emit | FileCheck --check-prefix=CODE %s
// RUN: %clang -O2 -g %adze -c %s -o %t.o -Rpass=adze 2>&1 | FileCheck --check-prefix=REMARK %s
void __enzyme_autodiff(void *, ...);
int enzyme_dup, enzyme_const;

void elements(int n, const int *restrict at, const double *restrict x,
              double *restrict y) {
  for (int e = 0; e < n; e++) {
    double c[8], g[8];
    for (int k = 0; k < 8; k++)
      c[k] = x[at[8 * e + k]];
    for (int k = 0; k < 8; k++)
      g[k] = c[(k + 1) & 7] * c[(k + 3) & 7] - c[(k + 2) & 7] * c[k];
    for (int k = 0; k < 8; k++) {
      double s = 1;
      for (int d = 0; d < 8; d++)
        s *= g[d] - g[k] * c[(d * k) & 7];
      y[at[8 * e + k]] += s;
    }
  }
}

// CHECK-LABEL: plan of {{.*}}elements
// CHECK: keep in slot [[#S:]] when %for.body runs again
// CHECK: [[#S]]: double {{.*}} static of one iteration
// CHECK-NOT: [%for.body x
// CHECK: bytes: {{[0-9]+$}}
// CHECK: runs again: each iteration of %for.body, in copies of %c %g
// CHECK-LABEL: plan of {{.*}}few
// CHECK-NOT: runs again

// ALWAYS-LABEL: plan of {{.*}}few
// ALWAYS: = phi {{ *}}keep in slot [[#T:]] when %for.body runs again
// ALWAYS: [[#T]]: double [%for.body{{[0-9]+}}] on entry, at slot {{[0-9]+}} of one iteration
// ALWAYS: runs again: each iteration of %for.body{{$}}

// NEVER-LABEL: plan of {{.*}}elements
// NEVER-NOT: runs again
// NEVER: [%for.body
// NEVER: bytes: {{[0-9]+}} + {{[0-9]+}} [

// The primal half computes in c, the reverse half in a copy.
// CODE-LABEL: define internal void @adze.grad.elements
// CODE-DAG: %c.again = alloca [8 x double]
// CODE-DAG: %g.again = alloca [8 x double]
// CODE: again:
// CODE: br label %for.body.again
// CODE: for.body.again:
// CODE: getelementptr inbounds {{.*}} ptr %c.again

// REMARK: remark: the reverse pass of the gradient of 'elements' runs each iteration of the loop at line 17 again, instead of keeping {{[0-9]+}} values of it [-Rpass=adze]

#define ELEMENT                                                                \
  for (int k = 0; k < 8; k++)                                                  \
    c[k] = x[at[8 * e + k]];                                                   \
  for (int k = 0; k < 8; k++)                                                  \
    g[k] = c[(k + 1) & 7] * c[(k + 3) & 7] - c[(k + 2) & 7] * c[k];            \
  for (int k = 0; k < 8; k++) {                                                \
    double s = 1;                                                              \
    for (int d = 0; d < 8; d++)                                                \
      s *= g[d] - g[k] * c[(d * k) & 7];                                       \
    y[at[8 * e + k]] += s;                                                     \
  }

// The same with variables that are declared in front of the loop.
void before(int n, const int *restrict at, const double *restrict x,
            double *restrict y) {
  double c[8], g[8];
  int e;
  for (e = 0; e < n; e++) {
    ELEMENT
  }
}

// CHECK-LABEL: plan of {{.*}}before
// CHECK: bytes: {{[0-9]+$}}
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %c %g

// Here the first element stays as it was.
void stays(int n, const int *restrict at, const double *restrict x,
           double *restrict y) {
  double c[8] = {0}, g[8];
  int e;
  for (e = 0; e < n; e++) {
    for (int k = 1; k < 8; k++)
      c[k] = x[at[8 * e + k]];
    for (int k = 0; k < 8; k++)
      g[k] = c[(k + 1) & 7] * c[(k + 3) & 7] - c[(k + 2) & 7] * c[k];
    for (int k = 0; k < 8; k++) {
      double s = 1;
      for (int d = 0; d < 8; d++)
        s *= g[d] - g[k] * c[(d * k) & 7];
      y[at[8 * e + k]] += s;
      c[0] += s;
    }
  }
}

// CHECK-LABEL: plan of {{.*}}stays
// CHECK-NOT: in copies of %c

// The same with work space in blocks, and with one that the function is given.
void *malloc(unsigned long);
void free(void *);
void blocks(int n, const int *restrict at, const double *restrict x,
            double *restrict y) {
  double *c = malloc(8 * sizeof *c), *g = malloc(8 * sizeof *g);
  int e;
  for (e = 0; e < n; e++) {
    ELEMENT
  }
  free(g);
  free(c);
}

// CHECK-LABEL: plan of {{.*}}blocks
// CHECK: runs again: each iteration of {{%[^ ]+}}, in copies of %call %call1

void given(int n, const int *restrict at, const double *restrict x,
           double *restrict y, double *restrict w) {
  double *c = w, *g = w + 8;
  int e;
  for (e = 0; e < n; e++) {
    ELEMENT
  }
}

// ALWAYS-LABEL: plan of {{.*}}given
// ALWAYS: runs again: each iteration of {{%[^ ]+}}, in copies of %w

// Steps from one state to the next, in place, with work space of any length:
// each keeps a copy of its state. The first element of k stands alone.
void steps(int n, int count, const double *restrict x, double *restrict y,
           double *restrict w) {
  double *k = w, *z = w + n;
  for (int s = 0; s < count; s++) {
    k[0] = x[0];
    for (int i = 1; i < n; i++)
      k[i] = x[i] * y[i - 1] * y[i];
    for (int i = 0; i < n; i++)
      z[i] = y[i] + 0.5 * k[i];
    k[0] = x[0];
    for (int i = 1; i < n; i++)
      k[i] = x[i] * z[i - 1] * z[i];
    for (int i = 0; i < n; i++)
      y[i] += k[i];
  }
}

// ALWAYS-LABEL: plan of {{.*}}steps
// ALWAYS: a copy of double
// ALWAYS: of one iteration
// ALWAYS: runs again: each iteration of {{%[^ ]+}}, in copies of %w
// ALWAYS: = load as %{{.*}}same

// Little is computed of what is kept, by one element after the other: what runs
// again would cost more.
void little(int n, const int *restrict at, const double *restrict x,
            double *restrict y) {
  for (int e = 0; e < n; e++) {
    double c[24], g[24];
    for (int k = 0; k < 24; k++)
      c[k] = x[at[8 * e + (k & 7)] * 3 + k / 8];
    for (int k = 0; k < 24; k++)
      g[k] = c[k] * c[(k + 5) % 24] - c[(k + 7) % 24] * c[k];
    for (int k = 0; k < 24; k++)
      y[at[8 * e + (k & 7)] * 3 + k / 8] += g[k] * g[(k + 1) % 24] + c[k];
  }
}

// CHECK-LABEL: plan of {{.*}}little
// CHECK-NOT: runs again

double few(int n, int m, const double *restrict x) {
  double s = 0;
  for (int i = 0; i < n; i++) {
    double t = x[i];
    for (int j = 0; j < m; j++)
      t = t * t * 0.5 + x[i];
    s += t;
  }
  return s;
}


void d(int n, int m, const int *at, double *x, double *dx, double *y,
       double *dy, double *w, double *dw) {
  __enzyme_autodiff((void *)elements, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)few, enzyme_const, n, enzyme_const, m, enzyme_dup,
                    x, dx);
  __enzyme_autodiff((void *)before, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)stays, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)blocks, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)given, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy, enzyme_dup, w, dw);
  __enzyme_autodiff((void *)steps, enzyme_const, n, enzyme_const, m, enzyme_dup,
                    x, dx, enzyme_dup, y, dy, enzyme_dup, w, dw);
  __enzyme_autodiff((void *)little, enzyme_const, n, enzyme_const, at,
                    enzyme_dup, x, dx, enzyme_dup, y, dy);
}
