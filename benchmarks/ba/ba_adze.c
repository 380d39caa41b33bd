// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The two rows of an observation by one marker call in two directions; with
// ADZE_NO_MARKER calls of an ordinary external function in its place, for
// measuring compile time. The rows of an observation are its own, so one
// reverse call gives all of its block.

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
    double error[2], seeds[2][2] = {{1.0, 0.0}, {0.0, 1.0}};
    const size_t row = BA_COLUMNS * sizeof(double);
    GRADIENT((void *)ba_reprojection, enzyme_width, 2, enzyme_dupv, row, camera,
             block, enzyme_dupv, row, point, block + BA_CAMERA, enzyme_dupv,
             row, weights + i, block + BA_CAMERA + 3, enzyme_const,
             scene->features + 2 * i, enzyme_dupnoneedv, sizeof seeds[0], error,
             seeds);
    block[3 * BA_COLUMNS - 1] = GRADIENT((void *)ba_weight_error, weights[i]);
  }
}
