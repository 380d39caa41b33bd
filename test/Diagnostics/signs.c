// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// An exclusive or with a number that only the run knows changes the sign of a
// float, or it has no derivative: then the program stops. A constant is known
// while compiling.
//
// RUN: %clang -O0 -g %adze %s -o %t.0
// RUN: %clang -O2 -g %adze %s -o %t.2
// RUN: %t.0 0 | FileCheck --check-prefix=SAME %s
// RUN: %t.2 0 | FileCheck --check-prefix=SAME %s
// RUN: %t.0 9223372036854775808 | FileCheck --check-prefix=SIGN %s
// RUN: %t.2 9223372036854775808 | FileCheck --check-prefix=SIGN %s
// RUN: not --crash %t.0 1 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not --crash %t.2 1 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not --crash %t.0 1 forward 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not --crash %t.2 1 forward 2>&1 | FileCheck --check-prefix=STOP %s
// RUN: not %clang -O2 -g -DMASK=2 %adze -c %s -o %t.o 2>&1 | FileCheck --check-prefix=CONSTANT %s
// SAME: {{^}}3
// SIGN: -3
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
extern int enzyme_const;
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

static double f(double x, uint64_t mask) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
#ifdef MASK
  mask = MASK;
#endif
  // STOP: adze: {{.*}}signs.c:[[#@LINE+2]]:8: integer arithmetic changed more of an active float than its sign
  // CONSTANT: signs.c:[[#@LINE+1]]:8: error: no derivative rule for this instruction: integer arithmetic on the bits of an active float
  bits ^= mask;
  memcpy(&x, &bits, sizeof x);
  return 3 * x;
}

int main(int argc, char **argv) {
  uint64_t mask = strtoull(argv[1], NULL, 10);
  if (argc > 2)
    printf("%g\n", __enzyme_fwddiff((void *)f, 2.0, 1.0, enzyme_const, mask));
  else
    printf("%g\n", __enzyme_autodiff((void *)f, 2.0, enzyme_const, mask));
  return 0;
}
