// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception

#include "docking.h"
#include "docking_objective.h"

void docking_primal(const docking_deck *deck, const double *pose,
                    double *energy) {
  docking_energies(deck, pose, energy);
}
