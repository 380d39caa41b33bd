// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The adjoint by hand. The weight of a pose's energy is known before its pairs
// are visited, so one pass over them suffices, without any tape: with E' the
// slope of a pair's energy by its distance d,
//
//   f = sum over the protein of E' (l' - p) / d     force on a ligand's atom
//   dt = sum f,   dR = sum f l^T                    over the ligand
//
// and the angles follow from dR. The energies themselves are not computed.

#include "docking.h"
#include "field.h"

/// The slope of docking_pair() by the distance.
static inline double pair_slope(docking_type a, docking_type b, double d) {
  const double radii = docking_radii(a, b), surface = d - radii;
  if (surface < 0)
    return -2 * DOCKING_HARDNESS / radii;
  double slope = 0.0;
  const double charge_reach = docking_charge_reach(a, b);
  if (surface < charge_reach) {
    const double charge = docking_charges(a, b);
    slope -= (docking_attract(a, b) ? -fabs(charge) : charge) / charge_reach;
  }
  const double reach = docking_desolvation_reach(a, b);
  if (surface < reach)
    slope -= docking_desolvation(a, b) / reach;
  return slope;
}

void docking_hand(const docking_deck *deck, const double *pose, double *d_pose,
                  const double *d_energy) {
  const int poses = deck->poses;
  for (int p = 0; p < poses; p++) {
    const double sx = sin(pose[p]), cx = cos(pose[p]);
    const double sy = sin(pose[poses + p]), cy = cos(pose[poses + p]);
    const double sz = sin(pose[2 * poses + p]), cz = cos(pose[2 * poses + p]);
    const double turn[3][3] = {
        {cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz},
        {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz},
        {-sy, sx * cy, cx * cy}};
    double d_turn[3][3] = {{0}}, d_move[3] = {0};
    for (int l = 0; l < deck->ligand_atoms; l++) {
      const docking_atom *atom = &deck->ligand[l];
      const docking_type type = deck->types[atom->type];
      double at[3], force[3] = {0};
      for (int i = 0; i < 3; i++)
        at[i] = turn[i][0] * atom->x + turn[i][1] * atom->y +
                turn[i][2] * atom->z + pose[(3 + i) * poses + p];
      for (int k = 0; k < deck->protein_atoms; k++) {
        const docking_atom *other = &deck->protein[k];
        const double x = at[0] - other->x, y = at[1] - other->y,
                     z = at[2] - other->z;
        const double d = sqrt(x * x + y * y + z * z);
        const double slope = pair_slope(type, deck->types[other->type], d) / d;
        force[0] += slope * x;
        force[1] += slope * y;
        force[2] += slope * z;
      }
      for (int i = 0; i < 3; i++) {
        d_turn[i][0] += force[i] * atom->x;
        d_turn[i][1] += force[i] * atom->y;
        d_turn[i][2] += force[i] * atom->z;
        d_move[i] += force[i];
      }
    }
    const double weight = 0.5 * d_energy[p];
    const double(*d)[3] = (const double(*)[3])d_turn;
    // dR/da: the third column takes the place of the second, and minus the
    // second that of the third.
    double a = 0.0, c = 0.0;
    for (int i = 0; i < 3; i++)
      a += d[i][1] * turn[i][2] - d[i][2] * turn[i][1];
    // dR/dc turns the first two rows.
    for (int j = 0; j < 3; j++)
      c += d[1][j] * turn[0][j] - d[0][j] * turn[1][j];
    const double b =
        cz * (-sy * d[0][0] + sx * cy * d[0][1] + cx * cy * d[0][2]) +
        sz * (-sy * d[1][0] + sx * cy * d[1][1] + cx * cy * d[1][2]) -
        cy * d[2][0] - sx * sy * d[2][1] - cx * sy * d[2][2];
    d_pose[p] += weight * a;
    d_pose[poses + p] += weight * b;
    d_pose[2 * poses + p] += weight * c;
    for (int i = 0; i < 3; i++)
      d_pose[(3 + i) * poses + p] += weight * d_move[i];
  }
}
