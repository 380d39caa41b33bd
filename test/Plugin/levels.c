// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The plugin acts by itself at every level, and no marker reaches the linker.
//
// RUN: %clang -O0 %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O1 %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O2 %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O3 %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -Os %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -Oz %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -Og -g %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O0 -g %adze -I%include %s -o %t && %t | FileCheck %s
// RUN: %clang -O0 %adze -I%include -c %s -o %t.o
// RUN: llvm-nm -u %t.o | FileCheck --check-prefix=SYMBOLS %s
// Without the plugin the marker is an undefined symbol: what the lines above
// would show if the plugin had not run.
// RUN: %clang -O0 -I%include -c %s -o %t.o
// RUN: llvm-nm -u %t.o | not FileCheck --check-prefix=SYMBOLS %s
//
// CHECK: reverse 6
// CHECK: forward 12
// SYMBOLS-NOT: __enzyme
// SYMBOLS: printf
// SYMBOLS-NOT: __enzyme
#include <adze/adze.h>
#include <stdio.h>

float __enzyme_autodiff(void *, ...);
float __enzyme_fwddiff(void *, ...);

static float square(float x) { return x * x; }

int main(int argc, char **argv) {
  float x = 2.0f + (float)argc;
  printf("reverse %g\n", __enzyme_autodiff((void *)square, x));
  printf("forward %g\n", __enzyme_fwddiff((void *)square, x, 2.0f));
  return 0;
}
