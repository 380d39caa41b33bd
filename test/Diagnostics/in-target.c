// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Regions on another device, and leagues whose size matters. On the host they
// are code (test/Numeric/OpenMP/Leagues.c).
//
// RUN: not %clang -O0 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g -fopenmp %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O0 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %adze -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,DEVICE
// RUN: not %clang -O2 -g -fopenmp -fopenmp-targets=x86_64-pc-linux-gnu %adze -c %s -o %t.o 2>&1 | FileCheck %s --check-prefixes=CHECK,DEVICE
void __enzyme_autodiff(void *, ...);
void __enzyme_fwddiff(void *, ...);

void later(double *x) {
  // CHECK-DAG: cannot differentiate {{.*}}'__kmpc_omp_target_task_alloc'{{.*}}: derivatives through this part of OpenMP are not supported yet
#pragma omp target nowait map(tofrom : x[0 : 3])
  x[0] *= x[1];
#pragma omp taskwait
}
void small(double *x, int n) {
  // CHECK-DAG: in-target.c:[[#@LINE+1]]:{{.*}}cannot differentiate '__kmpc_push_num_teams'
#pragma omp teams distribute parallel for thread_limit(2)
  for (int i = 0; i < n; ++i)
    x[i] *= x[i];
}
void kernel(double *x) {
  // DEVICE-DAG: in-target.c:{{.*}}cannot differentiate '__tgt_target_kernel'
#pragma omp target map(tofrom : x[0 : 3])
  x[0] *= x[1];
}
void unstructured(double *x) {
  // DEVICE-DAG: in-target.c:[[#@LINE+1]]:{{.*}}cannot differentiate '__tgt_target_data_begin_mapper', '__tgt_target_data_update_mapper', '__tgt_target_data_end_mapper'
#pragma omp target enter data map(to : x[0 : 3])
  x[0] *= x[1];
#pragma omp target update to(x[0 : 3])
#pragma omp target exit data map(from : x[0 : 3])
}
void structured(double *x) {
  // DEVICE-DAG: in-target.c:{{.*}}cannot differentiate '__tgt_target_data_begin_mapper', '__tgt_target_data_end_mapper'
#pragma omp target data map(tofrom : x[0 : 3])
  x[0] *= x[1];
}
#pragma omp declare target
double table[2];
#pragma omp end declare target
void global(double *x) {
  table[0] = x[0] * x[1];
  // DEVICE-DAG: cannot differentiate '__tgt_target_kernel'{{.*}}
  // DEVICE-DAG: '__enzyme_fwddiff' asks for {{.*}} in 'gradients'
#pragma omp target
  table[1] = table[0] * table[0];
  x[0] = table[1];
}
void gradients(double *x, double *dx) {
  __enzyme_autodiff((void *)later, x, dx);
  __enzyme_autodiff((void *)small, x, dx, 3);
  __enzyme_autodiff((void *)kernel, x, dx);
  __enzyme_autodiff((void *)unstructured, x, dx);
  __enzyme_autodiff((void *)structured, x, dx);
  __enzyme_fwddiff((void *)global, x, dx);
}
