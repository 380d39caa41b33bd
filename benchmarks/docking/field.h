// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Numbers of the force field of docking.h that primal and hand-written adjoint
// share: what a pair of types says, without the distance.

#ifndef ADZE_BENCHMARKS_DOCKING_FIELD_H
#define ADZE_BENCHMARKS_DOCKING_FIELD_H

#include "docking.h"

#include <math.h>
#include <stdbool.h>

#define DOCKING_HARDNESS 38.0
#define DOCKING_COULOMB 45.0
#define DOCKING_NONPOLAR_REACH 5.5 ///< of desolvation between nonpolar atoms
#define DOCKING_POLAR_REACH 1.0    ///< between a polar and a nonpolar one
#define DOCKING_FORMAL_REACH 4.0   ///< of charge between formal charges
#define DOCKING_DIPOLE_REACH 2.0   ///< between all others

/// The sum of both radii.
static inline double docking_radii(docking_type a, docking_type b) {
  return a.radius + b.radius;
}

static inline double docking_charges(docking_type a, docking_type b) {
  return a.charge * b.charge * DOCKING_COULOMB;
}

static inline double docking_charge_reach(docking_type a, docking_type b) {
  return a.bond == DOCKING_FORMAL && b.bond == DOCKING_FORMAL
             ? DOCKING_FORMAL_REACH
             : DOCKING_DIPOLE_REACH;
}

/// Atoms that are donor or acceptor as it suits only attract.
static inline bool docking_attract(docking_type a, docking_type b) {
  return a.bond == DOCKING_EITHER || b.bond == DOCKING_EITHER;
}

/// Two nonpolar atoms attract each other, a polar and a nonpolar one are
/// repelled, and two polar ones have water between them either way.
static inline double docking_desolvation(docking_type a, docking_type b) {
  const double p = a.hydrophobicity, q = b.hydrophobicity;
  if (p < 0 && q < 0)
    return p + q;
  if (p * q < 0)
    return fabs(p) + fabs(q);
  return 0.0;
}

static inline double docking_desolvation_reach(docking_type a, docking_type b) {
  return a.hydrophobicity < 0 && b.hydrophobicity < 0 ? DOCKING_NONPOLAR_REACH
                                                      : DOCKING_POLAR_REACH;
}

#endif
