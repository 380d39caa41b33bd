// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Markers and functions behind what C++ makes of them.
//
// RUN: %clangxx -O0 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
// RUN: %clangxx -O2 -S -emit-llvm %s -o - | %adze-opt --stop-after=frontend | FileCheck %s
namespace tags {
extern int enzyme_dup;
}
extern int enzyme_const, enzyme_out;
extern int enzyme_dup_all; // no tag, though a tag's name is in it

template <typename R, typename... A> R __enzyme_autodiff(A...);
namespace user {
template <typename... A> double my__enzyme_fwddiff_of(void *, A...);
}

double f(double x, const float *p) { return x * p[0]; }

// CHECK-LABEL: marker __enzyme_autodiff in '_Z9templateddPKfPf'
// CHECK-NEXT: reverse of '_Z1fdPKf'
// CHECK-NEXT: arg 0: double out
// CHECK-NEXT: arg 1: ptr dup = {{.*}}, shadow
double templated(double x, const float *p, float *d) {
  return __enzyme_autodiff<double>(f, enzyme_out, x, tags::enzyme_dup, p, d);
}

// CHECK-LABEL: marker __enzyme_fwddiff in '_Z10namespaceddPKfPf'
// CHECK: arg 0: double dup
double namespaced(double x, const float *p, float *d) {
  return user::my__enzyme_fwddiff_of((void *)f, x, 1.0, p, d);
}

// CHECK-LABEL: marker __enzyme_autodiff in '_Z6lambdad'
// CHECK-NEXT: reverse of '{{.*}}__invoke{{.*}}'
double lambda(double x) {
  return __enzyme_autodiff<double>(+[](double y) { return y * y; }, x);
}

// CHECK-LABEL: marker __enzyme_autodiff in '_Z14marker_pointerd'
double marker_pointer(double x) {
  auto marker = __enzyme_autodiff<double, double (*)(double), double>;
  return marker([](double y) { return y * y * y; }, x);
}

static double square(double y) { return y * y; }
static double (*const table[])(double) = {square, square};
// CHECK-LABEL: marker __enzyme_autodiff in '_Z10from_tabled'
// CHECK-NEXT: reverse of '_ZL6squared'
double from_table(double x) {
  return __enzyme_autodiff<double>((void *)table[1], x);
}

// A function that bears a marker's name and has a body is a user's own.
// CHECK-NOT: in '_Z3ownd'
double wraps__enzyme_autodiff_(double x) { return x; }
double own(double x) { return wraps__enzyme_autodiff_(x); }

struct Cleanup {
  ~Cleanup();
};
// CHECK-LABEL: marker __enzyme_autodiff in '_Z7unwoundd'
double unwound(double x) {
  Cleanup c;
  return __enzyme_autodiff<double>((void *)square, x);
}

// CHECK-LABEL: marker __enzyme_autodiff in '_Z9not_a_tagd'
// CHECK: arg 0: double out
// CHECK-NEXT: arg 1: i32 const
double with_int(double x, int n) { return x * n; }
double not_a_tag(double x) {
  return __enzyme_autodiff<double>((void *)with_int, x, enzyme_dup_all);
}
