// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A structure by value of pointers and very many floats.
//
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang --target=x86_64-unknown-linux-gnu -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup;
double __enzyme_autodiff(void *, ...);

struct Large {
  double x[1200];
  double *data;
};
double f(struct Large l) { return l.x[3] * l.data[0]; }

// CHECK: large-structure.c:[[#@LINE+3]]:3: error: cannot differentiate with respect to argument 1 ('l') of 'f': it is a structure of more than a thousand members, pointers and floats
// CHECK: to fix: pass it by address with a shadow, or say enzyme_const
void gradient(struct Large *l, struct Large *d) {
  __enzyme_autodiff((void *)f, enzyme_dup, *l, *d);
}
