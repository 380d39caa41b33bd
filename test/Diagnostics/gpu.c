// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What derivatives in code for a GPU cannot do yet. Sums of adjoints are
// atomic (Emit/gpu.c).
//
// RUN: not %clang -O2 -g --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s --check-prefixes=CHECK,AMD
// RUN: not %clang -O0 --target=amdgcn-amd-amdhsa -mcpu=gfx90a -nogpulib -std=gnu89 %adze -S %s -o %t.s 2>&1 | FileCheck %s --check-prefix=O0
// O0-NOT: submit a bug report
#include "Inputs/gpu.h"
#define SHARED __attribute__((address_space(3)))
void __enzyme_autodiff();
void __enzyme_fwddiff();
extern int enzyme_dup, enzyme_const;

static SHARED double tile[256];

// CHECK-DAG: gpu.c:[[#@LINE+3]]:{{.*}} error: cannot differentiate 'tile, shared memory, in a function without a barrier': derivatives through this part of code for GPUs are not supported yet
// CHECK-DAG: to fix: let the function that is differentiated begin with a barrier of the block
void shares(const double *x, double *y) {
  tile[THREAD] = x[THREAD] * 2;
  y[THREAD] = tile[THREAD ^ 1] * x[THREAD];
}

extern SHARED double sized[];
// AMD-DAG: error: active data reaches memory that was declared inactive: global variable 'sized' of another file
void launched(const double *x, double *y) {
  sized[THREAD] = x[THREAD] * 2;
  WAIT;
  y[THREAD] = sized[THREAD ^ 1];
}

// CHECK-DAG: error: cannot differentiate '{{.*}}{{membar|fence}}
// CHECK-DAG: to fix: exchange values through memory, with barriers between, or use forward mode
__attribute__((noinline)) static int waits(int k) {
  FENCE;
  return k + 1;
}
void calls(const double *x, double *y, int n) {
  y[THREAD] = x[THREAD] * x[THREAD];
  y[THREAD + waits(n)] = x[THREAD];
}

// CHECK-DAG: gpu.c:[[#@LINE+5]]:{{.*}} error: cannot differentiate 'recursion whose values the reverse pass needs'
// CHECK-DAG: to fix: let helpers be inlined, or use forward mode
double power(double x, int n) {
  double r = 0;
  if (n > 0)
    r = power(x * x + r, n - 1) * x;
  return n ? r * x : x * x;
}
void recurs(const double *x, double *y, int n) {
  y[THREAD] = power(x[THREAD], n);
}

void *malloc(unsigned long);
void free(void *);
// CHECK-DAG: gpu.c:[[#@LINE+2]]:{{.*}} error: cannot differentiate 'memory of active data that the kernel allocates or gives back'
void allocates(const double *x, double *y, int n) {
  double *t = malloc(n * sizeof(double));
  int k;
  for (k = 0; k < 4; ++k)
    t[(k * n) & 3] = x[k] * x[k];
  y[THREAD] = t[n & 3] * t[1];
  free(t);
}

KERNEL void reverse(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)allocates, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
  __enzyme_autodiff((void *)shares, enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)launched, enzyme_dup, x, dx, enzyme_dup, y, dy);
  __enzyme_autodiff((void *)calls, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
  __enzyme_autodiff((void *)recurs, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
}

static __attribute__((address_space(1))) double halo[256];

// CHECK-DAG: error: cannot differentiate 'halo, a variable that all threads share
// CHECK-DAG: in the derivative that '__enzyme_fwddiff' asks for {{.*}} in 'forward'
void passes(const double *x, double *y) {
  halo[THREAD] = x[THREAD] * 2;
  WAIT;
  y[THREAD] = halo[THREAD ^ 1];
}
KERNEL void forward(double *x, double *dx, double *y, double *dy) {
  __enzyme_fwddiff((void *)passes, enzyme_dup, x, dx, enzyme_dup, y, dy);
}
