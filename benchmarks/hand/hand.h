// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Tracking of an articulated hand (ADBench's hand, the variant of 26 pose
// parameters). A skeleton of bones is posed, its vertices follow the bones by
// weights, and the residuals are the distances of measured points to the
// vertices they belong to.
//
// Affine maps are 3 x 4, by rows, the translation last. The pose theta is
//
//   0..2    global rotation, a rotation vector
//   3..5    global translation
//   6..25   for each of 5 fingers: flexion and spread of its second bone,
//           flexion of its third and fourth
//
//   errors    3 x the number of correspondences
//   jacobian  26 columns of that length, overwritten by the gradients
//   work      3 x the number of vertices, scratch: positions; d_work for as
//             many columns as one marker call makes

#ifndef ADZE_BENCHMARKS_HAND_HAND_H
#define ADZE_BENCHMARKS_HAND_HAND_H

enum {
  HAND_POSE = 26,
  HAND_FINGERS = 5,
  HAND_FINGER_POSE = 4,
  HAND_BONES = 22, ///< The wrist, four bones a finger, the forearm.
  HAND_AFFINE = 12,
  HAND_DIRECTIONS = HAND_POSE ///< Columns of one marker call.
};

typedef struct {
  int num_vertices, num_correspondences;
  int parents[HAND_BONES]; ///< Before its children; -1 for the root.
  double base_relatives[HAND_BONES][HAND_AFFINE];
  double inverse_absolutes[HAND_BONES][HAND_AFFINE];
  const double *vertices;     ///< 3 each.
  const double *weights;      ///< num_vertices for each bone.
  const int *correspondences; ///< The vertex of each measured point.
  const double *measured;     ///< 3 each.
} hand_model;

void hand_primal(const hand_model *model, const double *theta, double *errors,
                 double *work);

void hand_hand(const hand_model *model, const double *theta, double *jacobian,
               double *work);

void hand_generated(const hand_model *model, const double *theta,
                    double *jacobian, double *errors, double *work,
                    double *d_work);

#endif
