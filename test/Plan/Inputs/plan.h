// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// PLAN(f, n, ...) asks for the gradient of f, whose arguments are given as
//   P(k)  the k-th pointer and its shadow
//   C(k)  the k-th pointer, constant
//   N(k)  the k-th of some integers.
extern void __enzyme_autodiff(void *, ...);
extern int enzyme_const, enzyme_dup, enzyme_dupnoneed;

#define PLAN(F, ...)                                                           \
  void of_##F(double **p, long *n) {                                           \
    __enzyme_autodiff((void *)F, __VA_ARGS__);                                 \
  }
#define P(K) enzyme_dup, p[2 * K], p[2 * K + 1]
#define NONEED(K) enzyme_dupnoneed, p[2 * K], p[2 * K + 1]
#define C(K) enzyme_const, p[2 * K]
#define N(K) enzyme_const, n[K]
#define R restrict
