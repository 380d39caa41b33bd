// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tags of the result that contradict what the function returns or the mode, and adjoints of the
// result that are none.
//
// RUN: not %clang -O0 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
// RUN: not %clang -O2 -g %adze -c %s -o %t.o 2>&1 | FileCheck %s
extern int enzyme_dup, enzyme_dup_return, enzyme_dupnoneed_return, enzyme_active_return,
    enzyme_const_return, adze_seed;
double __enzyme_autodiff(void *, ...);
double *__enzyme_autodiff_pointer(void *, ...);
double __enzyme_fwddiff(void *, ...);
void *__enzyme_augmentfwd(void *, ...);

double f(double x) { return x * x; }
double *second(double *p) { return p + 1; }
int count(double x) { return x > 0; }

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'enzyme_dup_return' contradicts the result of 'f': in reverse mode its adjoint is given, and not returned
// CHECK: to fix: use enzyme_active_return
double dup_in_reverse(double x) {
  return __enzyme_autodiff((void *)f, enzyme_dup_return, x);
}

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'enzyme_dupnoneed_return' contradicts the result of 'second': one call of reverse mode is done with the shadow when it returns
// CHECK: to fix: use __enzyme_augmentfwd, which returns the shadow, or enzyme_const_return
double *shadow_in_reverse(double *p, double *d) {
  return __enzyme_autodiff_pointer((void *)second, enzyme_dupnoneed_return, p, d);
}

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'enzyme_active_return' contradicts the result of 'second': it is a pointer
// CHECK: to fix: use enzyme_dup_return in forward mode and with __enzyme_augmentfwd
double active_pointer(double *p, double *d) {
  return __enzyme_fwddiff((void *)second, enzyme_active_return, p, d);
}

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'enzyme_active_return' contradicts the result of 'count': it holds neither floats nor pointers
// CHECK: to fix: leave the tag out
double active_integer(double x) {
  return __enzyme_autodiff((void *)count, enzyme_active_return, x);
}

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'enzyme_active_return' contradicts the result of 'f': it is said to have no derivative
// CHECK: to fix: say one of them
double active_constant(double x) {
  return __enzyme_autodiff((void *)f, enzyme_const_return, enzyme_active_return, x);
}

// CHECK: return-tags.c:[[#@LINE+2]]:10: error: 'enzyme_dupnoneed_return' cannot be used like this: 'enzyme_dup_return' is said as well
double two_tags(double x) {
  return __enzyme_fwddiff((void *)f, enzyme_dup_return, enzyme_dupnoneed_return, x, 1.0);
}

// CHECK: return-tags.c:[[#@LINE+3]]:10: error: 'adze_seed' cannot be used like this: what follows is no value of the type that 'f' returns, or nothing that it returns has a derivative
// CHECK: to fix: write the adjoint of the result after it, behind all arguments
double no_seed(double x, double *p) {
  return __enzyme_autodiff((void *)f, x, adze_seed, p);
}

// CHECK: return-tags.c:[[#@LINE+2]]:10: error: 'adze_seed' cannot be used like this: what follows is no value
double seed_of_constant(double x) {
  return __enzyme_autodiff((void *)f, enzyme_const_return, x, adze_seed, 2.0);
}

// CHECK: return-tags.c:[[#@LINE+2]]:10: error: 'adze_seed' cannot be used like this: '__enzyme_fwddiff' has no reverse pass
double seed_forward(double x) {
  return __enzyme_fwddiff((void *)f, x, 1.0, adze_seed, 2.0);
}

// A value behind the arguments may be a misplaced shadow.
// CHECK: return-tags.c:[[#@LINE+2]]:10: error: wrong number of arguments for 'f': it takes 1 parameter, and 2 values are passed
double shadow_of_float(double x) {
  return __enzyme_autodiff((void *)f, x, 0.0);
}
// CHECK: 10 errors generated
