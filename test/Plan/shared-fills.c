// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Shared memory that each iteration of a loop fills, behind which threads meet
// and read, is filled again in the reverse pass. Each function from `guarded`
// on breaks one of the conditions.
//
// DEFINE: %{ir} = %clang -O1 -fno-unroll-loops --target=nvptx64-nvidia-cuda -march=sm_70 -nogpulib -S -emit-llvm %s -o -
// RUN: %{ir} | %adze-opt --stop-after=plan | FileCheck %s
// RUN: %{ir} | %adze-opt --stop-after=emit | FileCheck --check-prefix=CODE %s
#define SHARED static __attribute__((address_space(3)))
#define KERNEL __attribute__((nvptx_kernel))
#define WAIT __nvvm_bar_sync(0)
#define T __nvvm_read_ptx_sreg_tid_x()
void __enzyme_autodiff(void *, ...);
extern int enzyme_dup, enzyme_const;

#define READ(S)                                                                \
  for (int k = 0; k < 16; ++k)                                                 \
  acc = acc * 0.5 + acc * S[k] * S[(T + k) & 15]
#define BODY(NAME)                                                             \
  void NAME(const double *restrict x, double *restrict y, int n)

// CHECK-LABEL: plan of rev.tile.
// CHECK: load {{ *}}recompute from {{.*}} when %[[#L:]] fills it again
// CHECK: runs again: each iteration of %[[#L]], and fills @s0
// CHECK: store
// CODE-LABEL: define internal void @adze.grad.tile(
// In front of what fills again, where the loop's reverse begins; the program's
// own stands behind.
// CODE: call void @llvm.nvvm.barrier0()
// CODE: again:
SHARED double s0[16];
BODY(tile) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s0[T] = x[p * 16 + T];
    WAIT;
    READ(s0);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.guarded.
SHARED double s1[16];
BODY(guarded) {
  double acc = 1;
  s1[T] = 0;
  for (int p = 0; p < n; ++p) {
    if ((T + p) & 1)
      s1[T] = x[p * 16 + T];
    WAIT;
    READ(s1);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.moving.
SHARED double s2[32];
BODY(moving) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s2[(T + p) & 31] = x[p * 16 + T];
    WAIT;
    READ(s2);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.before.
SHARED double s3[16];
BODY(before) {
  double acc = 1;
  s3[T] = 0;
  WAIT;
  for (int p = 0; p < n; ++p) {
    READ(s3);
    WAIT;
    s3[T] = x[p * 16 + T];
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.twice.
SHARED double s4[16];
BODY(twice) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s4[T] = x[p * 16 + T];
    WAIT;
    s4[T ^ 1] = x[p * 16 + T];
    WAIT;
    READ(s4);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.numbered.
SHARED double s5[16];
BODY(numbered) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s5[T] = x[p * 16 + T];
    __nvvm_bar_sync(1);
    READ(s5);
    __nvvm_bar_sync(1);
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.later.
SHARED double s6[16];
BODY(later) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s6[T] = x[p * 16 + T];
    WAIT;
    READ(s6);
    WAIT;
  }
  s6[T] = acc;
  WAIT;
  y[T] = s6[T ^ 1];
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.left.
SHARED double s7[16];
BODY(left) {
  double acc = 1;
  for (int p = 0; p < n; ++p) {
    s7[T] = x[p * 16 + T];
    WAIT;
    READ(s7);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.handed.
SHARED double s8[16];
BODY(handed) {
  double acc = 1;
  for (int p = (unsigned)(unsigned long)s8 >> 31; p < n; ++p) {
    s8[T] = x[p * 16 + T];
    WAIT;
    READ(s8);
    WAIT;
  }
  y[T] = acc;
}

// CHECK-NOT: fills it again
// CHECK-LABEL: plan of rev.found.
SHARED double s9[16];
BODY(found) {
  double acc = s9[0];
  for (int p = 0; p < n; ++p) {
    s9[T] = x[p * 16 + T];
    WAIT;
    READ(s9);
    WAIT;
  }
  y[T] = acc;
}
// CHECK-NOT: fills it again

#define GRADIENT(NAME)                                                         \
  KERNEL void gradient_##NAME(double *x, double *dx, double *y, double *dy,    \
                              int n) {                                         \
    __enzyme_autodiff((void *)NAME, enzyme_dup, x, dx, enzyme_dup, y, dy,      \
                      enzyme_const, n);                                        \
  }
GRADIENT(tile)
GRADIENT(guarded)
GRADIENT(moving)
GRADIENT(before)
GRADIENT(twice)
GRADIENT(numbered)
GRADIENT(later)
// It reads what the derivative has left.
KERNEL void gradient_left(double *x, double *dx, double *y, double *dy, int n) {
  __enzyme_autodiff((void *)left, enzyme_dup, x, dx, enzyme_dup, y, dy,
                    enzyme_const, n);
  WAIT;
  y[T + 16] = s7[T];
}
GRADIENT(handed)
GRADIENT(found)
