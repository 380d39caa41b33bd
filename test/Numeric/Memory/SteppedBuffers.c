// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Steps in time with two buffers in several spellings: what the last step left
// is read, and overwritten one or two steps later. In some the buffers overlap.
#include "check.h"
#include <stdlib.h>
#include <string.h>

#define APART __attribute__((noinline)) static
enum { N = 6, STEPS = 5 };

static double cell(double l, double m, double r) {
  return m + 0.1 * (l - 2 * m + r) * (1 + m * m);
}

// The begin of the second buffer is a number that only the run knows: n, or
// less, so that the rows overlap; sizes from none to six.
APART void halves(int n, int apart, double *work) {
  double *u = work, *next = work + apart;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    double *swap = u;
    u = next;
    next = swap;
  }
}
APART void copied(int n, double *work) {
  double *u = work, *next = work + n;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    for (int i = 1; i < n - 1; i++)
      u[i] = next[i];
  }
}
// Here next is one element short of behind u.
APART void copied_beside(int n, double *work) {
  double *u = work, *next = work + n - 3;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    for (int i = 1; i < n - 1; i++)
      u[i] = next[i];
  }
}
void in_halves(const double *in, double *out) {
  double work[2 * N];
  for (int i = 0; i < N; i++)
    work[i] = work[N + i] = in[i];
  halves(N, N, work);
  copied(N, work);
  copied_beside(N, work);
  for (int n = 0; n < 4; n++) {
    halves(n, n, work);
    copied(n, work);
  }
  for (int apart = 0; apart < 4; apart++)
    halves(N - 1, apart, work);
  memcpy(out, work, N * sizeof *out);
}
ADZE_TEST_MAP(in_halves, 6, 6, ADZE_AT(0.5, 0.25, -0.75, 0.3, -0.2, 0.9))

// Three that change places, in both directions, and four of which one stays.
APART void rotated(long n, double *a, double *b, double *c) {
  for (int t = 0; t < STEPS; t++) {
    for (long i = 1; i < n - 1; i++)
      c[i] = cell(b[i - 1], a[i], b[i + 1]) + b[i] * a[i - 1];
    double *last = a;
    a = b;
    b = c;
    c = last;
  }
  for (int t = 0; t < STEPS; t++) {
    for (long i = 1; i < n - 1; i++)
      a[i] = cell(b[i - 1], c[i], b[i + 1]);
    double *last = a;
    a = c;
    c = b;
    b = last;
  }
}
// The third buffer comes into the loop later: not the same permutation each
// time.
APART double later(int n, double *a, double *b, double *c) {
  double *u = a, *next = b;
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    double *swap = u;
    u = next;
    next = t == 2 ? c : swap;
  }
  return u[1];
}
void in_turns(const double *in, double *out) {
  double *a = malloc(3 * N * sizeof *a), *b = a + N, *c = b + N;
  for (int i = 0; i < N; i++) {
    a[i] = in[i];
    b[i] = 0.5 * in[i];
    c[i] = in[i] * in[0];
  }
  rotated(N, a, b, c);
  rotated(N, a, a + 2, a + 5);
  out[N] = later(N, a, b, c) * later(N, b, c, b);
  memcpy(out, b, N * sizeof *out);
  free(a);
}
ADZE_TEST_MAP(in_turns, 6, 7, ADZE_AT(0.5, 0.25, -0.75, 0.3, -0.2, 0.9))

// Rows by the parity of the step, of a length that the row of the array may
// exceed; all states; blocks of the heap; a local array; and sums instead.
APART void parity(int n, int row, double *work) {
  for (int t = 0; t < STEPS; t++)
    for (int i = 1; i < n - 1; i++)
      work[(t + 1) % 2 * row + i] =
          cell(work[t % 2 * row + i - 1], work[t % 2 * row + i],
               work[t % 2 * row + i + 1]);
}
APART void odd_rows(int n, unsigned steps, double (*u)[N]) {
  for (unsigned t = 1; t < steps; t++)
    for (int i = 1; i < n - 1; i++)
      u[t & 1][i] = cell(u[~t & 1][i - 1], u[(t + 1) & 1][i], u[~t & 1][i + 1]);
}
APART void states(int n, int row, double *u) {
  for (int t = 0; t < STEPS; t++) {
    u[(t + 1) * row] = u[t * row];
    u[(t + 1) * row + n - 1] = u[t * row + n - 1];
    for (int i = 1; i < n - 1; i++)
      u[(t + 1) * row + i] =
          cell(u[t * row + i - 1], u[t * row + i], u[t * row + i + 1]);
  }
}
void by_rows(const double *in, double *out) {
  double work[N * (STEPS + 1)];
  for (int i = 0; i < N * (STEPS + 1); i++)
    work[i] = in[i % N];
  parity(N, N, work);
  parity(N, N - 2, work);
  parity(2, 1, work);
  odd_rows(N, STEPS, (double(*)[N])work);
  states(N, N, work);
  states(N, N - 3, work);
  states(1, 1, work);
  for (int i = 0; i < N; i++)
    out[i] = work[i] + 0.3 * work[2 * N + i];
}
ADZE_TEST_MAP(by_rows, 6, 6, ADZE_AT(0.5, 0.25, -0.75, 0.3, -0.2, 0.9))

APART double on_heap(int n, const double *x) {
  double *u = malloc(n * sizeof *u), *next = malloc(n * sizeof *u), s = 0;
  memcpy(u, x, n * sizeof *u);
  memcpy(next, x, n * sizeof *u);
  for (int t = 0; t < STEPS; t++) {
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], u[i], u[i + 1]);
    double *swap = u;
    u = next;
    next = swap;
  }
  for (int i = 0; i < n; i++)
    s += u[i] * u[i];
  free(u);
  free(next);
  return s;
}
APART double on_stack(unsigned m, const double *x) {
  double u[N], flux[N], s = 0;
  for (unsigned i = 0; i < m; i++)
    u[i] = x[i];
  for (int t = 0; t < STEPS; t++) {
    for (unsigned i = 1; i < m - 1; i++)
      flux[i] = 0.1 * (u[i - 1] - 2.0 * u[i] + u[i + 1]) * (1.0 + u[i] * u[i]);
    for (unsigned i = 1; i < m - 1; i++)
      u[i] += flux[i];
    u[t % 3 ? m - 1 : 0] *= 1 + 0.1 * t * u[1];
  }
  for (unsigned i = 0; i < m; i++)
    s += u[i] * u[i];
  return s;
}
// The size of the rows is on the stack, too.
APART double of_size(int n, const double *x) {
  double u[n], next[n], s = 0;
  memcpy(u, x, sizeof u);
  memcpy(next, x, sizeof u);
  for (int t = 0; t < STEPS; t++) {
    double mean[n];
    for (int i = 0; i < n; i++)
      mean[i] = 0.5 * (u[i] + next[i]) * u[n - 1 - i];
    for (int i = 1; i < n - 1; i++)
      next[i] = cell(u[i - 1], mean[i], u[i + 1]);
    memcpy(u, next, sizeof u);
  }
  for (int i = 0; i < n; i++)
    s += u[i] * next[i];
  return s;
}
void alone(const double *in, double *out) {
  for (int n = 2; n <= N; n++)
    out[n - 2] = on_heap(n, in) + on_stack(n, in) + of_size(n, in);
}
ADZE_TEST_MAP(alone, 6, 5, ADZE_AT(0.5, 0.25, -0.75, 0.3, -0.2, 0.9))
