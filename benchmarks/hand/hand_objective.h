// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of hand.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_HAND_HAND_OBJECTIVE_H
#define ADZE_BENCHMARKS_HAND_HAND_OBJECTIVE_H

#include "hand.h"

#include <math.h>

/// product = left right, affine maps.
static void hand_compose(const double *restrict left,
                         const double *restrict right,
                         double *restrict product) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      double sum = j == 3 ? left[i * 4 + 3] : 0.0;
      for (int k = 0; k < 3; k++)
        sum += left[i * 4 + k] * right[k * 4 + j];
      product[i * 4 + j] = sum;
    }
}

/// The rotation by the angles x, y and z about these axes, first x.
static void hand_euler(double x, double y, double z, double *restrict map) {
  double sx = sin(x), sy = sin(y), sz = sin(z);
  double cx = cos(x), cy = cos(y), cz = cos(z);
  map[0] = cy * cz;
  map[1] = -cx * sz + sx * sy * cz;
  map[2] = sx * sz + cx * sy * cz;
  map[4] = cy * sz;
  map[5] = cx * cz + sx * sy * sz;
  map[6] = -sx * cz + cx * sy * sz;
  map[8] = -sy;
  map[9] = sx * cy;
  map[10] = cx * cy;
  map[3] = map[7] = map[11] = 0.0;
}

/// The rotation by the vector r.
static void hand_rotation(const double *restrict r, double *restrict matrix) {
  double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square == 0.0) {
    for (int i = 0; i < 9; i++)
      matrix[i] = i % 4 == 0 ? 1.0 : 0.0;
    return;
  }
  double angle = sqrt(square);
  double x = r[0] / angle, y = r[1] / angle, z = r[2] / angle;
  double s = sin(angle), c = cos(angle), v = 1.0 - c;
  matrix[0] = x * x + (1.0 - x * x) * c;
  matrix[1] = x * y * v - z * s;
  matrix[2] = x * z * v + y * s;
  matrix[3] = x * y * v + z * s;
  matrix[4] = y * y + (1.0 - y * y) * c;
  matrix[5] = y * z * v - x * s;
  matrix[6] = x * z * v - y * s;
  matrix[7] = y * z * v + x * s;
  matrix[8] = z * z + (1.0 - z * z) * c;
}

/// Where each bone takes the vertices of the hand at rest.
static void hand_transforms(const hand_model *restrict model,
                            const double *restrict theta,
                            double transforms[HAND_BONES][HAND_AFFINE]) {
  double absolutes[HAND_BONES][HAND_AFFINE];
  for (int b = 0; b < HAND_BONES; b++) {
    // Rigid: the wrist, the first bone of a finger, the forearm.
    double flexion = 0.0, spread = 0.0;
    int place = (b - 2) % 4;
    if (b >= 2 && place < 3) {
      const double *finger = theta + 6 + (b - 2) / 4 * HAND_FINGER_POSE;
      flexion = place == 0 ? finger[0] : finger[place + 1];
      spread = place == 0 ? finger[1] : 0.0;
    }
    double turn[HAND_AFFINE], relative[HAND_AFFINE];
    hand_euler(flexion, 0.0, spread, turn);
    hand_compose(model->base_relatives[b], turn, relative);
    if (model->parents[b] < 0)
      for (int i = 0; i < HAND_AFFINE; i++)
        absolutes[b][i] = relative[i];
    else
      hand_compose(absolutes[model->parents[b]], relative, absolutes[b]);
    hand_compose(absolutes[b], model->inverse_absolutes[b], transforms[b]);
  }
}

/// Vertices follow the bones.
static void hand_skin(const hand_model *restrict model,
                      double transforms[HAND_BONES][HAND_AFFINE],
                      double *restrict positions) {
  int n = model->num_vertices;
  for (int i = 0; i < 3 * n; i++)
    positions[i] = 0.0;
  for (int b = 0; b < HAND_BONES; b++)
    for (int v = 0; v < n; v++) {
      const double *vertex = model->vertices + 3 * v;
      double weight = model->weights[b * n + v];
      for (int i = 0; i < 3; i++) {
        const double *row = transforms[b] + 4 * i;
        positions[3 * v + i] +=
            weight * (row[0] * vertex[0] + row[1] * vertex[1] +
                      row[2] * vertex[2] + row[3]);
      }
    }
}

static void hand_objective(const hand_model *restrict model,
                           const double *restrict theta,
                           double *restrict errors, double *restrict work) {
  double transforms[HAND_BONES][HAND_AFFINE];
  hand_transforms(model, theta, transforms);
  hand_skin(model, transforms, work);
  double rotation[9];
  hand_rotation(theta, rotation);
  for (int c = 0; c < model->num_correspondences; c++) {
    const double *position = work + 3 * model->correspondences[c];
    for (int i = 0; i < 3; i++)
      errors[3 * c + i] =
          model->measured[3 * c + i] -
          (rotation[3 * i] * position[0] + rotation[3 * i + 1] * position[1] +
           rotation[3 * i + 2] * position[2] + theta[3 + i]);
  }
}

#endif
