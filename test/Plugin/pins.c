// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What the optimizer would make of an inactive function, were it not hidden from it: nothing
// of it would be left. Afterwards nothing of the hiding is.
//
// RUN: %clang -O2 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O1 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O0 %adze -S -emit-llvm %s -o - | FileCheck %s
// RUN: %clang -O3 -flto -DDEFER %adze -S -emit-llvm %s -o - 2>&1 | FileCheck %s --check-prefix=LATER
// CHECK-NOT: adze.pin
// CHECK-LABEL: define {{.*}}double @f(
// CHECK: call {{.*}}double @held(
// CHECK-NOT: adze.pin
// LATER-NOT: adze.pin
// LATER-LABEL: define {{.*}}double @f(
// LATER: call {{.*}}double @held(double
// LATER-NOT: adze.pin
__attribute__((always_inline)) static inline double held(double x) { return x; }
void *__enzyme_inactivefn_held = (void *)held;
double elsewhere(double);
double f(double x) {
#ifdef DEFER
  x = elsewhere(x);
#endif
  return held(x) * x;
}
double __enzyme_autodiff(void *, ...);
double slope(double x) { return __enzyme_autodiff((void *)f, x); }
