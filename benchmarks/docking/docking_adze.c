// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The gradient by one marker call; with ADZE_NO_MARKER a call of an ordinary
// external function in its place, for measuring compile time.

#include "docking.h"
#include "docking_objective.h"

#include "adze/adze.h"

#ifdef ADZE_NO_MARKER
extern void external_gradient(void *, ...);
#define GRADIENT external_gradient
#else
extern void __enzyme_autodiff(void *, ...);
#define GRADIENT __enzyme_autodiff
#endif

void docking_generated(const docking_deck *deck, const double *pose,
                       double *d_pose, double *energy, double *d_energy) {
  GRADIENT((void *)docking_energies, enzyme_const, deck, enzyme_dup, pose,
           d_pose, enzyme_dup, energy, d_energy);
}
