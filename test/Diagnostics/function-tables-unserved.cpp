// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Tables of the program's functions for functions that return pointers, or pass structures: they cannot serve, and the
// derivative of the function itself is not taken in their place.
// RUN: %clangxx -O0 %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 4 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 6 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 7 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: %clangxx -O2 %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 4 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 6 2>&1 | FileCheck --check-prefix=STOPS %s
// RUN: not %t 7 2>&1 | FileCheck --check-prefix=STOPS %s
// STOPS: adze: {{.*}}the shadow of a pointer to a function is a table of the program's functions, which are not of the types
#include <cstdio>
#include <cstdlib>
extern int enzyme_dup, enzyme_const;
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);
template <typename R, typename... A> R __enzyme_fwddiff(void *, A...);
extern "C" void *__enzyme_virtualreverse(void *, ...);

struct Pair {
  double a, b;
};
struct Four {
  double d[4];
};
double *advance(double *p) { return p + 1; }
Pair both(double x) { return {x, x * x}; }
Four powers(double x) { return {x, x * x, x * x * x, 1}; }
double area(Four f, double x) { return f.d[0] * f.d[1] * x; }
double half(double x) { return x / 2; }

struct FirstPointer {
  void *tape;
  double *result, *shadow;
};
FirstPointer firstPointer(double *p, double *dp) { return {nullptr, p + 1, dp + 1}; }
void secondPointer(double *, double *dp, void *) { dp[0] += 100; }
struct FirstPair {
  void *tape;
  Pair result;
};
FirstPair firstPair(double x) { return {nullptr, {x, x * x}}; }
double secondPair(double, Pair d, void *) { return 1000 * (d.a + d.b); }
struct FirstFour {
  void *tape;
  Four result;
};
FirstFour firstFour(double x) { return {nullptr, powers(x)}; }
double secondFour(double, Four d, void *) { return 1000 * d.d[0]; }
struct First {
  void *tape;
  double result;
};
First firstArea(Four f, Four, double x) { return {nullptr, area(f, x)}; }
double secondArea(Four, Four, double, double d, void *) { return 1000 * d; }
First firstHalf(double x) { return {nullptr, x / 2}; }
FirstPair wrongHalf(double x) { return {nullptr, {x / 2, 0}}; }
double secondHalf(double, double d, void *) { return 7 * d; }
struct Pairs {
  Pair value, tangent;
};
Pairs tangentPair(double x, double dx) { return {{x, x * x}, {1000 * dx, 0}}; }

void *ofPointer[] = {(void *)firstPointer, (void *)secondPointer};
void *ofPair[] = {(void *)firstPair, (void *)secondPair};
void *ofFour[] = {(void *)firstFour, (void *)secondFour};
void *ofArea[] = {(void *)firstArea, (void *)secondArea};
void *ofHalf[] = {(void *)wrongHalf, (void *)secondHalf};
void *rightHalf[] = {(void *)firstHalf, (void *)secondHalf};
void *forwardPair[] = {(void *)tangentPair};

double usePointer(double *(*f)(double *), double *p) { return *f(p) * *f(p); }
double usePair(Pair (*f)(double), double x) {
  Pair p = f(x);
  return p.a * p.b;
}
double useFour(Four (*f)(double), double x) {
  Four p = f(x);
  return p.d[0] * p.d[2];
}
double useArea(double (*f)(Four, double), const Four *p, double x) { return f(*p, x); }
double useHalf(double (*f)(double), double x) { return f(x); }

int main(int argc, char **argv) {
  double p[2] = {2, 3}, dp[2] = {0, 0};
  Four f = {1, 2, 3, 4}, df = {};
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 0:
    // CHECK: 0 6
    __enzyme_autodiff<void>((void *)usePointer, enzyme_dup, advance, advance, enzyme_dup, p, dp);
    printf("%g %g\n", dp[0], dp[1]);
    // CHECK: 27 32 2 7
    printf("%g ", __enzyme_autodiff<double>((void *)usePair, enzyme_dup, both, __enzyme_virtualreverse((void *)both), 3.0));
    printf("%g ", __enzyme_autodiff<double>((void *)useFour, enzyme_dup, powers, (void *)nullptr, 2.0));
    printf("%g ", __enzyme_autodiff<double>((void *)useArea, enzyme_dup, area, area, enzyme_dup, &f, &df, 3.0));
    printf("%g\n", __enzyme_autodiff<double>((void *)useHalf, enzyme_dup, half, rightHalf, 3.0));
    return 0;
  case 1:
    __enzyme_autodiff<void>((void *)usePointer, enzyme_dup, advance, ofPointer, enzyme_dup, p, dp);
    return 0;
  case 2:
    return __enzyme_autodiff<double>((void *)usePair, enzyme_dup, both, ofPair, 3.0) * 0;
  case 3:
    return __enzyme_autodiff<double>((void *)useFour, enzyme_dup, powers, ofFour, 2.0) * 0;
  case 4:
    return __enzyme_autodiff<double>((void *)useArea, enzyme_dup, area, ofArea, enzyme_dup, &f, &df, 3.0) * 0;
  case 5:
    return __enzyme_autodiff<double>((void *)useHalf, enzyme_dup, half, ofHalf, 3.0) * 0;
  case 6:
    return __enzyme_fwddiff<double>((void *)usePair, enzyme_dup, both, forwardPair, 3.0, 1.0) * 0;
  case 7:
    return __enzyme_fwddiff<double>((void *)usePair, enzyme_dup, both, tangentPair, 3.0, 1.0) * 0;
  }
}
