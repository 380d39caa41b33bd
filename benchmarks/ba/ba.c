// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "ba.h"
#include "ba_objective.h"

void ba_primal(const ba_scene *scene, const double *cameras,
               const double *points, const double *weights, double *errors) {
  for (int i = 0; i < scene->num_observations; i++) {
    ba_reprojection(cameras + BA_CAMERA * scene->camera_of[i],
                    points + 3 * scene->point_of[i], weights + i,
                    scene->features + 2 * i, errors + BA_ROWS * i);
    errors[BA_ROWS * i + 2] = ba_weight_error(weights[i]);
  }
}
