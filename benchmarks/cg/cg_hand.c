// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint of cg.h by hand, iteration by iteration.
//
// The tape is p, q = A p and r of every iteration. The primal works in these
// arrays, each new vector being written after the last, so that keeping them
// costs no copy. In reverse, with x', r', p', q' for the adjoints, an iteration
//
//   q = A p            a = rr / (p . q)      x += a p       s = r - a q
//   ss = s . s         c = ss / rr           o = s + c p
//
// (o being the next p and s the next r) is undone by
//
//   s' += o'      c' = o' . p      p' = c o'
//   ss' += c' / rr                 rr' = -c' c / rr
//   s' += 2 ss' s
//   a' = x' . p - s' . q           p' += a x'      q' = -a s'      r' = s'
//   rr' += a' / (p . q)            w = -a' a / (p . q)
//   q' += w p                      p' += w q
//   value' += q'_row p_column      p' += A^T q'

#include "cg.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

static double dot(int n, const double *restrict x, const double *restrict y) {
  double sum = 0.0;
  for (int i = 0; i < n; i++)
    sum += x[i] * y[i];
  return sum;
}

static void multiply(const cg_pattern *restrict a, const double *restrict value,
                     const double *restrict x, double *restrict y) {
  for (int i = 0; i < a->rows; i++) {
    double sum = 0.0;
    for (int k = a->begin[i]; k < a->begin[i + 1]; k++)
      sum += value[k] * x[a->column[k]];
    y[i] = sum;
  }
}

static void reverse_multiply(const cg_pattern *restrict a,
                             const double *restrict value,
                             double *restrict d_value, const double *restrict x,
                             double *restrict d_x, const double *restrict d_y) {
  for (int i = 0; i < a->rows; i++)
    for (int k = a->begin[i]; k < a->begin[i + 1]; k++) {
      d_value[k] += d_y[i] * x[a->column[k]];
      d_x[a->column[k]] += value[k] * d_y[i];
    }
}

/// What an iteration leaves for the reverse; `r` is the residual after it.
typedef struct {
  double alpha, beta, rr, pq;
} scalars;

typedef struct {
  double *x, *r, *p, *q; ///< Adjoints of the vectors.
} adjoints;

/// Undoes an iteration; `ss` is the adjoint of the last square of the residual.
/// Returns that of the one before.
static double reverse_iteration(const cg_pattern *pattern, const scalars *s,
                                const double *value, double *d_value,
                                const double *restrict r,
                                const double *restrict p,
                                const double *restrict q, adjoints d,
                                double ss) {
  const int n = pattern->rows;
  double *restrict dr = d.r, *restrict dp = d.p, *restrict dq = d.q;
  const double *restrict dx = d.x;
  double d_beta = dot(n, dp, p);
  ss += d_beta / s->rr;
  double rr = -d_beta * s->beta / s->rr;
  double d_alpha = 0.0;
  for (int i = 0; i < n; i++) {
    dr[i] += dp[i] + 2.0 * ss * r[i];
    d_alpha += dx[i] * p[i] - dr[i] * q[i];
  }
  rr += d_alpha / s->pq;
  double w = -d_alpha * s->alpha / s->pq;
  for (int i = 0; i < n; i++) {
    dq[i] = w * p[i] - s->alpha * dr[i];
    dp[i] = s->beta * dp[i] + s->alpha * dx[i] + w * q[i];
  }
  reverse_multiply(pattern, value, d_value, p, dp, dq);
  return rr;
}

/// The distance to the target is given by its adjoint, d_x.
static void forward(const cg_pattern *pattern, int iterations,
                    const double *value, const double *b, const double *target,
                    double *restrict tape, scalars *s, double *restrict d_x) {
  const int n = pattern->rows;
  double *restrict x = d_x;
  memcpy(tape, b, (size_t)n * sizeof(double));
  memcpy(tape + n, b, (size_t)n * sizeof(double));
  memset(x, 0, (size_t)n * sizeof(double));
  double rr = dot(n, b, b);
  for (int k = 0; k < iterations; k++, s++) {
    const double *r = tape, *p = r + n;
    double *q = tape + 2 * (size_t)n, *s_next = q + n, *p_next = s_next + n;
    multiply(pattern, value, p, q);
    s->rr = rr;
    s->pq = dot(n, p, q);
    s->alpha = rr / s->pq;
    for (int i = 0; i < n; i++) {
      x[i] += s->alpha * p[i];
      s_next[i] = r[i] - s->alpha * q[i];
    }
    rr = dot(n, s_next, s_next);
    s->beta = rr / s->rr;
    for (int i = 0; i < n; i++)
      p_next[i] = s_next[i] + s->beta * p[i];
    tape = s_next;
  }
  for (int i = 0; i < n; i++)
    d_x[i] = 2.0 * (x[i] - target[i]);
}

void cg_hand(const cg_pattern *pattern, int iterations, const double *value,
             double *d_value, const double *b, double *d_b,
             const double *target) {
  const size_t n = (size_t)pattern->rows, turns = (size_t)iterations;
  double *tape = malloc((3 * turns + 2) * n * sizeof(double));
  scalars *s = malloc(turns * sizeof(scalars));
  double *scratch = calloc(4 * n, sizeof(double));
  adjoints d = {scratch, scratch + n, scratch + 2 * n, scratch + 3 * n};
  forward(pattern, iterations, value, b, target, tape, s, d.x);
  double ss = 0.0;
  for (size_t k = turns; k-- > 0;) {
    const double *r = tape + 3 * k * n;
    ss = reverse_iteration(pattern, s + k, value, d_value, r + 3 * n, r + n,
                           r + 2 * n, d, ss);
  }
  for (size_t i = 0; i < n; i++)
    d_b[i] += d.r[i] + d.p[i] + 2.0 * ss * b[i];
  free(scratch);
  free(s);
  free(tape);
}
