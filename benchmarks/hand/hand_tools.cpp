// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The residuals of hand.h as a template, for other tools: see tool.hpp.

#include "../common/tool.hpp"
#include "hand.h"

#include <cmath>

namespace {

template <class L, class R, class T>
void compose(const L *left, const R *right, T *product) {
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 4; j++) {
      T sum = 0.0;
      if (j == 3)
        sum = left[i * 4 + 3];
      for (int k = 0; k < 3; k++)
        sum += left[i * 4 + k] * right[k * 4 + j];
      product[i * 4 + j] = sum;
    }
}

/// The rotation by the angles x and z about these axes, first x; a hand has
/// none about y.
template <class T> void euler(const T &x, const T &z, T *map) {
  using std::cos;
  using std::sin;
  T sx = sin(x), sz = sin(z), cx = cos(x), cz = cos(z);
  for (int i = 0; i < HAND_AFFINE; i++)
    map[i] = 0.0;
  map[0] = cz;
  map[1] = -cx * sz;
  map[2] = sx * sz;
  map[4] = sz;
  map[5] = cx * cz;
  map[6] = -sx * cz;
  map[9] = sx;
  map[10] = cx;
}

template <class T> void rotation_of(const T *r, T *matrix) {
  using std::cos;
  using std::sin;
  using std::sqrt;
  T square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square == 0.0) {
    for (int i = 0; i < 9; i++)
      matrix[i] = i % 4 == 0 ? 1.0 : 0.0;
    return;
  }
  T angle = sqrt(square);
  T x = r[0] / angle, y = r[1] / angle, z = r[2] / angle;
  T s = sin(angle), c = cos(angle), v = 1.0 - c;
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

template <class T>
void transforms_of(const hand_model &model, const T *theta, T *transforms) {
  std::vector<T> absolutes(HAND_BONES * HAND_AFFINE);
  for (int b = 0; b < HAND_BONES; b++) {
    T flexion = 0.0, spread = 0.0;
    int place = (b - 2) % 4;
    if (b >= 2 && place < 3) {
      const T *finger = theta + 6 + (b - 2) / 4 * HAND_FINGER_POSE;
      flexion = place == 0 ? finger[0] : finger[place + 1];
      if (place == 0)
        spread = finger[1];
    }
    T turn[HAND_AFFINE], relative[HAND_AFFINE];
    euler(flexion, spread, turn);
    compose(model.base_relatives[b], turn, relative);
    T *absolute = &absolutes[b * HAND_AFFINE];
    if (model.parents[b] < 0)
      for (int i = 0; i < HAND_AFFINE; i++)
        absolute[i] = relative[i];
    else
      compose(&absolutes[model.parents[b] * HAND_AFFINE], relative, absolute);
    compose(absolute, model.inverse_absolutes[b], transforms + b * HAND_AFFINE);
  }
}

template <class T>
void skin(const hand_model &model, const T *transforms, T *positions) {
  int n = model.num_vertices;
  for (int i = 0; i < 3 * n; i++)
    positions[i] = 0.0;
  for (int b = 0; b < HAND_BONES; b++)
    for (int v = 0; v < n; v++) {
      const double *vertex = model.vertices + 3 * v;
      double weight = model.weights[b * n + v];
      for (int i = 0; i < 3; i++) {
        const T *row = transforms + b * HAND_AFFINE + 4 * i;
        positions[3 * v + i] +=
            weight * (row[0] * vertex[0] + row[1] * vertex[1] +
                      row[2] * vertex[2] + row[3]);
      }
    }
}

template <class T>
void residuals(const hand_model &model, const T *theta, T *errors) {
  std::vector<T> transforms(HAND_BONES * HAND_AFFINE);
  std::vector<T> positions(3 * model.num_vertices);
  transforms_of(model, theta, transforms.data());
  skin(model, transforms.data(), positions.data());
  T rotation[9];
  rotation_of(theta, rotation);
  for (int c = 0; c < model.num_correspondences; c++) {
    const T *position = &positions[3 * model.correspondences[c]];
    for (int i = 0; i < 3; i++)
      errors[3 * c + i] =
          model.measured[3 * c + i] -
          (rotation[3 * i] * position[0] + rotation[3 * i + 1] * position[1] +
           rotation[3 * i + 2] * position[2] + theta[3 + i]);
  }
}

} // namespace

TOOL_FUNCTION(hand)(const void *constants, const double *theta,
                    double *jacobian) {
  const auto &model = *static_cast<const hand_model *>(constants);
  const int rows = 3 * model.num_correspondences;
  tool::jacobian<HAND_POSE>(
      rows, theta, nullptr, 0,
      [&](const auto *at, const auto *, auto *errors) {
        residuals(model, at, errors);
      },
      [&](int row, int column, double entry) {
        jacobian[column * rows + row] = entry;
      });
}
