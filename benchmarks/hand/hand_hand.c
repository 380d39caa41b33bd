// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The Jacobian of hand.h by hand.
//
// A finger's parameter moves the bones behind its joint alone, and only the
// vertices that a measured point belongs to matter. So the tangents of at most
// four bones' maps are computed for each of the 20 parameters, and applied to
// the correspondences only. The global parameters act on finished positions:
// the rotation's derivative by the rotation vector is found once, and the
// translation's is -1.

#include "hand.h"
#include "hand_objective.h"

#include <string.h>

/// Derivatives of the rotation by flexion (about x, first) and spread (about
/// z).
static void turn_tangent(double flexion, double spread, int by_spread,
                         double *restrict map) {
  double sx = sin(flexion), cx = cos(flexion);
  double sz = sin(spread), cz = cos(spread);
  memset(map, 0, HAND_AFFINE * sizeof(double));
  if (by_spread) {
    map[0] = -sz;
    map[1] = -cx * cz;
    map[2] = sx * cz;
    map[4] = cz;
    map[5] = -cx * sz;
    map[6] = sx * sz;
    return;
  }
  map[1] = sx * sz;
  map[2] = cx * sz;
  map[5] = -sx * cz;
  map[6] = -cx * cz;
  map[9] = cx;
  map[10] = -sx;
}

typedef struct {
  double relatives[HAND_BONES][HAND_AFFINE];
  double absolutes[HAND_BONES][HAND_AFFINE];
  double transforms[HAND_BONES][HAND_AFFINE];
  double rotation[9];
} pose;

static void finger_angles(const double *theta, int b, double *flexion,
                          double *spread) {
  int place = (b - 2) % 4;
  *flexion = *spread = 0.0;
  if (b < 2 || place == 3)
    return;
  const double *finger = theta + 6 + (b - 2) / 4 * HAND_FINGER_POSE;
  *flexion = place == 0 ? finger[0] : finger[place + 1];
  *spread = place == 0 ? finger[1] : 0.0;
}

static void take_pose(const hand_model *model, const double *theta, pose *p) {
  for (int b = 0; b < HAND_BONES; b++) {
    double flexion, spread, turn[HAND_AFFINE];
    finger_angles(theta, b, &flexion, &spread);
    hand_euler(flexion, 0.0, spread, turn);
    hand_compose(model->base_relatives[b], turn, p->relatives[b]);
    if (model->parents[b] < 0)
      memcpy(p->absolutes[b], p->relatives[b], sizeof p->absolutes[b]);
    else
      hand_compose(p->absolutes[model->parents[b]], p->relatives[b],
                   p->absolutes[b]);
    hand_compose(p->absolutes[b], model->inverse_absolutes[b],
                 p->transforms[b]);
  }
  hand_rotation(theta, p->rotation);
}

/// Adds weight times the map's image of the vertex.
static void follow(const double *map, const double *vertex, double weight,
                   double *position) {
  for (int i = 0; i < 3; i++)
    position[i] +=
        weight * (map[4 * i] * vertex[0] + map[4 * i + 1] * vertex[1] +
                  map[4 * i + 2] * vertex[2] + map[4 * i + 3]);
}

/// column = - rotation position, for every measured point.
static void turn_column(const hand_model *model, const double *rotation,
                        const double *restrict positions,
                        double *restrict column) {
  for (int c = 0; c < model->num_correspondences; c++) {
    const double *p = positions + 3 * c;
    for (int i = 0; i < 3; i++)
      column[3 * c + i] =
          -(rotation[3 * i] * p[0] + rotation[3 * i + 1] * p[1] +
            rotation[3 * i + 2] * p[2]);
  }
}

/// The columns of a bone's joint: of flexion, or of spread.
static void joint_column(const hand_model *model, const double *theta,
                         const pose *p, int joint, int by_spread,
                         double *restrict positions, double *restrict column) {
  double tangents[HAND_BONES][HAND_AFFINE], turn[HAND_AFFINE];
  double moved[HAND_AFFINE], flexion, spread;
  finger_angles(theta, joint, &flexion, &spread);
  turn_tangent(flexion, spread, by_spread, turn);
  // Tangents of maps compose like maps; the translation of the left one stands
  // in the product only if the right one is no tangent.
  hand_compose(model->base_relatives[joint], turn, moved);
  moved[3] = moved[7] = moved[11] = 0.0;
  int moves[HAND_BONES] = {0};
  double maps[HAND_BONES][HAND_AFFINE];
  for (int b = joint; b < HAND_BONES; b++) {
    int parent = model->parents[b];
    if (b == joint) {
      hand_compose(p->absolutes[parent], moved, tangents[b]);
      for (int i = 3; i < HAND_AFFINE; i += 4)
        tangents[b][i] = 0.0;
    } else if (parent >= joint && moves[parent]) {
      hand_compose(tangents[parent], p->relatives[b], tangents[b]);
    } else {
      continue;
    }
    moves[b] = 1;
    hand_compose(tangents[b], model->inverse_absolutes[b], maps[b]);
  }
  int n = model->num_vertices;
  for (int c = 0; c < model->num_correspondences; c++) {
    int v = model->correspondences[c];
    double *position = positions + 3 * c;
    position[0] = position[1] = position[2] = 0.0;
    for (int b = joint; b < HAND_BONES; b++)
      if (moves[b] && model->weights[b * n + v] != 0.0)
        follow(maps[b], model->vertices + 3 * v, model->weights[b * n + v],
               position);
  }
  turn_column(model, p->rotation, positions, column);
}

/// The derivatives of the rotation by its vector, three matrices. With w = r/a,
/// a = |r|: R = cos I + sin [w] + (1 - cos) w w', dw/dr_k = (e_k - w w_k)/a.
static void rotation_tangents(const double *r, double tangents[3][9]) {
  double a = sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]);
  double w[3] = {0.0, 0.0, 0.0};
  for (int i = 0; i < 3 && a > 0.0; i++)
    w[i] = r[i] / a;
  double s = sin(a), c = cos(a), v = 1.0 - c;
  double sine = a > 0.0 ? s / a : 1.0, versed = a > 0.0 ? v / a : 0.0;
  for (int k = 0; k < 3; k++) {
    double d[3]; // a times the derivative of w
    for (int i = 0; i < 3; i++)
      d[i] = (i == k ? 1.0 : 0.0) - w[i] * w[k];
    for (int i = 0; i < 3; i++)
      for (int j = 0; j < 3; j++)
        tangents[k][3 * i + j] = (i == j ? -s * w[k] : 0.0) +
                                 s * w[k] * w[i] * w[j] +
                                 versed * (d[i] * w[j] + w[i] * d[j]);
    const int next[3] = {1, 2, 0};
    for (int i = 0; i < 3; i++) {
      int j = next[i], l = next[j]; // [w](l, j) = w_i, [w](j, l) = -w_i
      double skew = c * w[k] * w[i] + sine * d[i];
      tangents[k][3 * l + j] += skew;
      tangents[k][3 * j + l] -= skew;
    }
  }
}

void hand_hand(const hand_model *model, const double *theta, double *jacobian,
               double *work) {
  int rows = 3 * model->num_correspondences;
  int n = model->num_vertices;
  pose p;
  take_pose(model, theta, &p);
  memset(work, 0, (size_t)rows * sizeof(double));
  for (int c = 0; c < model->num_correspondences; c++) {
    int v = model->correspondences[c];
    for (int b = 0; b < HAND_BONES; b++)
      if (model->weights[b * n + v] != 0.0)
        follow(p.transforms[b], model->vertices + 3 * v,
               model->weights[b * n + v], work + 3 * c);
  }
  double tangents[3][9];
  rotation_tangents(theta, tangents);
  for (int k = 0; k < 3; k++) {
    turn_column(model, tangents[k], work, jacobian + k * rows);
    double *column = jacobian + (3 + k) * rows;
    for (int row = 0; row < rows; row++)
      column[row] = row % 3 == k ? -1.0 : 0.0;
  }
  for (int finger = 0; finger < HAND_FINGERS; finger++)
    for (int q = 0; q < HAND_FINGER_POSE; q++) {
      int joint = 2 + 4 * finger + (q < 2 ? 0 : q - 1);
      joint_column(model, theta, &p, joint, q == 1, work,
                   jacobian + (6 + finger * HAND_FINGER_POSE + q) * rows);
    }
}
