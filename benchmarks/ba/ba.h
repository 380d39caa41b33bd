// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Bundle adjustment (ADBench's ba): p observations of m points by n cameras,
// observation i of point point_of[i] by camera camera_of[i]. Its residuals are
//
//   2  w_i (projection of the point by the camera - feature_i)
//   1  1 - w_i^2
//
// The projection turns the point into the camera's frame (Rodrigues' formula),
// divides by its depth, and distorts radially.
//
//   cameras   n x 11: rotation 3, center 3, focal length, principal point 2,
//             radial distortion 2
//   points    m x 3
//   weights   p
//   features  p x 2
//   errors    p x 3: the residuals of each observation
//   jacobian  p x 3 x 15: rows of the derivatives by the observation's own
//             camera, point and weight; everything else is zero
//
// `jacobian` is overwritten by the gradients.

#ifndef ADZE_BENCHMARKS_BA_BA_H
#define ADZE_BENCHMARKS_BA_BA_H

enum { BA_CAMERA = 11, BA_COLUMNS = 15, BA_ROWS = 3 };

typedef struct {
  int num_cameras, num_points, num_observations;
  const int *camera_of, *point_of;
  const double *features;
} ba_scene;

void ba_primal(const ba_scene *scene, const double *cameras,
               const double *points, const double *weights, double *errors);

void ba_hand(const ba_scene *scene, const double *cameras, const double *points,
             const double *weights, double *jacobian);

void ba_generated(const ba_scene *scene, const double *cameras,
                  const double *points, const double *weights,
                  double *jacobian);

#endif
