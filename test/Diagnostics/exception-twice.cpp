// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The shadow of an exception is found by where the exception lies; a second
// derivative would need the shadow of that.
//
// RUN: not %clangxx -O0 %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clangxx -O2 %adze -c %s -o %t.o 2>&1 | FileCheck %s
template <typename Return, typename... Args> Return __enzyme_autodiff(Args...);
template <typename Return, typename... Args> Return __enzyme_fwddiff(Args...);

__attribute__((noinline)) static double root(double x) {
  if (x < 0)
    throw x * x;
  return x * x * x;
}
double f(double x) {
  try {
    return root(x) * x;
  } catch (double d) {
    return d * x;
  }
}
double slope(double x) { return __enzyme_autodiff<double>((void *)f, x); }
// CHECK: error: {{.*}}no derivative rule for this instruction: an exception
// that holds active data, in a derivative that is differentiated again
int main() { return __enzyme_fwddiff<double>((void *)slope, 2.0, 1.0) != 0; }
