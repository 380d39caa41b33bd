// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The determinant of a matrix by recursive expansion by minors (GradBench's
// det, cmpad's det_by_minor): n! leaves, a recursion with little work in each
// call, and two lists of integers that every call changes and puts back.
//
//   a              n x n, by rows
//   rows, columns  n + 1 each, scratch: the linked lists of what is left
//
// The gradients are *added* to d_a. They differentiate the recursion; that the
// derivative of a determinant also is a matrix of cofactors, which elimination
// finds in n^3 operations, is not what is measured.

#ifndef ADZE_BENCHMARKS_DET_DET_H
#define ADZE_BENCHMARKS_DET_DET_H

double det_primal(int n, const double *a, int *rows, int *columns);

void det_hand(int n, const double *a, double *d_a, int *rows, int *columns);

void det_generated(int n, const double *a, double *d_a, int *rows,
                   int *columns);

#endif
