// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The primal of docking.h, in a header so that the file with the marker call
// sees it.

#ifndef ADZE_BENCHMARKS_DOCKING_DOCKING_OBJECTIVE_H
#define ADZE_BENCHMARKS_DOCKING_DOCKING_OBJECTIVE_H

#include "docking.h"
#include "field.h"

/// Of two atoms with distance \p d.
static inline double docking_pair(docking_type a, docking_type b, double d) {
  const double radii = docking_radii(a, b);
  const double surface = d - radii;
  const bool touch = surface < 0;
  double sum = touch ? 2 * DOCKING_HARDNESS * (1 - d / radii) : 0.0;

  const double charge_reach = docking_charge_reach(a, b);
  if (surface < charge_reach) {
    const double charge =
        docking_charges(a, b) * (touch ? 1.0 : 1 - surface / charge_reach);
    sum += docking_attract(a, b) ? -fabs(charge) : charge;
  }

  const double reach = docking_desolvation_reach(a, b);
  if (surface < reach)
    sum += docking_desolvation(a, b) * (touch ? 1.0 : 1 - surface / reach);
  return sum;
}

static void docking_energies(const docking_deck *restrict deck,
                             const double *restrict pose,
                             double *restrict energy) {
  const int poses = deck->poses;
  for (int p = 0; p < poses; p++) {
    const double sx = sin(pose[p]), cx = cos(pose[p]);
    const double sy = sin(pose[poses + p]), cy = cos(pose[poses + p]);
    const double sz = sin(pose[2 * poses + p]), cz = cos(pose[2 * poses + p]);
    const double turn[3][3] = {
        {cy * cz, sx * sy * cz - cx * sz, cx * sy * cz + sx * sz},
        {cy * sz, sx * sy * sz + cx * cz, cx * sy * sz - sx * cz},
        {-sy, sx * cy, cx * cy}};
    double sum = 0.0;
    for (int l = 0; l < deck->ligand_atoms; l++) {
      const docking_atom *atom = &deck->ligand[l];
      const docking_type type = deck->types[atom->type];
      double at[3];
      for (int i = 0; i < 3; i++)
        at[i] = turn[i][0] * atom->x + turn[i][1] * atom->y +
                turn[i][2] * atom->z + pose[(3 + i) * poses + p];
      for (int k = 0; k < deck->protein_atoms; k++) {
        const docking_atom *other = &deck->protein[k];
        const double x = at[0] - other->x, y = at[1] - other->y,
                     z = at[2] - other->z;
        sum += docking_pair(type, deck->types[other->type],
                            sqrt(x * x + y * y + z * z));
      }
    }
    energy[p] = 0.5 * sum;
  }
}

#endif
