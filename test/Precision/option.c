// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Functions that compute in single precision because an option names them, in
// a file without markers too; recursive ones, and what they call, with them.
//
// DEFINE: %{option} = -Xclang -load -Xclang %plugin -mllvm
// RUN: %clang -O0 %adze %{option} -adze-truncate=thirds:64:32,none:64:16 %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %adze %{option} -adze-truncate=thirds:64:8:23 %s -o %t && %t | FileCheck %s
// RUN: not %clang -O2 %adze %{option} -adze-truncate=thirds:32:64 %s -o %t 2>&1 | FileCheck %s --check-prefix=WRONG
// WRONG: error: '-adze-truncate=thirds:32:64': it is not narrower than 32 bits
#include <stdio.h>
static double third(double x) { return x / 3; }
double thirds(int n) { return n ? third(n) + thirds(n - 1) : 0; }
static float narrow(int n) { return n ? (float)n / 3 + narrow(n - 1) : 0; }
// CHECK: 0 1
int main(void) {
  printf("%d %d\n", thirds(5) != (double)narrow(5), third(1) == 1.0 / 3);
  return 0;
}
