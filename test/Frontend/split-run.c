// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A tape that is none, is used up, belongs to another derivative, or has too little room: the
// program ends with a message.
//
// RUN: %clang -O0 %adze %s -o %t && %t 0 | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 4 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not %t 6 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: %clang -O2 %adze %s -o %t && %t 0 | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 4 2>&1 | FileCheck --check-prefix=NONE %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=SMALL %s
// RUN: not %t 6 2>&1 | FileCheck --check-prefix=NONE %s
#include <stdio.h>
#include <stdlib.h>
extern int enzyme_const, enzyme_allocated, enzyme_tape;
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);

double f(double x, double y) { return x * x * y; }

// CHECK: 12
// NONE: adze: __enzyme_reverse was given what is no tape, or no longer one, of 'f' for these arguments
// SMALL: adze: the memory that __enzyme_augmentfwd was given for the tape of 'f' is too small: {{[0-9]+}} bytes are needed
int main(int argc, char **argv) {
  int wrong = atoi(argv[1]);
  char *memory = calloc(1, 4096);
  size_t size = wrong == 5 ? argc : 4096;
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_allocated, size, enzyme_tape, memory, 2.0,
                                   enzyme_const, 3.0);
  void *other = __enzyme_augmentfwd((void *)f, enzyme_const, 2.0, 3.0);
  if (wrong == 1)
    tape = NULL;
  if (wrong == 2)
    tape = memory + 2048;
  if (wrong == 3)
    tape = other;
  if (wrong == 4)
    __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, 1.0, tape);
  if (wrong == 6) {
    void *variable = NULL;
    __enzyme_reverse((void *)f, enzyme_tape, &variable, 2.0, enzyme_const, 3.0, 1.0);
  }
  printf("%g\n", __enzyme_reverse((void *)f, 2.0, enzyme_const, 3.0, 1.0, tape));
  __enzyme_reverse((void *)f, enzyme_const, 2.0, 3.0, 1.0, other);
  free(memory);
  return 0;
}
