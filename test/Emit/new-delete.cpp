// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Blocks of operator new end by its operator delete, with its alignment, in
// derivatives, too: those that the plan owns, and those whose end is put off.
// AddressSanitizer compares how a block was made with how it ends.
//
// A compiler that has the sanitizers' library preloaded uses another than this.
// UNSUPPORTED: sanitized
// RUN: %clangxx -std=c++17 -O0 -fsanitize=address %adze %s -o %t.0
// RUN: %t.0 | FileCheck %s
// RUN: %clangxx -std=c++17 -O2 -fsanitize=address %adze %s -o %t.2
// RUN: %t.2 | FileCheck %s
// RUN: %clangxx -std=c++17 -O3 -emit-llvm -c %s -o %t.bc
// RUN: %opt -passes=adze %t.bc -o %t.ad.bc
// RUN: %clangxx -O1 -fsanitize=address %t.ad.bc -o %t.v
// RUN: %t.v | FileCheck %s
#include <cstdio>
#include <memory>
#include <new>
#include <vector>

extern int enzyme_const;
extern double __enzyme_autodiff(void *, ...);

struct Node {
  double value;
  std::unique_ptr<Node> next;
};
struct alignas(128) Wide {
  double v[16];
};

static double list(double x, int n) {
  std::unique_ptr<Node> head;
  for (int i = 0; i < n; ++i)
    head = std::unique_ptr<Node>(new Node{x * (i + 1), std::move(head)});
  double s = 0;
  for (Node *at = head.get(); at; at = at->next.get())
    s += at->value * at->value;
  return s;
}

static double arrays(double x, int n) {
  double *a = new double[n], *b = new (std::nothrow) double[n];
  for (int i = 0; i < n; ++i)
    a[i] = x * i, b[i] = a[i] * x;
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += a[i] * b[i];
  delete[] a;
  delete[] b;
  return s;
}

static double wide(double x, int n) {
  Wide *one = new Wide{{x, x * x, 1}};
  std::vector<Wide> many(n, *one);
  std::unique_ptr<Wide[]> more(new Wide[n]);
  for (int i = 0; i < n; ++i)
    more[i].v[0] = many[i].v[1] * one->v[0];
  double s = 0;
  for (int i = 0; i < n; ++i)
    s += more[i].v[0];
  delete one;
  return s;
}

int main() {
  volatile int n = 3;
  // CHECK: list 56
  printf("list %g\n", __enzyme_autodiff((void *)list, 2.0, enzyme_const, +n));
  // CHECK-NEXT: arrays 60
  printf("arrays %g\n",
         __enzyme_autodiff((void *)arrays, 2.0, enzyme_const, +n));
  // CHECK-NEXT: wide 36
  printf("wide %g\n", __enzyme_autodiff((void *)wide, 2.0, enzyme_const, +n));
}
