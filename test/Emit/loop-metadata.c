// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What a user says of a loop holds for the loop that takes it back, but for
// what is true of the iterations of the primal alone.
//
// RUN: %clang -O3 -mavx2 %adze -Werror -S -emit-llvm %s -o - | FileCheck %s
void __enzyme_autodiff(void *, ...);
extern int enzyme_const;
#define GRADIENT(F)                                                                              \
  void of_##F(double *x, double *dx, int n) {                                                    \
    __enzyme_autodiff((void *)F, x, dx, enzyme_const, n);                                        \
  }

// The reverse loop would become vector code.
double squares(double *x, int n) {
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
GRADIENT(squares)
// CHECK-LABEL: define {{.*}} @adze.grad.squares(
// CHECK: load <4 x double>
// CHECK: {{^}}}

double scalar(double *x, int n) {
  double s = 0;
#pragma clang loop vectorize(disable) unroll(disable)
  for (int i = 0; i < n; ++i)
    s += x[i] * x[i];
  return s;
}
GRADIENT(scalar)
// CHECK-LABEL: define {{.*}} @adze.grad.scalar(
// CHECK-NOT: x double>
// CHECK-COUNT-2: load double
// CHECK-NOT: load double
// CHECK: {{^}}}

// The user promises that iterations of the primal's loop are independent. The
// reverse ones add to one place: of what is said of the loop, only that it ends
// holds. Were it to become vector code in spite of that, -Werror would make an
// error of LLVM's warning that it cannot.
double promised(double *x, int n) {
  double s = 0;
#pragma clang loop vectorize(assume_safety)
  for (int i = 0; i < n; ++i)
    s += x[0] * (i + x[i / 2]);
  return s;
}
GRADIENT(promised)
// CHECK-LABEL: define {{.*}} @adze.grad.promised(
// CHECK-NOT: x double>
// CHECK: !llvm.loop ![[LOOP:[0-9]+]]
// CHECK-NOT: !llvm.loop
// CHECK: {{^}}}
// That it ends, and what RolledLoops.h says.
// CHECK: ![[ROLLED:[0-9]+]] = !{!"llvm.loop.unroll.runtime.disable", i32 0}
// CHECK: ![[LOOP]] = distinct !{![[LOOP]], !{{[0-9]+}}, ![[ROLLED]]}
