// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residuals of one observation of ba.h, in a header so that the file with
// the marker call sees them.

#ifndef ADZE_BENCHMARKS_BA_BA_OBJECTIVE_H
#define ADZE_BENCHMARKS_BA_BA_OBJECTIVE_H

#include <math.h>

/// The point x turned by the rotation vector r: Rodrigues' formula.
static void ba_rotate(const double *restrict r, const double *restrict x,
                      double *restrict turned) {
  double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square == 0.0) {
    turned[0] = x[0] + r[1] * x[2] - r[2] * x[1];
    turned[1] = x[1] + r[2] * x[0] - r[0] * x[2];
    turned[2] = x[2] + r[0] * x[1] - r[1] * x[0];
    return;
  }
  double angle = sqrt(square);
  double cosine = cos(angle), sine = sin(angle);
  double inverse = 1.0 / angle;
  double w[3] = {r[0] * inverse, r[1] * inverse, r[2] * inverse};
  double cross[3] = {w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                     w[0] * x[1] - w[1] * x[0]};
  double along = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * (1.0 - cosine);
  for (int i = 0; i < 3; i++)
    turned[i] = x[i] * cosine + cross[i] * sine + w[i] * along;
}

static void ba_project(const double *restrict camera,
                       const double *restrict point, double *restrict image) {
  double relative[3], turned[3];
  for (int i = 0; i < 3; i++)
    relative[i] = point[i] - camera[3 + i];
  ba_rotate(camera, relative, turned);
  double x = turned[0] / turned[2], y = turned[1] / turned[2];
  double square = x * x + y * y;
  double distortion = 1.0 + camera[9] * square + camera[10] * square * square;
  image[0] = x * distortion * camera[6] + camera[7];
  image[1] = y * distortion * camera[6] + camera[8];
}

/// The two reprojection errors.
static void ba_reprojection(const double *restrict camera,
                            const double *restrict point,
                            const double *restrict weight,
                            const double *restrict feature,
                            double *restrict error) {
  double image[2];
  ba_project(camera, point, image);
  error[0] = *weight * (image[0] - feature[0]);
  error[1] = *weight * (image[1] - feature[1]);
}

static double ba_weight_error(double weight) { return 1.0 - weight * weight; }

#endif
