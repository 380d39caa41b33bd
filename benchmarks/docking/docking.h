// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Energies of poses of a small molecule, the ligand, at a protein, by an
// empirical force field in the manner of BUDE (McIntosh-Smith, Price, Sessions,
// Ibarra: High performance in silico virtual drug screening on many-core
// processors, Int. J. High Performance Computing Applications 29, 2015). A pose
// turns the ligand by three angles and moves it by three distances,
//
//   l' = Rz(c) Ry(b) Rx(a) l + t
//
// Each pair of a ligand's and a protein's atom, with distance d from centre to
// centre and s = d - R from surface to surface, R = radius + radius, has
//
//   steric        2 hardness (1 - d / R)          where s < 0
//   electrostatic q q k max(0, 1 - max(0, s) / reach), of two donors and
//                 acceptors of hydrogen never more than 0; reach depends on
//                 whether both are hydrogen bonding
//   desolvation   h max(0, 1 - max(0, s) / reach), where h depends on the two
//                 hydrophobicities, and the reach on their signs
//
// and the energy of a pose is half the sum over all pairs. There is no table of
// neighbours: all pairs are visited, for every pose.
//
//   pose     6 x poses: a, b, c, x, y, z; the active inputs
//   energy   poses; its shadow is the weight of each energy in the objective
//
// The gradient is *added* to d_pose, zero on entry.

#ifndef ADZE_BENCHMARKS_DOCKING_DOCKING_H
#define ADZE_BENCHMARKS_DOCKING_DOCKING_H

enum docking_bond { DOCKING_NONE, DOCKING_FORMAL, DOCKING_EITHER };

/// What atoms of a type have in common.
typedef struct {
  double radius, hydrophobicity, charge;
  enum docking_bond bond;
} docking_type;

typedef struct {
  double x, y, z;
  int type;
} docking_atom;

typedef struct {
  int poses, ligand_atoms, protein_atoms;
  const docking_atom *ligand, *protein;
  const docking_type *types;
} docking_deck;

void docking_primal(const docking_deck *deck, const double *pose,
                    double *energy);

void docking_hand(const docking_deck *deck, const double *pose, double *d_pose,
                  const double *d_energy);

void docking_generated(const docking_deck *deck, const double *pose,
                       double *d_pose, double *energy, double *d_energy);

#endif
