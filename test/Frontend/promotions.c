// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the variadic call promoted comes back: float, short, bool, long double.
//
// RUN: %clang --target=x86_64-unknown-linux-gnu -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang --target=x86_64-unknown-linux-gnu -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clang --target=x86_64-unknown-linux-gnu -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend 2>&1 | FileCheck %s --check-prefix=CLEAN
#include <stdbool.h>
extern int enzyme_const, enzyme_dup, enzyme_out;
float __enzyme_autodiff_float(void *, ...);
double __enzyme_autodiff(void *, ...);
float __enzyme_fwddiff_float(void *, ...);

float f(float x, short s, bool b, unsigned char c, long n) {
  return b ? x * s : x * c * n;
}

// CHECK-LABEL: in 'one'
// CHECK: arg 0: float out = %{{[0-9]+}}
// CHECK-NEXT: arg 1: i16 const = 2
// CHECK-NEXT: arg 2: i1 const = true
// CHECK-NEXT: arg 3: i8 const = -56
// CHECK-NEXT: arg 4: i64 const = 7
// CHECK: result: 4 bytes
float one(float x) {
  return __enzyme_autodiff_float((void *)f, x, (short)2, true,
                                 (unsigned char)200, 7);
}

// A derivative may be wanted in another precision.
// CHECK-LABEL: in 'wider'
// CHECK: result: 4 bytes
// CHECK-NEXT: at 0: float element 0
double wider(float x) {
  return __enzyme_autodiff((void *)f, x, 2, true, 200, 7L);
}

// CHECK-LABEL: in 'forward'
// CHECK: arg 0: float dup = %{{[0-9]+}}, shadow 1.000000e+00
float forward(float x) {
  return __enzyme_fwddiff_float((void *)f, x, 1.0f, 2, true, 200, 7L);
}

long double g(long double x, double *p) { return x * p[0]; }
long double __enzyme_autodiff_long(void *, ...);

// CHECK-LABEL: in 'long_double'
// CHECK: arg 0: x86_fp80 out = 0xK4000{{.*}}
// CHECK-NEXT: arg 1: ptr const = null
// CHECK: result: 16 bytes
long double long_double(void) {
  return __enzyme_autodiff_long((void *)g, 2.0, enzyme_const, 0);
}
// CLEAN-NOT: error
