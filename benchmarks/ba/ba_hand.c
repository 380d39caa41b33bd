// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Jacobian of ba.h by hand. What both rows need is computed once.
//
// The turned point is R x with R = cos I + sin [w] + (1 - cos) w w', w = r /
// |r|. Its derivative by the point is R, by the center -R. By the rotation
// vector it is, with y = w . x and a = |r|,
//
//   d(R x)/dr = u w' + (sin/a) (-[x]) (I - w w')
//               + (1 - cos)/a (y I + w x') (I - w w'),
//   u = -sin x + cos (w cross x) + sin y w
//
// where u is the derivative by the angle. The rows of the derivative of the
// image by the turned point are then multiplied from the left.

#include "ba.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

typedef struct {
  double turned[3];
  double by_point[3][3];
  double by_rotation[3][3];
} rotation;

static rotation small_rotation(const double *r, const double *x) {
  rotation result = {
      {x[0] + r[1] * x[2] - r[2] * x[1], x[1] + r[2] * x[0] - r[0] * x[2],
       x[2] + r[0] * x[1] - r[1] * x[0]},
      {{1.0, -r[2], r[1]}, {r[2], 1.0, -r[0]}, {-r[1], r[0], 1.0}},
      {{0.0, x[2], -x[1]}, {-x[2], 0.0, x[0]}, {x[1], -x[0], 0.0}}};
  return result;
}

static rotation rotate(const double *r, const double *x) {
  double square = r[0] * r[0] + r[1] * r[1] + r[2] * r[2];
  if (square == 0.0)
    return small_rotation(r, x);
  double angle = sqrt(square), inverse = 1.0 / angle;
  double c = cos(angle), s = sin(angle), versed = 1.0 - c;
  double w[3] = {r[0] * inverse, r[1] * inverse, r[2] * inverse};
  double cross[3] = {w[1] * x[2] - w[2] * x[1], w[2] * x[0] - w[0] * x[2],
                     w[0] * x[1] - w[1] * x[0]};
  double y = w[0] * x[0] + w[1] * x[1] + w[2] * x[2];
  double skew_w[3][3] = {
      {0.0, -w[2], w[1]}, {w[2], 0.0, -w[0]}, {-w[1], w[0], 0.0}};
  double skew_x[3][3] = {
      {0.0, x[2], -x[1]}, {-x[2], 0.0, x[0]}, {x[1], -x[0], 0.0}};
  double from_sine = s * inverse, from_versed = versed * inverse;
  rotation result;
  for (int i = 0; i < 3; i++) {
    result.turned[i] = c * x[i] + s * cross[i] + versed * y * w[i];
    double u = -s * x[i] + c * cross[i] + s * y * w[i];
    double by_direction[3], along = 0.0;
    for (int j = 0; j < 3; j++) {
      result.by_point[i][j] =
          (i == j ? c : 0.0) + s * skew_w[i][j] + versed * w[i] * w[j];
      by_direction[j] = from_sine * skew_x[i][j] +
                        from_versed * ((i == j ? y : 0.0) + w[i] * x[j]);
      along += by_direction[j] * w[j];
    }
    for (int j = 0; j < 3; j++)
      result.by_rotation[i][j] = by_direction[j] + (u - along) * w[j];
  }
  return result;
}

/// A row: b is the derivative of the error by the turned point.
static void fill_row(const rotation *turn, const double *b, double *row) {
  for (int j = 0; j < 3; j++) {
    double by_rotation = 0.0, by_point = 0.0;
    for (int i = 0; i < 3; i++) {
      by_rotation += b[i] * turn->by_rotation[i][j];
      by_point += b[i] * turn->by_point[i][j];
    }
    row[j] = by_rotation;
    row[3 + j] = -by_point;
    row[BA_CAMERA + j] = by_point;
  }
}

static void observation(const double *camera, const double *point,
                        double weight, const double *feature, double *block) {
  double relative[3] = {point[0] - camera[3], point[1] - camera[4],
                        point[2] - camera[5]};
  rotation turn = rotate(camera, relative);
  double inverse = 1.0 / turn.turned[2];
  double p[2] = {turn.turned[0] * inverse, turn.turned[1] * inverse};
  double square = p[0] * p[0] + p[1] * p[1];
  double distortion = 1.0 + square * (camera[9] + camera[10] * square);
  double slope = 2.0 * (camera[9] + 2.0 * camera[10] * square);
  double focal = camera[6];
  for (int k = 0; k < 2; k++) {
    double *row = block + k * BA_COLUMNS;
    double by_p[2];
    for (int l = 0; l < 2; l++)
      by_p[l] =
          weight * focal * ((k == l ? distortion : 0.0) + p[k] * slope * p[l]);
    double b[3] = {by_p[0] * inverse, by_p[1] * inverse,
                   -(by_p[0] * p[0] + by_p[1] * p[1]) * inverse};
    fill_row(&turn, b, row);
    row[6] = weight * p[k] * distortion;
    row[7] = k == 0 ? weight : 0.0;
    row[8] = k == 1 ? weight : 0.0;
    row[9] = weight * focal * p[k] * square;
    row[10] = row[9] * square;
    row[14] = p[k] * distortion * focal + camera[7 + k] - feature[k];
  }
  double *row = block + 2 * BA_COLUMNS;
  memset(row, 0, BA_COLUMNS * sizeof(double));
  row[14] = -2.0 * weight;
}

void ba_hand(const ba_scene *scene, const double *cameras, const double *points,
             const double *weights, double *jacobian) {
  for (int i = 0; i < scene->num_observations; i++)
    observation(cameras + BA_CAMERA * scene->camera_of[i],
                points + 3 * scene->point_of[i], weights[i],
                scene->features + 2 * i,
                jacobian + (size_t)i * BA_ROWS * BA_COLUMNS);
}
