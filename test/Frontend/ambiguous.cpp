// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Two numbers without padding look like a structure: where the operands can be
// read in two ways, the user is asked, and a tag settles it. Who has seen the
// function before it was optimized knows.
// RUN: %clangxx --target=x86_64-unknown-linux-gnu -O2 -DUNTAGGED -S -emit-llvm %s -o %t.ll
// RUN: not %adze-opt --stop-after=frontend %t.ll 2>&1 | FileCheck %s
// RUN: %clangxx --target=x86_64-unknown-linux-gnu -O2 -DUNTAGGED %adze -c %s -o %t.o
// RUN: %clangxx --target=x86_64-unknown-linux-gnu -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s --check-prefix=TAGGED
extern int enzyme_dup;
struct Complex {
  double re, im;
};
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);

Complex square(Complex z) { return {z.re * z.re, z.im}; }

#ifdef UNTAGGED
// CHECK: error: {{.*}}cannot tell which values belong to which structure that 'square(Complex)' takes by value
// CHECK: to fix: write a tag before every argument, or pass the structures by address
Complex untagged(Complex z, Complex dz) {
  return __enzyme_fwddiff<Complex>((void *)square, z, dz);
}
#else
// TAGGED: arg 0: double dup = %0, shadow %2
// TAGGED-NEXT: arg 1: double dup = %1, shadow %3
// TAGGED: result: 16 bytes
Complex tagged(Complex z, Complex dz) {
  return __enzyme_fwddiff<Complex>((void *)square, enzyme_dup, z, dz);
}
#endif
