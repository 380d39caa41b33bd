// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// A table of the program's functions as the shadow of a pointer to a function: where it cannot serve, the program stops
// when it is called, and not before. Shadows of C++ objects may be plain, or have a table in their first word.
// RUN: %clangxx -O0 -fopenmp %adze %s -o %t && %t | FileCheck %s
// RUN: %clangxx -O0 -fopenmp -DVIRTUAL %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=LOADED %s
// RUN: %clangxx -O2 -fopenmp -DVIRTUAL %adze %s -o %t && %t | FileCheck %s
// RUN: not %t 1 2>&1 | FileCheck --check-prefix=SELF %s
// RUN: not %t 2 2>&1 | FileCheck --check-prefix=AGAIN %s
// RUN: not %t 3 2>&1 | FileCheck --check-prefix=THREADS %s
// RUN: not %t 4 2>&1 | FileCheck --check-prefix=WIDTH %s
// RUN: not %t 5 2>&1 | FileCheck --check-prefix=LOADED %s
#include <cstdio>
#include <cstdlib>
extern int enzyme_dup, enzyme_const, enzyme_nofree, enzyme_width, enzyme_runtime_activity;
template <typename R, typename... A> R __enzyme_autodiff(void *, A...);
template <typename R, typename... A> R __enzyme_augmentfwd(void *, A...);
template <typename R, typename... A> R __enzyme_reverse(void *, A...);
extern "C" void *__enzyme_virtualreverse(void *, ...);

typedef double function(double *, double);
double multiply(double *p, double x) { return *p *= x; }
struct First {
  void *tape;
  double result;
};
First first(double *p, double *dp, double x) { return {nullptr, *p *= x}; }
double second(double *, double *dp, double, double d, void *) {
  *dp += 10 * d;
  return 20 * d;
}
void *table[] = {(void *)first, (void *)second};

double apply(function *f, double *p, double x) { return f(p, x); }
double threads(function *f, double *p, double x) {
  double sum = 0;
#pragma omp parallel for reduction(+ : sum)
  for (int i = 0; i < 4; ++i) {
    double q = *p;
    sum += f(&q, x);
  }
  return sum;
}
struct Base {
  double k;
  virtual double f(double x) { return k * x; }
};
struct Derived : Base {
  double f(double x) override { return k * x * x; }
};
double call(Base *b, double x) { return b->f(x); }
// For what stands first in the virtual tables.
First firstOfBase(Base *b, Base *, double x) { return {nullptr, b->k * x * x}; }
double secondOfBase(Base *b, Base *db, double x, double d, void *) {
  db->k += 100 * x * d;
  return 200 * b->k * d;
}
void *entry[] = {(void *)firstOfBase, (void *)secondOfBase};
void *virtualTable[] = {entry};
struct Two {
  double a, b;
};

function *volatile loaded = multiply;

int main(int argc, char **argv) {
  double p = 2, dp = 0, dq = 0;
  switch (argc > 1 ? atoi(argv[1]) : 0) {
  case 0: {
    // CHECK: 20 10
    double dx = __enzyme_autodiff<double>((void *)apply, enzyme_dup, multiply, table, enzyme_dup, &p, &dp, 3.0);
    printf("%g %g\n", dx, dp);
    // What does not call it need not serve it.
    // CHECK: 8
    p = 2, dp = 0;
    dx = __enzyme_autodiff<double>((void *)threads, enzyme_dup, multiply, multiply, enzyme_dup, &p, &dp, 3.0);
    printf("%g\n", dx);
    Derived object, shadow;
    object.k = 3, shadow.k = 0;
#ifdef VIRTUAL
    *(void **)&shadow = __enzyme_virtualreverse(*(void **)&object);
#endif
    // CHECK: 12 4
    dx = __enzyme_autodiff<double>((void *)call, enzyme_dup, (Base *)&object, (Base *)&shadow, 2.0);
    printf("%g %g\n", dx, shadow.k);
    // CHECK: 600 200
    shadow.k = 0;
    *(void **)&shadow = virtualTable;
    dx = __enzyme_autodiff<double>((void *)call, enzyme_dup, (Base *)&object, (Base *)&shadow, 2.0);
    printf("%g %g\n", dx, shadow.k);
    // CHECK: 12
    void *zeros[2] = {nullptr, nullptr};
    dx = __enzyme_autodiff<double>((void *)call, enzyme_dup, (Base *)&object, (Base *)zeros, 2.0);
    printf("%g\n", dx);
    return 0;
  }
  case 1:
    // SELF: adze: the functions of a table {{.*}} cannot serve: the shadow of argument 2 may be the memory itself
    __enzyme_autodiff<double>((void *)apply, enzyme_runtime_activity, enzyme_dup, multiply, table, enzyme_dup, &p, &p,
                              3.0);
    return 0;
  case 2: {
    // AGAIN: adze: the functions of a table {{.*}} cannot serve: the tape is to serve several reverse passes
    First r = __enzyme_augmentfwd<First>((void *)apply, enzyme_dup, multiply, table, enzyme_dup, &p, &dp, 3.0);
    __enzyme_reverse<double>((void *)apply, enzyme_nofree, enzyme_dup, multiply, table, enzyme_dup, &p, &dp, 3.0, 1.0,
                             r.tape);
    return 0;
  }
  case 3:
    // THREADS: adze: the functions of a table {{.*}} cannot serve: threads of a parallel region call it
    __enzyme_autodiff<double>((void *)threads, enzyme_dup, multiply, table, enzyme_dup, &p, &dp, 3.0);
    return 0;
  case 4:
    // WIDTH: adze: the functions of a table {{.*}} cannot serve: they would be called once for each direction
    __enzyme_autodiff<Two>((void *)apply, enzyme_width, 2, enzyme_dup, multiply, table, table, enzyme_dup, &p, &dp,
                           &dq, 3.0);
    return 0;
#ifdef VIRTUAL
  case 5:
    // LOADED: adze: __enzyme_virtualreverse of a pointer that was loaded and is no virtual table of this file
    return __enzyme_virtualreverse((void *)loaded) == nullptr;
#endif
  }
}
