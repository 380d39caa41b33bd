// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residuals of an observation of ba.h as a template, for other tools: see
// tool.hpp. The measured feature is a constant of which the observations have
// different ones.

#include "../common/tool.hpp"
#include "ba.h"

#include <algorithm>
#include <cmath>

namespace {

template <class T> void rotate(const T *r, const T *x, T *turned) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  T square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square == 0.0) {
    turned[0] = x[0] + r[1] * x[2] - r[2] * x[1];
    turned[1] = x[1] + r[2] * x[0] - r[0] * x[2];
    turned[2] = x[2] + r[0] * x[1] - r[1] * x[0];
    return;
  }
  T angle = sqrt(square);
  T cosine = cos(angle), sine = sin(angle);
  T inverse = 1.0 / angle;
  T w[3] = {r[0] * inverse, r[1] * inverse, r[2] * inverse};
  T cross[3] = {w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                w[0] * x[1] - w[1] * x[0]};
  T along = (w[0] * x[0] + w[1] * x[1] + w[2] * x[2]) * (1.0 - cosine);
  for (int i = 0; i < 3; i++)
    turned[i] = x[i] * cosine + cross[i] * sine + w[i] * along;
}

template <class T, class C>
void residuals(const T *camera, const C *feature, T *error) {
  const T *point = camera + BA_CAMERA, &weight = camera[BA_CAMERA + 3];
  T relative[3], turned[3];
  for (int i = 0; i < 3; i++)
    relative[i] = point[i] - camera[3 + i];
  rotate(camera, relative, turned);
  T x = turned[0] / turned[2], y = turned[1] / turned[2];
  T square = x * x + y * y;
  T distortion = 1.0 + camera[9] * square + camera[10] * square * square;
  error[0] = weight * (x * distortion * camera[6] + camera[7] - feature[0]);
  error[1] = weight * (y * distortion * camera[6] + camera[8] - feature[1]);
  error[2] = 1.0 - weight * weight;
}

} // namespace

TOOL_FUNCTION(ba)(const void *constants, const double *x, double *jacobian) {
  const auto &scene = *static_cast<const ba_scene *>(constants);
  const double *points = x + BA_CAMERA * scene.num_cameras;
  const double *weights = points + 3 * scene.num_points;
  for (int i = 0; i < scene.num_observations; i++) {
    double inputs[BA_COLUMNS];
    std::copy_n(x + BA_CAMERA * scene.camera_of[i], int(BA_CAMERA), inputs);
    std::copy_n(points + 3 * scene.point_of[i], 3, inputs + BA_CAMERA);
    inputs[BA_CAMERA + 3] = weights[i];
    double *block = jacobian + i * BA_ROWS * BA_COLUMNS;
    tool::jacobian<BA_COLUMNS>(
        BA_ROWS, inputs, scene.features + 2 * i, 2,
        [](const auto *at, const auto *feature, auto *error) {
          residuals(at, feature, error);
        },
        [&](int row, int column, double entry) {
          block[row * BA_COLUMNS + column] = entry;
        });
  }
}
