// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Which tasks do not run beside others in derivatives, and why.
//
// RUN: %clang -O2 -g -fopenmp %adze -Rpass-missed=adze -c %s -o %t.o 2>&1 | FileCheck %s --implicit-check-not="this task runs it at"
void __enzyme_autodiff(void *, ...);

void squares(double *x, int n) {
  double s = 0;
#pragma omp parallel
#pragma omp single
  {
    for (int i = 0; i < n; ++i) {
#pragma omp task firstprivate(i)
      x[i] *= x[i];
    }
#pragma omp taskwait
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} remark: in derivatives, the thread that comes to this task runs it at once: it depends on others [-Rpass-missed=adze]
#pragma omp task depend(inout : x[0])
    x[0] *= x[1];
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} this task runs it at once: it is not tied to a thread
#pragma omp task untied
    x[1] *= x[1];
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} this task runs it at once: it may be final
#pragma omp task final(n > 3)
    x[2] *= x[1];
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} this task runs it at once: it has sections of one thread at a time
#pragma omp task shared(s)
#pragma omp critical
    s += x[3];
    // CHECK: tasks.c:[[#@LINE+1]]:{{.*}} this task runs it at once: it has atomic operations
#pragma omp task shared(s)
#pragma omp atomic
    s += x[4];
    // CHECK: tasks.c:[[#@LINE+2]]:{{.*}} this task runs it at once: it takes part in a reduction
#pragma omp taskgroup task_reduction(+ : s)
#pragma omp task in_reduction(+ : s)
    s += x[5];
  }
  x[0] += s;
}
void gradient(double *x, double *dx, int n) {
  __enzyme_autodiff((void *)squares, x, dx, n);
}
