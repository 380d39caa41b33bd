// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Iterations that run again from a state that was saved: what an iteration reads
// before it overwrites it stands in a copy, what it computes once and cannot
// compute again is kept, and work space of any length is filled once more.
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static

// The first rate stands alone, as many methods of lines have it: with one
// equation there is nothing else.
APART void rates(int n, const double *restrict x, const double *restrict y,
                 double *restrict k) {
  k[0] = x[0] * y[n - 1];
  for (int i = 1; i < n; ++i)
    k[i] = x[i] * y[i - 1] * y[i];
}
#define INLINE_RATES(N, X, Y, K)                                               \
  (K)[0] = (X)[0] * (Y)[0];                                                    \
  for (int i = 1; i < (N); ++i)                                                \
    (K)[i] = (X)[i] * (Y)[i - 1] * (Y)[i];

#define STEP(N, X, Y, K, SUM, STAGE)                                           \
  INLINE_RATES(N, X, Y, K)                                                     \
  for (int i = 0; i < (N); ++i) {                                              \
    (SUM)[i] = (K)[i];                                                         \
    (STAGE)[i] = (Y)[i] + 0.1 * (K)[i];                                        \
  }                                                                            \
  INLINE_RATES(N, X, STAGE, K)                                                 \
  for (int i = 0; i < (N); ++i) {                                              \
    (SUM)[i] += 2 * (K)[i];                                                    \
    (STAGE)[i] = (Y)[i] + 0.2 * (K)[i];                                        \
  }                                                                            \
  INLINE_RATES(N, X, STAGE, K)                                                 \
  for (int i = 0; i < (N); ++i)                                                \
    (Y)[i] += 0.1 * ((SUM)[i] + (K)[i]);

// Blocks for each vector.
APART void with_blocks(int n, int steps, const double *restrict x,
                       double *restrict y) {
  size_t bytes = (size_t)n * sizeof(double);
  double *k = malloc(bytes), *sum = malloc(bytes), *stage = malloc(bytes);
  for (int s = 0; s < steps; ++s) {
    STEP(n, x, y, k, sum, stage)
  }
  free(stage);
  free(sum);
  free(k);
}
void blocks(const double *in, double *out) {
  memcpy(out, in + 5, 5 * sizeof *out);
  with_blocks(5, 4, in, out);
  memcpy(out + 5, in + 2, 3 * sizeof *out);
  with_blocks(2, 3, in, out + 5);
  with_blocks(1, 3, in, out + 7);
}
ADZE_TEST_MAP(blocks, 10, 8,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// Work space that the function is given, of a length that nobody says, and the
// caller reads what is left in it.
APART void with_work(int n, int steps, const double *restrict x,
                     double *restrict y, double *restrict work) {
  for (int s = 0; s < steps; ++s) {
    STEP(n, x, y, work, (work + n), (work + 2 * n))
  }
}
void given(const double *in, double *out) {
  double work[17] = {0};
  work[0] = in[9];
  work[16] = in[0];
  memcpy(out, in + 5, 5 * sizeof *out);
  with_work(5, 4, in, out, work + 1);
  out[5] = work[0] + work[2] * work[9] + work[14] * work[16];
  out[6] = in[2];
  with_work(1, 3, in, out + 6, work);
  out[7] = work[0] * work[1];
}
ADZE_TEST_MAP(given, 10, 8,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// It may also lie in front of what the pointer leads to.
APART void downwards(int n, int steps, const double *restrict x,
                     double *restrict y, double *restrict end) {
  for (int s = 0; s < steps; ++s) {
    for (int i = 1; i <= n; ++i)
      end[-i] = x[n - i] * y[n - i] * y[0];
    for (int i = 1; i <= n; ++i)
      end[-n - i] = end[-i] * end[-i] + y[n - i];
    for (int i = 0; i < n; ++i)
      y[i] += 0.1 * end[i - 2 * n] * end[i - n];
  }
}
void backwards(const double *in, double *out) {
  double work[12] = {0};
  memcpy(out, in + 5, 5 * sizeof *out);
  downwards(5, 4, in, out, work + 11);
  out[5] = work[1] * work[10];
}
ADZE_TEST_MAP(backwards, 10, 6,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// State and work space in one block.
APART double in_one_block(int n, int steps, const double *restrict x,
                          const double *restrict from) {
  double *y = malloc(4 * (size_t)n * sizeof *y), *k = y + n, *sum = k + n,
         *stage = sum + n, result = 0;
  for (int i = 0; i < n; ++i)
    y[i] = from[i];
  for (int s = 0; s < steps; ++s) {
    STEP(n, x, y, k, sum, stage)
  }
  for (int i = 0; i < n; ++i)
    result += y[i] * y[i] + k[i] * sum[i];
  free(y);
  return result;
}
void together(const double *in, double *out) {
  out[0] = in_one_block(5, 4, in, in + 5);
  out[1] = in_one_block(1, 4, in, in + 5);
}
ADZE_TEST_MAP(together, 10, 2,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// What an iteration computes once: a call, a number that is carried along and
// overwritten, the sum of a loop; the way through it depends on one of them.
static int called;
APART double far(double a) {
  ++called; // so it is not called again
  return a * a + 0.5 * a;
}
APART double once(int n, int steps, const double *restrict x,
                  double *restrict y) {
  double *k = malloc((size_t)n * sizeof *k), *z = malloc((size_t)n * sizeof *z),
         carried = y[0];
  for (int s = 0; s < steps; ++s) {
    double damping = far(y[n - 1]);
    double first = y[0];
    for (int i = 0; i < n; ++i)
      k[i] = x[i] * y[i] * damping + first;
    for (int i = 0; i < n; ++i)
      z[i] = k[i] * k[i] * carried;
    if (damping > 0.7)
      for (int i = 0; i < n; ++i)
        z[i] *= 1 - 0.1 * k[n - 1 - i];
    for (int i = 0; i < n; ++i)
      y[i] += 0.05 * z[i] * k[i];
    carried = 0.5 * carried + y[s % n];
  }
  free(z);
  free(k);
  return carried;
}
void inputs(const double *in, double *out) {
  memcpy(out, in + 5, 5 * sizeof *out);
  out[5] = once(5, 6, in, out);
}
ADZE_TEST_MAP(inputs, 10, 6,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// A copy that is made on some ways only, and a loop of unknown count.
APART double sometimes(int n, const double *restrict x, double *restrict y) {
  double *k = malloc((size_t)n * sizeof *k), sum = 1;
  int s = 0;
  while (s < 7 && sum < 50) {
    if (x[s % 5] > 0) {
      for (int i = 0; i < n; ++i)
        k[i] = x[i] * y[i] * y[n - 1 - i];
      for (int i = 0; i < n; ++i)
        sum += k[i] * k[n - 1 - i] * y[i];
      for (int i = 0; i < n; ++i)
        y[i] += 0.1 * k[i] * k[i];
    } else {
      for (int i = 0; i < n; ++i)
        k[i] = x[i] + y[i];
      for (int i = 0; i < n; ++i)
        y[i] -= 0.1 * k[i] * k[(i + 1) % n];
    }
    ++s;
  }
  free(k);
  return sum;
}
void ways(const double *in, double *out) {
  memcpy(out, in + 5, 5 * sizeof *out);
  out[5] = sometimes(5, in, out);
}
ADZE_TEST_MAP(ways, 10, 6,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// The first element is written alone, and the rest only sometimes: what an
// iteration before has left there is read.
APART double stale(int n, int steps, const double *restrict x,
                   double *restrict w) {
  double sum = 0;
  for (int s = 0; s < steps; ++s) {
    w[0] = x[s % 5] * sum + x[0];
    if (n > s) // not the condition on which it is read
      for (int i = 1; i < n; ++i)
        w[i] = x[i] * x[(i + s) % 5] + sum;
    for (int i = 0; i < n; ++i)
      sum += 0.1 * w[i] * w[i];
  }
  return sum;
}
// One element fewer is written than is read.
APART double gap(int n, int steps, const double *restrict x,
                 double *restrict w) {
  double sum = 0;
  for (int s = 0; s < steps; ++s) {
    w[0] = x[s % 5] + sum;
    if (n > 2)
      for (int i = 1; i < n - 1; ++i)
        w[i] = x[i] * w[0];
    for (int i = 0; i < n; ++i)
      sum += 0.1 * w[i] * w[i];
    if (n > 1)
      w[n - 1] = sum;
  }
  return sum;
}
// Written behind the reader, in the same iteration.
APART double behind(int n, int steps, const double *restrict x,
                    double *restrict w) {
  double sum = 0;
  for (int s = 0; s < steps; ++s) {
    for (int i = 0; i < n; ++i)
      sum += 0.1 * w[i] * w[i] * x[i];
    for (int i = 0; i < n; ++i)
      w[i] = x[i] * sum;
  }
  return sum;
}
void left_over(const double *in, double *out) {
  double w[5];
  memcpy(w, in + 5, sizeof w);
  out[0] = stale(3, 6, in, w);
  out[1] = gap(5, 4, in, w) + w[4];
  out[2] = behind(5, 4, in, w) + w[1];
  out[3] = gap(2, 3, in, w) + gap(1, 3, in, w);
}
ADZE_TEST_MAP(left_over, 10, 4,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))

// The rates are a function that is not inlined.
APART void with_calls(int n, int steps, const double *restrict x,
                      double *restrict y) {
  double *k = malloc((size_t)n * sizeof *k), *z = malloc((size_t)n * sizeof *z);
  for (int s = 0; s < steps; ++s) {
    rates(n, x, y, k);
    for (int i = 0; i < n; ++i)
      z[i] = y[i] + 0.1 * k[i] * k[i];
    rates(n, x, z, k);
    for (int i = 0; i < n; ++i)
      y[i] += 0.1 * k[i] * z[i];
  }
  free(z);
  free(k);
}
void calls(const double *in, double *out) {
  memcpy(out, in + 5, 5 * sizeof *out);
  with_calls(5, 4, in, out);
}
ADZE_TEST_MAP(calls, 10, 5,
              ADZE_AT(0.5, 0.25, -0.75, 0.6, 0.3, -0.2, 0.9, 0.4, -0.6, 0.7))
