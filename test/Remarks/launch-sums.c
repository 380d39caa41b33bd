// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// RUN: %clang --target=nvptx64-nvidia-cuda -march=sm_70 -O2 -gline-tables-only %adze -Rpass-missed=adze -S -emit-llvm %s -o %t.ll 2>&1 | FileCheck %s
// RUN: FileCheck --check-prefix=IR %s < %t.ll
// Where threads of a launch add, and when.
#define KERNEL __attribute__((nvptx_kernel))

static int item(void) {
  return __nvvm_read_ptx_sreg_ctaid_x() * __nvvm_read_ptx_sreg_ntid_x() +
         __nvvm_read_ptx_sreg_tid_x();
}

void each(const double *x, const double *a, double *y) {
  int i = item();
  // CHECK: launch-sums.c:[[#@LINE+2]]:{{.*}} adds atomically to the adjoint of argument 2 of 'each', because other threads may read the same
  // CHECK: launch-sums.c:[[#@LINE+1]]:{{.*}} adds atomically to the adjoint of argument 1 of 'each' unless a test shows, when the kernel begins, that each thread reads places of its own
  y[i] = a[0] * x[i] * x[i];
}

// Neighbours meet for certain.
void stencil(const double *x, double *y) {
  int i = item();
  // CHECK: launch-sums.c:[[#@LINE+1]]:{{.*}} adds atomically to the adjoint of argument 1 of 'stencil', because other threads may read the same
  y[i] = x[i] * x[i + 1];
}

extern int enzyme_dup, enzyme_const;
void __enzyme_autodiff(void *, ...);

// IR-LABEL: define {{.*}}@of_each(
// IR: br i1 {{.*}}!adze.alone
// IR-NOT: call void @adze.grad
KERNEL void of_each(double *x, double *dx, double *a, double *da, double *y, double *dy) {
  __enzyme_autodiff((void *)each, enzyme_dup, x, dx, enzyme_dup, a, da, enzyme_dup, y, dy);
}
// IR-LABEL: define {{.*}}@of_stencil(
// IR-NOT: !adze.alone
KERNEL void of_stencil(double *x, double *dx, double *y, double *dy) {
  __enzyme_autodiff((void *)stencil, enzyme_dup, x, dx, enzyme_dup, y, dy);
}

// The kernel itself adds to a shadow, or gives each thread another argument.
// IR-LABEL: define {{.*}}@beside_others(
// IR-NOT: !adze.alone
KERNEL void beside_others(double *x, double *dx, double *a, double *y, double *dy) {
  __enzyme_autodiff((void *)each, enzyme_dup, x, dx, enzyme_const, a, enzyme_dup, y, dy);
  __nvvm_atom_add_gen_f(0, 1);
}
// IR-LABEL: define {{.*}}@of_thread(
// IR-NOT: !adze.alone
KERNEL void of_thread(double *x, double *dx, double *a, double *y, double *dy) {
  const int t = __nvvm_read_ptx_sreg_tid_x() / 2;
  __enzyme_autodiff((void *)each, enzyme_dup, x + t, dx + t, enzyme_const, a, enzyme_dup, y, dy);
}
// IR: attributes
