// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The tape in memory of the caller, from anywhere and not aligned, or its address in a variable.
// ADZE: modes=reverse
#include "check.h"
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { N = 3 };

__attribute__((noinline)) double f(double *x, int n) {
  double s = 1;
  for (int i = 0; i < n; i++) {
    x[i] = exp(x[i]);
    s *= sin(x[i]) + s;
  }
  return s;
}
__attribute__((noinline)) void g(double *x) { x[0] = x[0] * x[1] + x[0] * x[0]; }
double *first(double *x, int n) {
  for (int i = 0; i < n; i++)
    x[i] *= x[i];
  return x;
}

#if ADZE_REVERSE
void *__enzyme_augmentfwd(void *, ...);
double __enzyme_augmentfwd_result(void *, ...);
double *__enzyme_augmentfwd_pointer(void *, ...);
struct tape_and_pointers {
  void *tape;
  double *result, *shadow;
};
struct tape_and_pointers __enzyme_augmentfwd_all(void *, ...);
void __enzyme_augmentfwd_nothing(void *, ...);
void __enzyme_reverse(void *, ...);
size_t __enzyme_augmentsize(void *, ...);
void __enzyme_autodiff(void *, ...);

static void fill(double *x) {
  for (int i = 0; i < N; i++)
    x[i] = 0.1 * (i + 1);
}
static void compare(const char *what, const double *got) {
  double x[N], want[N] = {0};
  fill(x);
  __enzyme_autodiff((void *)f, x, want, N);
  for (int i = 0; i < N; i++)
    adze_near(what, got[i], want[i], 1e-14);
}

ADZE_TEST_REVERSE(anywhere) {
  size_t size = __enzyme_augmentsize((void *)f, enzyme_dup, enzyme_const);
  adze_true("the same size without tags", size == __enzyme_augmentsize((void *)f));
  for (int shift = 0; shift < 17; shift++) {
    double x[N], d[N] = {0}, y[N];
    fill(x);
    fill(y);
    char *memory = malloc(size + shift);
    double result = __enzyme_augmentfwd_result((void *)f, enzyme_allocated, size, enzyme_tape,
                                               memory + shift, x, d, N);
    adze_near("result", result, f(y, N), 1e-15);
    memset(x, 0xff, sizeof x);
    __enzyme_reverse((void *)f, enzyme_allocated, size, enzyme_tape, memory + shift, x, d, N,
                     1.0);
    compare("anywhere", d);
    free(memory);
  }
}

ADZE_TEST_REVERSE(on_the_stack) {
  char memory[4096];
  double x[N], d[N] = {0};
  fill(x);
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_allocated, sizeof memory, enzyme_tape,
                                   memory, x, d, N);
  adze_true("the tape is there", tape == memory);
  __enzyme_reverse((void *)f, x, d, N, 1.0, tape);
  compare("on the stack, last operand", d);
  memset(d, 0, sizeof d);
  fill(x);
  __enzyme_augmentfwd_nothing((void *)f, enzyme_allocated, sizeof memory, enzyme_tape, memory,
                              x, d, N);
  __enzyme_reverse((void *)f, enzyme_tape, memory, x, d, N, 1.0);
  compare("on the stack, enzyme_tape", d);
}

ADZE_TEST_REVERSE(in_a_variable) {
  for (int again = 0; again < 3; again++) {
    void *tape = 0;
    double x[N], d[N] = {0};
    fill(x);
    __enzyme_augmentfwd_nothing((void *)f, enzyme_tape, &tape, x, d, N);
    if (again == 0)
      __enzyme_reverse((void *)f, enzyme_tape, &tape, x, d, N, 1.0);
    else if (again == 1)
      __enzyme_reverse((void *)f, enzyme_tape, tape, x, d, N, 1.0);
    else
      __enzyme_reverse((void *)f, x, d, N, 1.0, tape);
    compare("in a variable", d);
  }
}

ADZE_TEST_REVERSE(size_of_a_pointer) {
  double x[N], d[N] = {0};
  fill(x);
  void *tape = __enzyme_augmentfwd((void *)f, enzyme_allocated, sizeof(void *), x, d, N);
  __enzyme_reverse((void *)f, enzyme_allocated, sizeof(void *), x, d, N, 1.0, tape);
  compare("as large as a pointer", d);
}

ADZE_TEST_REVERSE(several) {
  size_t size = __enzyme_augmentsize((void *)g, enzyme_dup);
  char *memory = malloc(2 * size);
  double x[2] = {2, 3}, d[2] = {1, 0}, y[2] = {5, 7}, e[2] = {10, 0};
  __enzyme_augmentfwd_nothing((void *)g, enzyme_allocated, size, enzyme_tape, memory, x, d);
  __enzyme_augmentfwd_nothing((void *)g, enzyme_allocated, size, enzyme_tape, memory + size, y,
                              e);
  for (int again = 0; again < 3; again++) {
    __enzyme_reverse((void *)g, enzyme_allocated, size, enzyme_tape, memory, enzyme_nofree, x,
                     d);
    adze_near("d[0]", d[0], 7, 0);
    adze_near("d[1]", d[1], 2, 0);
    d[0] = 1, d[1] = 0;
  }
  __enzyme_reverse((void *)g, enzyme_allocated, size, enzyme_tape, memory, x, d);
  __enzyme_reverse((void *)g, enzyme_allocated, size, enzyme_tape, memory + size, y, e);
  adze_near("e[0]", e[0], 170, 0);
  adze_near("e[1]", e[1], 50, 0);
  free(memory);
}

ADZE_TEST_REVERSE(pointer_result) {
  double x[N] = {1, 2, 3}, d[N] = {0};
  struct tape_and_pointers r = __enzyme_augmentfwd_all((void *)first, x, d, N);
  adze_true("result", r.result == x);
  adze_true("shadow", r.shadow == d);
  for (int i = 0; i < N; i++)
    r.shadow[i] = 1;
  __enzyme_reverse((void *)first, x, d, N, r.tape);
  for (int i = 0; i < N; i++)
    adze_near("d", d[i], 2 * (i + 1), 0);
  char memory[4096];
  double *result = __enzyme_augmentfwd_pointer((void *)first, enzyme_allocated, sizeof memory,
                                               enzyme_tape, memory, x, d, N);
  adze_true("result, provided", result == x);
  for (int i = 0; i < N; i++)
    d[i] = i;
  __enzyme_reverse((void *)first, x, d, N, enzyme_tape, memory);
  for (int i = 0; i < N; i++)
    adze_near("d, provided", d[i], 2.0 * i * (i + 1) * (i + 1), 0);
}
#endif
