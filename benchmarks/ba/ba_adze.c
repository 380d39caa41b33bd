// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row of the Jacobian by one marker call; with ADZE_NO_MARKER calls of an
// ordinary external function in its place, for measuring compile time. The
// rows of an observation are its own, so two reverse calls give all of its
// block.

#include "ba.h"
#include "ba_objective.h"

#include "adze/adze.h"

#include <string.h>

#ifdef ADZE_NO_MARKER
extern double external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern double __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void ba_generated(const ba_scene *scene, const double *cameras,
                  const double *points, const double *weights,
                  double *jacobian) {
  memset(jacobian, 0,
         (size_t)scene->num_observations * BA_ROWS * BA_COLUMNS *
             sizeof(double));
  for (int i = 0; i < scene->num_observations; i++) {
    const double *camera = cameras + BA_CAMERA * scene->camera_of[i];
    const double *point = points + 3 * scene->point_of[i];
    double *block = jacobian + (size_t)i * BA_ROWS * BA_COLUMNS;
    for (int r = 0; r < 2; r++) {
      double error[2];
      double seed[2] = {r == 0, r == 1};
      double *row = block + r * BA_COLUMNS;
      GRADIENT((void *)ba_reprojection, enzyme_dup, camera, row, enzyme_dup,
               point, row + BA_CAMERA, enzyme_dup, weights + i,
               row + BA_CAMERA + 3, enzyme_const, scene->features + 2 * i,
               enzyme_dupnoneed, error, seed);
    }
    block[3 * BA_COLUMNS - 1] = GRADIENT((void *)ba_weight_error, weights[i]);
  }
}
