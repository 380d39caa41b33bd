// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Parts of an active float that go into arithmetic, and a float that is moved
// in parts, not one after the other, and used as a whole too: only the run shows
// it, and the program stops.
// RUN: %clang -g -O0 %adze %s -o %t
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=KEY %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=KEY %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=TWICE %s
// RUN: %clang -g -O2 %adze %s -o %t
// RUN: not --crash %t 1 2>&1 | FileCheck --check-prefix=KEY %s
// RUN: not --crash %t 2 2>&1 | FileCheck --check-prefix=KEY %s
// RUN: not --crash %t 3 2>&1 | FileCheck --check-prefix=TWICE %s
#include <stdlib.h>
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);

// KEY: adze: {{.*}}integer arithmetic on the bits of an active float
__attribute__((noinline)) static void lock(unsigned char *p, int n, int key) {
  for (int i = 0; i < n; ++i)
    p[i] = (unsigned char)(p[i] ^ key);
}
static double locked(double x) {
  double v = x * x;
  lock((unsigned char *)&v, 8, 0x5a);
  lock((unsigned char *)&v, 8, 0x5a);
  return v;
}

// TWICE: adze: a float was moved in parts, or as bytes of unknown type, and is used elsewhere too: adjoints of its parts cannot be added
__attribute__((noinline)) static void move(char *to, const char *from, int n) {
  for (int k = 0; k < 2; ++k)
    for (int i = k; i < n; i += 2)
      to[i] = from[i];
}
static double twice(double x) {
  double v = x * x, w;
  move((char *)&w, (char *)&v, 8);
  return *(volatile double *)&v * 3 + w;
}

int main(int argc, char **argv) {
  double d = 0;
  switch (atoi(argv[1])) {
  case 1:
    d = __enzyme_autodiff((void *)locked, 0.7);
    break;
  case 2:
    d = __enzyme_fwddiff((void *)locked, 0.7, 1.0);
    break;
  default:
    d = __enzyme_autodiff((void *)twice, 0.7);
  }
  return d != 0;
}
