// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory that is copied without a trace of its type, where the gradient depends
// on it; and the same where it does not.
//
// RUN: not %clang -O1 -g -fno-strict-aliasing -DCOPY %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: %clang -O1 -g -fno-strict-aliasing %adze -c %s -o %t.o
extern int enzyme_const, enzyme_dup;
void __enzyme_autodiff(void *, ...);

// CHECK: unknown-type.c:[[#@LINE+8]]:3: error: cannot deduce the type of {{.*}}, and the gradient depends on it
// CHECK-NEXT: copied to 'to', of which no type is known
// CHECK-NEXT: copied from 'from', of which no type is known
// CHECK: in the derivative that '__enzyme_autodiff' asks for
// CHECK: to fix: access the data through a typed pointer, compile without -fno-strict-aliasing, or let clang tell its types: -fplugin=ClangAdze.so
#ifdef COPY
void f(void *to, const void *from, unsigned long n) {
  double unused = 0;
  __builtin_memcpy(to, from, n);
}
#else
void f(void *to, const double *from, unsigned long n) {
  double *out = to;
  for (unsigned long i = 0; i != n; ++i)
    out[i] = from[i] * from[i];
}
#endif

void gradient(void *to, void *dto, void *from, void *dfrom) {
  __enzyme_autodiff((void *)f, enzyme_dup, to, dto, enzyme_dup, from, dfrom,
                    enzyme_const, 8ul);
}
