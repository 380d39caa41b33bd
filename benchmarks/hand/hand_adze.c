// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// HAND_DIRECTIONS columns of the Jacobian by one marker call in forward mode;
// with ADZE_NO_MARKER a call of an ordinary external function in its place, for
// measuring compile time.

#include "hand.h"
#include "hand_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_tangent(void *, ...);
#define TANGENT external_tangent
#else
extern void __enzyme_fwddiff(void *, ...);
#define TANGENT __enzyme_fwddiff
#endif

void hand_generated(const hand_model *model, const double *theta,
                    double *jacobian, double *errors, double *work,
                    double *d_work) {
  size_t rows = 3 * (size_t)model->num_correspondences;
  size_t positions = 3 * (size_t)model->num_vertices;
  double directions[HAND_DIRECTIONS][HAND_POSE] = {{0.0}};
  for (int first = 0; first < HAND_POSE; first += HAND_DIRECTIONS) {
    for (int k = 0; k < HAND_DIRECTIONS; k++)
      directions[k][first + k] = 1.0;
    TANGENT((void *)hand_objective, enzyme_width, HAND_DIRECTIONS, enzyme_const,
            model, enzyme_dupv, sizeof directions[0], theta, directions,
            enzyme_dupnoneedv, rows * sizeof(double), errors,
            jacobian + first * rows, enzyme_dupv, positions * sizeof(double),
            work, d_work);
    for (int k = 0; k < HAND_DIRECTIONS; k++)
      directions[k][first + k] = 0.0;
  }
}
