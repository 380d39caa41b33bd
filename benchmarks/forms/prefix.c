// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Prefix sums y_i = x_0 + ... + x_i. The value is the sum of y_i^2 x_i / 2.
// Adjoint: sums from the end, of y_i x_i.

#include "common/forms.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_N = 200000 };

static size_t inputs(int n) { return (size_t)n; }

static void make_inputs(int n, double *x) {
  for (int i = 0; i < n; i++)
    x[i] = ((i * 37) % 101 - 50.0) / 50.0 + 0.001;
}

static void hand(int n, const int *index FORMS_UNUSED, const double *x,
                 double *restrict d_x) {
  double *restrict y = malloc((size_t)n * sizeof *y), sum = 0.0;
  for (int i = 0; i < n; i++)
    y[i] = sum += x[i];
  sum = 0.0;
  for (int i = n - 1; i >= 0; i--) {
    sum += y[i] * x[i];
    d_x[i] = sum + 0.5 * y[i] * y[i];
  }
  free(y);
}

COMPUTATION = {"prefix", 200000, 50, inputs, NULL, NULL, make_inputs, hand};

static double weighted(int n, const double *y, const double *x) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += y[i] * y[i] * x[i];
  return 0.5 * sum;
}

FORM(sum_in_register, double, n) {
  double sum = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    work[i] = sum;
  }
  return weighted(n, work, x);
}

FORM(previous_element, double, n) {
  work[0] = x[0];
  for (int i = 1; i < n; i++)
    work[i] = work[i - 1] + x[i];
  return weighted(n, work, x);
}

FORM(in_place_after_copy, double, n) {
  memcpy(work, x, (size_t)n * sizeof *work);
  for (int i = 1; i < n; i++)
    work[i] += work[i - 1];
  return weighted(n, work, x);
}

static void scan(size_t n, const double *restrict x, double *restrict y) {
  double sum = 0.0;
  for (size_t i = 0; i < n; i++)
    y[i] = sum += x[i];
}

FORM(restrict_size_t, double, n) {
  scan((size_t)n, x, work);
  return weighted(n, work, x);
}

FORM(no_array, double, 0) {
  double sum = 0.0, value = 0.0;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    value += sum * sum * x[i];
  }
  return 0.5 * value;
}

FORM(sum_in_memory, double, n + 1) {
  double *sum = work + n;
  *sum = 0.0;
  for (int i = 0; i < n; i++) {
    *sum += x[i];
    work[i] = *sum;
  }
  return weighted(n, work, x);
}

FORM(exclusive_on_heap, double, 0) {
  double *start = malloc(((size_t)n + 1) * sizeof *start);
  start[0] = 0.0;
  for (int i = 0; i < n; i++)
    start[i + 1] = start[i] + x[i];
  double value = weighted(n, start + 1, x);
  free(start);
  return value;
}

FORM(blocks, double, n) {
  enum { BLOCK = 500 };
  double carry = 0.0;
  for (int b = 0; b < n; b += BLOCK) {
    int end = b + BLOCK < n ? b + BLOCK : n;
    work[b] = x[b];
    for (int i = b + 1; i < end; i++)
      work[i] = work[i - 1] + x[i];
    for (int i = b; i < end; i++)
      work[i] += carry;
    carry = work[end - 1];
  }
  return weighted(n, work, x);
}

struct running {
  double sum;
  double *out;
};

static void put(struct running *r, double x) {
  r->sum += x;
  *r->out++ = r->sum;
}

FORM(struct_with_cursor, double, n) {
  struct running r = {0.0, work};
  for (int i = 0; i < n; i++)
    put(&r, x[i]);
  return weighted(n, work, x);
}

FORM(static_array_unsigned, double, 0) {
  static double y[MAX_N];
  double sum = 0.0;
  for (unsigned i = 0; i < (unsigned)n; i++)
    y[i] = sum += x[i];
  return weighted(n, y, x);
}

FORM(sum_in_register_float, float, n) {
  float sum = 0.0f, value = 0.0f;
  for (int i = 0; i < n; i++) {
    sum += x[i];
    work[i] = sum;
  }
  for (int i = 0; i < n; i++)
    value += work[i] * work[i] * x[i];
  return 0.5f * value;
}
