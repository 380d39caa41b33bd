// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Memory behind pointers at fixed places of what an argument points to is
// copied, changed and compared like that behind arguments: vectors, structures
// of arrays, arrays that global variables point to.
// DEFINE: %{adze} = -Xclang -load -Xclang %plugin %adze -mllvm -adze-check
// RUN: %clangxx -g -O0 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g -O1 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g -O2 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
// RUN: %clangxx -g -O3 %{adze} %s -o %t -Werror && %t 2>&1 | FileCheck %s
//
// Where the function replaces such a pointer, it could be by one to memory of
// its own.
// RUN: %clangxx -g -O1 -DREPLACED %{adze} %s -o %t 2>&1 | FileCheck --check-prefix=REPLACED %s
// RUN: %t 2>&1 | FileCheck %s
#include <cmath>
#include <cstdio>
#include <vector>
extern "C" {
double __enzyme_autodiff(void *, ...);
double __enzyme_fwddiff(void *, ...);
extern int enzyme_dup, enzyme_const;
}

static double norm(const std::vector<double> &x, std::vector<double> &y) {
  double s = 0;
  for (size_t i = 0; i < x.size(); i++) {
    y[i] += x[i] * x[i];
    s += std::sqrt(y[i]);
  }
  for (double v : x)
    s += v;
  return s;
}

struct layer {
  double *weights, *bias;
  int n;
  double *sums;
};
static double *scratch;

__attribute__((noinline)) double frozen(double x) { return 3 * x; }
void *__enzyme_inactivefn[] = {(void *)frozen};

static double output(layer *l, const double *x) {
  double s = 0;
  for (int i = 0; i < l->n; i++) {
    l->sums[i] = l->weights[i] * x[i] + l->bias[i];
    s += std::tanh(l->sums[i]);
  }
  return s;
}
static double half_frozen(layer *l, const double *x) {
  double s = 0;
  for (int i = 0; i < l->n; i++) {
    scratch[i] = i;
    s += frozen(l->weights[i]) * x[i] + scratch[i] * l->bias[i];
  }
  return s;
}

#ifdef REPLACED
static double own(layer *l, const double *x) {
  double *old = l->sums;
  l->sums = new double[l->n];
  double s = output(l, x);
  delete[] l->sums;
  l->sums = old;
  return s;
}
#endif

int main() {
  std::vector<double> x{1, 2, 3}, dx{0, 0, 0}, y{4, 5, 6}, dy{1, 1, 1};
  __enzyme_autodiff((void *)norm, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy);
  // CHECK-NOT: adze
  // CHECK: 5.66667 1.1291 26.7268
  printf("%g %g ", dx[1], dy[2]);
  printf("%g\n", __enzyme_fwddiff((void *)norm, enzyme_dup, &x, &dx, enzyme_dup, &y, &dy));
  double w[3] = {.1, .2, .3}, b[3] = {.3, .2, .5}, t[3], dw[3] = {0}, db[3] = {0}, dt[3] = {0};
  double in[3] = {1, 2, 3}, din[3] = {0};
  layer l{w, b, 3, t}, d{dw, db, 0, dt};
  __enzyme_autodiff((void *)output, enzyme_dup, &l, &d, enzyme_dup, in, din);
#ifdef REPLACED
  // REPLACED: check-pointers.cpp:[[#@LINE+1]]:3: warning: the derivative of 'own(layer*, double const*)' is not checked: it writes pointers by which it finds memory
  __enzyme_autodiff((void *)own, enzyme_dup, &l, &d, enzyme_const, in);
  dw[1] /= 2;
  db[2] /= 2;
#endif
  // CHECK-NEXT: 1.42316 0.216152 0.142316
  printf("%g %g %g\n", dw[1], db[2], din[1]);
  fflush(stdout);
  double memory[3] = {7, 7, 7};
  scratch = memory;
  // CHECK-NEXT: adze: {{.*}}check-pointers.cpp:[[#@LINE+1]]:3: the gradient of 'half_frozen(layer*, double const*)' fails a check: {{.*}}; wrong by itself: memory behind byte 0 of argument 1 ('l'){{$}}
  __enzyme_autodiff((void *)half_frozen, enzyme_dup, &l, &d, enzyme_const, in);
  // CHECK-NEXT: 0 2
  printf("%g %g\n", memory[0], memory[2]);
}
