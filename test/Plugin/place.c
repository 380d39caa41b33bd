// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The place of the pass: after the inliner's pipeline, before vectorization
// and unrolling.
//
// RUN: %clang -O1 %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -O2 %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -O3 %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -Os %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -O0 %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck --check-prefix=O0 %s
// RUN: %clang -O2 -flto %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck %s
// RUN: %clang -O2 -flto=thin %adze -c %s -o %t.o -Xclang -fdebug-pass-manager 2>&1 | FileCheck --check-prefix=THIN %s
//
// CHECK-NOT: Running pass: LoopVectorizePass
// CHECK-NOT: Running pass: SLPVectorizerPass
// CHECK-NOT: Running pass: LoopUnrollPass
// CHECK: Running pass: InlinerPass
// CHECK-NOT: Running pass: LoopVectorizePass
// CHECK-NOT: Running pass: SLPVectorizerPass
// CHECK-NOT: Running pass: LoopUnrollPass
// CHECK: Running pass: {{.*}}AdzePass
// CHECK-NOT: AdzePass
// CHECK: Running pass: LoopVectorizePass
// CHECK: Running pass: LoopUnrollPass
// CHECK-NOT: AdzePass
//
// O0: Running pass: {{.*}}AdzePass
//
// THIN: Running pass: InlinerPass
// THIN: Running pass: {{.*}}AdzePass
// THIN-NOT: LoopVectorizePass
float sum(int n, const float *x) {
  float s = 0;
  for (int i = 0; i < n; ++i)
    s += x[i];
  return s;
}
