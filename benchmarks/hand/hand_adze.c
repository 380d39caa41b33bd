// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A column of the Jacobian by one marker call in forward mode; with
// ADZE_NO_MARKER a call of an ordinary external function in its place, for
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
  int rows = 3 * model->num_correspondences;
  double direction[HAND_POSE] = {0.0};
  for (int column = 0; column < HAND_POSE; column++) {
    direction[column] = 1.0;
    TANGENT((void *)hand_objective, enzyme_const, model, enzyme_dup, theta,
            direction, enzyme_dupnoneed, errors, jacobian + column * rows,
            enzyme_dup, work, d_work);
    direction[column] = 0.0;
  }
}
