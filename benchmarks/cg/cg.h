// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Conjugate gradients on a sparse matrix A in compressed rows: the objective
// is the distance to an observation of the x that a fixed number of iterations
// for A x = b gives, and the gradient that of this program, converged or not.
//
//   begin   rows + 1 offsets of the rows in `column` and `value`
//   column, value   the nonzeros; A is symmetric, both halves are stored, and
//           the gradient takes all nonzeros as independent
//   b, target       `rows` each
//   work    4 x rows, scratch
//
// The gradients are *added* to d_value and d_b.

#ifndef ADZE_BENCHMARKS_CG_CG_H
#define ADZE_BENCHMARKS_CG_CG_H

/// Where the nonzeros of a matrix are.
typedef struct {
  int rows;
  int *begin, *column;
} cg_pattern;

double cg_primal(const cg_pattern *pattern, int iterations, const double *value,
                 const double *b, const double *target, double *work);

void cg_hand(const cg_pattern *pattern, int iterations, const double *value,
             double *d_value, const double *b, double *d_b,
             const double *target);

/// `d_work` is scratch, zero on entry.
void cg_generated(const cg_pattern *pattern, int iterations,
                  const double *value, double *d_value, const double *b,
                  double *d_b, const double *target, double *work,
                  double *d_work);

#endif
